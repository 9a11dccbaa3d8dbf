//! Writes out `use` declarations: `use std::{fs, io::Read as R};` names `std::fs` and
//! `std::io::Read`. A grouped import must not hide a banned name from a search for its path.

use super::mask::is_name;

/// Every imported path of masked code, with the index of the line it is named on.
pub(crate) fn imported(code: &str) -> Vec<(usize, String)> {
    let mut paths = Vec::new();
    for (start, word) in code.match_indices("use") {
        let after = &code[start + word.len()..];
        let begins = !code[..start].ends_with(is_name);
        if !begins || !after.starts_with(|c: char| c.is_whitespace()) {
            continue;
        }
        let statement = after.split(';').next().unwrap_or(after);
        expand(statement, code[..start].matches('\n').count(), &mut paths);
    }
    paths
}

fn expand(statement: &str, first_line: usize, paths: &mut Vec<(usize, String)>) {
    let mut line = first_line;
    let mut path = String::new();
    let mut prefixes: Vec<usize> = Vec::new();
    for c in statement.chars() {
        match c {
            '{' => prefixes.push(path.len()),
            ',' => {
                keep(&path, line, paths);
                path.truncate(prefixes.last().copied().unwrap_or(0));
            }
            '}' => {
                keep(&path, line, paths);
                path.truncate(prefixes.pop().unwrap_or(0));
            }
            '\n' => {
                line += 1;
                path.push(' ');
            }
            _ => path.push(c),
        }
    }
    keep(&path, line, paths);
}

/// Keeps a finished path; what ends in a separator is the prefix of a group already written out.
fn keep(path: &str, line: usize, paths: &mut Vec<(usize, String)>) {
    let original = path.split(" as ").next().unwrap_or(path);
    let whole: String = original.split_whitespace().collect();
    let whole = whole.trim_end_matches("::self");
    if !whole.is_empty() && !whole.ends_with("::") {
        paths.push((line, whole.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::imported;

    #[test]
    fn groups_renames_and_self_are_written_out_with_their_lines() {
        let code =
            "use a::b;\npub use std::{\n    fs::{self, File as F},\n    io,\n};\nlet reuse = 1;";
        let paths = imported(code);
        let want = [(0, "a::b"), (2, "std::fs"), (2, "std::fs::File"), (3, "std::io")];
        let got: Vec<(usize, &str)> = paths.iter().map(|(line, path)| (*line, &**path)).collect();
        assert_eq!(got, want);
    }

    #[test]
    fn a_glob_keeps_its_star() {
        assert_eq!(imported("use std::collections::*;"), [(0, "std::collections::*".to_owned())]);
    }
}
