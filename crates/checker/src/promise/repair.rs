//! Promise: a gang that loses a node gets its old place back before anyone takes it.
//!
//! A gang has lost a node when a part of its attempt was lost and another was not. In the step in
//! which the last of its nodes has ended it and it is queued again, nobody but the service floor
//! and others who lost a node is started on its old GPUs before it; nor instead of it where it
//! would have fit. Who is said to be started for that reason has lost a node, and has as many
//! tasks in their old places as is said. One lost attempt counts as one, however many of its
//! nodes were lost. While the floor holds nodes for someone, and of jobs that crash again and
//! again, the order is not judged.

use std::collections::BTreeSet;

use muster_engine::action::{JobState, TaskPlace};
use muster_engine::explain::RepairTerms;
use muster_engine::snapshot::{JobRecord, Snapshot};
use muster_model::{GpuSet, JobId, NodeId};

use crate::capacity;
use crate::recount::Recount;
use crate::shadow::{End, Job, Report, Shadow, Start};
use crate::violation::{Findings, Promise};

/// What a step did about gangs that lost a node.
#[derive(Debug, Default)]
pub(crate) struct Repairs {
    /// Gangs that are queued again, with the GPUs they had on nodes that were not lost.
    returned: Vec<(JobId, Vec<(NodeId, GpuSet)>)>,
    /// All starts of the step, in order.
    starts: Vec<Restart>,
    /// Jobs that were suspended when they were lost: they had no place to get back.
    suspended: BTreeSet<JobId>,
}

/// One start, compared with the attempt before it.
#[derive(Debug)]
struct Restart {
    job: JobId,
    places: Vec<(NodeId, GpuSet)>,
    /// Tasks that have the node and GPUs they had, if a node was lost.
    stayed: Option<u32>,
    /// The nodes that were lost.
    lost: BTreeSet<NodeId>,
}

impl Repairs {
    pub(crate) fn clear(&mut self) {
        self.returned.clear();
        self.starts.clear();
    }

    /// Notes a gang that is queued again after it lost a node; it is still as it was before.
    pub(crate) fn moved(&mut self, job: &Job, state: JobState) {
        if job.state == Some(JobState::Paused) && state == JobState::Stopping {
            self.suspended.insert(job.id);
        } else if self.suspended.remove(&job.id) {
            return;
        }
        if state != JobState::Queued || job.state != Some(JobState::Stopping) || !lost_a_node(job) {
            return;
        }
        let parts = job.run.iter().flat_map(|run| &run.parts);
        let left = parts.filter(|(_, part)| part.report != Report::Ended(End::Lost));
        let places = left.flat_map(|(node, part)| places_on(*node, &part.tasks));
        self.returned.push((job.id, places.collect()));
    }

    /// Notes a start; the job still has the attempt before it.
    pub(crate) fn launched(&mut self, job: &Job, start: &Start) {
        let places = start.tasks().map(|(node, task)| (node, task.gpus)).collect();
        let parts = || job.run.iter().flat_map(|run| &run.parts);
        let had = |node: NodeId, task: &TaskPlace| {
            parts().any(|(other, part)| *other == node && part.tasks.contains(task))
        };
        let stayed = || start.tasks().filter(|(node, task)| had(*node, task)).count();
        let lost = parts().filter(|(_, part)| part.report == Report::Ended(End::Lost));
        self.starts.push(Restart {
            job: job.id,
            places,
            stayed: lost_a_node(job).then(|| u32::try_from(stayed()).unwrap_or(u32::MAX)),
            lost: lost.map(|(node, _)| *node).collect(),
        });
    }

    /// Judges the engine's account of a step.
    pub(crate) fn compared(&self, snapshot: &Snapshot, found: &mut Findings) {
        for record in &snapshot.jobs {
            if record.requeues > record.attempt.0 {
                let JobRecord { id, requeues, attempt, .. } = record;
                let detail =
                    format!("job {id} was requeued {requeues} times in {attempt} attempts");
                found.add(Promise::Repair, detail);
            }
        }
        for start in &self.starts {
            if let Some(terms) = terms_of(snapshot, start.job) {
                start.judge(terms, found);
            }
        }
    }

