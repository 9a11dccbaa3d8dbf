//! The columns of each table in the order in which they are written and read, and the reading.

use rusqlite::Row;

use crate::history::{
    AttemptRow, Cause, EventPosition, EventRow, JobRow, NodeRow, PlacementRow, StepRow,
};

pub(super) const JOB: &str = "id, array_id, array_index, name, user, team, queue, class, tasks, \
     gpus, state, outcome, exit, submitted_ms, started_ms, ended_ms, attempts, \
     exit_signal, cancelled_by";
pub(super) const ATTEMPT: &str = "job_id, attempt, launched_ms, started_ms, ended_ms, outcome, \
     nodes, gpus, note, lost, saved_ms";
pub(super) const PLACEMENT: &str = "job_id, attempt, node, group_index, rank, gpus, share_milli";
pub(super) const STEP: &str = "job_id, attempt, step, name, started_ms, ended_ms, view";
pub(super) const EVENT: &str = "sequence, part, time_ms, kind, job_id, node, text";
pub(super) const NODE: &str =
    "name, model, gpus, state, first_joined_ms, last_joined_ms, last_lost_ms";

pub(super) fn job(row: &Row<'_>) -> rusqlite::Result<JobRow> {
    Ok(JobRow {
        id: row.get(0)?,
        array_id: row.get(1)?,
        array_index: row.get(2)?,
        name: row.get(3)?,
        user: row.get(4)?,
        team: row.get(5)?,
        queue: row.get(6)?,
        class: row.get(7)?,
        tasks: row.get(8)?,
        gpus: row.get(9)?,
        state: row.get(10)?,
        outcome: row.get(11)?,
        exit: row.get(12)?,
        submitted_ms: row.get(13)?,
        started_ms: row.get(14)?,
        ended_ms: row.get(15)?,
        attempts: row.get(16)?,
        exit_signal: row.get(17)?,
        cancelled_by: row.get(18)?,
    })
}

pub(super) fn attempt(row: &Row<'_>) -> rusqlite::Result<AttemptRow> {
    Ok(AttemptRow {
        job_id: row.get(0)?,
        attempt: row.get(1)?,
        launched_ms: row.get(2)?,
        started_ms: row.get(3)?,
        ended_ms: row.get(4)?,
        outcome: row.get(5)?,
        nodes: row.get(6)?,
        gpus: row.get(7)?,
        note: row.get(8)?,
        lost: row.get::<_, Option<String>>(9)?.as_deref().and_then(Cause::from_word),
        saved_ms: row.get(10)?,
    })
}

pub(super) fn placement(row: &Row<'_>) -> rusqlite::Result<PlacementRow> {
    Ok(PlacementRow {
        job_id: row.get(0)?,
        attempt: row.get(1)?,
        node: row.get(2)?,
        group_index: row.get(3)?,
        rank: row.get(4)?,
        gpus: row.get(5)?,
        share_milli: row.get(6)?,
    })
}

pub(super) fn step(row: &Row<'_>) -> rusqlite::Result<StepRow> {
    Ok(StepRow {
        job_id: row.get(0)?,
        attempt: row.get(1)?,
        step: row.get(2)?,
        name: row.get(3)?,
        started_ms: row.get(4)?,
        ended_ms: row.get(5)?,
        view: row.get(6)?,
    })
}

pub(super) fn event(row: &Row<'_>) -> rusqlite::Result<EventRow> {
    Ok(EventRow {
        at: EventPosition { sequence: row.get(0)?, part: row.get(1)? },
        time_ms: row.get(2)?,
        kind: row.get(3)?,
        job_id: row.get(4)?,
        node: row.get(5)?,
        text: row.get(6)?,
    })
}

pub(super) fn node(row: &Row<'_>) -> rusqlite::Result<NodeRow> {
    Ok(NodeRow {
        name: row.get(0)?,
        model: row.get(1)?,
        gpus: row.get(2)?,
        state: row.get(3)?,
        first_joined_ms: row.get(4)?,
        last_joined_ms: row.get(5)?,
        last_lost_ms: row.get(6)?,
    })
}
