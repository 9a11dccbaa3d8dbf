//! The start to expect: what runs is let go in the order of its predicted ends, those ahead
//! are let in first, until the job fits. On trial only.

use muster_model::{JobId, Millis, Time};

use crate::place;
use crate::state::State;
use crate::state::job::Job;
use crate::transaction::Transaction;

/// At most so many ends are looked ahead: further out, an estimate would be a guess.
const ENDS_MAX: usize = 2048;

/// At most so many jobs ahead are let in first.
const AHEAD_MAX: usize = 64;

/// When a queued job will probably start; `None` if not within what can be foreseen. Jobs in
/// `ahead` are let in before it, best first.
pub(crate) fn estimated_start(state: &mut State, id: JobId, ahead: &[JobId]) -> Option<Time> {
    let node_depth = state.catalog.node_depth();
    let mut ends: Vec<(Time, JobId)> = (state.jobs.ids().into_iter())
        .filter_map(|other| Some((predicted_end(state, state.jobs.known(other))?, other)))
        .collect();
    ends.sort_unstable();
    let mut waiting: Vec<JobId> = ahead.iter().take(AHEAD_MAX).copied().collect();
    let mut transaction = Transaction::new(&mut state.capacity);
    for (claim, held) in &state.floor.claims {
        if *claim == id {
            held.nodes.iter().for_each(|&node| transaction.unclaim(node));
        }
    }
    let mut now = Some(state.now);
    let mut ends = ends.into_iter().take(ENDS_MAX);
    while let Some(time) = now {
        waiting.retain(|&other| {
            let shape = state.shapes.get(state.jobs.known(other).shape);
            place::place(&mut transaction, shape, shape.live, node_depth).is_none()
        });
        let shape = state.shapes.get(state.jobs.known(id).shape);
        if place::place(&mut transaction, shape, shape.live, node_depth).is_some() {
            return Some(time);
        }
        now = ends.next().map(|(end, other)| {
            let_go(&mut transaction, state.jobs.known(other), &state.shapes);
            end.max(time)
        });
    }
    None
}

/// Gives back what a job holds, on trial.
pub(crate) fn let_go(
    transaction: &mut Transaction<'_>,
    job: &Job,
    shapes: &crate::state::shape::Shapes,
) {
    let Some(run) = &job.record.run else { return };
    let demand = &shapes.get(job.shape).demand;
    for node in &run.nodes {
        for task in &node.tasks {
            let held = demand.groups[usize::from(task.group)].held(task.gpus);
            transaction.give_back(node.node, held);
        }
    }
    let charge = &demand.alternatives[run.alternative as usize].charge;
    transaction.refund(job.queue, job.user, charge);
}

/// When a job that holds something will probably have ended.
pub(crate) fn predicted_end(state: &State, job: &Job) -> Option<Time> {
    let run = job.record.run.as_ref()?;
    let policy = state.catalog.policy();
    if run.then.is_some() {
        return Some(state.now + policy.stop_grace);
    }
    let started = run.started.unwrap_or(state.now);
    let elapsed = state.now.since(started);
    let median = job.record.estimate.map_or(policy.estimate_default, |estimate| estimate.median);
    // A job that outruns its prediction is expected to go on for a part of what it has run:
    // what has lasted lasts.
    let expected = if elapsed < median { median } else { Millis(elapsed.0 + elapsed.0 / 2 + 1000) };
    let limit_at = run.limit_at.unwrap_or(started + job.limit);
    Some((started + expected).min(limit_at))
}
