//! Places in an array: at most as many elements are queued or placed as its throttle allows.

use muster_model::JobId;

use crate::life::queueing;
use crate::state::State;

/// Takes one of the array's places for an element; without an array there is always one.
/// An element that gets none is remembered as kept back by the throttle alone.
pub(crate) fn take_place(state: &mut State, id: JobId) -> bool {
    let job = state.jobs.known_mut(id);
    let Some((array, _)) = job.record.element else { return true };
    if job.admitted {
        return true;
    }
    let array = state.arrays.get_mut(array).expect("an element's array is remembered");
    if !array.has_room() {
        array.throttled.insert(id);
        return false;
    }
    array.record.admitted += 1;
    array.throttled.remove(&id);
    job.admitted = true;
    true
}

/// Gives an element's place to the next that waits for one.
pub(crate) fn give_up_place(state: &mut State, id: JobId) {
    let job = state.jobs.known_mut(id);
    let Some((array, _)) = job.record.element else { return };
    let array = state.arrays.get_mut(array).expect("an element's array is remembered");
    array.throttled.remove(&id);
    if !std::mem::take(&mut job.admitted) {
        return;
    }
    array.record.admitted -= 1;
    if let Some(&next) = array.throttled.first()
        && next != id
    {
        queueing::settle(state, next);
    }
}
