//! Promise: no queue and no user gets more than its limit.
//!
//! Usage is what jobs with a placement hold, summed over a queue and all queues below it. After
//! a step, no queue of a job it started or let grow is above its limit for what that job uses,
//! and neither is its user within any of those queues. A limit that is lowered below the usage
//! takes nothing away; it only lets nothing in, not even those for whom room was being made.

use muster_model::JobId;

use crate::ledger::chain;
use crate::shadow::Shadow;
use crate::step::Step;
use crate::violation::{Findings, Promise};

/// Judges the usage after the starts of a step; `moves` tells who only moves, and was let in
/// before.
pub(crate) fn after_step(
    shadow: &Shadow,
    step: &Step<'_>,
    moves: impl Fn(JobId) -> bool,
    found: &mut Findings,
) {
    let launched = step.launched.iter().map(|(id, _)| id).filter(|id| !moves(**id));
    for id in launched.chain(&step.grown) {
        let Some(job) = shadow.jobs.get(id) else { continue };
        let Some(run) = job.run.as_ref().filter(|run| run.holds) else { continue };
        for name in chain(&job.spec.queue) {
            let Some(queue) = shadow.queues.get(&name) else {
                found.add(Promise::Quota, format!("job {id} runs in unknown queue {name}"));
                continue;
            };
            let used = shadow.ledger.of_queue(&name);
            if let Some(excess) = used.excess(&queue.limit, &run.charge) {
                let detail = format!("queue {name} uses {excess} after the start of job {id}");
                found.add(Promise::Quota, detail);
            }
            let user = &job.spec.user;
            let used = shadow.ledger.of_user(&name, user);
            if let Some(excess) = used.excess(&queue.user_limit, &run.charge) {
                let detail =
                    format!("{user} uses {excess} in queue {name} after the start of job {id}");
                found.add(Promise::Quota, detail);
            }
        }
    }
}
