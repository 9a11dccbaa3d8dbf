//! Reading stories, and saying where they and the engine differ.

use super::{Exchange, Played, Story};

fn played(expected: &[&str], printed: &[&str]) -> Played {
    let lines = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
    let exchange = Exchange {
        line: 7,
        command: "why 2".to_owned(),
        expected: lines(expected),
        printed: lines(printed),
    };
    let (file, title) = ("a.story".to_owned(), "A".to_owned());
    Played { file, title, exchanges: vec![exchange] }
}

#[test]
fn error_names_file_line_and_what_was_meant() {
    let error = Story::read("a.story", "# A\n\n    tikc\n").unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("a.story:3: unknown verb `tikc`"), "{text}");
    assert!(text.ends_with("hint: did you mean `tick`?"), "{text}");
}

#[test]
fn difference_shows_what_is_missing_and_what_is_new() {
    let played = played(&["same", "old"], &["same", "new"]);
    assert_eq!(played.complaint(), "a.story:7: why 2\n    same\n  - old\n  + new\n");
}

#[test]
fn lines_in_another_order_are_a_difference() {
    let played = played(&["one", "two"], &["two", "one"]);
    assert_eq!(played.differences().count(), 1);
    assert!(!played.complaint().is_empty());
}

#[test]
fn same_lines_are_no_difference() {
    assert_eq!(played(&["one"], &["one"]).complaint(), "");
}

#[test]
fn configuration_after_the_first_event_is_refused() {
    let story = Story::read("a.story", "    node n1 H100x8\n    levels rack\n").unwrap();
    let error = story.play().unwrap_err();
    assert_eq!((error.line, error.what.contains("before the first event")), (2, true));
}

#[test]
fn report_of_an_unknown_job_is_refused_with_its_line() {
    let story = Story::read("a.story", "    node n1 H100x8\n\n    started 9\n").unwrap();
    let error = story.play().unwrap_err();
    assert_eq!(error.to_string(), "a.story:3: expected the number of a known job, not 9");
}

#[test]
fn node_that_never_joined_is_refused() {
    let story = Story::read("a.story", "    drain n7\n").unwrap();
    let error = story.play().unwrap_err();
    assert!(error.what.contains("a node that has joined, not `n7`"), "{}", error.what);
}
