//! Reading entries. Every one is held against its checksum before anybody sees it.

use rusqlite::{Connection, Row};

use super::super::values::{bound, bytes, number};
use super::unread;
use crate::error::{Fault, Result, StoreError};
use crate::journal::{Entry, Sequence, checksum};

/// The columns that [`whole`] takes apart, in its order.
pub(super) const COLUMNS: &str = "sequence, time_ms, version, crc, body";

/// What a row of entries or snapshots says, if it matches its checksum.
pub(super) struct Whole<'a> {
    pub(super) sequence: Sequence,
    pub(super) time_ms: u64,
    pub(super) version: u32,
    pub(super) body: &'a [u8],
}

/// Takes a row apart; nothing if any of it is not as it was written.
pub(super) fn whole<'a>(row: &'a Row<'_>) -> Option<Whole<'a>> {
    let sequence = number(row, 0)?;
    let time_ms = number(row, 1)?;
    let version = u32::try_from(number(row, 2)?).ok()?;
    let crc = number(row, 3)?;
    let body = bytes(row, 4)?;
    let is_whole = u64::from(checksum(sequence, time_ms, version, body)) == crc;
    is_whole.then_some(Whole { sequence, time_ms, version, body })
}

/// At most `limit` entries after `after`, up to the first that is bad or missing.
pub(super) fn entries(
    connection: &Connection,
    after: Sequence,
    limit: usize,
) -> Result<Vec<Entry>> {
    let pruned = pruned(connection)?;
    if after < pruned {
        return Err(StoreError::Pruned { after, first: pruned + 1 });
    }
    let sql =
        format!("SELECT {COLUMNS} FROM entries WHERE sequence > ?1 ORDER BY sequence LIMIT ?2");
    let mut statement = connection.prepare_cached(&sql).map_err(unread())?;
    let limit = u64::try_from(limit).unwrap_or(u64::MAX);
    let mut rows = statement.query([bound(after), bound(limit)]).map_err(unread())?;
    let mut found: Vec<Entry> = Vec::new();
    let mut last = after;
    while let Some(row) = rows.next().map_err(unread())? {
        let sequence = last + 1;
        let what = match whole(row) {
            Some(Whole { sequence: at, time_ms, version, body }) if at == sequence => {
                found.push(Entry { sequence, time_ms, version, body: body.to_vec() });
                last = sequence;
                continue;
            }
            Some(_) => Fault::Missing,
            None if number(row, 0) == Some(sequence) => Fault::Altered,
            None => Fault::Missing,
        };
        if found.is_empty() {
            return Err(StoreError::DamagedEntry { sequence, what });
        }
        break;
    }
    Ok(found)
}

/// The oldest entry there is.
pub(super) fn first(connection: &Connection) -> Result<Option<Sequence>> {
    let sql = "SELECT min(sequence) FROM entries";
    one(connection, sql)
}

/// The last number that was given. A snapshot outlives the entries it covers, so that it is known
/// even when all are pruned.
pub(super) fn last(connection: &Connection) -> Result<Sequence> {
    let entry = one(connection, "SELECT max(sequence) FROM entries")?;
    let snapshot = one(connection, "SELECT max(sequence) FROM snapshots")?;
    Ok(entry.max(snapshot).unwrap_or(0))
}

/// The last entry that was forgotten, 0 if none was.
pub(super) fn pruned(connection: &Connection) -> Result<Sequence> {
    match first(connection)? {
        Some(first) => Ok(first.saturating_sub(1)),
        None => last(connection),
    }
}

fn one(connection: &Connection, sql: &str) -> Result<Option<Sequence>> {
    let mut statement = connection.prepare_cached(sql).map_err(unread())?;
    statement.query_row([], |row| Ok(number(row, 0))).map_err(unread())
}
