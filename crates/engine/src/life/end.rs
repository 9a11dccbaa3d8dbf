//! The end of a job: it is over, and those who care are told.

use muster_model::JobId;

use crate::action::{JobState, Outcome};
use crate::elastic::index;
use crate::life::{arrays, late, move_to, queueing};
use crate::pause::moved;
use crate::repair;
use crate::state::State;
use crate::state::timer::Timer;

/// Ends a job that holds nothing.
pub(crate) fn end(state: &mut State, id: JobId, outcome: Outcome) {
    assert!(!state.jobs.known(id).is_placed(), "a job gives back what it holds before it ends");
    queueing::leave_line(state, id);
    moved::give_up(state, id);
    index::someone_left(state);
    repair::forget(state, id);
    mark_started(state, id);
    let now = state.now;
    late::forget(state, id);
    let job = state.jobs.known_mut(id);
    state.timers.clear(job.record.not_before, Timer::Begin(id));
    job.record.ended = Some(now);
    let (shape, element) = (job.shape, job.record.element);
    move_to(state, id, JobState::Ended(outcome));
    if let Some((array, _)) = element {
        let record = &mut state.arrays.get_mut(array).expect("its array is remembered").record;
        record.ended += 1;
        record.failed += u32::from(outcome != Outcome::Completed);
    }
    arrays::give_up_place(state, id);
    state.release_shape(shape);
    queueing::unlist(state, id);
    state.jobs.ended.insert((now, id));
    state.news.push_back(id);
}

/// Notes that a job has started, or ended without starting.
pub(crate) fn mark_started(state: &mut State, id: JobId) {
    let record = &mut state.jobs.known_mut(id).record;
    if std::mem::replace(&mut record.has_started, true) {
        return;
    }
    if let Some((array, _)) = record.element {
        state.arrays.get_mut(array).expect("its array is remembered").record.started += 1;
    }
    state.news.push_back(id);
}
