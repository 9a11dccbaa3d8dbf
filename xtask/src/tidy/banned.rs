//! Rule: the pure crates reach for no clock, thread, file, socket, environment, log or randomness,
//! for no map whose order changes from run to run, and the engine decides in integers.

use std::collections::BTreeSet;

use super::Problem;
use super::mask::is_name;
use super::rust::RustFile;
use super::tree::{Tree, is_below};
use super::uses;

/// Crates that are functions of their arguments; their folder names under `crates/`.
pub(crate) const PURE_CRATES: [&str; 5] = ["model", "engine", "predict", "slurm", "checker"];

const CLOCK: &str = "take the time as an argument";
const WORLD: &str = "return an action or a value and let an edge crate do it";
const PRINT: &str = "return the text, or a typed reason, instead of writing it";
const CHANCE: &str = "take a seed or the drawn values as an argument";
const ORDER: &str = "use BTreeMap, IndexMap, a dense vector, or FxHashMap that is never iterated";
const FLOATS: &str = "decide in integers, or say why in a comment `tidy: floats because ...`";

/// What may not be named, and what to do instead. A name that ends in `::` or `!` is a beginning.
const BANNED: [(&str, &str); 31] = [
    ("SystemTime", CLOCK),
    ("Instant::now", CLOCK),
    ("std::time::Instant", CLOCK),
    ("std::time::*", CLOCK),
    ("std::thread", WORLD),
    ("std::fs", WORLD),
    ("std::net", WORLD),
    ("std::env", WORLD),
    ("std::process", WORLD),
    ("std::*", WORLD),
    ("println!", PRINT),
    ("eprintln!", PRINT),
    ("print!", PRINT),
    ("eprint!", PRINT),
    ("tracing::", PRINT),
    ("log::", PRINT),
    ("trace!", PRINT),
    ("debug!", PRINT),
    ("info!", PRINT),
    ("warn!", PRINT),
    ("error!", PRINT),
    ("rand::", CHANCE),
    ("rand_chacha::", CHANCE),
    ("rand_core::", CHANCE),
    ("getrandom::", CHANCE),
    ("RandomState", ORDER),
    ("std::collections::HashMap", ORDER),
    ("std::collections::HashSet", ORDER),
    ("std::collections::hash_map::HashMap", ORDER),
    ("std::collections::hash_set::HashSet", ORDER),
    ("std::collections::*", ORDER),
];

/// Looks at the sources of the pure crates, tests left out.
pub(crate) fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in tree.rust() {
        let is_pure = |name: &&str| is_below(&file.path, &format!("crates/{name}/src"));
        if file.is_test || !PURE_CRATES.iter().any(is_pure) {
            continue;
        }
        banned_names(file, &mut problems);
        if is_below(&file.path, "crates/engine/src") {
            floats(file, &mut problems);
        }
    }
    problems
}

fn banned_names(file: &RustFile, problems: &mut Vec<Problem>) {
    let written = file.code.lines().map(str::to_owned).enumerate();
    let mut found = BTreeSet::new();
    for (index, text) in written.chain(uses::imported(&file.code)) {
        if file.test_lines.get(index).copied().unwrap_or(false) {
            continue;
        }
        for (name, fix) in BANNED {
            if names(&text, name) {
                found.insert((index, name, fix));
            }
        }
    }
    for (index, name, fix) in found {
        let what = format!("`{name}` in a pure crate");
        problems.push(Problem::new(&file.path, index + 1, what, fix));
    }
}

/// Whether the code names the banned thing, and not something that only contains its letters.
fn names(code: &str, name: &str) -> bool {
    let is_path = name.contains("::") && name != "Instant::now";
    let is_beginning = name.ends_with([':', '!', '*']);
    code.match_indices(name).any(|(start, _)| {
        let before = &code[..start];
        let after = &code[start + name.len()..];
        // `our::log::` is a module of ours; `::log::` is the crate.
        let is_inner = before.strip_suffix("::").is_some_and(|outer| outer.ends_with(is_name));
        let is_longer = before.ends_with(is_name) || (!is_beginning && after.starts_with(is_name));
        !is_longer && (!is_path || !is_inner)
    })
}

fn floats(file: &RustFile, problems: &mut Vec<Problem>) {
    if file.reason("floats", usize::MAX).is_some() {
        return;
    }
    for (index, line) in file.code.lines().enumerate() {
        if !file.test_lines[index] && has_float(line) {
            problems.push(Problem::new(&file.path, index + 1, "a float in the engine", FLOATS));
        }
    }
}

/// Whether a line of code names a float type or writes a float. `pair.0.1` is neither.
fn has_float(code: &str) -> bool {
    let mut words = code.split(|c: char| !is_name(c));
    let typed = words.any(|word| {
        let suffix = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '_');
        suffix == "f32" || suffix == "f64"
    });
    typed
        || code.match_indices('.').any(|(dot, _)| {
            let before = code[..dot].trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
            let is_number = before.len() < dot && !before.ends_with(|c| is_name(c) || c == '.');
            is_number && code[dot + 1..].starts_with(|c: char| c.is_ascii_digit())
        })
}
