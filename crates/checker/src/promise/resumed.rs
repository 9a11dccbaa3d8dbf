//! Promise: what is paused is not forgotten.
//!
//! A suspended job that nobody holds goes back to its own place as soon as that is free and its
//! queues allow it. When the engine has nothing left to do, and holds nothing for a starving job,
//! no such job is left beside its own free GPUs.

use muster_engine::action::JobState;
use muster_engine::snapshot::{JobRecord, Snapshot};

use crate::ledger::{Usage, chain};
use crate::recount::Recount;
use crate::violation::{Findings, Promise};

/// Judges the engine's account when it has nothing left to do.
pub(crate) fn at_rest(snapshot: &Snapshot, recount: &Recount<'_>, found: &mut Findings) {
    if !snapshot.claims.is_empty() {
        return;
    }
    let paused = snapshot.jobs.iter().filter(|job| job.state == JobState::Paused && !job.held);
    for job in paused.filter(|job| is_free(job, recount) && is_allowed(job, recount)) {
        let detail = format!("job {} is paused, and its own place is free", job.id);
        found.add(Promise::Resumed, detail);
    }
}

/// Whether all that a suspended job needs is free where it was.
fn is_free(job: &JobRecord, recount: &Recount<'_>) -> bool {
    let Some(run) = &job.run else { return false };
    run.nodes.iter().all(|part| {
        let Some(room) = recount.rooms.get(&part.node).filter(|room| room.is_open) else {
            return false;
        };
        let (mut cpus, mut memory, mut is_exclusive) = (0, 0, false);
        for task in &part.tasks {
            if !room.free.contains(task.gpus) {
                return false;
            }
            if let Some(group) = job.spec.groups.get(usize::from(task.group)) {
                cpus += group.task.cpus.0;
                memory += group.task.memory.0;
                is_exclusive |= group.task.exclusive;
            }
        }
        cpus <= room.cpus && memory <= room.memory && (room.is_empty || !is_exclusive)
    })
}

fn is_allowed(job: &JobRecord, recount: &Recount<'_>) -> bool {
    let mut wanted = Usage::default();
    let parts = job.run.iter().flat_map(|run| &run.nodes);
    for part in parts {
        let room = recount.rooms.get(&part.node);
        let model = room.and_then(|room| room.spec.gpu_model.as_ref());
        wanted.add_tasks(&job.spec, &part.tasks, model);
    }
    chain(&job.spec.queue).all(|name| {
        let Some(queue) = recount.queues.get(&name) else { return false };
        let mut in_queue = recount.ledger.of_queue(&name);
        let mut of_user = recount.ledger.of_user(&name, &job.spec.user);
        in_queue.add(&wanted);
        of_user.add(&wanted);
        in_queue.excess(&queue.limit, &wanted).is_none()
            && of_user.excess(&queue.user_limit, &wanted).is_none()
    })
}
