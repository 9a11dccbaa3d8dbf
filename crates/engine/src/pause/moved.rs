//! A job that is moved: its new place is free and held for it before it is asked to leave the old
//! one. When every node has ended it there, it starts on the new one in the same step. If the move
//! is called off before it has left, it goes on where it is.

use muster_model::{JobId, NodeId};

use crate::action::JobState;
use crate::explain::OrderTerms;
use crate::life::{launch, move_to, queueing};
use crate::pause::hold;
use crate::snapshot::MoveRecord;
use crate::state::State;
use crate::state::moving::wants;

/// Holds the new place of a job.
pub(crate) fn begin(state: &mut State, record: MoveRecord) {
    let demand = &state.shapes.get(state.jobs.known(record.job).shape).demand;
    for (id, want) in wants(&record, demand) {
        let node = &mut state.capacity.nodes[id];
        node.begin_hold(want.exclusive);
        node.hold(want.part);
        state.capacity.recount(id);
    }
    let before = state.moves.moves.insert(record.job, record);
    assert!(before.is_none(), "a job is on its way to one place");
}

/// Lets go of the new place of a job, and forgets the move.
fn let_go(state: &mut State, id: JobId) -> Option<MoveRecord> {
    let record = state.moves.moves.remove(&id)?;
    let demand = &state.shapes.get(state.jobs.known(id).shape).demand;
    for (id, want) in wants(&record, demand) {
        state.capacity.nodes[id].let_go(want.part, want.exclusive);
    }
    state.moves.ready.retain(|ready| *ready != id);
    Some(record)
}

/// A job does not go to its new place after all, if it was to.
pub(crate) fn give_up(state: &mut State, id: JobId) {
    let Some(record) = let_go(state, id) else { return };
    let mut nodes: Vec<NodeId> = record.tasks.iter().map(|(node, _)| *node).collect();
    nodes.sort_unstable();
    nodes.dedup();
    for node in nodes {
        hold::fill(state, node);
        state.capacity.changed(node);
    }
    state.pass_due = true;
}

/// Nobody needs the old place of a job any more. Who has begun to leave it gets to its new one.
pub(crate) fn call_off(state: &mut State, id: JobId) {
    let job_state = state.jobs.get(id).map(|job| job.record.state);
    if !matches!(job_state, Some(JobState::Stopping | JobState::Queued)) {
        give_up(state, id);
    }
}

/// Gives up all moves to some nodes, and the rooms that are made by them.
pub(crate) fn give_up_on_any(state: &mut State, is_one: impl Fn(NodeId) -> bool) {
    let goes_there = |record: &MoveRecord| record.tasks.iter().any(|(node, _)| is_one(*node));
    give_up_those(state, |_, record| goes_there(record));
}

/// Gives up all moves to nodes that a booking takes before the job would have gone.
pub(crate) fn give_up_late(state: &mut State) {
    give_up_those(state, |state, record| {
        !hold::is_in_time(state, record.job, record.tasks.iter().map(|(node, _)| *node))
    });
}

fn give_up_those(state: &mut State, is_one: impl Fn(&State, &MoveRecord) -> bool) {
    let moves = state.moves.moves.values().filter(|record| is_one(state, record));
    let moves: Vec<(JobId, JobId)> = moves.map(|record| (record.job, record.by)).collect();
    for (job, by) in moves {
        if state.plans.victims.get(&job) == Some(&by) {
            hold::give_up_and_wait(state, by);
        }
        give_up(state, job);
    }
}

/// A job that holds nothing is settled: where its new place is held and nothing but that was in
/// its way, it starts there in this step. Whether it does.
pub(crate) fn settle(state: &mut State, id: JobId, is_ready: bool) -> bool {
    if !state.moves.moves.contains_key(&id) {
        return false;
    }
    if !is_ready {
        give_up(state, id);
        return false;
    }
    if !state.moves.ready.contains(&id) {
        state.jobs.known_mut(id).record.ready_since = state.now;
        state.moves.ready.push(id);
        state.pass_due = true;
        move_to(state, id, JobState::Queued);
    }
    true
}

/// Starts the jobs that have left their old place.
pub(crate) fn start_ready(state: &mut State) -> u32 {
    let mut ready = std::mem::take(&mut state.moves.ready);
    ready.sort_unstable();
    for &id in &ready {
        start(state, id);
    }
    u32::try_from(ready.len()).expect("moves are bounded")
}

fn start(state: &mut State, id: JobId) {
    let record = let_go(state, id).expect("who is ready is moved");
    let job = state.jobs.known(id);
    let (queue, user) = (job.queue, job.user);
    let demand = std::sync::Arc::clone(&state.shapes.get(job.shape).demand);
    let placed = hold::take(state, id, record.tasks, record.chosen);
    let charge = placed.charge(&demand);
    state.capacity.charge(queue, user, &charge);
    let order = standing(state, id);
    launch::launch(state, id, placed, (order, None), None);
    let record = &mut state.jobs.known_mut(id).record;
    let moved = record.pauses.as_ref().map(|pauses| Box::new(pauses.latest));
    record.decision.as_mut().expect("it was just launched").moved = moved;
    queueing::queue_used(state, (queue, user), charge.gpus, true);
}

/// A moved job has the standing it had when it was placed first.
fn standing(state: &State, id: JobId) -> OrderTerms {
    let decision = &state.jobs.known(id).record.decision;
    decision.as_ref().expect("a moved job was placed before").order.clone()
}
