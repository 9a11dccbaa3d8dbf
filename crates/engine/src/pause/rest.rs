//! Rest after a long search in vain: for as long as what was looked at is worth, and twice as long
//! each time. Those who find nobody cost little, however many they are and however often someone
//! becomes easier to pause.

use muster_model::{JobId, Millis, Time};

use crate::pause::seeker::Seeker;
use crate::snapshot::RestRecord;
use crate::state::State;
use crate::state::timer::Timer;

/// A rest is at most this many doublings longer than the first.
const DOUBLINGS_MAX: u32 = 6;

/// Whoever is owed something rests at most for this part of the time in which it is to have it,
/// and for another after each of so many searches in vain.
const PART_OF_RECLAIM: u64 = 8;

/// A starving job looks again after this: those who have just begun are left alone for a while.
const LOOK_SOON: Millis = Millis::minutes(1);

/// Whether a job may look now. One that rests will when it has rested.
pub(crate) fn may_look(state: &mut State, id: JobId) -> bool {
    let Some(rest) = state.rests.get_mut(&id).filter(|rest| rest.until > state.now) else {
        return true;
    };
    if !std::mem::replace(&mut rest.is_noted, true) {
        state.timers.set(rest.until, Timer::Rest(id));
    }
    false
}

/// The record of a job that has not looked yet.
fn first(job: JobId, until: Time) -> RestRecord {
    RestRecord { job, looked: 0, until, times: 0, is_noted: false, drains: false }
}

/// A seeker has looked at so many nodes and jobs in vain.
pub(crate) fn begin(state: &mut State, seeker: &Seeker, looked: u64) {
    let policy = state.catalog.policy().pausing;
    let (now, job) = (state.now, seeker.id);
    let record = state.rests.entry(job).or_insert(first(job, now));
    record.looked = record.looked.saturating_add(looked);
    if record.looked <= u64::from(policy.looks_free) {
        return;
    }
    let each = policy.rest.0.saturating_mul(looked);
    let mut rest = each.saturating_mul(1 << record.times.min(DOUBLINGS_MAX));
    if seeker.guaranteed {
        let parts = (1 + u64::from(record.times) / PART_OF_RECLAIM).min(PART_OF_RECLAIM);
        rest = rest.min(policy.reclaim.0 / PART_OF_RECLAIM * parts);
    }
    record.until = now + Millis(rest);
    record.times = record.times.saturating_add(1);
    record.is_noted = false;
}

/// Room that was being made for a starving job was not to be had: nodes are drained for it now.
pub(crate) fn drain_for(state: &mut State, job: JobId) {
    state.rests.insert(job, RestRecord { drains: true, ..first(job, state.now) });
}

/// Whether nodes are drained for a job, since room could not be made for it.
pub(crate) fn drains(state: &State, job: JobId) -> bool {
    state.rests.get(&job).is_some_and(|rest| rest.drains)
}

/// Nobody may be asked to give way to a starving job: it looks again soon.
pub(crate) fn look_soon(state: &mut State, job: JobId) {
    forget(state, job);
    let until = state.now + LOOK_SOON;
    state.timers.set(until, Timer::Rest(job));
    state.rests.insert(job, RestRecord { is_noted: true, ..first(job, until) });
}

/// A job has rested, and someone has become easier to pause meanwhile.
pub(crate) fn over(state: &mut State, id: JobId) {
    let rest = state.rests.get_mut(&id).expect("a job is forgotten with its rest");
    rest.is_noted = false;
    state.seekers.insert(id);
    state.pass_due = true;
}

/// A job does not wait any more.
pub(crate) fn forget(state: &mut State, id: JobId) {
    if let Some(rest) = state.rests.remove(&id) {
        state.timers.clear(rest.until, Timer::Rest(id));
    }
}

/// Puts a restored rest where it was.
pub(crate) fn restore(state: &mut State, rest: RestRecord) {
    if rest.is_noted {
        state.timers.set(rest.until, Timer::Rest(rest.job));
    }
    state.rests.insert(rest.job, rest);
}
