//! Rule: files stay short or say why not, and lines fit the screen.

use super::Problem;
use super::rust::RustFile;
use super::tree::Tree;

/// A source file beyond this is usually two ideas; inline tests do not count.
const FILE_LINES_MAX: usize = 400;

/// The reason for a long file stands where a reader begins.
const REASON_LINES: usize = 30;

/// Two files fit side by side on a screen.
const COLUMNS_MAX: usize = 100;

/// Looks at every Rust file that people wrote.
pub(crate) fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in tree.rust().iter().filter(|file| !file.is_generated()) {
        long_file(file, &mut problems);
        long_lines(file, &mut problems);
    }
    problems.extend(tree.texts().filter_map(|(path, text)| long_page(path, text)));
    problems
}

/// Files of the dashboard have the same measure; the one that is generated has none.
fn long_page(path: &str, text: &str) -> Option<Problem> {
    let is_page = [".ts", ".tsx", ".css", ".mjs"].iter().any(|end| path.ends_with(end));
    let is_generated = text.lines().take(REASON_LINES).any(|line| line.contains("auto-generated"));
    let lines = text.lines().count();
    (is_page && !is_generated && lines > FILE_LINES_MAX).then(|| {
        let what = format!("{lines} lines, at most {FILE_LINES_MAX}");
        Problem::new(path, 1, what, "split it")
    })
}

fn long_file(file: &RustFile, problems: &mut Vec<Problem>) {
    let lines = file.test_lines.iter().filter(|&&is_test| !is_test).count();
    if file.is_test || lines <= FILE_LINES_MAX || file.reason("long", REASON_LINES).is_some() {
        return;
    }
    problems.push(Problem::new(
        &file.path,
        1,
        format!("{lines} lines without tests, at most {FILE_LINES_MAX}"),
        format!("split it, or say in its first {REASON_LINES} lines `tidy: long because ...`"),
    ));
}

fn long_lines(file: &RustFile, problems: &mut Vec<Problem>) {
    for (index, line) in file.text.lines().enumerate() {
        let columns = line.chars().count();
        if columns > COLUMNS_MAX && !line.contains("://") {
            problems.push(Problem::new(
                &file.path,
                index + 1,
                format!("{columns} columns, at most {COLUMNS_MAX}"),
                "break the line",
            ));
        }
    }
}
