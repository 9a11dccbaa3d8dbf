//! Marks: leftovers are found, and words that only look like them are not. The marks are put
//! together from pieces, since this file is itself looked at.

use super::{found, passes};
use crate::tidy::marks::check;

#[test]
fn words_and_paths_that_only_look_alike_pass() {
    let text = "mastodon methodology TODOS shacks HACKS mktemp XXXXXX\n\
                network/work/a ./work/a ~/work/a https://example.org/home/page /home/NAME\n";
    passes(
        check,
        &[("a.md", text), ("a.rs", "//! A.\n#[ignore = \"takes an hour\"]\nfn f() {}\n")],
    );
}

#[test]
fn every_mark_fails_in_every_text_file() {
    for mark in [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("XX", "X"),
        concat!("HA", "CK"),
        concat!("to", "do!"),
        concat!("unimple", "mented!"),
        concat!("d", "bg!"),
    ] {
        for path in ["a.rs", "docs/a.md", "a.toml", "scenarios/a.story"] {
            let text = format!("//! A.\nfirst {mark}(later)\n");
            assert_eq!(found(check, &[(path, &text)]), [format!("{path}:2: leftover `{mark}`")]);
        }
    }
}

#[test]
fn a_path_of_one_machine_fails() {
    for folder in [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/")] {
        for before in ["", "see ", "\"", "("] {
            let text = format!("//! A.\n{before}{folder}someone/x\n");
            assert_eq!(
                found(check, &[("a.md", &text)]),
                [format!("a.md:2: machine path `{folder}...`")]
            );
        }
    }
}

#[test]
fn a_test_ignored_without_a_reason_fails() {
    for attribute in ["#[ignore]", "#[ignore = \"\"]", "/* ä */ #[test] #[ignore]"] {
        let text = format!("//! A.\n{attribute}\nfn f() {{}}\n");
        assert_eq!(
            found(check, &[("a.rs", &text)]),
            ["a.rs:2: a test ignored in silence"],
            "{attribute}"
        );
    }
}
