//! The index of what may be paused: every running job in a bucket by class and rank, counted per
//! domain, so that a search looks only where someone weaker runs.
//!
//! A bucket is a fact of the attempt, looked at anew at moments that are far apart: when a job is
//! spared no longer, and whenever the policy says that its rank may have changed.

use muster_model::{JobId, Time, WhenIdle};

use crate::life::queueing;
use crate::order;
use crate::pause::{defragment, mover, seeker};
use crate::snapshot::{Exposure, NodeRun};
use crate::state::State;
use crate::state::job::Job;
use crate::state::node::Exposed;
use crate::state::timer::Timer;

/// The bucket of idle jobs whose GPUs are lent: anyone may have them.
const LENT: u16 = u16::MAX;

/// The bucket of jobs that only a guarantee can reclaim.
pub(crate) const ONLY_RECLAIMED: u16 = 0;

/// Enters a running job in the index, or finds its place there anew.
pub(crate) fn look(state: &mut State, id: JobId) {
    let before = hide(state, id);
    let Some(pauses) = pauses(state).filter(|_| state.catalog.policy().pausing.on) else { return };
    let job = state.jobs.known(id);
    // The index counts whole GPUs, and those who look there need whole ones: who gives up part of
    // a GPU frees none for certain, so a job with shares is never asked.
    if state.shapes.get(job.shape).demand.has_shares() {
        return;
    }
    let Some(bucket) = bucket(state, pauses, job) else { return };
    let look_at = next_look(state, pauses, job);
    for part in parts(state, id) {
        state.capacity.expose(part.0, Exposed { job: id, bucket, gpus: part.1 }, true);
    }
    let run = state.jobs.known_mut(id).record.run.as_mut().expect("a running job is placed");
    run.exposure = Some(Exposure { bucket, look_at });
    if let Some(at) = look_at {
        state.timers.set(at, Timer::Exposure(id));
    }
    if before.is_none_or(|before| before < bucket) {
        seeker::note_best(state, bucket);
    }
    defragment::note(state);
}

/// Takes a job out of the index; the bucket it was in.
pub(crate) fn hide(state: &mut State, id: JobId) -> Option<u16> {
    let run = state.jobs.known_mut(id).record.run.as_mut()?;
    let Exposure { bucket, look_at } = run.exposure.take()?;
    if let Some(at) = look_at {
        state.timers.clear(at, Timer::Exposure(id));
    }
    for part in parts(state, id) {
        state.capacity.expose(part.0, Exposed { job: id, bucket, gpus: part.1 }, false);
    }
    Some(bucket)
}

/// Puts a restored job where it was.
pub(crate) fn restore(state: &mut State, id: JobId) {
    let run = state.jobs.known(id).record.run.as_ref().expect("only placed jobs are restored");
    let Some(Exposure { bucket, look_at }) = run.exposure else { return };
    for part in parts(state, id) {
        state.capacity.expose(part.0, Exposed { job: id, bucket, gpus: part.1 }, true);
    }
    if let Some(at) = look_at {
        state.timers.set(at, Timer::Exposure(id));
    }
}

/// The bucket of a class and a rank, from which on jobs are as far behind.
pub(crate) fn threshold(pauses: order::Pauses, class_rank: u8, rank: i64) -> u16 {
    u16::from(class_rank) << 8 | u16::from((pauses.bucket)(rank))
}

/// The rule by which the policy pauses, if it does.
pub(crate) fn pauses(state: &State) -> Option<order::Pauses> {
    order::rule(state.catalog.policy()).pauses
}

/// Until when a job is left alone.
pub(crate) fn spared_until(state: &State, job: &Job) -> Time {
    let started = job.record.run.as_ref().and_then(|run| run.started).unwrap_or(state.now);
    let lately = job.record.pauses.as_ref().map_or(Time(0), |pauses| pauses.spared_until);
    lately.max(started + state.catalog.policy().pausing.run_min)
}

/// Whether pauses are weighed by what they cost and bring.
pub(crate) fn weighs(state: &State) -> bool {
    pauses(state).is_some_and(|pauses| pauses.weighs)
}

pub(crate) fn is_filler(state: &State, job: &Job) -> bool {
    state.catalog.class_spec(job.class).filler
}

/// Whether a job is idle and the rule of its queue lends what it does not use.
pub(crate) fn is_lent(job: &Job) -> bool {
    job.record.run.as_ref().is_some_and(|run| run.idle == Some(WhenIdle::Lend))
}

/// The rank by which a running job is compared.
pub(crate) fn rank(state: &State, job: &Job) -> i64 {
    let facts = queueing::facts(state, job);
    pauses(state).map_or(0, |pauses| (pauses.rank)(&facts, state.catalog.policy()))
}

fn bucket(state: &State, pauses: order::Pauses, job: &Job) -> Option<u16> {
    let has_rungs = !job.record.spec.checkpoint.rungs.is_empty();
    if !has_rungs && !job.record.spec.requeue.when_lost {
        return None;
    }
    let is_pausable = is_filler(state, job) || (has_rungs && spared_until(state, job) <= state.now);
    if !is_pausable || is_served_by_floor(job) {
        return Some(ONLY_RECLAIMED);
    }
    if is_lent(job) && has_rungs {
        return Some(LENT);
    }
    let class_rank = state.catalog.class_rank(job.class);
    let bucket = threshold(pauses, class_rank, rank(state, job));
    Some(bucket.max(ONLY_RECLAIMED + 1))
}

/// Whether the floor has started a job and its quantum lasts; nobody takes that away.
fn is_served_by_floor(job: &Job) -> bool {
    job.record.run.as_ref().is_some_and(|run| run.floor_until.is_some())
}

/// When a running job has become easier to pause: when it is spared no longer, and then whenever
/// its rank may have changed or it may be moved again.
fn next_look(state: &State, pauses: order::Pauses, job: &Job) -> Option<Time> {
    let is_filler = is_filler(state, job);
    let never = job.record.spec.checkpoint.rungs.is_empty() && !is_filler;
    // The end of its quantum is a moment to look anyway.
    if never || is_served_by_floor(job) {
        return None;
    }
    let spared_until = spared_until(state, job);
    if spared_until > state.now && !is_filler {
        return Some(spared_until);
    }
    let facts = queueing::facts(state, job);
    let changed = (pauses.look_after)(&facts, state.catalog.policy()).map(|span| state.now + span);
    let movable = mover::stays_until(state, job).filter(|until| *until > state.now);
    changed.into_iter().chain(movable).min()
}

/// The nodes of an attempt with the GPUs there that are free without it: its own, or all where it
/// has the node to itself.
fn parts(state: &State, id: JobId) -> Vec<(muster_model::NodeId, u32)> {
    let job = state.jobs.known(id);
    let run = job.record.run.as_ref().expect("only placed jobs are exposed");
    let groups = &state.shapes.get(job.shape).demand.groups;
    let gpus = |node: &NodeRun| {
        let is_alone = node.tasks.iter().any(|task| groups[usize::from(task.group)].exclusive);
        match is_alone {
            true => state.capacity.nodes[node.node].spec.gpus,
            false => node.tasks.iter().map(|task| task.gpus.count()).sum(),
        }
    };
    let parts = run.nodes.iter().map(|node| (node.node, gpus(node)));
    parts.filter(|(_, gpus)| *gpus > 0).collect()
}
