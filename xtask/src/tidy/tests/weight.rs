//! Weight: what counts as engine, what as test, and where the line is.

use super::{Made, found, passes};
use crate::tidy::weight::{Weight, check, measure};

const ENGINE: &str =
    "//! A.\n\nfn f() {}\nfn g() {}\n#[cfg(test)]\nmod tests {\n    fn t() {}\n}\n";

#[test]
fn each_side_counts_its_own_lines_without_blank_ones() {
    let made = Made::new(&[
        ("crates/engine/src/lib.rs", ENGINE),
        ("crates/engine/src/a/tests.rs", "//! T.\n"),
        ("crates/engine/tests/t.rs", "//! T.\n\nfn t() {}\n"),
        ("crates/checker/src/lib.rs", "//! C.\nfn c() {}\n"),
        ("scenarios/stories/day.story", "at 0\n\nsubmit\n"),
        ("scenarios/README.md", "not counted\n"),
        ("crates/model/src/lib.rs", "//! Not counted.\n"),
    ]);
    assert_eq!(measure(&made.tree()), Weight { engine: 3, tests: 4 + 1 + 2 + 2 + 2 });
}

#[test]
fn twice_as_many_lines_of_test_pass_and_one_less_fails() {
    let engine = ("crates/engine/src/lib.rs", "fn a() {}\nfn b() {}\n");
    passes(check, &[engine, ("scenarios/a.story", "1\n2\n3\n4\n")]);
    assert_eq!(
        found(check, &[engine, ("scenarios/a.story", "1\n2\n3\n")]),
        ["crates/engine:1: 3 lines of test for 2 lines of engine, at least 2 times as many"]
    );
}

#[test]
fn a_tree_without_an_engine_passes() {
    passes(check, &[("README.md", "nothing yet\n")]);
}
