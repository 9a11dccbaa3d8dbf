//! Features, patterns of file names, mounts.

use muster_model::{Expression, Name};
use proptest::prelude::*;

use super::{refused, written};
use crate::values::{Feature, Features, Mounts, Pattern, PatternValues};

#[test]
fn features_are_taken_from_left_to_right() {
    written::<Features>(&[
        ("a", "a"),
        ("a&b", "a&b"),
        ("a,b", "a&b"),
        ("a|b|c", "a|b|c"),
        ("a|b&c", "(a|b)&c"),
        ("a&b|c", "(a&b)|c"),
        ("(a|b)&c", "(a|b)&c"),
        ("a|(b&c)", "a|(b&c)"),
        ("((a|b))&c", "(a|b)&c"),
        ("[a|b]", "[a|b]"),
        ("[a|b]&c", "[a|b]&c"),
        ("a*2&b", "a*2&b"),
        ("[a*2&b*1]", "a*2&b*1"),
    ]);
    refused::<Features>(
        "expected names of features",
        &["", "a&", "&a", "a b", "!a", "(a|b", "a|b)", "[a&b]", "[a]", "a*0", "a*", "a&&b", "a=b"],
    );
    let deep = format!("{}a{}", "(".repeat(20), ")".repeat(20));
    let turns = format!("a{}", "&b|c".repeat(20));
    refused::<Features>("expected names of features", &[&deep, &turns]);
}

#[test]
fn features_become_questions_where_one_node_can_answer() {
    let has = |name: &str| Expression::Has(Name::from(name));
    let ask = |text: &str, nodes| text.parse::<Features>().expect("good").expression(nodes);
    assert_eq!(ask("a&b", 4), Some(Expression::And(vec![has("a"), has("b")])));
    assert_eq!(ask("[a|b]", 1), Some(Expression::Or(vec![has("a"), has("b")])));
    assert_eq!(ask("[a|b]", 2), None);
    assert_eq!(ask("a*2", 2), Some(has("a")));
    assert_eq!(ask("a*2", 3), None);
}

#[test]
fn names_of_files_are_filled_in() {
    let values = PatternValues {
        job: 128,
        array: None,
        step: None,
        task: 0,
        node: 0,
        host: "node-1.site",
        user: "user-a",
        job_name: "train",
    };
    let element = PatternValues { array: Some((120, 7)), ..values.clone() };
    let task = PatternValues { step: Some(3), task: 5, node: 1, ..values.clone() };
    for (pattern, values, expected) in [
        ("slurm-%j.out", &values, "slurm-128.out"),
        ("%x/%u-%N.log", &values, "train/user-a-node-1.log"),
        ("%A_%a", &element, "120_7"),
        ("%A_%a", &values, "128_4294967294"),
        ("%4a-%6A", &element, "0007-000120"),
        ("%99j", &values, "0000000128"),
        ("%J", &values, "128"),
        ("%J.%s.%t.%n", &task, "128.3.3.5.1"),
        ("%s", &values, "batch"),
        ("%b", &element, "7"),
        ("100%%", &values, "100%"),
        ("%q%5q%", &values, "%q%5q%"),
        ("%3", &values, "%3"),
        ("%5x", &values, "train"),
        ("a\\%j", &values, "a%j"),
        ("é%jé", &values, "é128é"),
    ] {
        let pattern: Pattern = pattern.parse().expect("good");
        assert_eq!(pattern.expand(values), expected, "{pattern}");
    }
    refused::<Pattern>("expected the name of a file", &["", "a\0b"]);
}

#[test]
fn tasks_write_to_files_of_their_own_where_the_name_says_so() {
    for (text, is_per_task) in [("a-%t", true), ("a-%3t", true), ("a-%j", false), ("at", false)] {
        assert_eq!(text.parse::<Pattern>().map(|it| it.is_per_task()), Ok(is_per_task), "{text}");
    }
}

#[test]
fn mounts_have_a_source_a_target_and_flags() {
    written::<Mounts>(&[
        ("/data", "/data:/data"),
        ("/data:/mnt", "/data:/mnt"),
        ("/a:/b:ro,/c", "/a:/b:ro,/c:/c"),
    ]);
    refused::<Mounts>("expected paths", &["", "/a:", ":/b", "/a:/b:", "/a:/b:ro:x", "/a,,/b"]);
}

fn features() -> impl Strategy<Value = Feature> {
    let leaf = "[a-z][a-z0-9_.-]{0,4}".prop_map(Feature::Has);
    leaf.prop_recursive(4, 30, 4, |inner| {
        let some = || prop::collection::vec(inner.clone(), 2..4);
        prop_oneof![some().prop_map(Feature::All), some().prop_map(Feature::Any)]
    })
}

proptest! {
    #[test]
    fn features_are_read_as_they_are_written(feature in features()) {
        let written = Features(feature).to_string();
        let read = written.parse::<Features>().expect("what is written is read");
        prop_assert_eq!(read.to_string().parse::<Features>(), Ok(read));
    }

    #[test]
    fn any_pattern_is_filled_in(text in "[%a-z0-9é\\\\]{1,12}") {
        let pattern: Pattern = text.parse().expect("any text");
        pattern.expand(&PatternValues { job: 1, ..PatternValues::default() });
    }
}
