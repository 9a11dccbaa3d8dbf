//! Places in an array: at most as many elements are queued or placed as its throttle allows.

use muster_model::JobId;

use crate::life::queueing;
use crate::state::State;

/// Takes one of the array's places for an element; without an array there is always one.
/// An element that gets none is remembered as kept back by the throttle alone.
pub(crate) fn take_place(state: &mut State, id: JobId) -> bool {
    let job = state.jobs.known_mut(id);
    let Some((array, _)) = job.record.element else { return true };
    let array = state.arrays.get_mut(array).expect("an element's array is remembered");
    // More elements may have a place than a lowered throttle allows: those that were at work. One
    // that comes back gives its place up.
    if job.admitted && array.beyond() == 0 {
        return true;
    }
    array.record.admitted -= u32::from(std::mem::take(&mut job.admitted));
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

/// Gives an array another throttle. Elements that hold nothing have to take their places anew; who
/// calls sees to that.
pub(crate) fn set_throttle(state: &mut State, array: JobId, most: Option<u32>) {
    let Some(array) = state.arrays.get_mut(array) else { return };
    if array.record.throttle == most {
        return;
    }
    array.record.throttle = most;
    for id in array.elements() {
        let Some(job) = state.jobs.get_mut(id).filter(|job| !job.is_placed()) else { continue };
        array.record.admitted -= u32::from(std::mem::take(&mut job.admitted));
    }
}
