//! GPUs that stood free in pieces while a job waited that needed them together: written as spans,
//! read as sums, and summed up by days when the job is forgotten.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Connection, params};

use super::super::super::values::bound;
use super::DAY_MS;
use super::query::Sums;
use crate::history::{ApartRow, LedgerBy, LedgerJob, LedgerQuestion, OPEN_MS, ScatteredRow, Span};

/// What stands free in pieces from a time on while a job waits.
pub(in super::super) fn scattered(
    connection: &Connection,
    row: &ScatteredRow,
) -> rusqlite::Result<()> {
    let ScatteredRow { job_id, at_ms, gpus } = row;
    let mut missing: Vec<&(String, u64)> = gpus.iter().filter(|(_, gpus)| *gpus > 0).collect();
    let mut open = connection.prepare_cached(
        "SELECT model, from_ms, gpus FROM scattered WHERE job_id = ?1 AND +to_ms = ?2",
    )?;
    let open = open.query_map([job_id, &OPEN_MS], |row| {
        Ok(((row.get(0)?, row.get(2)?), row.get::<_, u64>(1)?))
    })?;
    for (known, from_ms) in open.collect::<rusqlite::Result<Vec<((String, u64), u64)>>>()? {
        if let Some(index) = missing.iter().position(|missing| **missing == known) {
            missing.swap_remove(index);
            continue;
        }
        let close = "UPDATE scattered SET to_ms = max(from_ms, ?4)
                     WHERE job_id = ?1 AND model = ?2 AND from_ms = ?3";
        connection.prepare_cached(close)?.execute(params![job_id, known.0, from_ms, at_ms])?;
    }
    let mut insert = connection.prepare_cached(
        "INSERT OR REPLACE INTO scattered (job_id, model, from_ms, to_ms, gpus)
         VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for (model, gpus) in missing {
        insert.execute(params![job_id, model, at_ms, OPEN_MS, gpus])?;
    }
    Ok(())
}

/// Brings all spans in line with what is true: who is not named waits for nothing of it.
pub(super) fn settle(
    connection: &Connection,
    at_ms: u64,
    rows: &[ScatteredRow],
) -> rusqlite::Result<()> {
    let named: BTreeSet<u64> = rows.iter().map(|row| row.job_id).collect();
    let mut open = connection.prepare("SELECT DISTINCT job_id FROM scattered WHERE to_ms = ?1")?;
    let open: Vec<u64> =
        open.query_map([bound(OPEN_MS)], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    for job_id in open.into_iter().filter(|job_id| !named.contains(job_id)) {
        scattered(connection, &ScatteredRow { job_id, at_ms, gpus: Vec::new() })?;
    }
    rows.iter().try_for_each(|row| scattered(connection, row))
}

/// Sums by span and model, and by job where that was asked for.
pub(super) fn apart(
    connection: &Connection,
    question: &LedgerQuestion,
    sums: &Sums,
) -> rusqlite::Result<Vec<ApartRow>> {
    // It is between nodes and before jobs: neither of those alone has a part in it.
    if question.filter.node.is_some() || question.filter.job.is_some() {
        return Ok(Vec::new());
    }
    let mut found: BTreeMap<(u64, String, u64), ApartRow> = BTreeMap::new();
    let model = question.filter.model.as_deref();
    let mut statement = connection.prepare_cached(
        "SELECT s.job_id, s.model, s.from_ms, s.to_ms, s.gpus, j.name, j.user, j.team
         FROM scattered AS s LEFT JOIN jobs AS j ON j.id = s.job_id
         WHERE s.to_ms > ?1 AND s.from_ms < ?2 AND (?3 IS NULL OR s.model = ?3)",
    )?;
    let mut rows = statement.query(params![bound(sums.window.0), bound(sums.window.1), model])?;
    while let Some(row) = rows.next()? {
        let span = Span { from_ms: row.get(2)?, to_ms: row.get(3)?, gpus: row.get(4)? };
        let (id, model): (u64, String) = (row.get(0)?, row.get(1)?);
        let name: Option<String> = row.get(5)?;
        let job = match name.filter(|_| sums.by == LedgerBy::Job) {
            Some(name) => Some((id, LedgerJob { name, user: row.get(6)?, team: row.get(7)? })),
            None => None,
        };
        let key = if job.is_some() { id } else { 0 };
        for (bucket_ms, part) in sums.buckets((span.from_ms, span.to_ms)) {
            let sum = found.entry((bucket_ms, model.clone(), key)).or_insert_with(|| ApartRow {
                bucket_ms,
                model: model.clone(),
                job: job.clone(),
                gpu_ms: 0,
            });
            sum.gpu_ms += span.within(part);
        }
    }
    let mut statement = connection.prepare_cached(
        "SELECT day, model, gpu_ms FROM scattered_daily
         WHERE day >= ?1 AND day < ?2 AND (?3 IS NULL OR model = ?3)",
    )?;
    let (from, to) = (sums.window.0 / DAY_MS, sums.window.1.div_ceil(DAY_MS));
    let mut rows = statement.query(params![bound(from), bound(to), model])?;
    while let Some(row) = rows.next()? {
        let (day, model): (u64, String) = (row.get(0)?, row.get(1)?);
        let bucket_ms = sums.bucket_of_day(day);
        let sum = found.entry((bucket_ms, model.clone(), 0)).or_insert_with(|| ApartRow {
            bucket_ms,
            model,
            ..ApartRow::default()
        });
        sum.gpu_ms += row.get::<_, u64>(2)?;
    }
    Ok(found.into_values().filter(|row| row.gpu_ms > 0).collect())
}

/// Moves what stood free in pieces while a job waited into the sums of the days it fell on.
pub(super) fn sum_up(connection: &Connection, job_id: u64) -> rusqlite::Result<()> {
    // A job that is over waits for nothing, whatever was missed.
    let close = "UPDATE scattered SET to_ms = max(from_ms, coalesce(
                     (SELECT ended_ms FROM jobs WHERE id = ?1), from_ms))
                 WHERE job_id = ?1 AND +to_ms = ?2";
    connection.prepare_cached(close)?.execute([bound(job_id), bound(OPEN_MS)])?;
    let mut statement = connection
        .prepare_cached("SELECT model, from_ms, to_ms, gpus FROM scattered WHERE job_id = ?1")?;
    let rows = statement.query_map([bound(job_id)], |row| {
        let span = Span { from_ms: row.get(1)?, to_ms: row.get(2)?, gpus: row.get(3)? };
        Ok((row.get(0)?, span))
    })?;
    let mut insert = connection.prepare_cached(
        "INSERT INTO scattered_daily (day, model, gpu_ms) VALUES (?1, ?2, ?3)
         ON CONFLICT DO UPDATE SET gpu_ms = gpu_ms + ?3",
    )?;
    for (model, span) in rows.collect::<rusqlite::Result<Vec<(String, Span)>>>()? {
        for day in span.from_ms / DAY_MS..span.to_ms.div_ceil(DAY_MS) {
            let gpu_ms = span.within((day * DAY_MS, (day + 1) * DAY_MS));
            insert.execute(params![bound(day), model, bound(gpu_ms)])?;
        }
    }
    Ok(())
}
