//! Sums of usage: over any span for whoever asks, and by days for what is to be forgotten.

use rusqlite::{Connection, Row, params};
use std::collections::BTreeMap;

use super::rows::{self, USAGE};
use crate::history::{PAGE_ROWS_MAX, UsageBy, UsageRow, UsageTotal};

/// The length of a day, by which old usage is summed up.
pub(super) const DAY_MS: u64 = 86_400_000;

/// The query for totals between `?1` and `?2`. A span that is wholly inside is counted exactly.
pub(super) fn totals(by: UsageBy) -> String {
    let (key, daily_key) = match by {
        UsageBy::User => ("coalesce(user, '')", "user"),
        UsageBy::Queue => ("coalesce(queue, '')", "queue"),
        UsageBy::Job => ("CAST(usage.job_id AS TEXT)", "''"),
    };
    let amounts = "allocated_gpu_ms, active_gpu_ms, useful_gpu_ms";
    let sum = |amount: &str| {
        format!(
            "sum(CASE WHEN part = span THEN {amount}
                 ELSE CAST({amount} * (part * 1.0 / span) AS INTEGER) END)"
        )
    };
    format!(
        "WITH spans AS (
             SELECT {key} AS key, from_ms, to_ms, {amounts}
             FROM usage LEFT JOIN jobs ON jobs.id = usage.job_id
             WHERE to_ms > ?1 AND from_ms < ?2
             UNION ALL
             SELECT {daily_key}, day * {DAY_MS}, (day + 1) * {DAY_MS}, {amounts}
             FROM usage_daily
             WHERE day > ?1 / {DAY_MS} - 1 AND day * {DAY_MS} < ?2
         ), parts AS (
             SELECT key, {amounts}, to_ms - from_ms AS span,
                    min(to_ms, ?2) - max(from_ms, ?1) AS part
             FROM spans
         )
         SELECT key, {}, {}, {} FROM parts GROUP BY key ORDER BY 2 DESC, key LIMIT {PAGE_ROWS_MAX}",
        sum("allocated_gpu_ms"),
        sum("active_gpu_ms"),
        sum("useful_gpu_ms"),
    )
}

/// Reads what [`totals`] gives.
pub(super) fn total(row: &Row<'_>) -> rusqlite::Result<UsageTotal> {
    Ok(UsageTotal {
        key: row.get(0)?,
        allocated_gpu_ms: row.get(1)?,
        active_gpu_ms: row.get(2)?,
        useful_gpu_ms: row.get(3)?,
    })
}

/// Moves the usage of a job into the sums of the days it fell on. Returns how many spans it had.
pub(super) fn sum_up(connection: &Connection, job_id: u64) -> rusqlite::Result<u64> {
    let mut days: BTreeMap<u64, Amounts> = BTreeMap::new();
    let mut spans = 0;
    {
        let sql = format!("SELECT {USAGE} FROM usage WHERE job_id = ?1");
        let mut statement = connection.prepare_cached(&sql)?;
        for row in statement.query_map([job_id], rows::usage)? {
            spread(&row?, &mut days);
            spans += 1;
        }
    }
    let mut statement = connection.prepare_cached(
        "INSERT INTO usage_daily
             (day, user, team, queue, allocated_gpu_ms, active_gpu_ms, useful_gpu_ms)
         SELECT ?2, user, team, queue, ?3, ?4, ?5 FROM
             (SELECT user, team, queue FROM jobs WHERE id = ?1)
         WHERE true
         ON CONFLICT (day, user, team, queue) DO UPDATE SET
             allocated_gpu_ms = allocated_gpu_ms + excluded.allocated_gpu_ms,
             active_gpu_ms = coalesce(active_gpu_ms + excluded.active_gpu_ms,
                                      active_gpu_ms, excluded.active_gpu_ms),
             useful_gpu_ms = coalesce(useful_gpu_ms + excluded.useful_gpu_ms,
                                      useful_gpu_ms, excluded.useful_gpu_ms)",
    )?;
    for (day, amounts) in days {
        let Amounts { allocated, active, useful } = amounts;
        statement.execute(params![job_id, day, allocated, active, useful])?;
    }
    connection.prepare_cached("DELETE FROM usage WHERE job_id = ?1")?.execute([job_id])?;
    Ok(spans)
}

#[derive(Clone, Copy, Debug, Default)]
struct Amounts {
    allocated: u64,
    active: Option<u64>,
    useful: Option<u64>,
}

/// Divides a span among its days. What rounding leaves over goes to the last day, so that the sum
/// stays exact.
fn spread(row: &UsageRow, days: &mut BTreeMap<u64, Amounts>) {
    let first = row.from_ms / DAY_MS;
    let last = (row.to_ms.saturating_sub(1) / DAY_MS).max(first);
    let span = row.to_ms.saturating_sub(row.from_ms).max(1);
    let until = |amount: u64, day: u64| {
        let passed = ((day + 1) * DAY_MS).saturating_sub(row.from_ms);
        if day == last { amount } else { scale(amount, passed, span) }
    };
    let part = |amount: u64, day: u64| {
        until(amount, day) - if day == first { 0 } else { until(amount, day - 1) }
    };
    for day in first..=last {
        let sum = days.entry(day).or_default();
        sum.allocated += part(row.allocated_gpu_ms, day);
        for (sum, amount) in
            [(&mut sum.active, row.active_gpu_ms), (&mut sum.useful, row.useful_gpu_ms)]
        {
            if let Some(amount) = amount {
                *sum = Some(sum.unwrap_or(0) + part(amount, day));
            }
        }
    }
}

fn scale(amount: u64, numerator: u64, denominator: u64) -> u64 {
    let scaled = u128::from(amount) * u128::from(numerator) / u128::from(denominator);
    u64::try_from(scaled).expect("a part is no more than the whole")
}
