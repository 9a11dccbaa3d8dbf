//! Rule: every Rust file opens by saying what it is for, and every folder of sources has a short
//! README, so that a reader is never dropped into code without a word.

use std::collections::BTreeSet;

use super::Problem;
use super::tree::{Tree, folder_of, is_below};

/// A crate's README: what it is for, what it must not do, where to start.
const CRATE_README_LINES_MAX: usize = 30;

/// A folder's README is a signpost, not a chapter.
const FOLDER_README_LINES_MAX: usize = 12;

/// Looks at the first line of each Rust file and at the README of each folder.
pub(crate) fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in tree.rust().iter().filter(|file| !file.is_generated()) {
        let first = file.text.lines().map(str::trim).find(|line| !line.is_empty());
        if !first.is_some_and(|line| line.starts_with("//!")) {
            problems.push(Problem::new(
                &file.path,
                1,
                "no opening comment",
                "begin with `//!`: what the file is for and what it leaves to others",
            ));
        }
    }
    let crates = crate_folders(tree);
    for folder in &crates {
        readme(tree, folder, CRATE_README_LINES_MAX, &mut problems);
    }
    for folder in source_folders(tree, &crates) {
        readme(tree, folder, FOLDER_README_LINES_MAX, &mut problems);
    }
    problems
}

fn crate_folders(tree: &Tree) -> BTreeSet<&str> {
    tree.paths()
        .filter_map(|path| path.strip_suffix("/Cargo.toml"))
        .filter(|folder| *folder == "xtask" || is_below(folder, "crates"))
        .collect()
}

/// Folders below a crate's `src` with sources in them. A folder of tests alone needs no README:
/// it belongs to the file beside it.
fn source_folders<'a>(tree: &'a Tree, crates: &BTreeSet<&str>) -> BTreeSet<&'a str> {
    let sources: Vec<String> = crates.iter().map(|folder| format!("{folder}/src")).collect();
    tree.rust()
        .iter()
        .filter(|file| !file.is_test)
        .map(|file| folder_of(&file.path))
        .filter(|folder| sources.iter().any(|source| is_below(folder, source)))
        .collect()
}

fn readme(tree: &Tree, folder: &str, lines_max: usize, problems: &mut Vec<Problem>) {
    let path = format!("{folder}/README.md");
    let lines = tree.text(&path).map(|text| text.lines().count());
    let (what, fix) = match lines {
        None => ("no README".to_owned(), "say what the folder holds and where to start reading"),
        Some(0) => ("an empty README".to_owned(), "say what the folder holds"),
        Some(lines) if lines > lines_max => (
            format!("{lines} lines, at most {lines_max}"),
            "shorten it; long text belongs in docs/",
        ),
        Some(_) => return,
    };
    problems.push(Problem::new(&path, 1, what, fix));
}
