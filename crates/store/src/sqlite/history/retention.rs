//! Forgetting what is old, a bounded part at a time, so that recording never waits long behind it.

use rusqlite::{Connection, params};

use super::super::values::bound;
use super::usage::{DAY_MS, sum_up};
use super::{rows, write};
use crate::history::{Before, Forgotten, UsageRow};

/// How many jobs one call forgets.
const JOBS_AT_ONCE: u64 = 1_000;

/// How many events without a job one call forgets.
const EVENTS_AT_ONCE: usize = 10_000;

/// How many days of an attempt on a node one call merges the spans of.
const DAYS_AT_ONCE: usize = 1_000;

/// What belongs to a job and goes with it; its usage is summed up before.
const OF_A_JOB: [&str; 5] = ["placements", "attempts", "steps", "job_documents", "events"];

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
        forgotten.usage += sum_up(connection, id)?;
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
    if !forgotten.is_more {
        let (usage, is_more) = merge_days(connection, before.usage_ms)?;
        forgotten.usage += usage;
        forgotten.is_more = is_more;
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

/// Jobs that are kept keep their usage, with one span a day once it is old: a service that runs for
/// months would otherwise fill the table. Returns how many spans became part of another, and
/// whether there are more.
fn merge_days(connection: &Connection, time_ms: u64) -> rusqlite::Result<(u64, bool)> {
    let days = days(connection, time_ms)?;
    let mut gone = 0;
    for day in &days {
        let next_ms = (day.from_ms / DAY_MS + 1) * DAY_MS;
        let mut statement = connection.prepare_cached(
            "DELETE FROM usage WHERE job_id = ?1 AND attempt = ?2 AND node = ?3
             AND from_ms >= ?4 AND from_ms < ?5 AND to_ms < ?6",
        )?;
        let UsageRow { job_id, attempt, node, from_ms, .. } = day;
        let values = params![job_id, attempt, node, from_ms, bound(next_ms), bound(time_ms)];
        gone += statement.execute(values)? - 1;
        write::usage(connection, day)?;
    }
    Ok((count(gone), days.len() == DAYS_AT_ONCE))
}

/// The days of an attempt on a node that have more than one span, each as the one it becomes.
fn days(connection: &Connection, time_ms: u64) -> rusqlite::Result<Vec<UsageRow>> {
    let sql = format!(
        "SELECT job_id, attempt, node, min(from_ms), max(to_ms), max(gpus),
                sum(allocated_gpu_ms), sum(active_gpu_ms), sum(useful_gpu_ms)
         FROM usage WHERE to_ms < ?1
         GROUP BY job_id, attempt, node, from_ms / {DAY_MS}
         HAVING count(*) > 1 LIMIT {DAYS_AT_ONCE}"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map([bound(time_ms)], rows::usage)?;
    rows.collect()
}

fn count(rows: usize) -> u64 {
    u64::try_from(rows).expect("a count of rows fits")
}
