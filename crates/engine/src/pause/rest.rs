//! Rest after a long search in vain: for as long as what was looked at is worth, and twice as long
//! each time. Those who find nobody cost little, however many they are and however often someone
//! becomes easier to pause.

use muster_model::{JobId, Millis};

use crate::pause::seeker::Seeker;
use crate::snapshot::RestRecord;
use crate::state::State;
use crate::state::timer::Timer;

/// A rest is at most this many doublings longer than the first.
const DOUBLINGS_MAX: u32 = 6;

/// Whoever is owed something rests at most for this part of the time in which it is to have it,
/// and for another after each of so many searches in vain.
const PART_OF_RECLAIM: u64 = 8;

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

/// A seeker has looked at so many nodes and jobs in vain.
pub(crate) fn begin(state: &mut State, seeker: &Seeker, looked: u64) {
    let policy = &state.catalog.policy().pausing;
    let times = state.rests.get(&seeker.id).map_or(0, |rest| rest.times);
    let looked = looked.saturating_sub(u64::from(policy.looks_free));
    if looked == 0 {
        return;
    }
    let first = Millis(policy.rest.0.saturating_mul(looked));
    let rest = match seeker.guaranteed {
        true => {
            let part = policy.reclaim.0 / PART_OF_RECLAIM;
            let parts = (1 + u64::from(times) / PART_OF_RECLAIM).min(PART_OF_RECLAIM);
            first.min(Millis(part * parts))
        }
        false => Millis(first.0.saturating_mul(1 << times.min(DOUBLINGS_MAX))),
    };
    let record = RestRecord {
        job: seeker.id,
        until: state.now + rest,
        times: times.saturating_add(1),
        is_noted: false,
    };
    state.rests.insert(seeker.id, record);
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
