//! Promise: a lower class never goes ahead of a higher one of the same kind.
//!
//! Of two jobs that wait with the same queue, user, tasks, topology and constraint, the one of
//! the lower class is not started in a step that leaves the other waiting. The service floor may
//! do so, and a gang that lost a node may, and both say so; while nodes are held for someone,
//! nothing is judged. Neither is a pair of which only the lower class may use its queue's
//! guarantee.

use muster_engine::action::JobState;
use muster_engine::snapshot::Snapshot;
use muster_model::JobId;

use super::repair;
use crate::shadow::{Job, Shadow};
use crate::violation::{Findings, Promise};

/// A job that was started ahead of one of a higher class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overtaking {
    lower: JobId,
    higher: JobId,
}

/// Notes whom a start may have passed.
pub(crate) fn launched(shadow: &Shadow, job: &Job, passed: &mut Vec<Overtaking>) {
    let may_use_guarantee =
        |job: &Job| shadow.class(&job.spec).is_some_and(|class| class.guaranteed);
    for higher in shadow.queued_above(job) {
        let is_comparable = may_use_guarantee(&shadow.jobs[&higher]) || !may_use_guarantee(job);
        if is_comparable {
            passed.push(Overtaking { lower: job.id, higher });
        }
    }
}

/// Judges the noted starts once it is known who was placed by the floor.
pub(crate) fn compared(
    shadow: &Shadow,
    snapshot: &Snapshot,
    passed: &[Overtaking],
    found: &mut Findings,
) {
    if !snapshot.claims.is_empty() {
        return;
    }
    for Overtaking { lower, higher } in passed {
        let has_room = snapshot.plans.iter().any(|plan| plan.job == *higher);
        let still_waits = !has_room
            && shadow.jobs.get(higher).is_some_and(|job| job.state == Some(JobState::Queued));
        let record = snapshot.jobs.iter().find(|record| record.id == *lower);
        let run = record.and_then(|record| record.run.as_ref());
        let by_floor = run.is_none_or(|run| run.floor_until.is_some());
        let by_repair = repair::terms_of(snapshot, *lower).is_some();
        if still_waits && !by_floor && !by_repair {
            let detail =
                format!("job {lower} was started and job {higher} of a higher class waits");
            found.add(Promise::Tier, detail);
        }
    }
}
