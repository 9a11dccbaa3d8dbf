//! Links: which targets count as alive.

use super::{found, passes};
use crate::tidy::links::check;

#[test]
fn links_to_files_folders_headings_and_other_hosts_pass() {
    let page = "# Top Words\n\
                [self](#top-words) [up](../README.md#start) [folder](../docs) [code](../a.rs#L3)\n\
                [far](https://example.org/gone) [mail](mailto:a@example.org) ![svg](p.svg)\n\
                `[not a link](gone.md)`\n";
    passes(
        check,
        &[
            ("README.md", "## Start\n[docs](docs/) and [page](./docs/page.md)\n"),
            ("docs/page.md", page),
            ("docs/p.svg", "<svg/>\n"),
            ("a.rs", "//! A.\n"),
        ],
    );
}

#[test]
fn a_link_to_a_file_that_is_not_there_fails_at_its_line() {
    assert_eq!(
        found(check, &[("docs/page.md", "one\n[a](b.md) [c](page.md)\n\n[d]: e.md\n")]),
        ["docs/page.md:2: dead link `b.md`", "docs/page.md:4: dead link `e.md`"]
    );
}

#[test]
fn a_link_to_a_heading_that_is_not_there_fails() {
    let files = [("a.md", "[x](b.md#two) [y](#one)\n"), ("b.md", "# One\n")];
    assert_eq!(
        found(check, &files),
        ["a.md:1: no heading `#one` in a.md", "a.md:1: no heading `#two` in b.md"]
    );
}

#[test]
fn a_link_out_of_the_repository_fails() {
    assert_eq!(
        found(check, &[("a.md", "[x](../b.md)\n[y](/b.md)\n")]),
        [
            "a.md:1: `../b.md` leads out of the repository",
            "a.md:2: `/b.md` leads out of the repository"
        ]
    );
}
