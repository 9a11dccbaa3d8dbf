//! Tests of the rules on small made-up trees in temporary folders: for each rule at least one
//! tree that passes and one that fails. This file builds the trees; `tests/` has a file per rule.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use super::tree::Tree;
use super::{Problem, Rule};

mod banned;
mod headers;
mod inherit;
mod layers;
mod links;
mod marks;
mod sizes;
mod weight;

/// A tree on disk that vanishes with its owner.
struct Made {
    root: PathBuf,
}

impl Made {
    fn new(files: &[(&str, &str)]) -> Made {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("muster-tidy-{}-{number}", std::process::id());
        let made = Made { root: std::env::temp_dir().join(name) };
        for (path, text) in files {
            let full = made.root.join(path);
            fs::create_dir_all(full.parent().unwrap()).unwrap();
            fs::write(full, text).unwrap();
        }
        made
    }

    fn tree(&self) -> Tree {
        Tree::read(&self.root).unwrap()
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// What one rule finds in a tree of these files, as `path:line: what`, in order.
fn found(rule: Rule, files: &[(&str, &str)]) -> Vec<String> {
    let made = Made::new(files);
    let mut problems = rule(&made.tree());
    problems.sort();
    let show = |problem: &Problem| format!("{}:{}: {}", problem.path, problem.line, problem.what);
    problems.iter().map(show).collect()
}

/// Asserts that the rule has nothing to say about these files.
#[track_caller]
fn passes(rule: Rule, files: &[(&str, &str)]) {
    assert_eq!(found(rule, files), Vec::<String>::new());
}

#[test]
fn a_problem_is_one_line_with_place_cause_and_cure() {
    let problem = Problem::new("a/b.rs", 7, "too long", "split it");
    assert_eq!(problem.to_string(), "a/b.rs:7: too long: split it");
}

#[test]
fn all_rules_report_together_and_in_order_of_place() {
    let made = Made::new(&[
        ("z.md", "[gone](gone.md)\n"),
        ("crates/odd/Cargo.toml", "package.name = \"muster-odd\"\nlints.workspace = true\n"),
        ("crates/odd/src/lib.rs", "fn f() {}\n"),
    ]);
    let places: Vec<String> = super::check(&made.tree())
        .into_iter()
        .map(|problem| format!("{}:{}", problem.path, problem.line))
        .collect();
    assert_eq!(
        places,
        ["crates/odd/Cargo.toml:1", "crates/odd/README.md:1", "crates/odd/src/lib.rs:1", "z.md:1"]
    );
}

#[test]
fn files_that_git_ignores_or_that_are_not_text_are_left_alone() {
    let made = Made::new(&[
        (".gitignore", "/out\n"),
        ("out/generated.md", "[gone](gone.md)\n"),
        ("target/page.md", "[gone](gone.md)\n"),
        ("kept.md", "fine\n"),
    ]);
    fs::write(made.root.join("picture.bin"), [0xff, 0xfe, 0x00]).unwrap();
    let init = Command::new("git").args(["init", "--quiet"]).current_dir(&made.root).status();
    let has_git = init.is_ok_and(|status| status.success());
    let tree = made.tree();
    assert!(tree.has_file("kept.md") && tree.has_file("picture.bin"));
    assert!(tree.text("picture.bin").is_none());
    // Git knows that `out` is ignored, the walk without it knows that `target` is built.
    assert_eq!(tree.has_folder("out"), !has_git);
    assert_eq!(tree.has_folder("target"), has_git);
}

#[test]
fn a_tree_that_an_outer_repository_ignores_is_walked() {
    let made = Made::new(&[(".gitignore", "/inner\n"), ("inner/page.md", "fine\n")]);
    let _ = Command::new("git").args(["init", "--quiet"]).current_dir(&made.root).status();
    let inner = Tree::read(&made.root.join("inner")).unwrap();
    assert_eq!(inner.paths().collect::<Vec<_>>(), ["page.md"]);
}
