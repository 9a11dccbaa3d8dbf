//! All that can go wrong with a store, in words that say what to do. No type of a database is in
//! here, so that every implementation of the traits can use it.

use std::io;
use std::path::PathBuf;

use crate::journal::Sequence;

/// What every operation of a store returns.
pub type Result<T> = std::result::Result<T, StoreError>;

/// Why a store could not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Another process writes to the store.
    #[error(
        "{path} is in use by {holder}; stop it first, or open the store for reading only",
        path = path.display(),
        holder = holder.map_or("another process".to_owned(), |pid| format!("process {pid}"))
    )]
    InUse {
        /// The file that is owned.
        path: PathBuf,
        /// The process that owns it, where it has written its number.
        holder: Option<u32>,
    },
    /// There is nothing to read.
    #[error("there is no {path}; check the data directory, or start a server on it once",
        path = path.display())]
    NotThere {
        /// The file that was looked for.
        path: PathBuf,
    },
    /// The file belongs to something else.
    #[error("{path} is not a {kind} of Muster ({found}); move it away or use another directory",
        path = path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
        /// What it should have been.
        kind: &'static str,
        /// What it is instead.
        found: String,
    },
    /// The file was written by a later release.
    #[error(
        "{path} has schema version {found} and this release knows up to {known}; \
         use the release that wrote it, or a later one",
        path = path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The newest version known here.
        known: i64,
    },
    /// The file was written by an earlier release and cannot be changed by a reader.
    #[error(
        "{path} has schema version {found} and this release reads {known}; \
         start the server once to bring it up to date",
        path = path.display()
    )]
    Older {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The version that is read here.
        known: i64,
    },
    /// The structure of the file is broken: nothing in it can be relied on.
    #[error("{path} is damaged beyond its entries ({detail}); {remedy}", path = path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What the database said.
        detail: String,
        /// What to do about it.
        remedy: &'static str,
    },
    /// An entry is bad or missing, and valid ones follow it.
    #[error(
        "entry {sequence} of the journal is {what}, and what follows it is valid; \
         restore the journal from a backup, or go on without what cannot be replayed: \
         `muster journal cut --at {sequence}`"
    )]
    DamagedMiddle {
        /// The first entry that is bad or missing.
        sequence: Sequence,
        /// What is wrong with it.
        what: Fault,
    },
    /// An entry that was to be read is bad.
    #[error("entry {sequence} of the journal is {what}; `muster journal verify` tells how far")]
    DamagedEntry {
        /// The entry.
        sequence: Sequence,
        /// What is wrong with it.
        what: Fault,
    },
    /// A snapshot that is needed is bad.
    #[error("the snapshot at entry {sequence} is damaged; save a new one before pruning")]
    DamagedSnapshot {
        /// The last entry the snapshot covers.
        sequence: Sequence,
    },
    /// Entries were asked for that have been pruned.
    #[error(
        "entries after {after} were asked for and the journal begins at {first}; \
         begin with a snapshot"
    )]
    Pruned {
        /// The entry that was to be followed.
        after: Sequence,
        /// The oldest entry there is.
        first: Sequence,
    },
    /// Without these entries nothing would be left to start from.
    #[error(
        "the journal cannot end before entry {from}: nothing that is left would lead there; \
         name an entry that follows the first one or a snapshot"
    )]
    NoWayBack {
        /// The first entry that was to go.
        from: Sequence,
    },
    /// A snapshot of a state that no entry has led to.
    #[error("a snapshot at entry {sequence} does not fit a journal that ends at {last}")]
    SnapshotAhead {
        /// Where the snapshot claims to be.
        sequence: Sequence,
        /// The last entry.
        last: Sequence,
    },
    /// More bytes than a store takes in one piece.
    #[error("{what} of {bytes} bytes is too large, at most {bytes_max}")]
    TooLarge {
        /// What was to be stored.
        what: &'static str,
        /// Its size.
        bytes: usize,
        /// The bound.
        bytes_max: usize,
    },
    /// A number that a database cannot hold.
    #[error("{what} {value} is out of range, at most {max}", max = i64::MAX)]
    OutOfRange {
        /// What the number is.
        what: &'static str,
        /// Its value.
        value: u64,
    },
    /// Something was to be written through a store that was opened for reading.
    #[error("cannot {act}: the store was opened for reading only")]
    ReadOnly {
        /// What was to be done.
        act: &'static str,
    },
    /// An earlier commit failed in a way that leaves open whether it will be there after a crash.
    #[error(
        "an earlier write failed while it was made durable, so nobody knows if it was kept; \
         look after the disk and start again: opening finds out"
    )]
    InDoubt,
    /// No room is left for the file to grow.
    #[error("cannot {act}: the disk is full; make room and try again, nothing was lost")]
    Full {
        /// What was to be done.
        act: &'static str,
    },
    /// The operating system refused something.
    #[error("cannot {act} {path}", path = path.display())]
    File {
        /// What was to be done.
        act: &'static str,
        /// To which file.
        path: PathBuf,
        /// The refusal.
        source: io::Error,
    },
    /// The database refused something.
    #[error("cannot {act}")]
    Database {
        /// What was to be done.
        act: &'static str,
        /// The refusal.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// What is wrong with an entry.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Fault {
    /// Its checksum does not match what it says.
    Altered,
    /// It is not there.
    Missing,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Fault::Altered => "damaged",
            Fault::Missing => "missing",
        })
    }
}
