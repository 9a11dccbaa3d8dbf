//! A prediction has come in: the job is ordered by it from now on.

use muster_model::{Estimate, Invalid, JobId};

use crate::action::JobState;
use crate::life::queueing;
use crate::on::{Refusals, request};
use crate::pause::{exposure, seeker};
use crate::plan::expect;
use crate::state::State;

pub(crate) fn estimated(
    state: &mut State,
    target: JobId,
    estimate: Estimate,
) -> Result<(), Refusals> {
    if estimate.median.0 == 0 || estimate.p90 < estimate.median {
        let given = format!("{} ms and {} ms", estimate.median.0, estimate.p90.0);
        let allowed = "expected a median of at least 1 ms and a ninth decile not below it";
        return Err(vec![Invalid::new("estimate", given, allowed)]);
    }
    for id in request::live(state, target)? {
        state.jobs.known_mut(id).record.estimate = Some(estimate);
        queueing::rekey(state, id);
        expect::note(state, id);
        compare_anew(state, id);
    }
    Ok(())
}

/// A waiting job may now rank far enough before others to take their place, or others before one
/// that runs.
fn compare_anew(state: &mut State, id: JobId) {
    let job = state.jobs.known(id);
    if job.record.state == JobState::Running {
        exposure::look(state, id);
    } else if let Some(line) = job.line {
        seeker::note(state, state.waiting.head_of(line));
    }
}
