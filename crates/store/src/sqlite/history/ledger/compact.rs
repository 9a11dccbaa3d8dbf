//! Sums up what is old: samples by hours and then by days, and whole jobs by days when they are
//! forgotten. What a report over whole hours, or days, says is the same before and after.

use std::collections::BTreeMap;

use rusqlite::{Connection, Row, params};

use super::super::super::values::bound;
use super::gpus::{Mean, decode};
use super::visit::visit;
use super::{DAY_MS, scattered, write};
use crate::history::{
    Amounts, Cell, GpuSample, LedgerFilter, OPEN_MS, Sample, SampleRow, Span, pieces,
};

/// Sums up the samples of one hour, or of one day: the first that ended before a time and is not
/// summed up. Returns by how many there are fewer, and whether there is another.
pub(in super::super) fn thin(
    connection: &Connection,
    bucket_ms: u64,
    before_ms: u64,
) -> rusqlite::Result<(u64, bool)> {
    let limit = before_ms / bucket_ms * bucket_ms;
    let done = summed_until(connection, bucket_ms)?;
    let first = "SELECT min(to_ms) FROM samples WHERE to_ms > ?1";
    let first: Option<u64> =
        connection.prepare_cached(first)?.query_row([bound(done)], |row| row.get(0))?;
    let begin = first.map_or(limit, |first| (first - 1) / bucket_ms * bucket_ms);
    if done >= limit || begin >= limit {
        return Ok((0, false));
    }
    let end = begin + bucket_ms;
    let mut statement = connection.prepare_cached(
        "SELECT DISTINCT job_id, attempt, node FROM samples WHERE to_ms > ?1 AND to_ms <= ?2",
    )?;
    let parts: Vec<Part> = statement
        .query_map([bound(begin), bound(end)], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let mut fewer = 0;
    for part in &parts {
        fewer += thin_part(connection, part, (begin, end), bucket_ms)?;
    }
    let sql = "INSERT INTO summed (bucket_ms, until_ms) VALUES (?1, ?2)
               ON CONFLICT (bucket_ms) DO UPDATE SET until_ms = ?2";
    connection.prepare_cached(sql)?.execute([bound(bucket_ms), bound(end)])?;
    Ok((fewer, true))
}

fn summed_until(connection: &Connection, bucket_ms: u64) -> rusqlite::Result<u64> {
    let sql = "SELECT coalesce(max(until_ms), 0) FROM summed WHERE bucket_ms = ?1";
    connection.prepare_cached(sql)?.query_row([bound(bucket_ms)], |row| row.get(0))
}

/// A job, an attempt and a node.
type Part = (u64, u64, String);

/// Sums up what an attempt did on a node. What began in the bucket before and ends in this one is
/// divided between the two.
fn thin_part(
    connection: &Connection,
    part: &Part,
    (begin, end): (u64, u64),
    bucket_ms: u64,
) -> rusqlite::Result<u64> {
    let (job_id, attempt, node) = part;
    let earliest = begin.saturating_sub(bucket_ms);
    let sql = "SELECT from_ms, to_ms, held_gpu_ms, active_gpu_ms, gpus FROM samples
               WHERE job_id = ?1 AND attempt = ?2 AND node = ?3 AND from_ms >= ?4 AND from_ms < ?5
               AND +to_ms <= ?5 ORDER BY from_ms";
    let mut statement = connection.prepare_cached(sql)?;
    let values = params![job_id, attempt, node, bound(earliest), bound(end)];
    let kept: Vec<(Sample, Vec<u8>)> =
        statement.query_map(values, sample)?.collect::<rusqlite::Result<_>>()?;
    let (samples, gpus): (Vec<Sample>, Vec<Vec<u8>>) = kept.into_iter().unzip();
    let is_divided = samples.iter().any(|one| one.from_ms < begin && one.to_ms > begin);
    if samples.len() < 2 && !is_divided {
        return Ok(0);
    }
    let sql = "DELETE FROM samples WHERE job_id = ?1 AND attempt = ?2 AND node = ?3
               AND from_ms >= ?4 AND from_ms < ?5 AND +to_ms <= ?5";
    connection.prepare_cached(sql)?.execute(values)?;
    let mut edges = vec![earliest, begin, end];
    // What came after a save may turn out to be lost: the two are not mixed.
    edges.extend(saved(connection, part)?.filter(|saved| (earliest..end).contains(saved)));
    edges.sort_unstable();
    edges.dedup();
    let mut written = 0;
    for span in spans(connection, part)? {
        let pieces = pieces(&span, &samples);
        for window in edges.windows(2) {
            let window = (window[0], window[1]);
            let Some(cell) = Cell::of(&span, &pieces, window) else { continue };
            let (from_ms, to_ms) = (cell.from_ms, cell.to_ms);
            let (job_id, attempt, node) = (*job_id, *attempt, node.clone());
            let (held_gpu_ms, active_gpu_ms) = (cell.measured, Some(cell.active));
            let gpus = by_gpu(samples.iter().zip(&gpus), (from_ms, to_ms));
            let row = SampleRow {
                job_id,
                attempt,
                node,
                from_ms,
                to_ms,
                held_gpu_ms,
                active_gpu_ms,
                gpus,
            };
            write::whole_sample(connection, &row)?;
            written += 1;
        }
    }
    Ok(u64::try_from(samples.len()).expect("a count of rows fits").saturating_sub(written))
}

/// When an attempt was last saved.
fn saved(connection: &Connection, part: &Part) -> rusqlite::Result<Option<u64>> {
    let sql = "SELECT max(saved_ms) FROM attempts WHERE job_id = ?1 AND attempt = ?2";
    connection.prepare_cached(sql)?.query_row([part.0, part.1], |row| row.get(0))
}

/// How busy each GPU was in a span of time, by how much of the samples falls into it.
fn by_gpu<'a>(
    samples: impl Iterator<Item = (&'a Sample, &'a Vec<u8>)>,
    (from_ms, to_ms): (u64, u64),
) -> Vec<GpuSample> {
    let mut means: BTreeMap<u32, Mean> = BTreeMap::new();
    for (sample, gpus) in samples {
        let both = sample.to_ms.min(to_ms).saturating_sub(sample.from_ms.max(from_ms));
        for GpuSample { gpu, busy } in decode(gpus).filter(|_| both > 0) {
            let mean = means.entry(gpu).or_default();
            busy.into_iter().for_each(|busy| mean.add(busy, both));
        }
    }
    means.into_iter().map(|(gpu, mean)| GpuSample { gpu, busy: mean.busy() }).collect()
}

