//! Rule: the engine is outweighed by its tests. Counts non-blank lines; comments count on both
//! sides, since they are written and read like the rest.

use std::fmt;

use super::Problem;
use super::rust::RustFile;
use super::tree::{Tree, is_below};

const ENGINE: &str = "crates/engine";
const ENGINE_SOURCES: &str = "crates/engine/src";
const CHECKER: &str = "crates/checker";
const SCENARIOS: &str = "scenarios";

/// Lines of test for each line of engine. Schedulers that others trust carry two to three.
const TEST_FACTOR: usize = 2;

/// The engine's own lines and the lines that put it to the test.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct Weight {
    pub(crate) engine: usize,
    pub(crate) tests: usize,
}

impl fmt::Display for Weight {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Weight { engine, tests } = self;
        write!(formatter, "{tests} lines of test for {engine} lines of engine")
    }
}

/// Compares the two sides.
pub(crate) fn check(tree: &Tree) -> Vec<Problem> {
    let weight = measure(tree);
    let wanted = weight.engine * TEST_FACTOR;
    if weight.tests >= wanted {
        return Vec::new();
    }
    let fix = format!("write {} more lines of test worth having", wanted - weight.tests);
    vec![Problem::new(ENGINE, 1, format!("{weight}, at least {TEST_FACTOR} times as many"), fix)]
}

/// Counts both sides: the checker and the scenarios are tests of the engine in all their lines.
pub(crate) fn measure(tree: &Tree) -> Weight {
    let mut weight = Weight { engine: 0, tests: 0 };
    for file in tree.rust() {
        if is_below(&file.path, CHECKER) {
            weight.tests += lines(&file.text);
        } else if is_below(&file.path, ENGINE) {
            let tests = test_lines(file);
            weight.tests += tests;
            if is_below(&file.path, ENGINE_SOURCES) {
                weight.engine += lines(&file.text) - tests;
            }
        }
    }
    let scenarios = tree.texts().filter(|(path, _)| is_below(path, SCENARIOS));
    let scenarios = scenarios.filter(|(path, _)| !path.ends_with(".md"));
    weight.tests += scenarios.map(|(_, text)| lines(text)).sum::<usize>();
    weight
}

fn lines(text: &str) -> usize {
    text.lines().filter(|line| !line.trim().is_empty()).count()
}

fn test_lines(file: &RustFile) -> usize {
    let marked = file.text.lines().zip(&file.test_lines);
    marked.filter(|(line, is_test)| **is_test && !line.trim().is_empty()).count()
}
