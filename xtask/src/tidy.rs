//! The tidy test: rules on the source tree that no compiler checks. This file knows the list of
//! rules and prints what they find; each rule is a pure function of the tree in its own file.

use std::fmt;
use std::path::Path;

use anyhow::Result;

mod banned;
mod headers;
mod inherit;
mod layers;
mod links;
mod manifest;
mod markdown;
mod marks;
mod mask;
mod rust;
mod sizes;
mod tree;
mod uses;
mod weight;

#[cfg(test)]
mod tests;

use tree::Tree;

/// One thing that is wrong, where, and what to do about it.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Problem {
    path: String,
    line: usize,
    what: String,
    fix: String,
}

impl Problem {
    fn new(path: &str, line: usize, what: impl Into<String>, fix: impl Into<String>) -> Self {
        Problem { path: path.to_owned(), line, what: what.into(), fix: fix.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}: {}", self.path, self.line, self.what, self.fix)
    }
}

/// A rule looks at the whole tree and returns all it finds wrong.
type Rule = fn(&Tree) -> Vec<Problem>;

const RULES: [Rule; 8] = [
    layers::check,
    inherit::check,
    banned::check,
    sizes::check,
    headers::check,
    links::check,
    marks::check,
    weight::check,
];

/// Checks the tree below `root` and prints every problem; `false` when there is one.
pub(crate) fn run(root: &Path) -> Result<bool> {
    let tree = Tree::read(root)?;
    let problems = check(&tree);
    for problem in &problems {
        eprintln!("{problem}");
    }
    eprintln!("tidy: {}", weight::measure(&tree));
    match problems.len() {
        0 => eprintln!("tidy: {} files, no problem", tree.paths().count()),
        1 => eprintln!("tidy: 1 problem"),
        count => eprintln!("tidy: {count} problems"),
    }
    Ok(problems.is_empty())
}

/// All problems of all rules, ordered by place.
fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems: Vec<Problem> = RULES.iter().flat_map(|rule| rule(tree)).collect();
    problems.sort();
    problems
}
