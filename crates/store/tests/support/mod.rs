//! What the tests of the store share: folders that go away, entries that tell who they are, and
//! hands on the file behind the store's back.

#![allow(dead_code, reason = "each test binary uses its part of it")]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use muster_store::{Entry, NewEntry, Sequence, Snapshot, SqliteJournal};
use rusqlite::Connection;

/// A folder of its own that is removed in the end.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("muster-store-test-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path).expect("the folder is new");
        Self { path }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn journal_file(&self) -> PathBuf {
        self.path.join("journal.db")
    }

    /// Opens the journal, which must be in order.
    pub(crate) fn journal(&self) -> SqliteJournal {
        let opened = SqliteJournal::open(&self.path).expect("the journal opens");
        assert_eq!(opened.warnings, [], "the journal is in order");
        opened.journal
    }

    /// Does something to the journal's file that the store would not do.
    pub(crate) fn tamper(&self, sql: &str) {
        let connection = Connection::open(self.journal_file()).expect("the file opens");
        connection.execute_batch(sql).expect("the tampering works");
    }

    /// A number that a query on the journal's file gives.
    pub(crate) fn count(&self, sql: &str) -> u64 {
        let connection = Connection::open(self.journal_file()).expect("the file opens");
        connection.query_row(sql, [], |row| row.get(0)).expect("the query gives a number")
    }

    /// Changes the bytes of the closed file where `text` stands, the first time it does.
    pub(crate) fn overwrite(&self, text: &str, with: &str) {
        assert_eq!(text.len(), with.len(), "the file keeps its length");
        let path = self.journal_file();
        let mut bytes = std::fs::read(&path).expect("the file can be read");
        let mut windows = bytes.windows(text.len());
        let at = windows.position(|window| window == text.as_bytes()).expect("the text is there");
        bytes[at..at + with.len()].copy_from_slice(with.as_bytes());
        std::fs::write(&path, bytes).expect("the file can be written");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.path).ok();
    }
}

/// The text in the entry with this number.
pub(crate) fn text(sequence: Sequence) -> String {
    format!("{{\"entry\":\"number {sequence:06}\"}}")
}

/// The entries that get the numbers from `first` to `last`.
pub(crate) fn entries(first: Sequence, last: Sequence) -> Vec<NewEntry> {
    let new = |sequence| NewEntry {
        time_ms: sequence * 10,
        version: 7,
        body: text(sequence).into_bytes(),
    };
    (first..=last).map(new).collect()
}

/// The entry with this number, as it is read.
pub(crate) fn entry(sequence: Sequence) -> Entry {
    Entry { sequence, time_ms: sequence * 10, version: 7, body: text(sequence).into_bytes() }
}

/// The snapshot of the state after an entry.
pub(crate) fn snapshot(sequence: Sequence) -> Snapshot {
    let body = format!("state after {sequence:06}").into_bytes();
    Snapshot { sequence, time_ms: sequence * 10 + 1, version: 3, body }
}
