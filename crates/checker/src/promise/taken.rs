//! Promise: nothing is taken from a job that did nothing to lose it.
//!
//! An attempt that is launching or running is ended for a cause that can be named: someone
//! cancels or requeues it, a node refuses it, ends it or loses it for good, a node it is on comes
//! back with other hardware, or its time is up. There is no preemption yet.

use muster_engine::action::JobState;

use super::unknown;
use crate::shadow::{Job, Shadow};
use crate::step::Step;
use crate::violation::{Findings, Promise};

/// Judges that an attempt is asked to end, or said to be ending.
pub(crate) fn ending(shadow: &Shadow, step: &Step<'_>, job: &Job, found: &mut Findings) {
    let goes_on = matches!(job.state, Some(JobState::Launching | JobState::Running));
    let has_cause = step.causes.contains(&job.id) || job.has_lost_a_part();
    if !goes_on || has_cause || shadow.is_out_of_time(job) {
        return;
    }
    let id = job.id;
    if unknown::is_concerned(shadow, job) {
        let detail = format!("job {id} is ended because a node is out of sight");
        found.add(Promise::Unknown, detail);
    } else {
        found.add(Promise::Taken, format!("job {id} is ended without a cause"));
    }
}
