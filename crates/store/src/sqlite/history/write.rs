//! Writing rows: each in place of the one with the same key.

use rusqlite::{Connection, params};

use super::super::values::bound;
use super::ledger;
use super::rows::{EVENT, JOB, NODE, PLACEMENT, STEP};
use crate::history::{
    AttemptOver, AttemptRow, Cause, Change, EventRow, JobDocument, JobRow, NodeRow, PlacementRow,
    StepRow,
};
use crate::journal::Sequence;

pub(super) fn watermark(connection: &Connection) -> rusqlite::Result<Sequence> {
    let mut statement = connection.prepare_cached("SELECT sequence FROM watermark")?;
    statement.query_row([], |row| row.get(0))
}

pub(super) fn set_watermark(connection: &Connection, to: Sequence) -> rusqlite::Result<()> {
    connection.prepare_cached("UPDATE watermark SET sequence = ?1")?.execute([to]).map(drop)
}

pub(super) fn rewind(connection: &Connection, to: Sequence) -> rusqlite::Result<()> {
    if watermark(connection)? <= to {
        return Ok(());
    }
    connection.execute("DELETE FROM events WHERE sequence > ?1", [bound(to)])?;
    set_watermark(connection, to)
}

/// Writes one row.
pub(super) fn change(connection: &Connection, change: &Change) -> rusqlite::Result<()> {
    match change {
        Change::Job(row) => job(connection, row),
        Change::Document(row) => document(connection, row),
        Change::Attempt(row) => attempt(connection, row),
        Change::Over(row) => over(connection, row),
        Change::Placement(row) => placement(connection, row),
        Change::Step(row) => step(connection, row),
        Change::Event(row) => event(connection, row),
        Change::Sample(row) => ledger::sample(connection, row),
        Change::Holding(row) => ledger::holding(connection, row),
        Change::Capacity(row) => ledger::capacity(connection, row),
        Change::Scattered(row) => ledger::scattered(connection, row),
        Change::Overhead(row) => ledger::overhead(connection, row),
        Change::Saved(row) => ledger::saved(connection, row),
        Change::Node(row) => node(connection, row),
    }
}

fn job(connection: &Connection, row: &JobRow) -> rusqlite::Result<()> {
    // An update in place leaves alone the indexes of columns that did not change.
    let sql = format!(
        "INSERT INTO jobs ({JOB}) VALUES
         (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
         ?19)
         ON CONFLICT (id) DO UPDATE SET
         array_id = ?2, array_index = ?3, name = ?4, user = ?5, team = ?6, queue = ?7, class = ?8,
         tasks = ?9, gpus = ?10, state = ?11, outcome = ?12, exit = ?13, submitted_ms = ?14,
         started_ms = ?15, ended_ms = ?16, attempts = ?17, exit_signal = ?18, cancelled_by = ?19"
    );
    let values = params![
        row.id,
        row.array_id,
        row.array_index,
        row.name,
        row.user,
        row.team,
        row.queue,
        row.class,
        row.tasks,
        row.gpus,
        row.state,
        row.outcome,
        row.exit,
        row.submitted_ms,
        row.started_ms,
        row.ended_ms,
        row.attempts,
        row.exit_signal,
        row.cancelled_by,
    ];
    connection.prepare_cached(&sql)?.execute(values).map(drop)
}

fn document(connection: &Connection, row: &JobDocument) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO job_documents (job_id, spec, program) VALUES (?1, ?2, ?3)";
    let values = params![row.job_id, row.spec, row.program];
    connection.prepare_cached(sql)?.execute(values).map(drop)
}

fn attempt(connection: &Connection, row: &AttemptRow) -> rusqlite::Result<()> {
    // When it was saved is written by itself, and stays.
    let sql = "INSERT INTO attempts (job_id, attempt, launched_ms, started_ms, ended_ms, outcome,
                                     nodes, gpus, note, lost)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
         ON CONFLICT (job_id, attempt) DO UPDATE SET launched_ms = ?3, started_ms = ?4,
         ended_ms = ?5, outcome = ?6, nodes = ?7, gpus = ?8, note = ?9, lost = ?10";
    let AttemptRow { job_id, attempt, launched_ms, started_ms, .. } = row;
    let AttemptRow { ended_ms, outcome, nodes, gpus, note, .. } = row;
    let lost = row.lost.map(Cause::word);
    let values = params![
        job_id,
        attempt,
        launched_ms,
        started_ms,
        ended_ms,
        outcome,
        nodes,
        gpus,
        note,
        lost
    ];
    connection.prepare_cached(sql)?.execute(values).map(drop)
}

fn over(connection: &Connection, row: &AttemptOver) -> rusqlite::Result<()> {
    let sql = "UPDATE attempts SET ended_ms = coalesce(?3, ended_ms),
               outcome = coalesce(?4, outcome), note = coalesce(?5, note), lost = coalesce(?6, lost)
               WHERE job_id = ?1 AND attempt = ?2";
    let AttemptOver { job_id, attempt, ended_ms, outcome, note, lost } = row;
    let values = params![job_id, attempt, ended_ms, outcome, note, lost.map(Cause::word)];
    connection.prepare_cached(sql)?.execute(values).map(drop)
}

fn placement(connection: &Connection, row: &PlacementRow) -> rusqlite::Result<()> {
    let sql = format!(
        "INSERT OR REPLACE INTO placements ({PLACEMENT}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
    );
    let PlacementRow { job_id, attempt, node, group_index, rank, gpus, share_milli } = row;
    let values = params![job_id, attempt, node, group_index, rank, gpus, share_milli];
    connection.prepare_cached(&sql)?.execute(values).map(drop)
}

fn step(connection: &Connection, row: &StepRow) -> rusqlite::Result<()> {
    let sql = format!("INSERT OR REPLACE INTO steps ({STEP}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    let StepRow { job_id, attempt, step, name, started_ms, ended_ms, view } = row;
    let values = params![job_id, attempt, step, name, started_ms, ended_ms, view];
    connection.prepare_cached(&sql)?.execute(values).map(drop)
}

fn event(connection: &Connection, row: &EventRow) -> rusqlite::Result<()> {
    let sql =
        format!("INSERT OR REPLACE INTO events ({EVENT}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    let EventRow { at, time_ms, kind, job_id, node, text } = row;
    let values = params![at.sequence, at.part, time_ms, kind, job_id, node, text];
    connection.prepare_cached(&sql)?.execute(values).map(drop)
}

fn node(connection: &Connection, row: &NodeRow) -> rusqlite::Result<()> {
    let sql = format!(
        "INSERT INTO nodes ({NODE}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT (name) DO UPDATE SET model = ?2, gpus = ?3, state = ?4,
         first_joined_ms = min(first_joined_ms, ?5), last_joined_ms = ?6, last_lost_ms = ?7"
    );
    let NodeRow { name, model, gpus, state, first_joined_ms, last_joined_ms, last_lost_ms } = row;
    let values = params![name, model, gpus, state, first_joined_ms, last_joined_ms, last_lost_ms];
    connection.prepare_cached(&sql)?.execute(values).map(drop)
}
