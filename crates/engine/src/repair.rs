//! Repair: a gang that lost a node gets its old place back, with others in the place of what was
//! lost, before anyone else is served.
//!
//! An attempt is lost once, however many of its nodes go. In the step in which the last of its
//! nodes has ended it, the next attempt is placed: healthy nodes keep their tasks and GPUs, the
//! other tasks go as near to their old place as there is room. If that does not work out, the
//! whole gang is placed as any other, once, and after that it waits like all others. Nothing is
//! ever taken from anyone for it.

pub(crate) mod advise;
pub(crate) mod crash;
pub(crate) mod mend;
mod piece;

use fixedbitset::FixedBitSet;
use muster_model::{JobId, NodeId, Time};

use crate::action::TaskPlace;
use crate::explain::RepairTerms;
use crate::order;
use crate::pass::start;
use crate::place::Placed;
use crate::snapshot::{NodeRun, RepairRecord, RunRecord};
use crate::state::State;
use crate::state::line::OrderKey;

/// Notes that nodes were lost with the current attempt of a job that will be followed by another.
pub(crate) fn lost(state: &mut State, id: JobId, nodes: &[NodeId]) {
    let record = &mut state.jobs.known_mut(id).record;
    record.repair.get_or_insert_default().lost.extend(nodes);
}

/// Every node has ended an attempt that was lost: keeps its place for the next, and says since
/// when the job counts as waiting. Waiting time that its attempt did not make up for is not lost
/// with it.
pub(crate) fn keep_place(state: &mut State, id: JobId, run: RunRecord) -> Time {
    let now = state.now;
    let is_crashing = crash::is_crashing(state, id);
    let record = &mut state.jobs.known_mut(id).record;
    let Some(repair) = &mut record.repair else { return now };
    let waited = run.placed.since(record.ready_since);
    let unserved = waited.saturating_sub(now.since(run.placed));
    let is_lost = |node: &NodeRun| repair.lost.contains(&node.node);
    // With nothing left of its place there is nothing to repair; one that was suspended had none.
    if is_crashing || run.is_suspended || run.nodes.iter().all(is_lost) {
        record.repair = None;
    } else {
        repair.old = run.nodes;
    }
    Time(now.0.saturating_sub(unserved.0))
}

/// A job gets no repair any more: it was placed, is over, or something other than room keeps it.
pub(crate) fn forget(state: &mut State, id: JobId) {
    if state.jobs.known_mut(id).record.repair.take().is_some() {
        state.repairs.remove(&id);
    }
}

/// Starts those that get their old place back, the best in the order first, and returns how many
/// starts the pass has had then. Whoever the cap on starts leaves out is first in the next step,
/// for nobody else starts in this one.
pub(crate) fn serve(state: &mut State, mut starts: u32) -> u32 {
    let mut turns: Vec<OrderKey> = state.repairs.iter().map(|&id| place_of(state, id)).collect();
    turns.sort_unstable();
    for OrderKey { job, .. } in turns {
        if starts >= state.tuning.starts_per_step {
            break;
        }
        let line = state.jobs.known(job).line.expect("a job to be repaired is queued");
        let allowed = state.waiting.line(line).standing.allowed;
        if start::start_for_repair(state, job, allowed) {
            starts += 1;
        } else {
            no_room(state, job);
        }
    }
    starts
}

/// There is no room for a gang that lost a node: it waits like all others from now on. This is
/// where work that may be paused for it would be looked for.
fn no_room(state: &mut State, id: JobId) {
    forget(state, id);
}

fn place_of(state: &State, id: JobId) -> OrderKey {
    let job = state.jobs.known(id);
    let line = state.waiting.line(job.line.expect("a job to be repaired is queued"));
    let tier = order::tier(line.standing.guaranteed, state.catalog.class_rank(job.class));
    let uses_share = order::rule(state.catalog.policy()).fair_share;
    let offset = if uses_share { state.capacity.queues[job.queue].fair_share } else { 0 };
    OrderKey { tier, key: job.record.key - offset, job: id }
}

/// The nodes that a spare for a gang is not looked for on at first: those it was lost with, and
/// those that others get back.
pub(crate) fn not_at_first(state: &State, id: JobId) -> FixedBitSet {
    let mut nodes = FixedBitSet::with_capacity(state.capacity.nodes.len());
    for &other in &state.repairs {
        let Some(repair) = &state.jobs.known(other).record.repair else { continue };
        if other == id {
            nodes.extend(repair.lost.iter().map(|node| node.index()));
        } else {
            nodes.extend(repair.old.iter().map(|run| run.node.index()));
        }
    }
    nodes
}

/// How much of its old place a gang has got back.
pub(crate) fn terms(repair: &RepairRecord, placed: &Placed) -> RepairTerms {
    let key = |(_, task): &(NodeId, TaskPlace)| (task.group, task.rank);
    let mut before: Vec<(NodeId, TaskPlace)> = Vec::new();
    for run in &repair.old {
        before.extend(run.tasks.iter().map(|task| (run.node, *task)));
    }
    before.sort_unstable_by_key(key);
    let stays = placed.tasks.iter().filter(|&place| {
        before.binary_search_by_key(&key(place), key).is_ok_and(|at| before[at] == *place)
    });
    let stayed = u32::try_from(stays.count()).expect("tasks are bounded by validation");
    let tasks = u32::try_from(placed.tasks.len()).expect("tasks are bounded by validation");
    RepairTerms { stayed, moved: tasks - stayed, lost: repair.lost.clone() }
}
