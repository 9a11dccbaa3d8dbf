//! Into host memory: every node freezes its part before any suspends its own, and host memory is
//! set aside for all of it before the first is asked.

use muster_model::{JobId, Millis, NodeId, Rung};
use rustc_hash::FxHashMap;

use crate::action::JobState;
use crate::elastic::work;
use crate::life::{move_to, queueing, stop};
use crate::pause::price::Price;
use crate::pause::{ladder, resume};
use crate::plan::expect;
use crate::snapshot::{NodeReport, NodeRun};
use crate::state::State;
use crate::state::booking::Stay;
use crate::state::job::Job;
use crate::state::shape::Pin;

/// Host memory that a plan will need, by node.
pub(crate) type Planned = FxHashMap<NodeId, u64>;

/// Whether there is host memory for a job's state on all of its nodes.
pub(crate) fn has_room(state: &State, job: &Job) -> bool {
    let run = job.record.run.as_ref().expect("a running job is placed");
    run.nodes.iter().all(|part| {
        let node = &state.capacity.nodes[part.node];
        node.suspend_free >= memory(state, job, part)
    })
}

/// Whether there is host memory for a job's state on all of its nodes beside what others of the
/// same plan will need, who are noted in `planned`; notes its own if so.
pub(crate) fn has_room_beside(state: &State, id: JobId, planned: &mut Planned) -> bool {
    let needs = needs(state, id);
    let has_room = needs.iter().all(|(node, memory)| {
        let others = planned.get(node).copied().unwrap_or(0);
        state.capacity.nodes[*node].suspend_free >= others + memory
    });
    if has_room {
        for (node, memory) in needs {
            *planned.entry(node).or_default() += memory;
        }
    }
    has_room
}

/// Host memory for the state of a job on one node: what its processes have, and what they have
/// on their GPUs.
fn memory(state: &State, job: &Job, part: &NodeRun) -> u64 {
    let demand = &state.shapes.get(job.shape).demand;
    let model = state.capacity.nodes[part.node].model;
    let of_gpu = state.catalog.gpu_memory(model);
    let state = job.record.spec.checkpoint.state.map_or(of_gpu, |state| state.0.min(of_gpu));
    let of_task = |task: &crate::action::TaskPlace| {
        demand.groups[usize::from(task.group)].memory + u64::from(task.gpus.count()) * state
    };
    part.tasks.iter().map(of_task).sum()
}

/// Sets host memory aside and freezes every part.
pub(crate) fn begin(state: &mut State, id: JobId, price: Price) {
    set_aside(state, id);
    ladder::set_pause(state, id, Rung::Suspend, false, price.wait);
    ladder::order(state, id, Rung::Freeze, true);
    move_to(state, id, JobState::Pausing);
}

pub(crate) fn set_aside(state: &mut State, id: JobId) {
    for (node, memory) in needs(state, id) {
        state.capacity.nodes[node].suspend_free -= memory;
    }
}

/// Gives back the host memory that was set aside.
pub(crate) fn release(state: &mut State, id: JobId) {
    for (node, memory) in needs(state, id) {
        state.capacity.nodes[node].suspend_free += memory;
    }
}

fn needs(state: &State, id: JobId) -> Vec<(NodeId, u64)> {
    let job = state.jobs.known(id);
    let run = job.record.run.as_ref().expect("what is suspended is placed");
    run.nodes.iter().map(|part| (part.node, memory(state, job, part))).collect()
}

/// A node has frozen or suspended its part. When all have, the next order goes to all.
pub(crate) fn done(state: &mut State, id: JobId, part: usize, rung: Rung) {
    let pause = ladder::pause_of(state, id);
    let is_wanted = pause.is_some_and(|pause| pause.rung == Rung::Suspend && !pause.is_undone);
    if state.jobs.known(id).record.state != JobState::Pausing || !is_wanted {
        return;
    }
    let run = state.jobs.known_mut(id).record.run.as_mut().expect("what is paused is placed");
    let report = &mut run.nodes[part].report;
    let (from, to) = match rung {
        Rung::Freeze => (NodeReport::Started, NodeReport::Frozen),
        Rung::Suspend => (NodeReport::Frozen, NodeReport::Suspended),
        Rung::Checkpoint | Rung::Requeue => return,
    };
    if *report != from {
        return;
    }
    *report = to;
    advance(state, id);
}

/// Goes on to the next order when all parts that are left have done the one before.
pub(crate) fn advance(state: &mut State, id: JobId) {
    let run = state.jobs.known(id).record.run.as_ref().expect("what is paused is placed");
    if run.live().all(|part| part.report == NodeReport::Frozen) {
        ladder::order(state, id, Rung::Suspend, true);
    } else if run.live().all(|part| part.report == NodeReport::Suspended) {
        suspended(state, id);
    }
}

/// Puts every part back to where it was. A node may have done what it was asked and not said so
/// yet, so all are taken to have.
pub(crate) fn undo(state: &mut State, id: JobId) {
    let run = state.jobs.known(id).record.run.as_ref().expect("what is paused is placed");
    let is_freezing = run.nodes.iter().any(|part| part.report == NodeReport::Started);
    resume::order_back(state, id, !is_freezing);
}

/// Every part is suspended: what the job held is free, and it waits for its own place.
fn suspended(state: &mut State, id: JobId) {
    stop::clear_timers(state, id);
    ladder::clear_pause_timer(state, id);
    expect::forget(state, id);
    let (now, job) = (state.now, state.jobs.known_mut(id));
    work::stand_still(job, now);
    let mut run = job.record.run.take().expect("what is suspended is placed");
    let charged = stop::give_back(state, id, &mut run);
    run.limit_at = None;
    run.is_suspended = true;
    for part in &run.nodes {
        let suspended = &mut state.capacity.nodes[part.node].suspended;
        let at = suspended.partition_point(|other| *other < id);
        suspended.insert(at, id);
    }
    let pin = pin(&run.nodes);
    let job = state.jobs.known_mut(id);
    let (queue, user) = (job.queue, job.user);
    job.record.run = Some(run);
    let stay = left(job);
    let own = (&job.record.spec, pin, stay);
    job.pinned = Some(state.shapes.pin(job.shape, own, &state.capacity));
    move_to(state, id, JobState::Paused);
    queueing::settle_suspended(state, id);
    queueing::queue_used(state, (queue, user), charged, false);
    state.pass_due = true;
}

/// How long a suspended job may still stay once it is resumed.
pub(crate) fn left(job: &Job) -> Stay {
    let ran = job.record.run.as_ref().map_or(Millis::ZERO, |run| run.ran);
    let restore = Millis(resume::restore_time(job).0.saturating_mul(ladder::PATIENCE));
    Stay::Limit(Millis(job.limit.saturating_sub(ran).0.saturating_add(restore.0)))
}

/// The place of an attempt.
pub(crate) fn pin(nodes: &[NodeRun]) -> Pin {
    nodes.iter().flat_map(|part| part.tasks.iter().map(|task| (part.node, *task))).collect()
}

/// A suspended attempt is over on all nodes, or has its place again: it does not wait as what it
/// was any more.
pub(crate) fn unpin(state: &mut State, id: JobId) {
    let Some(pinned) = state.jobs.known_mut(id).pinned.take() else { return };
    state.release_shape(pinned);
    let run = state.jobs.known(id).record.run.as_ref().expect("what is suspended is placed");
    for part in &run.nodes {
        state.capacity.nodes[part.node].suspended.retain(|other| *other != id);
    }
}
