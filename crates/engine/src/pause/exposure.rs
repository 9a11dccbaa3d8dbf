//! The index of what may be paused: every running job in a bucket by class and rank, counted per
//! domain, so that a search looks only where someone weaker runs.
//!
//! A bucket is a fact of the attempt, looked at anew at moments that are far apart: when a job is
//! spared no longer, and whenever its run time has doubled.

use muster_model::{JobId, Millis, Time};

use crate::life::queueing;
use crate::order;
use crate::pause::seeker;
use crate::snapshot::{Exposure, NodeRun};
use crate::state::State;
use crate::state::job::Job;
use crate::state::node::Exposed;
use crate::state::timer::Timer;

/// The bucket of jobs that only a guarantee can reclaim.
pub(crate) const ONLY_RECLAIMED: u16 = 0;

/// Ranks are told apart by about a doubling.
const BUCKET_STEP: i64 = 1024;

/// Run time does not count as doubled before this.
const LOOK_MIN: Millis = Millis::minutes(1);

/// Enters a running job in the index, or finds its place there anew.
pub(crate) fn look(state: &mut State, id: JobId) {
    let before = hide(state, id);
    if !state.catalog.policy().pausing.on || pauses(state).is_none() {
        return;
    }
    let job = state.jobs.known(id);
    // The index counts whole GPUs, and those who look there need whole ones: who gives up part of
    // a GPU frees none for certain, so a job with shares is never asked.
    if state.shapes.get(job.shape).demand.has_shares() {
        return;
    }
    let Some(bucket) = bucket(state, job) else { return };
    let look_at = next_look(state, job);
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

/// The bucket from which on jobs are far enough behind one of a class and rank.
pub(crate) fn threshold(class_rank: u8, rank: i64) -> u16 {
    u16::from(class_rank) << 8 | step(rank)
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

pub(crate) fn is_filler(state: &State, job: &Job) -> bool {
    state.catalog.class_spec(job.class).filler
}

/// The rank by which a running job is compared.
pub(crate) fn rank(state: &State, job: &Job) -> i64 {
    let facts = queueing::facts(state, job);
    pauses(state).map_or(0, |pauses| (pauses.rank)(&facts))
}

fn bucket(state: &State, job: &Job) -> Option<u16> {
    let is_pausable =
        !job.record.spec.checkpoint.rungs.is_empty() && spared_until(state, job) <= state.now;
    if is_filler(state, job) || is_pausable {
        let class_rank = state.catalog.class_rank(job.class);
        return Some(threshold(class_rank, rank(state, job)).max(ONLY_RECLAIMED + 1));
    }
    let can_give_way =
        job.record.spec.requeue.when_lost || !job.record.spec.checkpoint.rungs.is_empty();
    can_give_way.then_some(ONLY_RECLAIMED)
}

/// When a running job has become easier to pause: when it is spared no longer, and then whenever
/// its run time has doubled.
fn next_look(state: &State, job: &Job) -> Option<Time> {
    let is_filler = is_filler(state, job);
    if job.record.spec.checkpoint.rungs.is_empty() && !is_filler {
        return None;
    }
    let spared_until = spared_until(state, job);
    if spared_until > state.now && !is_filler {
        return Some(spared_until);
    }
    Some(state.now + Millis(job.attained(state.now).0.max(LOOK_MIN.0)))
}

fn step(rank: i64) -> u16 {
    u16::try_from((rank / BUCKET_STEP).clamp(0, 255)).expect("clamped to a byte")
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
