//! Taking what is damaged out of the way. Nothing is destroyed: it goes to the table `damaged`.

use rusqlite::{Connection, TransactionBehavior, params};

use super::super::failed;
use super::super::values::bound;
use super::{read, snapshots, unread};
use crate::error::{Result, StoreError};
use crate::journal::{Cut, Sequence};

/// Cuts the journal at an entry that is bad or missing; see [`super::SqliteJournal::cut`].
pub(super) fn cut(connection: &mut Connection, at: Sequence) -> Result<Cut> {
    let failed = failed("cut the journal");
    let transaction =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&failed)?;
    for key in snapshots::damaged(&transaction)? {
        set_aside(&transaction, "snapshots", "sequence = ?1", key)?;
    }
    let covered_by = covering(&transaction, at)?;
    let (set_aside_entries, lost) = match covered_by {
        Some(snapshot) => {
            // Older snapshots have lost the entries that lead on from them.
            set_aside(&transaction, "snapshots", "sequence < ?1", bound(snapshot))?;
            (set_aside(&transaction, "entries", "sequence <= ?1", bound(snapshot))?, 0)
        }
        None => {
            let lost = count_valid(&transaction, at)?;
            let which = "sequence >= ?1 OR sequence < 1";
            (set_aside(&transaction, "entries", which, bound(at))?, lost)
        }
    };
    let last = read::last(&transaction)?;
    transaction.commit().map_err(&failed)?;
    Ok(Cut { covered_by, set_aside: set_aside_entries, lost, last })
}

/// Cuts off whole entries; see [`super::SqliteJournal::cut_back`].
pub(super) fn cut_back(connection: &mut Connection, from: Sequence) -> Result<Cut> {
    let failed = failed("cut the journal");
    let transaction =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&failed)?;
    let before = from.saturating_sub(1);
    let is_reached = match read::first(&transaction)? {
        Some(1) => before > 0,
        _ => snapshots::at_or_before(&transaction, before)?.is_some(),
    };
    if !is_reached || from > read::last(&transaction)? {
        return Err(StoreError::NoWayBack { from });
    }
    let lost = count_valid(&transaction, from)?;
    set_aside(&transaction, "snapshots", "sequence >= ?1", bound(from))?;
    let set_aside = set_aside(&transaction, "entries", "sequence >= ?1", bound(from))?;
    let last = read::last(&transaction)?;
    transaction.commit().map_err(&failed)?;
    Ok(Cut { covered_by: None, set_aside, lost, last })
}

/// The earliest snapshot that covers the entry. The damaged ones are gone by now.
fn covering(connection: &Connection, at: Sequence) -> Result<Option<Sequence>> {
    let sql = "SELECT min(sequence) FROM snapshots WHERE sequence >= ?1";
    let found: Option<i64> =
        connection.query_row(sql, [bound(at)], |row| row.get(0)).map_err(unread())?;
    Ok(found.and_then(|found| Sequence::try_from(found).ok()))
}

fn count_valid(connection: &Connection, from: Sequence) -> Result<u64> {
    let sql = format!("SELECT {} FROM entries WHERE sequence >= ?1", read::COLUMNS);
    let mut statement = connection.prepare(&sql).map_err(unread())?;
    let mut rows = statement.query([bound(from)]).map_err(unread())?;
    let mut valid = 0;
    while let Some(row) = rows.next().map_err(unread())? {
        valid += u64::from(read::whole(row).is_some());
    }
    Ok(valid)
}

fn set_aside(connection: &Connection, table: &str, which: &str, key: i64) -> Result<u64> {
    let failed = failed("set damaged entries aside");
    let columns = read::COLUMNS;
    let copy = format!(
        "INSERT INTO damaged (kind, {columns}, set_aside_ms)
         SELECT ?2, {columns}, CAST(unixepoch('subsec') * 1000 AS INTEGER)
         FROM {table} WHERE {which}"
    );
    connection.execute(&copy, params![key, table]).map_err(&failed)?;
    let removed = connection
        .execute(&format!("DELETE FROM {table} WHERE {which}"), [key])
        .map_err(&failed)?;
    Ok(u64::try_from(removed).expect("a count of rows fits"))
}
