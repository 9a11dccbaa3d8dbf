//! What is a name, what is not, and what is said then.

use super::*;

#[test]
fn names_of_every_allowed_form_are_accepted() {
    for text in ["a", "0", "H100", "node-1.example", "a_b", "A-", &"x".repeat(63)] {
        assert_eq!(Name::new(text).map(|name| name.to_string()), Ok(text.to_owned()));
    }
}

#[test]
fn a_bad_name_is_refused_with_the_allowed_form_and_a_guess() {
    let form = "is not allowed; expected 1 to 63 letters, digits, `.`, `_` or `-`, \
                starting with a letter or digit";
    let long = "x".repeat(64);
    for (text, expected) in [
        ("", format!("name: `` {form}")),
        ("-", format!("name: `-` {form}")),
        ("my job", format!("name: `my job` {form}\nhint: did you mean my-job?")),
        ("_x", format!("name: `_x` {form}\nhint: did you mean x?")),
        ("café", format!("name: `café` {form}\nhint: did you mean caf?")),
        ("a/b", format!("name: `a/b` {form}\nhint: did you mean a-b?")),
        (&long, format!("name: `{long}` {form}")),
    ] {
        assert_eq!(Name::new(text).expect_err(text).to_string(), expected);
    }
}

#[test]
fn a_very_long_value_is_shown_by_its_beginning() {
    let error = Name::new(&"ü".repeat(5000)).expect_err("too long");
    assert_eq!(error.value, format!("`{}…` (5000 characters)", "ü".repeat(80)));
}

#[test]
fn queue_names_know_their_parent_and_depth() {
    let queue = QueueName::new("a/b/c").expect("a good name");
    assert_eq!(queue.parent(), Some(QueueName::from("a/b")));
    assert_eq!(queue.depth(), 2);
    assert_eq!(QueueName::from("a").parent(), None);
}

#[test]
fn a_bad_queue_name_is_refused_with_the_allowed_form_and_a_guess() {
    let form = "is not allowed; expected 1 to 5 names joined by `/`, each of 1 to 63 letters, \
                digits, `.`, `_` or `-`, starting with a letter or digit";
    for (text, expected) in [
        ("", format!("queue: `` {form}")),
        ("/", format!("queue: `/` {form}")),
        ("/a", format!("queue: `/a` {form}\nhint: did you mean a?")),
        ("a//b/", format!("queue: `a//b/` {form}\nhint: did you mean a/b?")),
        ("a b/c", format!("queue: `a b/c` {form}\nhint: did you mean a-b/c?")),
        ("a/b/c/d/e/f", format!("queue: `a/b/c/d/e/f` {form}")),
    ] {
        assert_eq!(QueueName::new(text).expect_err(text).to_string(), expected);
    }
}

#[test]
fn reading_keeps_a_bad_name_for_validation_to_report() {
    let name: Name = serde_json::from_str("\"my job\"").expect("any text is read");
    assert_eq!(name.as_str(), "my job");
    assert!(!name.is_valid());
}
