//! Rule: no leftover marks. Unfinished work belongs in an issue, the author's own machine in no
//! file at all, and a test that is switched off says why.

use super::Problem;
use super::mask::is_name;
use super::rust::RustFile;
use super::tree::Tree;

/// Marks of unfinished work, put together from pieces so that this file may spell them.
const WORDS: [&str; 4] =
    [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X"), concat!("HA", "CK")];

/// Macros of unfinished work.
const MACROS: [&str; 3] =
    [concat!("to", "do!"), concat!("unimple", "mented!"), concat!("d", "bg!")];

/// Beginnings of paths that exist on one machine only.
const MACHINE_FOLDERS: [&str; 3] =
    [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/")];

/// Looks at every text file.
pub(crate) fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (path, text) in tree.texts() {
        for (index, line) in text.lines().enumerate() {
            let found = marks(line).chain(machine_paths(line));
            problems.extend(found.map(|(what, fix)| Problem::new(path, index + 1, what, fix)));
        }
    }
    for file in tree.rust() {
        silent_tests(file, &mut problems);
    }
    problems
}

fn marks(line: &str) -> impl Iterator<Item = (String, &'static str)> {
    let words = WORDS.iter().filter(|word| stands_alone(line, word, true));
    let macros = MACROS.iter().filter(|name| stands_alone(line, name, false));
    words.chain(macros).map(|mark| (format!("leftover `{mark}`"), "finish it, or open an issue"))
}

/// Whether the mark is there as a word of its own.
fn stands_alone(line: &str, mark: &str, ends: bool) -> bool {
    line.match_indices(mark).any(|(start, _)| {
        let after = &line[start + mark.len()..];
        let is_longer = line[..start].ends_with(is_name) || (ends && after.starts_with(is_name));
        !is_longer
    })
}

fn machine_paths(line: &str) -> impl Iterator<Item = (String, &'static str)> {
    MACHINE_FOLDERS
        .iter()
        .filter(|folder| {
            line.match_indices(**folder).any(|(start, _)| {
                // After a name, `~` or `.` it is part of a longer path, not one of this machine.
                let before = &line[..start];
                let inside = before.ends_with(|c: char| is_name(c) || "~.-}".contains(c));
                let after = &line[start + folder.len()..];
                !inside && after.starts_with(|c: char| c.is_ascii_lowercase())
            })
        })
        .map(|folder| {
            (format!("machine path `{folder}...`"), "use a relative path or a made-up one")
        })
}

fn silent_tests(file: &RustFile, problems: &mut Vec<Problem>) {
    const ATTRIBUTE: &str = "#[ignore";
    for (index, (line, code)) in file.text.lines().zip(file.code.lines()).enumerate() {
        let Some(start) = code.find(ATTRIBUTE) else { continue };
        // The code has its literals blanked: the reason is read from the line as written.
        let columns = code[..start].chars().count() + ATTRIBUTE.len();
        let rest: String = line.chars().skip(columns).filter(|c| !c.is_whitespace()).collect();
        let has_reason = rest.strip_prefix("=\"").is_some_and(|reason| !reason.starts_with('"'));
        if !has_reason {
            let fix = "write `#[ignore = \"why\"]`, or run the test";
            problems.push(Problem::new(&file.path, index + 1, "a test ignored in silence", fix));
        }
    }
}
