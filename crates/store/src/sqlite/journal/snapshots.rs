//! Snapshots in the file. A damaged one is passed over, and goes when the next is saved.

use rusqlite::{Connection, Transaction, params};

use super::super::failed;
use super::super::values::{bound, number, stored};
use super::read::{COLUMNS, Whole, whole};
use super::unread;
use crate::error::{Result, StoreError};
use crate::journal::{
    LatestSnapshot, SNAPSHOTS_TO_START, Sequence, Snapshot, SnapshotMark, checksum, surplus,
};

/// The latest valid one, and the damaged ones after it.
pub(super) fn latest(connection: &Connection) -> Result<LatestSnapshot> {
    find(connection, Sequence::MAX)
}

/// The latest valid one that covers nothing after `sequence`.
pub(super) fn at_or_before(
    connection: &Connection,
    sequence: Sequence,
) -> Result<Option<Snapshot>> {
    Ok(find(connection, sequence)?.snapshot)
}

fn find(connection: &Connection, at_most: Sequence) -> Result<LatestSnapshot> {
    let sql =
        format!("SELECT {COLUMNS} FROM snapshots WHERE sequence <= ?1 ORDER BY sequence DESC");
    let mut statement = connection.prepare_cached(&sql).map_err(unread())?;
    let mut rows = statement.query([bound(at_most)]).map_err(unread())?;
    let mut found = LatestSnapshot::default();
    while let Some(row) = rows.next().map_err(unread())? {
        if let Some(Whole { sequence, time_ms, version, body }) = whole(row) {
            found.snapshot = Some(Snapshot { sequence, time_ms, version, body: body.to_vec() });
            break;
        }
        found.damaged.push(number(row, 0).unwrap_or(0));
    }
    Ok(found)
}

/// Which there are, oldest first.
pub(super) fn marks(connection: &Connection) -> Result<Vec<SnapshotMark>> {
    let sql = "SELECT sequence, time_ms FROM snapshots ORDER BY sequence";
    let mut statement = connection.prepare_cached(sql).map_err(unread())?;
    let mut rows = statement.query([]).map_err(unread())?;
    let mut marks = Vec::new();
    while let Some(row) = rows.next().map_err(unread())? {
        // A number that was never given is of a damaged one.
        let (Some(sequence), Some(time_ms)) = (number(row, 0), number(row, 1)) else { continue };
        marks.push(SnapshotMark { sequence, time_ms });
    }
    Ok(marks)
}

/// The older of those to start from, once there are enough, if it can stand in for what it covers.
pub(super) fn older(connection: &Connection) -> Result<Option<Sequence>> {
    let sql = format!("SELECT {COLUMNS} FROM snapshots ORDER BY sequence DESC");
    let mut statement = connection.prepare_cached(&sql).map_err(unread())?;
    let mut rows = statement.query([]).map_err(unread())?;
    let mut kept = 0;
    while let Some(row) = rows.next().map_err(unread())? {
        let sequence = number(row, 0).unwrap_or(0);
        if whole(row).is_none() {
            return Err(StoreError::DamagedSnapshot { sequence });
        }
        kept += 1;
        if kept == SNAPSHOTS_TO_START {
            return Ok(Some(sequence));
        }
    }
    Ok(None)
}

/// Writes one, in place of another at the same entry.
pub(super) fn insert(transaction: &Transaction<'_>, snapshot: &Snapshot) -> Result<()> {
    let Snapshot { sequence, time_ms, version, body } = snapshot;
    let crc = checksum(*sequence, *time_ms, *version, body);
    let (key, time) = (stored("sequence", *sequence)?, stored("time", *time_ms)?);
    let sql = "INSERT OR REPLACE INTO snapshots (sequence, time_ms, version, crc, body)
               VALUES (?1, ?2, ?3, ?4, ?5)";
    let failed = failed("save a snapshot");
    let mut statement = transaction.prepare_cached(sql).map_err(&failed)?;
    statement.execute(params![key, time, version, crc, body]).map(drop).map_err(&failed)
}

/// Forgets some of the older ones where there are too many.
pub(super) fn thin_out(transaction: &Transaction<'_>) -> Result<()> {
    let mut kept: Vec<Sequence> = marks(transaction)?.iter().map(|mark| mark.sequence).collect();
    while let Some(gone) = surplus(&kept) {
        kept.retain(|sequence| *sequence != gone);
        drop_where(transaction, "sequence = ?1", bound(gone))?;
    }
    Ok(())
}

/// Forgets those that entries no longer lead on from.
pub(super) fn drop_before(transaction: &Transaction<'_>, sequence: Sequence) -> Result<()> {
    drop_where(transaction, "sequence < ?1", bound(sequence))
}

/// Makes room for a good one: a damaged one must not count among those to start from. Older ones
/// are not read here, for that would take long; who asks for them passes over what is damaged.
pub(super) fn drop_damaged(transaction: &Transaction<'_>) -> Result<()> {
    let sql = format!("SELECT {COLUMNS} FROM snapshots ORDER BY sequence DESC LIMIT ?1");
    let latest = u64::try_from(SNAPSHOTS_TO_START).expect("a small constant");
    for key in damaged_of(transaction, &sql, bound(latest))? {
        drop_where(transaction, "sequence = ?1", key)?;
    }
    Ok(())
}

fn drop_where(transaction: &Transaction<'_>, which: &str, key: i64) -> Result<()> {
    let sql = format!("DELETE FROM snapshots WHERE {which}");
    let gone = transaction.execute(&sql, [key]);
    gone.map(drop).map_err(failed("forget a snapshot"))
}

/// The keys of those that do not match their checksum.
pub(super) fn damaged(connection: &Connection) -> Result<Vec<i64>> {
    let sql = format!("SELECT {COLUMNS} FROM snapshots LIMIT ?1");
    damaged_of(connection, &sql, i64::MAX)
}

fn damaged_of(connection: &Connection, sql: &str, limit: i64) -> Result<Vec<i64>> {
    let mut statement = connection.prepare_cached(sql).map_err(unread())?;
    let mut rows = statement.query([limit]).map_err(unread())?;
    let mut keys = Vec::new();
    while let Some(row) = rows.next().map_err(unread())? {
        if whole(row).is_none() {
            keys.push(row.get(0).map_err(unread())?);
        }
    }
    Ok(keys)
}
