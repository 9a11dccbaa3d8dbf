//! Promise: under a baseline that pauses, rank alone decides within a class, and strictly.
//!
//! Under shortest remaining time first nobody gives way by rank to a job that has as long to run or
//! longer; under least attained service to none that has had as much GPU-time by the limits between
//! levels. Remaining time is the median of the estimate less what was run, a second at least.

use muster_engine::explain::Cause;
use muster_engine::snapshot::{JobRecord, Snapshot};
use muster_model::{JobId, Millis, Order};

use crate::violation::{Findings, Promise};

/// Judges a pause that has just been decided, by the account of what both jobs have run.
pub(crate) fn begun(id: JobId, snapshot: &Snapshot, found: &mut Findings) {
    let record = |id: JobId| {
        let at = snapshot.jobs.binary_search_by_key(&id, |job| job.id).ok()?;
        Some(&snapshot.jobs[at])
    };
    let Some(job) = record(id) else { return };
    let Some(latest) = job.pauses.as_ref().map(|pauses| pauses.latest) else { return };
    let Some(by) = record(latest.by).filter(|_| latest.cause == Cause::Rank) else { return };
    let is_behind = match snapshot.cluster.policy.order {
        Order::Srtf => remaining(job, snapshot) > remaining(by, snapshot),
        Order::Las => level(job, snapshot) > level(by, snapshot),
        Order::Muster | Order::Fifo | Order::Sjf | Order::Fair => return,
    };
    if !is_behind || job.spec.class != by.spec.class {
        let detail = format!("job {id} gives way by rank to job {}, not ranked before it", by.id);
        found.add(Promise::Pause, detail);
    }
}

fn attained(job: &JobRecord, snapshot: &Snapshot) -> Millis {
    let started = job.run.as_ref().and_then(|run| run.started);
    job.served + started.map(|started| snapshot.now.since(started)).unwrap_or_default()
}

fn remaining(job: &JobRecord, snapshot: &Snapshot) -> Millis {
    let usual = snapshot.cluster.policy.estimate_default;
    let median = job.estimate.map_or(usual, |estimate| estimate.median);
    median.saturating_sub(attained(job, snapshot)).max(Millis::seconds(1))
}

fn level(job: &JobRecord, snapshot: &Snapshot) -> usize {
    let gpus = |group: &muster_model::TaskGroup| u128::from(group.tasks.min * group.task.gpus);
    let gpus: u128 = job.spec.groups.iter().map(gpus).sum();
    let service = gpus * u128::from(attained(job, snapshot).0);
    let limits = snapshot.cluster.policy.las_limits.iter();
    limits.filter(|limit| service >= u128::from(limit.0)).count()
}
