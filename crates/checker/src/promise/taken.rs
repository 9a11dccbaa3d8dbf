//! Promise: nothing is taken from a job that did nothing to lose it.
//!
//! An attempt that is launching or running is ended or paused for a cause that can be named:
//! someone cancels or requeues it, a node refuses it, ends it or loses it for good, a node it is
//! on comes back with other hardware, its time is up, or room is being made for another job and
//! the plan for that names it.

use muster_engine::action::JobState;
use muster_engine::snapshot::Snapshot;
use muster_model::JobId;

use super::unknown;
use crate::shadow::{Job, Shadow, goes_on};
use crate::step::Step;
use crate::violation::{Findings, Promise};

/// Judges that an attempt is asked to end or to pause, or said to be doing so. Without another
/// cause it must be part of a plan, which the engine's account will tell.
pub(crate) fn ending(
    shadow: &Shadow,
    step: &Step<'_>,
    job: &Job,
    taken: &mut Vec<JobId>,
    found: &mut Findings,
) {
    let has_cause = step.causes.contains(&job.id) || job.has_lost_a_part();
    if !job.state.is_some_and(goes_on) || has_cause || shadow.is_out_of_time(job) {
        return;
    }
    // Nodes that did not pause or resume it in time are as good as lost.
    if matches!(job.state, Some(JobState::Pausing | JobState::Resuming)) {
        return;
    }
    let id = job.id;
    if unknown::is_concerned(shadow, job) {
        let detail = format!("job {id} is ended because a node is out of sight");
        found.add(Promise::Unknown, detail);
    } else {
        taken.push(id);
    }
}

/// Judges those who were asked to give way by the plans that are there.
pub(crate) fn compared(taken: &[JobId], snapshot: &Snapshot, found: &mut Findings) {
    for id in taken {
        if !snapshot.plans.iter().any(|plan| plan.victims.contains(id)) {
            found.add(Promise::Taken, format!("job {id} is ended or paused without a cause"));
        }
    }
}
