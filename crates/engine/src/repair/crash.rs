//! Crash loops: jobs whose attempts fail by themselves soon after they start, again and again.

use muster_model::JobId;

use crate::state::State;

/// Whether a job crashes again and again: it gets nothing at the cost of others until an attempt
/// has run well.
pub(crate) fn is_crashing(state: &State, id: JobId) -> bool {
    let crashes = state.jobs.known(id).record.crashes;
    crashes >= state.catalog.policy().failures.crashes && !runs_well(state, id)
}

/// Whether the current attempt has run for so long that a failure would be no crash.
pub(crate) fn runs_well(state: &State, id: JobId) -> bool {
    let run = state.jobs.known(id).record.run.as_ref();
    let within = state.catalog.policy().failures.crash_within;
    let started = run.and_then(|run| run.started);
    started.is_some_and(|started| state.now.since(started) >= within)
}

/// An attempt has failed by itself; how many in a row have done so soon after they started.
pub(crate) fn count(state: &mut State, id: JobId) -> u32 {
    let is_crash = !runs_well(state, id);
    let record = &mut state.jobs.known_mut(id).record;
    record.crashes = if is_crash { record.crashes.saturating_add(1) } else { 0 };
    record.crashes
}

/// An attempt is being ended: one that ran well makes up for those that crashed before.
pub(crate) fn forgive(state: &mut State, id: JobId) {
    if runs_well(state, id) {
        state.jobs.known_mut(id).record.crashes = 0;
    }
}
