//! When what runs will probably have ended, kept beside each node so that a reservation is found
//! without asking every job. A job that outlasts its time is looked at anew, by what is left of
//! its distribution then.

use muster_model::{JobId, Time};

use crate::plan::remaining::Quantile;
use crate::plan::{estimate, loan};
use crate::state::State;
use crate::state::timer::Timer;

/// Notes when a placed job will probably have ended, where reservations are made.
pub(crate) fn note(state: &mut State, id: JobId) {
    if state.catalog.policy().reservations.most == 0 {
        return;
    }
    forget(state, id);
    let job = state.jobs.known(id);
    let Some(run) = job.record.run.as_ref().filter(|run| !run.is_suspended) else { return };
    if run.then.is_some() {
        return;
    }
    let at = state.now + estimate::left(state, job, Quantile::Eight);
    set(state, id, at);
    state.timers.set(at, Timer::Expect(id));
}

/// A job is being stopped: it is over soon.
pub(crate) fn stopping(state: &mut State, id: JobId) {
    if state.catalog.policy().reservations.most == 0 {
        return;
    }
    forget(state, id);
    let at = state.now + state.catalog.policy().stop_grace;
    set(state, id, at);
}

fn set(state: &mut State, id: JobId, at: Time) {
    let run = state.jobs.known_mut(id).record.run.as_mut().expect("only placed jobs are expected");
    run.expected = Some(at);
    add(state, id, at);
}

/// Counts a job among those that have to end on its nodes, but for what it was only lent: that is
/// given back before.
fn add(state: &mut State, id: JobId, at: Time) {
    let job = state.jobs.known(id);
    let parts = job.record.run.as_ref().into_iter().flat_map(|run| &run.nodes);
    for part in parts.filter(|part| !loan::is_lent(job, part)) {
        state.capacity.expect(part.node, id, at);
    }
}

/// Forgets a job that holds nothing any more.
pub(crate) fn forget(state: &mut State, id: JobId) {
    let Some(run) = state.jobs.known_mut(id).record.run.as_mut() else { return };
    let Some(at) = run.expected.take() else { return };
    state.timers.clear(at, Timer::Expect(id));
    for part in &run.nodes {
        state.capacity.expect_no_more(part.node, id);
    }
}

/// Puts a restored job back.
pub(crate) fn restore(state: &mut State, id: JobId) {
    let run = state.jobs.known(id).record.run.as_ref().expect("only placed jobs are restored");
    let Some(at) = run.expected else { return };
    if run.then.is_none() {
        state.timers.set(at, Timer::Expect(id));
    }
    add(state, id, at);
}
