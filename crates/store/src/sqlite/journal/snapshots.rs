//! Snapshots in the file. A damaged one is passed over, and goes when the next is saved.

use rusqlite::{Connection, Transaction, params};

use super::super::failed;
use super::super::values::{bound, number, stored};
use super::read::{COLUMNS, Whole, whole};
use super::unread;
use crate::error::{Result, StoreError};
use crate::journal::{LatestSnapshot, SNAPSHOTS_KEPT, Sequence, Snapshot, checksum};

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

/// The older of the kept ones, once there are enough, if it can stand in for what it covers.
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
        if kept == SNAPSHOTS_KEPT {
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

/// Forgets all but the latest.
pub(super) fn keep(transaction: &Transaction<'_>, kept: usize) -> Result<()> {
    let sql = "DELETE FROM snapshots WHERE sequence NOT IN
               (SELECT sequence FROM snapshots ORDER BY sequence DESC LIMIT ?1)";
    let kept = i64::try_from(kept).expect("a handful of snapshots are kept");
    transaction.execute(sql, [kept]).map(drop).map_err(failed("forget old snapshots"))
}

/// Makes room for a good one: a damaged one must not count among those that are kept.
pub(super) fn drop_damaged(transaction: &Transaction<'_>) -> Result<()> {
    for key in damaged(transaction)? {
        transaction
            .execute("DELETE FROM snapshots WHERE sequence = ?1", [key])
            .map_err(failed("forget a damaged snapshot"))?;
    }
    Ok(())
}

/// The keys of those that do not match their checksum.
pub(super) fn damaged(connection: &Connection) -> Result<Vec<i64>> {
    let sql = format!("SELECT {COLUMNS} FROM snapshots");
    let mut statement = connection.prepare_cached(&sql).map_err(unread())?;
    let mut rows = statement.query([]).map_err(unread())?;
    let mut keys = Vec::new();
    while let Some(row) = rows.next().map_err(unread())? {
        if whole(row).is_none() {
            keys.push(row.get(0).map_err(unread())?);
        }
    }
    Ok(keys)
}
