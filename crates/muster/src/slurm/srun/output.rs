//! What tasks write, as it is shown here: as it comes, or by lines with the number of the task.

use std::collections::BTreeMap;
use std::io::Write;

use muster_api::step::frame::Kind;

/// A line that is longer is shown in pieces.
const LINE_MAX: usize = 64 * 1024;

/// How output is shown.
#[derive(Debug)]
pub(super) struct Output {
    /// The width of the numbers, where lines have them.
    width: Option<usize>,
    /// The only task whose output is shown.
    only: Option<u32>,
    only_error: Option<u32>,
    /// Lines that are not whole yet.
    begun: BTreeMap<(u32, bool), Vec<u8>>,
}

impl Output {
    pub(super) fn new(label: Option<u32>, only: Option<u32>, only_error: Option<u32>) -> Output {
        let width = label.map(|tasks| tasks.saturating_sub(1).to_string().len());
        Output { width, only, only_error: only_error.or(only), begun: BTreeMap::new() }
    }

    /// What a task wrote.
    pub(super) fn write(&mut self, rank: u32, kind: Kind, bytes: &[u8]) {
        for (is_error, text) in self.shown(rank, kind == Kind::Error, bytes) {
            print(is_error, &text);
        }
    }

    /// A task writes no more: lines without an end are shown.
    pub(super) fn end(&mut self, rank: u32) {
        for is_error in [false, true] {
            if let Some(line) = self.begun.remove(&(rank, is_error)).filter(|it| !it.is_empty()) {
                let mut text = self.label(rank);
                text.extend(line);
                text.push(b'\n');
                print(is_error, &text);
            }
        }
    }

    fn shown(&mut self, rank: u32, is_error: bool, bytes: &[u8]) -> Vec<(bool, Vec<u8>)> {
        let only = if is_error { self.only_error } else { self.only };
        if only.is_some_and(|only| only != rank) {
            return Vec::new();
        }
        if self.width.is_none() {
            return vec![(is_error, bytes.to_vec())];
        }
        let mut shown = Vec::new();
        let mut line = self.begun.remove(&(rank, is_error)).unwrap_or_default();
        for byte in bytes {
            if *byte == b'\n' || line.len() >= LINE_MAX {
                let mut text = self.label(rank);
                text.append(&mut line);
                text.push(b'\n');
                shown.push((is_error, text));
            }
            if *byte != b'\n' {
                line.push(*byte);
            }
        }
        self.begun.insert((rank, is_error), line);
        shown
    }

    fn label(&self, rank: u32) -> Vec<u8> {
        let width = self.width.unwrap_or_default();
        format!("{rank:>width$}: ").into_bytes()
    }
}

/// Who has closed our output does not want more of it.
fn print(is_error: bool, text: &[u8]) {
    let _ = match is_error {
        true => std::io::stderr().lock().write_all(text),
        false => {
            let mut out = std::io::stdout().lock();
            out.write_all(text).and_then(|()| out.flush())
        }
    };
}

#[cfg(test)]
mod tests {
    use super::Output;

    fn texts(shown: Vec<(bool, Vec<u8>)>) -> Vec<String> {
        shown.into_iter().map(|(_, text)| String::from_utf8(text).unwrap()).collect()
    }

    #[test]
    fn lines_have_the_number_of_their_task_and_stay_whole() {
        let mut output = Output::new(Some(12), None, None);
        assert_eq!(texts(output.shown(3, false, b"one\ntw")), [" 3: one\n"]);
        assert_eq!(texts(output.shown(11, false, b"other\n")), ["11: other\n"]);
        assert_eq!(texts(output.shown(3, true, b"bad\n")), [" 3: bad\n"]);
        assert_eq!(texts(output.shown(3, false, b"o\n\n")), [" 3: two\n", " 3: \n"]);
    }

    #[test]
    fn without_labels_bytes_pass_as_they_come_and_others_are_left_out() {
        let mut output = Output::new(None, Some(1), None);
        assert_eq!(texts(output.shown(1, false, b"a\nb")), ["a\nb"]);
        assert!(output.shown(0, false, b"x").is_empty());
        assert!(output.shown(0, true, b"x").is_empty(), "errors go with the output");
    }
}
