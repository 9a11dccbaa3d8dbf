//! Promise: losing sight of a node harms nobody before its lease ends.
//!
//! Until then its tasks are taken to be alive: no job there is ended or queued again because of
//! it. When the lease has ended, or the node has come back without an attempt, the attempt does
//! not go on as if nothing had happened.

use muster_engine::snapshot::Sight;

use crate::shadow::{End, Job, Shadow, goes_on};
use crate::step::Step;
use crate::violation::{Findings, Promise};

/// Whether some node that may run the job is out of sight.
pub(crate) fn is_concerned(shadow: &Shadow, job: &Job) -> bool {
    let is_unknown = |node| {
        let node = shadow.nodes.get(node);
        node.is_some_and(|node| matches!(node.sight, Sight::Unknown { .. }))
    };
    let parts = job.run.iter().flat_map(|run| &run.parts);
    parts.filter(|(_, part)| !part.report.is_end()).any(|(node, _)| is_unknown(node))
}

/// Judges, when the engine has nothing left to do, whether attempts that lost a node for good
/// were given up.
pub(crate) fn at_rest(shadow: &Shadow, found: &mut Findings) {
    for job in shadow.jobs.values() {
        lost(job, found);
    }
}

/// Judges the same at once for the jobs a step touched; a lease that ended may need more than
/// one step to be worked off.
pub(crate) fn after_step(shadow: &Shadow, step: &Step<'_>, found: &mut Findings) {
    for job in step.touched.iter().filter_map(|id| shadow.jobs.get(id)) {
        if !shadow.has_ended_leases {
            lost(job, found);
        }
    }
}

fn lost(job: &Job, found: &mut Findings) {
    let goes_on = job.state.is_some_and(goes_on);
    let has_lost = job.run.as_ref().is_some_and(|run| run.ended_by(|end| end == End::Lost));
    if goes_on && has_lost {
        let (id, state) = (job.id, job.state_word());
        let detail = format!("job {id} lost a node for good and is still {state}");
        found.add(Promise::Unknown, detail);
    }
}
