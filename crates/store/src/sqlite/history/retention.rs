//! Forgetting what is old, a bounded part at a time, so that recording never waits long behind it.

use rusqlite::Connection;

use super::super::values::bound;
use super::ledger::{DAY_MS, HOUR_MS, sum_up, thin};
use crate::history::{Before, Forgotten};

/// How many jobs one call forgets.
const JOBS_AT_ONCE: u64 = 1_000;

/// How many events without a job one call forgets.
const EVENTS_AT_ONCE: usize = 10_000;

/// What belongs to a job and goes with it; what it used is summed up before.
const OF_A_JOB: [&str; 9] = [
    "placements",
    "steps",
    "job_documents",
    "events",
    "samples",
    "overheads",
    "allocations",
    "scattered",
    "attempts",
];

/// Forgets one part; see [`crate::History::forget_before`].
pub(super) fn forget(
    connection: &Connection,
    before: Before,
    keep: u64,
) -> rusqlite::Result<Forgotten> {
    let mut forgotten = Forgotten::default();
    let due = due(connection, before.jobs_ms, keep)?;
    forgotten.is_more = due.len() == usize::try_from(JOBS_AT_ONCE).expect("a small constant");
    for id in due {
        forgotten.samples += sum_up(connection, id)?;
        for table in OF_A_JOB {
            let sql = format!("DELETE FROM {table} WHERE job_id = ?1");
            let rows = connection.prepare_cached(&sql)?.execute([id])?;
            forgotten.events += if table == "events" { count(rows) } else { 0 };
        }
        connection.prepare_cached("DELETE FROM jobs WHERE id = ?1")?.execute([id])?;
        forgotten.jobs += 1;
    }
    let sql = format!(
        "DELETE FROM events WHERE (sequence, part) IN (
             SELECT sequence, part FROM events WHERE job_id IS NULL AND time_ms < ?1
             ORDER BY time_ms LIMIT {EVENTS_AT_ONCE})"
    );
    let events = connection.prepare_cached(&sql)?.execute([bound(before.events_ms)])?;
    forgotten.events += count(events);
    forgotten.is_more |= events == EVENTS_AT_ONCE;
    for (bucket_ms, before_ms) in [(HOUR_MS, before.samples_ms), (DAY_MS, before.hours_ms)] {
        if !forgotten.is_more {
            let (samples, is_more) = thin(connection, bucket_ms, before_ms)?;
            forgotten.samples += samples;
            forgotten.is_more = is_more;
        }
    }
    Ok(forgotten)
}

/// The jobs that are to go, those first that ended first.
fn due(connection: &Connection, time_ms: u64, keep: u64) -> rusqlite::Result<Vec<u64>> {
    let sql = "SELECT count(*) FROM jobs WHERE ended_ms IS NOT NULL";
    let ended: u64 = connection.query_row(sql, [], |row| row.get(0))?;
    let limit = ended.saturating_sub(keep).min(JOBS_AT_ONCE);
    let mut statement = connection.prepare_cached(
        "SELECT id FROM jobs WHERE ended_ms IS NOT NULL AND ended_ms < ?1
         ORDER BY ended_ms, id LIMIT ?2",
    )?;
    let rows = statement.query_map([bound(time_ms), bound(limit)], |row| row.get(0))?;
    rows.collect()
}

fn count(rows: usize) -> u64 {
    u64::try_from(rows).expect("a count of rows fits")
}
