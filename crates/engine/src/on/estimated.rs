//! A prediction has come in: the job is ordered by it from now on.

use muster_model::{Estimate, Invalid, JobId};

use crate::life::queueing;
use crate::on::{Refusals, request};
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
    let jobs: Vec<JobId> = match state.arrays.get(target) {
        Some(array) => array.elements().collect(),
        None => vec![target],
    };
    // Asking for nothing tells whether the job is one that can be asked.
    request::each(state, target, |_, _| {})?;
    for id in jobs {
        if let Some(job) = state.jobs.get_mut(id)
            && !job.is_over()
        {
            job.record.estimate = Some(estimate);
            queueing::rekey(state, id);
            expect::note(state, id);
        }
    }
    Ok(())
}
