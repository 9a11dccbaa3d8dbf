//! Goes through all that was held in a span of time, with what was measured of it and what became
//! of it: one pass over the table of what was held and one over the samples, side by side.

use std::collections::BTreeMap;

use rusqlite::types::Value;
use rusqlite::{Connection, Row, Rows, params_from_iter};

use super::super::super::values::bound;
use super::super::filter::Conditions;
use super::DAY_MS;
use crate::history::{Cause, Fate, Holding, LedgerFilter, OPEN_MS, Sample, Span, pieces};

/// A window that begins longer ago than this is answered by a pass over everything, in the order in
/// which it lies; a later one by an index on the ends. Beyond that the index costs more than it
/// saves.
const RECENT_MS: u64 = 45 * DAY_MS;

/// What an attempt held on a node, at one size.
pub(super) struct Visit<'a> {
    pub(super) job: &'a Owner,
    pub(super) attempt: u64,
    pub(super) node: &'a str,
    pub(super) model: &'a str,
    pub(super) holding: Holding<'a>,
}

/// Whose it is.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Owner {
    pub(super) id: u64,
    pub(super) name: String,
    pub(super) team: String,
    pub(super) user: String,
    pub(super) queue: String,
    pub(super) class: String,
}

/// Shows each span that is at least partly in the window.
pub(super) fn visit(
    connection: &Connection,
    window: (u64, u64),
    filter: &LedgerFilter,
    mut see: impl FnMut(&Visit<'_>),
) -> rusqlite::Result<()> {
    let overheads = overheads(connection, window, filter.job)?;
    let is_recent = is_recent(connection, window.0)?;
    let conditions = conditions(window, filter, "a.", is_recent);
    let sql = format!(
        "SELECT a.job_id, a.attempt, a.node, a.from_ms, a.to_ms, a.gpus, a.model,
                j.name, j.team, j.user, j.queue, j.class,
                t.launched_ms, t.started_ms, t.ended_ms, t.saved_ms, t.lost
         FROM allocations a CROSS JOIN jobs j ON j.id = a.job_id
         LEFT JOIN attempts t ON t.job_id = a.job_id AND t.attempt = a.attempt
         WHERE {} ORDER BY a.job_id, a.attempt, a.node, a.from_ms",
        conditions.sql()
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(conditions.values))?;
    let of_job = LedgerFilter { job: filter.job, node: filter.node.clone(), ..Default::default() };
    let conditions = self::conditions(window, &of_job, "", is_recent);
    let sql = format!(
        "SELECT job_id, attempt, node, from_ms, to_ms, held_gpu_ms, active_gpu_ms FROM samples
         WHERE {} ORDER BY job_id, attempt, node, from_ms",
        conditions.sql()
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut samples = Samples::new(statement.query(params_from_iter(conditions.values))?)?;
    let (mut owner, mut known) = (Owner::default(), Part::default());
    let mut spent = Vec::new();
    while let Some(row) = rows.next()? {
        let part = Part { job: row.get(0)?, attempt: row.get(1)?, node: row.get(2)? };
        if owner.id != part.job || owner.name.is_empty() {
            owner = owner_of(row)?;
        }
        if (part.job, part.attempt) != (known.job, known.attempt) || spent.is_empty() {
            spent = launching(row)?;
            let own = overheads.get(&(part.job, part.attempt));
            spent.extend(own.into_iter().flatten());
            spent = apart(spent);
        }
        if part != known {
            samples.go_to(&part)?;
            known = part;
        }
        let span = Span { from_ms: row.get(3)?, to_ms: row.get(4)?, gpus: row.get(5)? };
        let pieces = pieces(&span, &samples.here);
        let holding = Holding { span, pieces, fate: fate(row)?, overheads: &spent };
        let model: String = row.get(6)?;
        let (attempt, node) = (known.attempt, known.node.as_str());
        see(&Visit { job: &owner, attempt, node, model: &model, holding });
    }
    Ok(())
}

/// Whether a time is among the latest that anything was held in.
fn is_recent(connection: &Connection, from_ms: u64) -> rusqlite::Result<bool> {
    let sql = "SELECT coalesce(max(to_ms), 0) FROM samples";
    let latest: u64 = connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
    Ok(from_ms.saturating_add(RECENT_MS) >= latest)
}

fn conditions(
    (from_ms, to_ms): (u64, u64),
    filter: &LedgerFilter,
    table: &str,
    is_recent: bool,
) -> Conditions {
    let mut conditions = Conditions::default();
    let LedgerFilter { job, team, user, queue, class, model, node } = filter;
    // A plus keeps SQLite from taking the index.
    let plus = if is_recent && job.is_none() { "" } else { "+" };
    conditions.and(&format!("{plus}{table}to_ms > ?"), bound(from_ms));
    conditions.and(&format!("+{table}from_ms < ?"), bound(to_ms));
    if let Some(job) = job {
        conditions.and(&format!("{table}job_id = ?"), bound(*job));
    }
    let texts = [("j.team", team), ("j.user", user), ("j.queue", queue), ("j.class", class)];
    for (column, text) in texts {
        if let Some(text) = text {
            conditions.and(&format!("{column} = ?"), Value::from(text.clone()));
        }
    }
    for (column, text) in [("model", model), ("node", node)] {
        if let Some(text) = text {
            conditions.and(&format!("{table}{column} = ?"), Value::from(text.clone()));
        }
    }
    conditions
}

fn owner_of(row: &Row<'_>) -> rusqlite::Result<Owner> {
    Ok(Owner {
        id: row.get(0)?,
        name: row.get(7)?,
        team: row.get(8)?,
        user: row.get(9)?,
        queue: row.get(10)?,
        class: row.get(11)?,
    })
}

/// The time until all nodes of an attempt had launched it, or it was over.
fn launching(row: &Row<'_>) -> rusqlite::Result<Vec<(u64, u64)>> {
    let Some(launched): Option<u64> = row.get(12)? else { return Ok(Vec::new()) };
    let (started, ended): (Option<u64>, Option<u64>) = (row.get(13)?, row.get(14)?);
    Ok(vec![(launched, started.or(ended).unwrap_or(OPEN_MS))])
}

/// Spans of time that do not meet, of some that may.
fn apart(mut spans: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    spans.sort_unstable();
    let mut apart: Vec<(u64, u64)> = Vec::with_capacity(spans.len());
    for (from_ms, to_ms) in spans {
        let from_ms = apart.last().map_or(from_ms, |(_, before)| from_ms.max(*before));
        if from_ms < to_ms {
            apart.push((from_ms, to_ms));
        }
    }
    apart
}

/// What is lost of an attempt, and from when on: all of it where it never saved.
fn fate(row: &Row<'_>) -> rusqlite::Result<Fate> {
    let (saved, lost): (Option<u64>, Option<String>) = (row.get(15)?, row.get(16)?);
    let cause = lost.as_deref().and_then(Cause::from_word);
    Ok(Fate { lost: cause.map(|cause| (saved.unwrap_or(0), cause)) })
}

type Overheads = BTreeMap<(u64, u64), Vec<(u64, u64)>>;

fn overheads(
    connection: &Connection,
    (from_ms, to_ms): (u64, u64),
    job: Option<u64>,
) -> rusqlite::Result<Overheads> {
    let mut found = Overheads::new();
    let mut statement = connection.prepare_cached(
        "SELECT job_id, attempt, from_ms, to_ms FROM overheads
         WHERE to_ms > ?1 AND from_ms < ?2 AND (?3 IS NULL OR job_id = ?3)",
    )?;
    let mut rows = statement.query((bound(from_ms), bound(to_ms), job.map(bound)))?;
    while let Some(row) = rows.next()? {
        let of = (row.get(0)?, row.get(1)?);
        found.entry(of).or_default().push((row.get(2)?, row.get(3)?));
    }
    Ok(found)
}

/// An attempt on a node.
#[derive(Clone, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
struct Part {
    job: u64,
    attempt: u64,
    node: String,
}

/// The samples in order, and those of the part that is being looked at.
struct Samples<'a> {
    rows: Rows<'a>,
    next: Option<(Part, Sample)>,
    here: Vec<Sample>,
}

impl<'a> Samples<'a> {
    fn new(rows: Rows<'a>) -> rusqlite::Result<Samples<'a>> {
        let mut samples = Samples { rows, next: None, here: Vec::new() };
        samples.next = samples.read()?;
        Ok(samples)
    }

    /// Takes in the samples of a part; parts are asked for in order.
    fn go_to(&mut self, part: &Part) -> rusqlite::Result<()> {
        self.here.clear();
        // Ends: each turn reads another row.
        while let Some((of, sample)) = &self.next {
            if of > part {
                break;
            }
            if of == part {
                self.here.push(*sample);
            }
            self.next = self.read()?;
        }
        Ok(())
    }

    fn read(&mut self) -> rusqlite::Result<Option<(Part, Sample)>> {
        let Some(row) = self.rows.next()? else { return Ok(None) };
        let part = Part { job: row.get(0)?, attempt: row.get(1)?, node: row.get(2)? };
        let (from_ms, to_ms) = (row.get(3)?, row.get(4)?);
        let sample = Sample { from_ms, to_ms, held: row.get(5)?, active: row.get(6)? };
        Ok(Some((part, sample)))
    }
}
