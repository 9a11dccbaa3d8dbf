//! Statements of what holds from a time on become spans: the open one is closed where it says
//! something else, and another is opened. A statement that says nothing new changes nothing.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension, params};

use super::super::super::values::bound;
use super::{gpus, scattered};
use crate::history::{
    CapacityRow, HeldPlace, HoldingRow, OPEN_MS, OverheadRow, SampleRow, SavedRow, ScatteredRow,
};

/// What a job holds from a time on.
pub(in super::super) fn holding(connection: &Connection, row: &HoldingRow) -> rusqlite::Result<()> {
    let mut missing: Vec<&HeldPlace> = row.places.iter().filter(|place| place.gpus > 0).collect();
    for open in open_holdings(connection, row.job_id)? {
        let same = |place: &&HeldPlace| {
            open.attempt == row.attempt && place.node == open.node && place.gpus == open.gpus
        };
        match missing.iter().position(same) {
            Some(index) => drop(missing.swap_remove(index)),
            None => close_holding(connection, row.job_id, &open, row.at_ms)?,
        }
    }
    let mut statement = connection.prepare_cached(
        "INSERT OR REPLACE INTO allocations (job_id, attempt, node, from_ms, to_ms, gpus, model)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for HeldPlace { node, model, gpus } in missing {
        let HoldingRow { job_id, attempt, at_ms, .. } = row;
        statement.execute(params![job_id, attempt, node, at_ms, OPEN_MS, gpus, model])?;
    }
    Ok(())
}

struct OpenHolding {
    attempt: u64,
    node: String,
    from_ms: u64,
    gpus: u64,
}

fn open_holdings(connection: &Connection, job_id: u64) -> rusqlite::Result<Vec<OpenHolding>> {
    let mut statement = connection.prepare_cached(
        "SELECT attempt, node, from_ms, gpus FROM allocations WHERE job_id = ?1 AND +to_ms = ?2",
    )?;
    let open = statement.query_map([job_id, OPEN_MS], |row| {
        let (attempt, node) = (row.get(0)?, row.get(1)?);
        Ok(OpenHolding { attempt, node, from_ms: row.get(2)?, gpus: row.get(3)? })
    })?;
    open.collect()
}

fn close_holding(
    connection: &Connection,
    job_id: u64,
    open: &OpenHolding,
    at_ms: u64,
) -> rusqlite::Result<()> {
    let key = params![job_id, open.attempt, open.node, open.from_ms];
    if at_ms <= open.from_ms {
        // A span without length says nothing, and would be in the way of the next.
        let sql = "DELETE FROM allocations
                   WHERE job_id = ?1 AND attempt = ?2 AND node = ?3 AND from_ms = ?4";
        return connection.prepare_cached(sql)?.execute(key).map(drop);
    }
    let sql = "UPDATE allocations SET to_ms = ?5
               WHERE job_id = ?1 AND attempt = ?2 AND node = ?3 AND from_ms = ?4";
    let values = params![job_id, open.attempt, open.node, open.from_ms, at_ms];
    connection.prepare_cached(sql)?.execute(values).map(drop)
}

/// What a node is worth from a time on.
pub(in super::super) fn capacity(
    connection: &Connection,
    row: &CapacityRow,
) -> rusqlite::Result<()> {
    let CapacityRow { node, at_ms, gpus, model, unusable, why } = row;
    let same = "SELECT count(*) FROM capacity WHERE node = ?1 AND to_ms = ?2
                AND gpus = ?3 AND model = ?4 AND unusable = ?5 AND why = ?6";
    let values = params![node, OPEN_MS, gpus, model, unusable, why];
    let is_same =
        connection.prepare_cached(same)?.query_row(values, |row| row.get::<_, bool>(0))?;
    if is_same {
        return Ok(());
    }
    let empty = "DELETE FROM capacity WHERE node = ?1 AND to_ms = ?2 AND from_ms >= ?3";
    connection.prepare_cached(empty)?.execute(params![node, OPEN_MS, at_ms])?;
    let close = "UPDATE capacity SET to_ms = ?3 WHERE node = ?1 AND to_ms = ?2";
    connection.prepare_cached(close)?.execute(params![node, OPEN_MS, at_ms])?;
    let open = "INSERT OR REPLACE INTO capacity (node, from_ms, to_ms, gpus, model, unusable, why)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let values = params![node, at_ms, OPEN_MS, gpus, model, unusable, why];
    connection.prepare_cached(open)?.execute(values).map(drop)
}

