//! Promise: nobody waits for room that is there.
//!
//! When the engine has nothing left to do, holds nothing for a starving job, and its policy does
//! not let the head of a queue block those behind it, then no queued job of one group could be
//! placed: in no domain of the level it requires, with no model it accepts, are there enough
//! free GPUs, CPUs and memory beside each other, or the limits of its queues or its user forbid
//! it. Jobs of several groups are not judged: whether they fit is a puzzle, not a sum.

use std::collections::BTreeSet;

use muster_engine::action::JobState;
use muster_engine::snapshot::Snapshot;
use muster_model::{JobSpec, Order};

use crate::capacity;
use crate::recount::Recount;
use crate::violation::{Findings, Promise};

/// Judges the engine's account when it has nothing left to do.
pub(crate) fn at_rest(snapshot: &Snapshot, recount: &Recount<'_>, found: &mut Findings) {
    let is_blocking = match snapshot.cluster.policy.order {
        Order::Fifo | Order::Sjf => true,
        Order::Muster | Order::Fair => false,
    };
    if is_blocking || !snapshot.claims.is_empty() {
        return;
    }
    // Jobs alike in all that matters here get the same answer: one of them is enough.
    let mut seen = BTreeSet::new();
    let key = |spec: &JobSpec| {
        let groups = spec.groups.clone();
        let wishes = (spec.topology.clone(), spec.constraint.clone());
        (spec.queue.clone(), spec.user.clone(), groups, wishes)
    };
    // For whom room is being made, a place is chosen.
    let is_planned = |id| snapshot.plans.iter().any(|plan| plan.job == id);
    let queued = snapshot.jobs.iter().filter(|job| job.state == JobState::Queued);
    for job in queued.filter(|job| !is_planned(job.id)) {
        if !seen.insert(key(&job.spec)) {
            continue;
        }
        if let Some(place) = capacity::place_for(recount, &snapshot.cluster.levels, &job.spec) {
            let detail = format!("job {} waits and would fit {place}", job.id);
            found.add(Promise::WorkConservation, detail);
        }
    }
}
