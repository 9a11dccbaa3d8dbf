//! The lines of a source with their true numbers. Blank lines are passed over and counted.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

/// The longest line: no row of any format comes near it, and a file without line ends must not
/// fill the memory.
pub(super) const LINE_BYTES_MAX: usize = 1 << 20;

/// Reads line by line.
pub(super) struct Lines<'r> {
    source: Box<dyn BufRead + 'r>,
    /// Lines to read again before going on.
    again: VecDeque<(u64, Vec<u8>)>,
    number: u64,
}

/// One line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// With its number from 1, and its end if it has one.
    Text(u64, Vec<u8>),
    /// It was longer than any row, and is gone.
    TooLong(u64),
}

impl<'r> Lines<'r> {
    pub(super) fn new(source: Box<dyn BufRead + 'r>) -> Lines<'r> {
        Lines { source, again: VecDeque::new(), number: 0 }
    }

    /// The next line that is not blank.
    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            match self.next_any()? {
                Some(Line::Text(_, bytes)) if bytes.trim_ascii().is_empty() => {}
                other => return Ok(other),
            }
        }
    }

    /// The next line, blank or not.
    pub(super) fn next_any(&mut self) -> io::Result<Option<Line>> {
        if let Some((number, bytes)) = self.again.pop_front() {
            return Ok(Some(Line::Text(number, bytes)));
        }
        let mut bytes = Vec::new();
        let most = LINE_BYTES_MAX as u64;
        self.source.by_ref().take(most).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        if bytes.len() == LINE_BYTES_MAX && !bytes.ends_with(b"\n") {
            self.source.skip_until(b'\n')?;
            return Ok(Some(Line::TooLong(self.number)));
        }
        Ok(Some(Line::Text(self.number, bytes)))
    }

    /// Has these lines read again, before what follows.
    pub(super) fn read_again(&mut self, lines: Vec<(u64, Vec<u8>)>) {
        for line in lines.into_iter().rev() {
            self.again.push_front(line);
        }
    }
}
