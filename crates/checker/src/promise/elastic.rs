//! Promise: the sizes of elastic jobs are legal and do not flutter.
//!
//! Only a running attempt is resized. When its nodes have done what they are asked, its groups
//! have ranks without gaps, from the fewest to the most tasks, in whole segments, and sit where
//! the job requires. A job grows only when no resize of it is under way, and no sooner than the
//! policy's interval after its size last began to change. Tasks are taken from a job only while
//! someone waits in the queue and a plan names it as giving them back, or because what was just
//! added did not come to be.

use std::collections::BTreeSet;

use muster_engine::action::JobState;
use muster_engine::snapshot::Snapshot;
use muster_model::JobId;

use super::topology;
use crate::shadow::{Job, Resize, Run, Shadow};
use crate::step::Step;
use crate::violation::{Findings, Promise};

/// Judges what one node is asked, before it is taken in.
pub(crate) fn asked(
    shadow: &Shadow,
    resize: &Resize<'_>,
    step: &mut Step<'_>,
    found: &mut Findings,
) {
    let (id, node) = (resize.job, resize.node);
    let job = &shadow.jobs[&id];
    let run = job.run.as_ref().filter(|run| run.holds && job.attempt == resize.attempt);
    let Some(run) = run.filter(|_| job.state == Some(JobState::Running)) else {
        let state = job.state_word();
        let detail =
            format!("attempt {} of job {id}, {state}, was resized on node {node}", resize.attempt);
        found.add(Promise::Elastic, detail);
        return;
    };
    let is_new = step.resized.insert(id);
    if resize.resize < run.resizes {
        let detail = format!("resize {} of job {id} follows a later one", resize.resize);
        found.add(Promise::Elastic, detail);
    }
    let grows = !shadow.added_by(resize).places.is_empty();
    if grows && is_new {
        if run.is_resizing() {
            let detail = format!("job {id} grows while a resize of it is under way");
            found.add(Promise::Elastic, detail);
        }
        let interval = shadow.cluster.policy.elastic.interval;
        if let Some(last) = run.resized.filter(|last| shadow.now < *last + interval) {
            let (now, last) = (shadow.now.0, last.0);
            let detail = format!("job {id} grows at {now}, and its size changed at {last}");
            found.add(Promise::Elastic, detail);
        }
    }
    if grows {
        step.grown.insert(id);
    }
    // Where a node was lost with what was added there, the ranks above it have to go.
    let takes_back = run.is_resizing() || run.has_gap();
    if shadow.takes_away(resize) && is_new && !takes_back {
        step.shrunk.insert(id);
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Judges the sizes that a step asks for.
pub(crate) fn after_step(shadow: &Shadow, step: &Step<'_>, found: &mut Findings) {
    for id in &step.resized {
        if let Some(job) = shadow.jobs.get(id) {
            legal(shadow, job, found);
        }
    }
    for id in &step.shrunk {
        if !shadow.jobs.values().any(|job| job.state == Some(JobState::Queued)) {
            let detail = format!("job {id} is asked to give tasks back, and nobody waits");
            found.add(Promise::Elastic, detail);
        }
    }
}

/// Judges those who were asked to give tasks back by the plans that are there.
pub(crate) fn compared(shrunk: &BTreeSet<JobId>, snapshot: &Snapshot, found: &mut Findings) {
    for id in shrunk {
        if !snapshot.plans.iter().any(|plan| plan.givers.contains(id)) {
            let detail = format!("job {id} is asked to give tasks back, and no plan says so");
            found.add(Promise::Elastic, detail);
        }
    }
}

/// Judges the sizes of all jobs when the engine has nothing left to do.
pub(crate) fn at_rest(shadow: &Shadow, found: &mut Findings) {
    for job in shadow.jobs.values().filter(|job| job.spec.elastic_group().is_some()) {
        legal(shadow, job, found);
    }
}

/// Whether a running job has, or will have, a size it allows, where it allows it.
fn legal(shadow: &Shadow, job: &Job, found: &mut Findings) {
    let Some(run) = job.run.as_ref().filter(|_| job.state == Some(JobState::Running)) else {
        return;
    };
    // What has ended by itself in part is no longer resized.
    if run.parts.values().any(|part| part.report.is_end()) {
        return;
    }
    sizes(job, run, found);
    let tasks = run.parts.iter().flat_map(|(node, part)| part.wanted().iter().map(|t| (*node, t)));
    topology::placed(shadow, job, tasks, found);
}

fn sizes(job: &Job, run: &Run, found: &mut Findings) {
    let id = job.id;
    let mut ranks = run.ranks();
    let block = job.spec.topology.segment.as_ref().map_or(1, |segment| segment.tasks.max(1));
    for (index, group) in (0_u16..).zip(&job.spec.groups) {
        let ranks = ranks.remove(&index).unwrap_or_default();
        let tasks = number(ranks.len());
        let (min, max) = (group.tasks.min, group.tasks.max);
        if !(min..=max).contains(&tasks) {
            let detail = format!("group {index} of job {id} has {tasks} tasks of {min} to {max}");
            found.add(Promise::Elastic, detail);
        }
        if !tasks.is_multiple_of(block) {
            let detail = format!("group {index} of job {id} has {tasks} tasks by {block}");
            found.add(Promise::Elastic, detail);
        }
        if !ranks.iter().copied().eq(0..tasks) {
            let detail = format!("group {index} of job {id} has ranks {ranks:?}");
            found.add(Promise::Elastic, detail);
        }
    }
}
