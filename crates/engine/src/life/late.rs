//! Jobs that are of no use after their deadline: when they could no longer finish by it, they are
//! ended instead of started.

use muster_model::{JobId, Millis, Time};

use crate::action::Outcome;
use crate::life::end;
use crate::state::State;
use crate::state::job::Job;
use crate::state::timer::Timer;

/// The latest start from which a job can run as long as it has to and still be in time.
fn latest_start(job: &Job) -> Option<Time> {
    let timing = &job.record.spec.timing;
    let deadline = timing.deadline.filter(|_| timing.drop_late)?;
    // Who names no limit may be quick, whatever the cluster's limit is.
    let least = timing.limit_min.or(timing.limit).unwrap_or(Millis::ZERO);
    Some(Time(deadline.0.saturating_sub(least.0)))
}

/// Remembers to look when it is too late to start a job.
pub(crate) fn watch(state: &mut State, id: JobId) {
    if let Some(at) = latest_start(state.jobs.known(id)) {
        state.timers.set(Time(at.0 + 1), Timer::Late(id));
    }
}

pub(crate) fn forget(state: &mut State, id: JobId) {
    if let Some(at) = latest_start(state.jobs.known(id)) {
        state.timers.clear(Time(at.0 + 1), Timer::Late(id));
    }
}

/// Ends a job that holds nothing if it is too late to start it; whether it was.
pub(crate) fn end_if_late(state: &mut State, id: JobId) -> bool {
    let job = state.jobs.known(id);
    let is_late = latest_start(job).is_some_and(|at| at < state.now);
    if is_late && !job.is_placed() && !job.is_over() {
        end::end(state, id, Outcome::DeadlineMissed);
    }
    is_late
}
