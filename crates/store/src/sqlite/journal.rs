//! The journal in a file. Opening looks at everything once: a damaged tail is cut and told of, a
//! damaged middle refuses. Reading, snapshots and repair are in files of their own.

mod append;
mod checkpoint;
mod read;
mod repair;
mod scan;
mod snapshots;

pub use checkpoint::Checkpointer;

use rusqlite::Connection;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::file::{self, Sync, file_failed};
use super::ownership::Ownership;
use super::schema::JOURNAL;
use super::{SqliteAccess, failed};
use crate::error::{Result, StoreError};
use crate::journal::{
    Cut, Entry, Journal, LatestSnapshot, NewEntry, Place, Sequence, Snapshot, SnapshotMark,
    Verification, Warning,
};

/// The name of the file in the data directory.
const FILE: &str = "journal.db";

/// A journal in an SQLite file.
#[derive(Debug)]
pub struct SqliteJournal {
    path: PathBuf,
    connection: Connection,
    /// Absent when opened for reading.
    ownership: Option<Arc<Ownership>>,
    /// The last number given, as far as this connection knows; readers ask the file.
    last: Sequence,
    /// A commit failed so that only opening anew can tell whether it was kept.
    is_in_doubt: bool,
    /// Whether a snapshot may be damaged. Looking costs as much as writing one, so it is done only
    /// when there is a reason to.
    is_suspect: bool,
}

/// A journal that is ready, and what was found and mended on the way.
#[derive(Debug)]
pub struct OpenedJournal {
    /// The journal.
    pub journal: SqliteJournal,
    /// To be said loudly.
    pub warnings: Vec<Warning>,
}

impl SqliteJournal {
    /// Opens the journal of a data directory for its one writer, and makes both if need be.
    ///
    /// # Errors
    /// [`StoreError::InUse`] if another process writes to it; [`StoreError::DamagedMiddle`] if it
    /// cannot be replayed as a whole; and whatever is wrong with the file itself.
    pub fn open(directory: &Path) -> Result<OpenedJournal> {
        let mut journal = Self::open_unchecked(directory)?;
        let mut warnings = Vec::new();
        scan::structure(&journal.connection, &journal.path, "quick_check")?;
        let found = scan::scan(&journal.connection, &journal.path)?;
        let damaged = found.snapshots.iter().filter(|snapshot| !snapshot.is_valid);
        warnings.extend(
            damaged.map(|snapshot| Warning::SnapshotDamaged { sequence: snapshot.sequence }),
        );
        match found.damage {
            Some(damage) if damage.place == Place::Middle => {
                let (sequence, what) = (damage.sequence, damage.what);
                return Err(StoreError::DamagedMiddle { sequence, what });
            }
            Some(damage) => {
                let cut = repair::cut(&mut journal.connection, damage.sequence)?;
                warnings.push(Warning::TailCut { last: cut.last, set_aside: cut.set_aside });
            }
            None => {}
        }
        journal.last = read::last(&journal.connection)?;
        journal.is_suspect = found.snapshots.iter().any(|snapshot| !snapshot.is_valid);
        Ok(OpenedJournal { journal, warnings })
    }

    /// Opens the journal for looking at it, also while a server writes to it or after damage.
    ///
    /// # Errors
    /// [`StoreError::NotThere`], and whatever is wrong with the file itself.
    pub fn open_read_only(directory: &Path) -> Result<Self> {
        let path = directory.join(FILE);
        let connection = file::open_read_only(&path, &JOURNAL)?;
        Ok(Self {
            path,
            connection,
            ownership: None,
            last: 0,
            is_in_doubt: false,
            is_suspect: true,
        })
    }

    /// Mends a journal that refuses to open because entry `at` is bad or missing. If a snapshot
    /// covers that entry, everything up to the snapshot is set aside and nothing is lost.
    /// Otherwise the journal ends before that entry from now on.
    ///
    /// # Errors
    /// [`StoreError::InUse`] if a server writes to it.
    pub fn cut(directory: &Path, at: Sequence) -> Result<Cut> {
        let mut journal = Self::open_unchecked(directory)?;
        repair::cut(&mut journal.connection, at)
    }

    /// Goes back in time: entry `from` and all after it are set aside, with the snapshots that
    /// cover them, valid as they are.
    ///
    /// # Errors
    /// [`StoreError::InUse`] if a server writes to it; [`StoreError::NoWayBack`] if what would be
    /// left cannot be replayed.
    pub fn cut_back(directory: &Path, from: Sequence) -> Result<Cut> {
        let mut journal = Self::open_unchecked(directory)?;
        repair::cut_back(&mut journal.connection, from)
    }

    /// A connection of its own for tokens, audit and settings, which are in the same file.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`] if the journal was opened for reading.
    pub fn access(&self) -> Result<SqliteAccess> {
        let ownership = Arc::clone(self.owner("change access")?);
        let connection = file::open(&self.path, &JOURNAL, Sync::Full)?;
        Ok(SqliteAccess::new(connection, ownership))
    }

    /// A connection of its own that moves what was appended from the log into the file.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`] if the journal was opened for reading.
    pub fn checkpointer(&self) -> Result<Checkpointer> {
        let ownership = Arc::clone(self.owner("checkpoint")?);
        Ok(Checkpointer::new(file::open(&self.path, &JOURNAL, Sync::Full)?, ownership))
    }

    fn open_unchecked(directory: &Path) -> Result<Self> {
        fs::create_dir_all(directory).map_err(file_failed("make", directory))?;
        let path = directory.join(FILE);
        let ownership = Some(Arc::new(Ownership::take(&path)?));
        let connection = file::open(&path, &JOURNAL, Sync::Full)?;
        Ok(Self { path, connection, ownership, last: 0, is_in_doubt: false, is_suspect: true })
    }

    fn owner(&self, act: &'static str) -> Result<&Arc<Ownership>> {
        self.ownership.as_ref().ok_or(StoreError::ReadOnly { act })
    }
}

impl Journal for SqliteJournal {
    fn append(&mut self, entries: &[NewEntry]) -> Result<Sequence> {
        self.append_entries(entries)
    }

    fn read(&self, after: Sequence, limit: usize) -> Result<Vec<Entry>> {
        read::entries(&self.connection, after, limit)
    }

    fn first(&self) -> Result<Option<Sequence>> {
        read::first(&self.connection)
    }

    fn last(&self) -> Result<Sequence> {
        if self.ownership.is_some() { Ok(self.last) } else { read::last(&self.connection) }
    }

    fn snapshot_save(&mut self, snapshot: &Snapshot) -> Result<()> {
        self.save_snapshot(snapshot)
    }

    fn snapshots(&self) -> Result<Vec<SnapshotMark>> {
        snapshots::marks(&self.connection)
    }

    fn snapshot_latest(&self) -> Result<LatestSnapshot> {
        snapshots::latest(&self.connection)
    }

    fn snapshot_at_or_before(&self, sequence: Sequence) -> Result<Option<Snapshot>> {
        snapshots::at_or_before(&self.connection, sequence)
    }

    fn prune(&mut self, up_to: Sequence) -> Result<Sequence> {
        self.prune_entries(up_to)
    }

    fn verify(&self) -> Result<Verification> {
        scan::structure(&self.connection, &self.path, "integrity_check")?;
        scan::scan(&self.connection, &self.path)
    }
}

/// The words for what fails in reading, which any query may come upon.
fn unread() -> impl Fn(rusqlite::Error) -> StoreError {
    failed("read the journal")
}
