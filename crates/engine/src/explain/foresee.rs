//! What would become of a job: the steps that would follow its submission, and what is told of it
//! then.

use muster_model::{Invalid, JobId, NodeId};

use crate::action::Action;
use crate::explain::{Foreseen, why};
use crate::plan::estimate::future;
use crate::state::State;

/// The job that a submission gave, of an array the first element; or what is wrong with it.
pub(crate) fn submitted(actions: Vec<Action>) -> Result<JobId, Vec<Invalid>> {
    let answer = actions.into_iter().find_map(|action| match action {
        Action::Accepted { job, elements } => Some(Ok(JobId(job.0 + u64::from(elements.min(1))))),
        Action::Rejected { errors } => Some(Err(errors)),
        _ => None,
    });
    answer.expect("a submission is accepted or rejected")
}

/// When and where a job will probably start that was submitted at this moment.
pub(crate) fn foreseen(state: &mut State, job: JobId) -> Foreseen {
    let why = why::why(state, job).expect("it was accepted");
    match &state.jobs.known(job).record.run {
        Some(run) => {
            let nodes = run.nodes.iter().map(|part| part.node).collect();
            Foreseen { starts: Some(state.now), nodes, why }
        }
        None => Foreseen { starts: why.estimated_start, nodes: nodes(state, job), why },
    }
}

/// Where a job that waits would probably be: where room is made or held for it, or where it fits
/// first.
fn nodes(state: &mut State, job: JobId) -> Vec<NodeId> {
    if let Some(plan) = state.plans.plans.get(&job) {
        return plan.record.holds.iter().map(|hold| hold.node).collect();
    }
    if let Some(claim) = state.floor.claims.get(&job) {
        return claim.nodes.clone();
    }
    future::start_of(state, job).map_or(Vec::new(), |start| start.nodes)
}
