//! What people ask of a job: cancel, hold, release, requeue. Asked of an array, it is asked of
//! each element.

use muster_model::{Invalid, JobId};

use crate::action::{JobState, Outcome};
use crate::life::{end, queueing, stop};
use crate::on::Refusals;
use crate::snapshot::Then;
use crate::state::State;

/// Does something to a job, or to each element of an array that is not over.
pub(crate) fn each(
    state: &mut State,
    target: JobId,
    act: fn(&mut State, JobId),
) -> Result<(), Refusals> {
    for id in live(state, target)? {
        // An earlier element's end may have ended this one through a dependency.
        if state.jobs.get(id).is_some_and(|job| !job.is_over()) {
            act(state, id);
        }
    }
    Ok(())
}

/// A job, or the elements of an array, that are not over; there is one at least.
pub(crate) fn live(state: &State, target: JobId) -> Result<Vec<JobId>, Refusals> {
    let jobs: Vec<JobId> = match state.arrays.get(target) {
        Some(array) => array.elements().collect(),
        None => vec![target],
    };
    let is_live = |id: &JobId| state.jobs.get(*id).is_some_and(|job| !job.is_over());
    let live: Vec<JobId> = jobs.into_iter().filter(is_live).collect();
    if live.is_empty() {
        let allowed = match state.jobs.get(target).is_some() || state.arrays.get(target).is_some() {
            true => "expected a job that is not over",
            false => "expected the number of a job that is known",
        };
        return Err(vec![Invalid::new("job", target.to_string(), allowed)]);
    }
    Ok(live)
}

pub(crate) fn cancel(state: &mut State, id: JobId) {
    let job = state.jobs.known_mut(id);
    match (&job.record.state, job.record.run.as_mut()) {
        (JobState::Stopping, Some(run)) => {
            if run.then == Some(Then::Again) {
                run.then = Some(Then::End(Outcome::Cancelled));
            }
        }
        (_, Some(_)) => stop::stop(state, id, Then::End(Outcome::Cancelled)),
        (_, None) => end::end(state, id, Outcome::Cancelled),
    }
}

/// A hold keeps a job from starting; one that runs is not touched, but would not start again.
pub(crate) fn hold(state: &mut State, id: JobId) {
    let job = state.jobs.known_mut(id);
    job.record.held = true;
    if !job.is_placed() || job.record.state == JobState::Paused {
        queueing::settle(state, id);
    }
}

pub(crate) fn release(state: &mut State, id: JobId) {
    let job = state.jobs.known_mut(id);
    job.record.held = false;
    if !job.is_placed() || job.record.state == JobState::Paused {
        queueing::settle(state, id);
    }
}

/// A requeue that was asked for is not counted against the job's limit.
pub(crate) fn requeue(state: &mut State, id: JobId) {
    let job = state.jobs.known(id);
    if job.is_placed() && job.record.state != JobState::Stopping {
        stop::stop(state, id, Then::Again);
    }
}
