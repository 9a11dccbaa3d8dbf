//! The look at everything: each entry and snapshot is read and held against its checksum.

use rusqlite::Connection;
use std::path::Path;

use super::super::failed_on;
use super::super::schema::JOURNAL;
use super::super::values::number;
use super::read::{COLUMNS, whole};
use crate::error::{Result, StoreError};
use crate::journal::{Scan, SnapshotState, Verification};

/// Lets SQLite look at the structure of the file. Entries could vanish from a broken tree without a
/// trace, or be out of order, and their checksums would not tell.
pub(super) fn structure(connection: &Connection, path: &Path, check: &str) -> Result<()> {
    let detail: String = connection
        .query_row(&format!("PRAGMA {check}(1)"), [], |row| row.get(0))
        .map_err(failed_on("check the journal", path, JOURNAL.remedy))?;
    if detail == "ok" {
        return Ok(());
    }
    Err(StoreError::Malformed { path: path.to_owned(), detail, remedy: JOURNAL.remedy })
}

/// Reads the journal from end to end, one row in memory at a time.
pub(super) fn scan(connection: &Connection, path: &Path) -> Result<Verification> {
    let unread = || failed_on("read the journal", path, JOURNAL.remedy);
    let mut scan = Scan::default();
    let mut statement = connection
        .prepare(&format!("SELECT {COLUMNS} FROM entries ORDER BY sequence"))
        .map_err(unread())?;
    let mut rows = statement.query([]).map_err(unread())?;
    while let Some(row) = rows.next().map_err(unread())? {
        // A negative number was never given: it is a bad row before all others.
        scan.take(number(row, 0).unwrap_or(0), whole(row).is_some());
    }
    let mut snapshots = Vec::new();
    let mut statement = connection
        .prepare(&format!("SELECT {COLUMNS} FROM snapshots ORDER BY sequence"))
        .map_err(unread())?;
    let mut rows = statement.query([]).map_err(unread())?;
    while let Some(row) = rows.next().map_err(unread())? {
        let sequence = number(row, 0).unwrap_or(0);
        snapshots.push(SnapshotState { sequence, is_valid: whole(row).is_some() });
    }
    Ok(scan.finish(snapshots))
}
