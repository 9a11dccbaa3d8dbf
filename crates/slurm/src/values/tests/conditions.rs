//! Dependencies, signals, switches.

use super::{refused, written};
use crate::values::{Condition, Dependencies, Element, Signal, Switches};

#[test]
fn dependencies_name_what_and_whom() {
    written::<Dependencies>(&[
        ("singleton", "singleton"),
        ("afterok:1:2_3?afterany:4,singleton", "afterok:1:2_3?afterany:4,singleton"),
        ("after:5+10", "after:5+10"),
        ("aftercorr:3_*", "aftercorr:3_*"),
        ("afternotok:7", "afternotok:7"),
        ("12", "afterany:12"),
        ("1:2", "afterany:1:2"),
        ("afterok:1,2", "afterok:1,afterany:2"),
    ]);
}

#[test]
fn a_question_mark_joins_what_any_may_meet() {
    let Dependencies(groups) = "afterok:1?afterany:4,after:2_7".parse().expect("good");
    assert_eq!(groups.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
    assert_eq!(groups[0][1].condition, Condition::AfterAny);
    assert_eq!(groups[1][0].jobs[0].element, Element::Index(7));
}

#[test]
fn other_dependencies_are_refused() {
    refused::<Dependencies>(
        "expected singleton, or one of after",
        &[
            "",
            "afterok",
            "afterok:",
            "foo:1",
            "singleton:1",
            "afterok:x",
            "afterok:1+5",
            "afterok:0",
            "afterok:1_x",
            "expand:1",
            "afterburstbuffer:1",
            "afterok:1,,afterok:2",
            "AFTEROK:1",
        ],
    );
    let many = format!("afterok{}", ":1".repeat(257));
    refused::<Dependencies>("at most 256 jobs", &[&many]);
}

#[test]
fn signals_have_a_name_or_number_a_time_and_a_target() {
    written::<Signal>(&[
        ("USR1", "USR1@60"),
        ("B:USR1@120", "B:USR1@120"),
        ("R:10@5", "R:USR1@5"),
        ("SIGTERM@60", "TERM@60"),
        ("usr2@90", "USR2@90"),
        ("BR:USR1", "RB:USR1@60"),
        ("xcpu", "XCPU@60"),
        ("64@1", "64@1"),
    ]);
    refused::<Signal>(
        "expected a signal with the seconds",
        &[
            "",
            "FOO",
            "0",
            "65",
            "USR1@70000",
            "@5",
            "B",
            "B:",
            ":USR1",
            "X:USR1",
            "RTMIN+1",
            "USR1@",
        ],
    );
}

#[test]
fn switches_have_a_number_and_maybe_a_wait() {
    written::<Switches>(&[("1", "1"), ("2@10:00", "2@00:10:00"), ("1@0", "1@UNLIMITED")]);
    refused::<Switches>("expected a number of switches", &["", "0", "@5", "1@", "1@x", "x"]);
}