fn sample(row: &Row<'_>) -> rusqlite::Result<(Sample, Vec<u8>)> {
    let (from_ms, to_ms, held) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let gpus: Option<Vec<u8>> = row.get(4)?;
    Ok((Sample { from_ms, to_ms, held, active: row.get(3)? }, gpus.unwrap_or_default()))
}

fn spans(connection: &Connection, part: &Part) -> rusqlite::Result<Vec<Span>> {
    let sql = "SELECT from_ms, to_ms, gpus FROM allocations
               WHERE job_id = ?1 AND attempt = ?2 AND node = ?3 ORDER BY from_ms";
    let mut statement = connection.prepare_cached(sql)?;
    let (job_id, attempt, node) = part;
    let rows = statement.query_map(params![job_id, attempt, node], |row| {
        Ok(Span { from_ms: row.get(0)?, to_ms: row.get(1)?, gpus: row.get(2)? })
    })?;
    rows.collect()
}

/// Moves all that a job used into the sums of the days it fell on. Returns how many samples it had.
pub(in super::super) fn sum_up(connection: &Connection, job_id: u64) -> rusqlite::Result<u64> {
    close(connection, job_id)?;
    scattered::sum_up(connection, job_id)?;
    let mut days: BTreeMap<(u64, String, String), Amounts> = BTreeMap::new();
    let mut owner = None;
    let filter = LedgerFilter { job: Some(job_id), ..LedgerFilter::default() };
    visit(connection, (0, OPEN_MS), &filter, |held| {
        let span = held.holding.span;
        for day in span.from_ms / DAY_MS..span.to_ms.div_ceil(DAY_MS) {
            let amounts = held.holding.within((day * DAY_MS, (day + 1) * DAY_MS));
            let key = (day, held.model.to_owned(), held.node.to_owned());
            *days.entry(key).or_default() += &amounts;
        }
        owner.get_or_insert_with(|| held.job.clone());
    })?;
    let mut statement = connection.prepare_cached(
        "INSERT INTO ledger_daily VALUES
             (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
         ON CONFLICT DO UPDATE SET
             allocated = allocated + ?8, measured = measured + ?9, active = active + ?10,
             failed = failed + ?11, paused = paused + ?12, cancelled = cancelled + ?13,
             overhead = overhead + ?14",
    )?;
    for ((day, model, node), amounts) in days.iter().filter(|(_, sum)| !sum.is_nothing()) {
        let of = owner.as_ref().expect("what has days has an owner");
        let Amounts { allocated, measured, active, failed, paused, cancelled, overhead } = amounts;
        let (team, user, queue, class) = (&of.team, &of.user, &of.queue, &of.class);
        let values = params![
            day, team, user, queue, class, model, node, allocated, measured, active, failed,
            paused, cancelled, overhead
        ];
        statement.execute(values)?;
    }
    let sql = "SELECT count(*) FROM samples WHERE job_id = ?1";
    connection.prepare_cached(sql)?.query_row([job_id], |row| row.get(0))
}

/// A job that is over holds nothing, whatever was missed.
fn close(connection: &Connection, job_id: u64) -> rusqlite::Result<()> {
    let sql = "UPDATE allocations SET to_ms = max(from_ms, coalesce(
                   (SELECT ended_ms FROM jobs WHERE id = ?1), from_ms))
               WHERE job_id = ?1 AND +to_ms = ?2";
    connection.prepare_cached(sql)?.execute([bound(job_id), bound(OPEN_MS)]).map(drop)
}
