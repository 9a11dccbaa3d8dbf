//! Reading, asking, printing and bounding expressions.

use proptest::prelude::*;

use crate::constraint::Expression::{self, And, Has, Is, Node, Not, Or};
use crate::field::Field;
use crate::name::Name;
use crate::node::NodeSpec;
use crate::problems::Problems;

fn read(text: &str) -> Expression {
    text.parse().expect(text)
}

fn refused(text: &str) -> String {
    text.parse::<Expression>().expect_err(text).to_string()
}

fn has(label: &str) -> Expression {
    Has(Name::from(label))
}

fn is(label: &str, values: &[&str]) -> Expression {
    Is(Name::from(label), values.iter().copied().map(Name::from).collect())
}

fn not(part: Expression) -> Expression {
    Not(Box::new(part))
}

#[test]
fn text_is_read_with_and_before_or() {
    let cases = [
        ("spot", has("spot")),
        ("rack=r1", is("rack", &["r1"])),
        ("rack=r1,r2", is("rack", &["r1", "r2"])),
        ("@node-1,node-2", Node(vec![Name::from("node-1"), Name::from("node-2")])),
        ("!spot", not(has("spot"))),
        ("!!spot", not(not(has("spot")))),
        ("a|b&c", Or(vec![has("a"), And(vec![has("b"), has("c")])])),
        ("(a|b)&c", And(vec![Or(vec![has("a"), has("b")]), has("c")])),
        ("a & b & c", And(vec![has("a"), has("b"), has("c")])),
        ("((a))", has("a")),
        (
            "gpu=H100 & (rack=r1|rack=r2) & !spot",
            And(vec![
                is("gpu", &["H100"]),
                Or(vec![is("rack", &["r1"]), is("rack", &["r2"])]),
                not(has("spot")),
            ]),
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(read(text), expected, "{text}");
    }
}

#[test]
fn bad_text_is_refused_with_the_place_and_a_guess() {
    let forms = "labels (`spot`), values (`rack=r1,r2`) or nodes (`@node-1`), joined by `&`, `|`, \
                 `!` and parentheses";
    let name = "1 to 63 letters, digits, `.`, `_` or `-`, starting with a letter or digit";
    let cases = [
        ("", format!("expected {forms} at the end")),
        ("a &", format!("expected {forms} at the end")),
        ("a & | b", format!("expected {forms} at character 5")),
        ("(a | b", "expected `)` at the end".to_owned()),
        ("a) & b", "expected `&`, `|` or the end at character 2".to_owned()),
        ("a b", "expected `&`, `|` or the end at character 3".to_owned()),
        ("rack=", "expected a value at the end".to_owned()),
        ("rack=r1,", "expected a value at the end".to_owned()),
        ("@", "expected the name of a node at the end".to_owned()),
        ("é", format!("expected {name} at character 1")),
        ("a && b", format!("expected {forms} at character 4\nhint: did you mean a & b?")),
        ("a || b", format!("expected {forms} at character 4\nhint: did you mean a | b?")),
        ("rack == r1", "expected a value at character 7\nhint: did you mean rack = r1?".to_owned()),
        (
            "a and not b",
            "expected `&`, `|` or the end at character 3\nhint: did you mean a & !b?".to_owned(),
        ),
        (
            "a & rack != r1",
            "expected `&`, `|` or the end at character 10\nhint: did you mean a & !rack=r1?"
                .to_owned(),
        ),
        ("disk=\"fast\"", format!("expected {name} at character 6\nhint: did you mean disk=fast?")),
    ];
    for (text, expected) in cases {
        assert_eq!(refused(text), format!("constraint: `{text}` is not allowed; {expected}"));
    }
}

#[test]
fn text_beyond_the_bounds_is_refused() {
    assert_eq!(read(&format!("{}a", "!".repeat(15))).size().excess(), None);
    for text in [format!("{}a", "!".repeat(16)), format!("{}a", "(".repeat(100_000))] {
        assert!(refused(&text).ends_with("expected at most 16 levels"));
    }
    let names = vec!["a"; 257].join(",");
    read(&format!("rack={}", &names[2..]));
    assert!(refused(&format!("rack={names}")).ends_with("expected at most 256 names and values"));
}

#[test]
fn an_expression_is_asked_of_labels_and_names() {
    let node = NodeSpec::new("node-1", "H100", 8).label("disk", "fast").label("spot", "yes");
    for (text, expected) in [
        ("spot", true),
        ("rack", false),
        ("disk=fast", true),
        ("disk=slow", false),
        ("disk=slow,fast", true),
        ("rack=fast", false),
        ("@node-1", true),
        ("@node-2,node-1", true),
        ("@node-2", false),
        ("!rack", true),
        ("spot & disk=fast", true),
        ("spot & rack", false),
        ("rack | spot", true),
        ("rack | disk=slow", false),
        ("!(rack | spot)", false),
    ] {
        assert_eq!(read(text).matches(&node), expected, "{text}");
    }
}

#[test]
fn an_expression_is_printed_in_words() {
    for (text, expected) in [
        ("spot", "has spot"),
        ("!spot", "has no spot"),
        ("rack=r1", "rack is r1"),
        ("!rack=r1", "rack is not r1"),
        ("rack=r1,r2", "rack is one of r1, r2"),
        ("!rack=r1,r2", "rack is not one of r1, r2"),
        ("@node-1", "node is node-1"),
        ("!(a | b)", "not (has a or has b)"),
        ("a & (b | c)", "has a and (has b or has c)"),
        ("!!a", "not (has no a)"),
    ] {
        assert_eq!(read(text).to_string(), expected);
    }
}

#[test]
fn a_bad_expression_is_reported_with_its_path() {
    let problems = |expression: &Expression| {
        let mut problems = Problems::default();
        let constraint = Field::WHOLE.field("constraint");
        expression.check(&constraint.field("require"), &mut problems);
        let found = problems.result().expect_err("a bad expression");
        found.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let bad_name = And(vec![has("a"), not(Or(vec![is("b", &["c d"])]))]);
    assert_eq!(
        problems(&bad_name),
        ["constraint.require.and[1].not.or[0]: `c d` is not allowed; expected 1 to 63 letters, \
          digits, `.`, `_` or `-`, starting with a letter or digit\nhint: did you mean c-d?"]
    );
    let empty = And(vec![is("a", &[]), Node(vec![]), Or(vec![])]);
    assert_eq!(
        problems(&empty),
        [
            "constraint.require.and[0]: 0 values is not allowed; expected at least 1",
            "constraint.require.and[1]: 0 node names is not allowed; expected at least 1",
            "constraint.require.and[2].or: 0 parts is not allowed; expected at least 1",
        ]
    );
    let wide = Or(vec![has("a"); 257]);
    assert_eq!(
        problems(&wide),
        ["constraint.require: so large an expression is not allowed; expected at most 256 names \
          and values"]
    );
    let deep = (0..16).fold(has("a"), |part, _| not(part));
    assert_eq!(
        problems(&deep),
        ["constraint.require: so large an expression is not allowed; expected at most 16 levels"]
    );
}

fn names() -> impl Strategy<Value = Name> {
    "[A-Za-z0-9][A-Za-z0-9._-]{0,5}".prop_map(|text| Name::from(text.as_str()))
}

/// Expressions as reading makes them: rows have at least two parts.
fn expressions() -> impl Strategy<Value = Expression> {
    let some_names = || prop::collection::vec(names(), 1..4);
    let leaf = prop_oneof![
        names().prop_map(Has),
        (names(), some_names()).prop_map(|(label, values)| Is(label, values)),
        some_names().prop_map(Node),
    ];
    leaf.prop_recursive(5, 40, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(And),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Or),
            inner.prop_map(not),
        ]
    })
}

proptest! {
    #[test]
    fn the_notation_is_read_as_the_same_expression(expression in expressions()) {
        prop_assert_eq!(expression.notation().parse(), Ok(expression));
    }

    #[test]
    fn any_text_is_read_or_refused_with_a_guess_that_reads(text in "[ab=,&|!()@ ]{0,20}|.{0,20}") {
        match text.parse::<Expression>() {
            Ok(expression) => prop_assert_eq!(expression.notation().parse(), Ok(expression)),
            Err(refused) => {
                let reads = |meant: &String| meant.parse::<Expression>().is_ok();
                prop_assert!(refused.meant.is_none_or(|meant| reads(&meant)));
            }
        }
    }

    #[test]
    fn negation_turns_every_answer_round(expression in expressions(), name in names()) {
        let node = NodeSpec::new(name.as_str(), "H100", 8).label("a", "b");
        prop_assert_ne!(expression.matches(&node), not(expression).matches(&node));
    }
}