    /// Judges whether anyone was started before a gang that lost a node, or instead of it.
    pub(crate) fn judge_order(&self, shadow: &Shadow, snapshot: &Snapshot, found: &mut Findings) {
        for (gang, old) in &self.returned {
            let turn = self.starts.iter().position(|start| start.job == *gang);
            let before = &self.starts[..turn.unwrap_or(self.starts.len())];
            let ordinary: Vec<&Restart> =
                before.iter().filter(|start| is_ordinary(snapshot, start.job)).collect();
            let Some(first) = ordinary.iter().find(|start| start.takes_any(old)) else { continue };
            let other = first.job;
            if turn.is_some() {
                let detail = format!("job {other} was started on GPUs of job {gang} before it");
                found.add(Promise::Repair, detail);
            } else if waits_in_vain(shadow, snapshot, *gang, &ordinary) {
                let detail = format!("job {other} has GPUs of job {gang}, which lost a node");
                found.add(Promise::Repair, detail);
            }
        }
    }
}

impl Restart {
    fn takes_any(&self, old: &[(NodeId, GpuSet)]) -> bool {
        let meets = |(node, gpus): &(NodeId, GpuSet)| {
            old.iter().any(|(other, had)| other == node && !had.and(*gpus).is_empty())
        };
        self.places.iter().any(meets)
    }

    fn judge(&self, terms: &RepairTerms, found: &mut Findings) {
        let id = self.job;
        let Some(stayed) = self.stayed else {
            let detail = format!("job {id} is started as if it had lost a node");
            return found.add(Promise::Repair, detail);
        };
        let lost: BTreeSet<NodeId> = terms.lost.iter().copied().collect();
        if terms.stayed != stayed || lost != self.lost {
            let detail = format!(
                "job {id} is said to have {} tasks where they were after losing {lost:?}, and has \
                 {stayed} after losing {:?}",
                terms.stayed, self.lost
            );
            found.add(Promise::Repair, detail);
        }
    }
}

/// Whether part of the latest attempt was lost, and part of it was not.
fn lost_a_node(job: &Job) -> bool {
    let parts = || job.run.iter().flat_map(|run| run.parts.values());
    let is_lost = |report: Report| report == Report::Ended(End::Lost);
    parts().any(|part| is_lost(part.report)) && parts().any(|part| !is_lost(part.report))
}

fn places_on(node: NodeId, tasks: &[TaskPlace]) -> impl Iterator<Item = (NodeId, GpuSet)> {
    tasks.iter().map(move |task| (node, task.gpus))
}

/// What the engine says of a start that followed the loss of a node.
pub(crate) fn terms_of(snapshot: &Snapshot, id: JobId) -> Option<&RepairTerms> {
    let record = record(snapshot, id)?;
    let decision = record.decision.as_ref().filter(|decision| decision.attempt == record.attempt);
    decision?.repair.as_deref()
}

fn record(snapshot: &Snapshot, id: JobId) -> Option<&JobRecord> {
    let at = snapshot.jobs.binary_search_by_key(&id, |record| record.id).ok()?;
    Some(&snapshot.jobs[at])
}

/// Whether a start was neither the floor's nor for the loss of a node.
fn is_ordinary(snapshot: &Snapshot, id: JobId) -> bool {
    let run = record(snapshot, id).and_then(|record| record.run.as_ref());
    terms_of(snapshot, id).is_none() && run.is_some_and(|run| run.floor_until.is_none())
}

/// Whether a gang would have fit without those that were started in its step.
fn waits_in_vain(shadow: &Shadow, snapshot: &Snapshot, gang: JobId, others: &[&Restart]) -> bool {
    let Some(waiting) = record(snapshot, gang) else { return false };
    let is_crashing = waiting.crashes >= shadow.cluster.policy.failures.crashes;
    if waiting.state != JobState::Queued || is_crashing {
        return false;
    }
    let mut without = snapshot.clone();
    for record in &mut without.jobs {
        if others.iter().any(|other| other.job == record.id) {
            record.run = None;
        }
    }
    let recount = Recount::new(&without);
    capacity::place_for(&recount, &snapshot.cluster.levels, &waiting.spec).is_some()
}
