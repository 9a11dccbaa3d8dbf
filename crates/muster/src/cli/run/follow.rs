//! Carries what the tasks of a job write to the terminal, whole lines at a time when there are
//! several tasks.

use anyhow::Result;
use muster_client::{Client, LogOptions};

use crate::cli::print;

/// A line longer than this is printed in pieces: it is probably not text.
const LINE_MAX: usize = 64 * 1024;

/// Which log to carry, and what to write before each line.
#[derive(Clone, Debug)]
pub(super) struct Follow {
    /// The job.
    pub(super) job: u64,
    /// The attempt.
    pub(super) attempt: u32,
    /// The task.
    pub(super) task: u32,
    /// Its standard error.
    pub(super) error: bool,
    /// What to write before each line; nothing for a job of one task.
    pub(super) prefix: Option<String>,
}

impl Follow {
    /// Carries the log until the task has ended.
    pub(super) async fn run(self, client: Client) -> Result<()> {
        let options = LogOptions {
            attempt: Some(self.attempt),
            task: self.task,
            error: self.error,
            from: 0,
            follow: true,
        };
        let print = if self.error { print::error_bytes } else { print::bytes };
        let mut logs = client.logs(self.job, options);
        let mut lines = Lines { prefix: self.prefix, rest: Vec::new() };
        loop {
            match logs.next().await {
                Ok(Some(bytes)) => print(&lines.take(&bytes))?,
                Ok(None) => break,
                // A task that never started has written nothing.
                Err(error) if error.is_no_log() => break,
                Err(error) => return Err(error.into()),
            }
        }
        print(&lines.end())
    }
}

/// Puts a prefix before every line, and holds back what has no end yet: the lines of several
/// tasks share a terminal.
#[derive(Debug)]
struct Lines {
    prefix: Option<String>,
    rest: Vec<u8>,
}

impl Lines {
    /// What can be printed once these bytes have come.
    fn take(&mut self, bytes: &[u8]) -> Vec<u8> {
        let Some(prefix) = &self.prefix else { return bytes.to_vec() };
        let mut printed = Vec::new();
        for &byte in bytes {
            self.rest.push(byte);
            let is_long = self.rest.len() >= LINE_MAX;
            if byte == b'\n' || is_long {
                printed.extend(prefix.as_bytes());
                printed.append(&mut self.rest);
                if byte != b'\n' {
                    printed.push(b'\n');
                }
            }
        }
        printed
    }

    /// What is left when no more bytes come.
    fn end(mut self) -> Vec<u8> {
        if self.rest.is_empty() { Vec::new() } else { self.take(b"\n") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_several_tasks_are_whole() {
        let mut lines = Lines { prefix: Some("[1] ".to_owned()), rest: Vec::new() };
        assert_eq!(lines.take(b"one\ntw"), b"[1] one\n");
        assert_eq!(lines.take(b"o\n\nthree"), b"[1] two\n[1] \n");
        assert_eq!(lines.end(), b"[1] three\n");
    }

    #[test]
    fn one_task_is_carried_as_it_is() {
        let mut lines = Lines { prefix: None, rest: Vec::new() };
        assert_eq!(lines.take(b"50%\r"), b"50%\r");
        assert_eq!(lines.end(), b"");
    }

    #[test]
    fn line_without_an_end_is_printed_in_pieces() {
        let mut lines = Lines { prefix: Some("> ".to_owned()), rest: Vec::new() };
        let printed = lines.take(&vec![b'x'; LINE_MAX + 1]);
        assert_eq!(printed.len(), LINE_MAX + "> \n".len());
    }
}
