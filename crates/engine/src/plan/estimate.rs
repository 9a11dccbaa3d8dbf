//! The start to expect: the future as predicted, played through on trial. What runs is let go
//! in the order of its predicted ends, those ahead are let in as they fit and let go in their
//! turn, until the job fits.

use std::collections::BTreeMap;

use muster_model::{JobId, Millis, Time};

use crate::fairness::standing;
use crate::place::{self, Placed};
use crate::state::State;
use crate::state::job::Job;
use crate::state::shape::Shapes;
use crate::transaction::Transaction;

/// At most so many ends are looked ahead: further out, an estimate would be a guess.
const ENDS_MAX: usize = 512;

/// At most so many jobs ahead are let in first.
const AHEAD_MAX: usize = 32;

/// Who gives back what when an end is reached.
enum Ending {
    Running(JobId),
    LetIn(JobId, Placed),
}

/// When a queued job will probably start; `None` if not within what can be foreseen. Jobs in
/// `ahead` are let in before it, best first.
pub(crate) fn estimated_start(state: &mut State, id: JobId, ahead: &[JobId]) -> Option<Time> {
    let mut ends: BTreeMap<(Time, JobId), Ending> = predicted_ends(state)
        .into_iter()
        .take(ENDS_MAX)
        .map(|(end, job)| ((end, job), Ending::Running(job)))
        .collect();
    let mut waiting: Vec<(JobId, Millis)> = (ahead.iter().take(AHEAD_MAX))
        .map(|&job| (job, expected_length(state, state.jobs.known(job))))
        .collect();
    let own_nodes = state.floor.claims.get(&id).map(|claim| claim.nodes.clone());
    let node_depth = state.catalog.node_depth();
    let (jobs, shapes) = (&state.jobs, &state.shapes);
    let mut transaction = Transaction::new(&mut state.capacity);
    own_nodes.into_iter().flatten().for_each(|node| transaction.unclaim(node));
    let mut now = state.now;
    for _ in 0..ENDS_MAX {
        waiting.retain(|&(job, length)| {
            let placed = let_in(&mut transaction, jobs.known(job), shapes, node_depth);
            let Some(placed) = placed else { return true };
            ends.insert((now + length, job), Ending::LetIn(job, placed));
            false
        });
        if let_in(&mut transaction, jobs.known(id), shapes, node_depth).is_some() {
            return Some(now);
        }
        let ((end, _), ending) = ends.pop_first()?;
        now = now.max(end);
        match ending {
            Ending::Running(job) => let_go(&mut transaction, jobs.known(job), shapes),
            Ending::LetIn(job, placed) => {
                give_back(&mut transaction, jobs.known(job), shapes, &placed);
            }
        }
    }
    None
}

/// Places and charges a job on trial, limits and all.
fn let_in(
    transaction: &mut Transaction<'_>,
    job: &Job,
    shapes: &Shapes,
    node_depth: u8,
) -> Option<Placed> {
    let shape = shapes.get(job.shape);
    let queues = &transaction.capacity().queues;
    let allowed = standing::standing(queues, job.queue, job.user, false, shape).allowed;
    let placed = place::place(transaction, shape, allowed, node_depth)?;
    let charge = &shape.demand.alternatives[placed.alternative].charge;
    transaction.charge(job.queue, job.user, charge);
    Some(placed)
}

/// Gives back what a job was let in with.
fn give_back(transaction: &mut Transaction<'_>, job: &Job, shapes: &Shapes, placed: &Placed) {
    let demand = &shapes.get(job.shape).demand;
    for (node, task) in &placed.tasks {
        transaction.give_back(*node, demand.groups[usize::from(task.group)].held(task.gpus));
    }
    transaction.refund(job.queue, job.user, &demand.alternatives[placed.alternative].charge);
}

/// The predicted ends of all jobs that hold something, soonest first.
pub(crate) fn predicted_ends(state: &State) -> Vec<(Time, JobId)> {
    let mut ends: Vec<(Time, JobId)> = (state.jobs.ids().into_iter())
        .filter_map(|job| Some((predicted_end(state, state.jobs.known(job))?, job)))
        .collect();
    ends.sort_unstable();
    ends
}

/// How long a job that has not started will probably run.
fn expected_length(state: &State, job: &Job) -> Millis {
    let default = state.catalog.policy().estimate_default;
    job.record.estimate.map_or(default, |estimate| estimate.median).min(job.limit)
}

/// Gives back what a job holds, on trial.
pub(crate) fn let_go(transaction: &mut Transaction<'_>, job: &Job, shapes: &Shapes) {
    let Some(run) = &job.record.run else { return };
    let demand = &shapes.get(job.shape).demand;
    for node in &run.nodes {
        for task in &node.tasks {
            let held = demand.groups[usize::from(task.group)].held(task.gpus);
            transaction.give_back(node.node, held);
        }
    }
    let charge = transaction.capacity().charge_of(run, demand);
    transaction.refund(job.queue, job.user, &charge);
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