/// What an attempt does from a time on that is not computing.
pub(in super::super) fn overhead(
    connection: &Connection,
    row: &OverheadRow,
) -> rusqlite::Result<()> {
    let OverheadRow { job_id, attempt, at_ms, kind } = row;
    let close = "UPDATE overheads SET to_ms = ?2 WHERE job_id = ?1 AND to_ms = ?3
                 AND NOT (attempt = ?4 AND kind IS ?5)";
    let values = params![job_id, at_ms, OPEN_MS, attempt, kind];
    connection.prepare_cached(close)?.execute(values)?;
    let Some(kind) = kind else { return Ok(()) };
    let open = "INSERT OR REPLACE INTO overheads (job_id, attempt, from_ms, to_ms, kind)
                SELECT ?1, ?2, ?3, ?4, ?5 WHERE NOT EXISTS (
                    SELECT 1 FROM overheads WHERE job_id = ?1 AND attempt = ?2 AND to_ms = ?4)";
    let values = params![job_id, attempt, at_ms, OPEN_MS, kind];
    connection.prepare_cached(open)?.execute(values).map(drop)
}

/// That an attempt's work was saved.
pub(in super::super) fn saved(connection: &Connection, row: &SavedRow) -> rusqlite::Result<()> {
    let sql = "UPDATE attempts SET saved_ms = max(coalesce(saved_ms, 0), ?3)
               WHERE job_id = ?1 AND attempt = ?2";
    let values = params![row.job_id, row.attempt, row.at_ms];
    connection.prepare_cached(sql)?.execute(values).map(drop)
}

/// Writes what a sample adds to those that are there: none overlap, so that sums do not depend on
/// how time is cut. Clocks that were set are the reason why some would.
pub(in super::super) fn sample(connection: &Connection, row: &SampleRow) -> rusqlite::Result<()> {
    let SampleRow { job_id, attempt, node, .. } = row;
    let before = "SELECT to_ms FROM samples WHERE job_id = ?1 AND attempt = ?2 AND node = ?3
                  AND from_ms < ?4 ORDER BY from_ms DESC LIMIT 1";
    let after = "SELECT from_ms FROM samples WHERE job_id = ?1 AND attempt = ?2 AND node = ?3
                 AND from_ms > ?4 ORDER BY from_ms LIMIT 1";
    let find = |sql: &str, from_ms: u64| {
        let mut statement = connection.prepare_cached(sql)?;
        let values = params![job_id, attempt, node, from_ms];
        statement.query_row(values, |row| row.get::<_, u64>(0)).optional()
    };
    let from_ms = find(before, row.from_ms)?.map_or(row.from_ms, |end| end.max(row.from_ms));
    let to_ms = find(after, from_ms)?.map_or(row.to_ms, |begin| begin.min(row.to_ms));
    if from_ms >= to_ms {
        return Ok(());
    }
    if (from_ms, to_ms) == (row.from_ms, row.to_ms) {
        return whole_sample(connection, row);
    }
    let part = |amount: u64| {
        let scaled = u128::from(amount) * u128::from(to_ms - from_ms);
        u64::try_from(scaled / u128::from(row.to_ms - row.from_ms)).unwrap_or(u64::MAX)
    };
    let (held_gpu_ms, active_gpu_ms) = (part(row.held_gpu_ms), row.active_gpu_ms.map(part));
    let row = SampleRow { from_ms, to_ms, held_gpu_ms, active_gpu_ms, ..row.clone() };
    whole_sample(connection, &row)
}

/// Writes a sample that overlaps none, or is to stand in the place of one.
pub(super) fn whole_sample(connection: &Connection, row: &SampleRow) -> rusqlite::Result<()> {
    let SampleRow { job_id, attempt, node, from_ms, to_ms, held_gpu_ms, active_gpu_ms, gpus } = row;
    let sql = "INSERT OR REPLACE INTO samples
               (job_id, attempt, node, from_ms, to_ms, held_gpu_ms, active_gpu_ms, gpus)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    let gpus = gpus::encode(gpus);
    let values = params![job_id, attempt, node, from_ms, to_ms, held_gpu_ms, active_gpu_ms, gpus];
    connection.prepare_cached(sql)?.execute(values).map(drop)
}

/// Brings all spans in line with what is true.
pub(in super::super) fn settle(
    connection: &Connection,
    at_ms: u64,
    holdings: &[HoldingRow],
    owned: &[CapacityRow],
    apart: &[ScatteredRow],
) -> rusqlite::Result<()> {
    let named: BTreeSet<u64> = holdings.iter().map(|row| row.job_id).collect();
    let mut open =
        connection.prepare("SELECT DISTINCT job_id FROM allocations WHERE to_ms = ?1")?;
    let open: Vec<u64> =
        open.query_map([bound(OPEN_MS)], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    for job_id in open.into_iter().filter(|job_id| !named.contains(job_id)) {
        holding(connection, &HoldingRow { job_id, at_ms, ..HoldingRow::default() })?;
        overhead(connection, &OverheadRow { job_id, at_ms, ..OverheadRow::default() })?;
    }
    holdings.iter().try_for_each(|row| holding(connection, row))?;
    owned.iter().try_for_each(|row| capacity(connection, row))?;
    scattered::settle(connection, at_ms, apart)
}
