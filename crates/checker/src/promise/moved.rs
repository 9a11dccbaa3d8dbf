//! Promise: who is moved goes straight to a place that waits for it.
//!
//! Only what the policy lets move is moved, to make room for a job for which a plan says so. The
//! whole of its new place is on nodes that may be used, on healthy GPUs that nobody holds, for
//! every task once and with the models it has. It is on its way out of the old place, and starts
//! on the new one in the step in which the last of its nodes has ended it, unless it is over, is
//! kept back by something other than room, or something is wrong with the new place. No job is
//! moved twice within the interval, each set of moves brings more than it costs, and all of them
//! cost no more than the budget, by the engine's own word on each.

use std::collections::{BTreeMap, BTreeSet};

use muster_engine::action::JobState;
use muster_engine::command::Command;
use muster_engine::explain::Cause;
use muster_engine::snapshot::{JobRecord, MoveRecord, Snapshot};
use muster_model::{DefragmentationMode, GpuSet, JobId, Millis, Name, NodeId, Time};

use crate::shadow::{Job, Node, Shadow, Start};
use crate::violation::{Findings, Promise};

/// What the budget allows can be spent at once for so long.
const SPAN: Millis = Millis::hours(1);

/// What is remembered of moves.
#[derive(Debug, Default)]
pub(crate) struct Moves {
    /// As the engine told them after the latest step.
    open: BTreeMap<JobId, MoveRecord>,
    /// Those of them that were judged by the latest step.
    due: BTreeMap<JobId, MoveRecord>,
    /// The node of which the latest step said something that ends all plans for it.
    touched: Option<NodeId>,
    /// When each job was moved last.
    latest: BTreeMap<JobId, Time>,
    /// What of the budget is spent, and as of when.
    spent: (u64, Time),
}

impl Moves {
    /// A step begins; without the engine's account of the step before, nothing is known of moves.
    pub(crate) fn before_step(&mut self, shadow: &Shadow, command: &Command, is_known: bool) {
        if !is_known {
            self.open.clear();
        }
        self.touched = touched(shadow, command);
        self.due = self.open.clone();
    }

    /// Whether a job is on its way to another place.
    pub(crate) fn is_open(&self, id: JobId) -> bool {
        self.open.contains_key(&id)
    }

    /// Judges where a job is started.
    pub(crate) fn launched(&self, start: &Start, found: &mut Findings) {
        let Some(record) = self.open.get(&start.job) else { return };
        let mut promised: Vec<_> = record.tasks.clone();
        let mut given: Vec<_> = start.tasks().map(|(node, task)| (node, *task)).collect();
        promised.sort_unstable_by_key(|(node, task)| (*node, task.group, task.rank));
        given.sort_unstable_by_key(|(node, task)| (*node, task.group, task.rank));
        if promised != given {
            let detail = format!("job {} was to move and is started elsewhere", start.job);
            found.add(Promise::Moved, detail);
        }
    }

    /// Judges the moves in the engine's account.
    pub(crate) fn compared(&mut self, shadow: &Shadow, snapshot: &Snapshot, found: &mut Findings) {
        for (id, record) in std::mem::take(&mut self.due) {
            let state = shadow.jobs.get(&id).and_then(|job| job.state);
            let is_left = state == Some(JobState::Queued);
            if is_left && !is_broken(shadow, &record, self.touched) {
                let detail = format!("job {id} has left its place and is not started at the new");
                found.add(Promise::Moved, detail);
            }
        }
        let policy = &shadow.cluster.policy.defragmentation;
        for record in &snapshot.moves {
            let id = record.job;
            if policy.mode != DefragmentationMode::On || !shadow.cluster.policy.pausing.on {
                found.add(Promise::Moved, format!("job {id} is moved against the policy"));
            }
            let Some(job) = shadow.jobs.get(&id) else { continue };
            is_leaving(job, record, snapshot, found);
            has_place(shadow, job, record, snapshot, found);
            if self.open.get(&id).is_none_or(|before| before.made != record.made) {
                self.begun(shadow, record, snapshot, found);
            }
        }
        self.open = snapshot.moves.iter().map(|record| (record.job, record.clone())).collect();
    }

    /// Judges a move that has just been decided.
    fn begun(
        &mut self,
        shadow: &Shadow,
        record: &MoveRecord,
        snapshot: &Snapshot,
        found: &mut Findings,
    ) {
        let (id, now) = (record.job, shadow.now);
        let policy = &shadow.cluster.policy.defragmentation;
        let before = self.latest.insert(id, now);
        if before.is_some_and(|before| now < before + policy.interval) {
            found.add(Promise::Moved, format!("job {id} is moved twice within the interval"));
        }
        let pauses = job_record(snapshot, id).and_then(|job| job.pauses.as_ref());
        let Some(latest) = pauses.map(|pauses| pauses.latest) else {
            found.add(Promise::Moved, format!("nothing is said of the move of job {id}"));
            return;
        };
        let is_said = matches!(latest.cause, Cause::Move { .. }) && latest.by == record.by;
        let needed =
            u128::from(latest.costs) * u128::from(1_000_000 + u64::from(policy.margin_ppm));
        // What is told is rounded down.
        if !is_said || (u128::from(latest.benefit) + 1) * 1_000_000 < needed {
            found.add(Promise::Moved, format!("the move of job {id} is not said to be worth it"));
        }
        let installed: u64 = shadow.nodes.values().map(|node| u64::from(node.spec.gpus)).sum();
        let allowed = |span: Millis| {
            let part = u128::from(installed) * u128::from(policy.budget_ppm);
            u64::try_from(part * u128::from(span.0) / 1_000_000).unwrap_or(u64::MAX)
        };
        let (spent, at) = self.spent;
        let spent = spent.saturating_sub(allowed(now.since(at))) + latest.cost;
        self.spent = (spent, now);
        if spent > allowed(SPAN) {
            let detail = format!("moves have cost {spent} GPU-milliseconds, beyond the budget");
            found.add(Promise::Moved, detail);
        }
    }
}

/// A job on its way is leaving its place, for a plan that names it as long as it can be undone.
fn is_leaving(job: &Job, record: &MoveRecord, snapshot: &Snapshot, found: &mut Findings) {
    let id = record.job;
    let is_named = snapshot.plans.iter().any(|plan| plan.victims.contains(&id));
    match job.state {
        Some(JobState::Pausing) if is_named => {}
        Some(JobState::Stopping) => {}
        _ => {
            let state = job.state_word();
            found.add(Promise::Moved, format!("a place is held for job {id}, which is {state}"));
        }
    }
}

/// The whole of a new place is there, and nobody else's.
fn has_place(
    shadow: &Shadow,
    job: &Job,
    record: &MoveRecord,
    snapshot: &Snapshot,
    found: &mut Findings,
) {
    let id = record.job;
    let mut wanted: BTreeSet<(u16, u32)> = BTreeSet::new();
    for (index, group) in (0_u16..).zip(&job.spec.groups) {
        wanted.extend((0..group.tasks.min).map(|rank| (index, rank)));
    }
    let mut places: BTreeMap<NodeId, GpuSet> = BTreeMap::new();
    for (node, task) in &record.tasks {
        let place = places.entry(*node).or_default();
        let gpus = job.spec.groups.get(usize::from(task.group)).map(|group| group.task.gpus);
        let is_new = wanted.remove(&(task.group, task.rank)) && place.and(task.gpus).is_empty();
        let is_alike = model(shadow, *node) == has(shadow, job, task.group);
        if !is_new || gpus != Some(task.gpus.count()) || !is_alike {
            let (group, rank) = (task.group, task.rank);
            let detail = format!("task {group}.{rank} of job {id} has a wrong place to move to");
            found.add(Promise::Moved, detail);
        }
        *place = place.or(task.gpus);
    }
    if !wanted.is_empty() {
        found.add(Promise::Moved, format!("not all of job {id} has a place to move to"));
    }
    for (node, gpus) in places {
        if let Some(why) = trouble(shadow, node, gpus) {
            found.add(Promise::Moved, format!("job {id} is to move to node {node}, which {why}"));
        }
        if is_held(snapshot, id, node, gpus) {
            let detail = format!("the place of job {id} on node {node} is held for another too");
            found.add(Promise::Moved, detail);
        }
    }
}

fn model(shadow: &Shadow, node: NodeId) -> Option<&Name> {
    shadow.nodes.get(&node)?.spec.gpu_model.as_ref()
}

/// The model of the GPUs that a group of a job has now.
fn has<'a>(shadow: &'a Shadow, job: &Job, group: u16) -> Option<&'a Name> {
    let mut parts = job.run.iter().flat_map(|run| &run.parts);
    let (node, _) = parts.find(|(_, part)| part.tasks.iter().any(|task| task.group == group))?;
    model(shadow, *node)
}

fn trouble(shadow: &Shadow, node: NodeId, gpus: GpuSet) -> Option<String> {
    let Some(room) = shadow.nodes.get(&node) else { return Some("is unknown".to_owned()) };
    if let Some(why) = room.closed(shadow.now) {
        return Some(why.to_owned());
    }
    let is_taken = room.tasks.values().any(|holding| !holding.gpus.and(gpus).is_empty());
    if is_taken {
        return Some("has someone on those GPUs".to_owned());
    }
    (!room.unhealthy.and(gpus).is_empty()).then(|| "has errors on those GPUs".to_owned())
}

/// Whether any of some GPUs are held for someone else.
fn is_held(snapshot: &Snapshot, id: JobId, node: NodeId, gpus: GpuSet) -> bool {
    let plans = snapshot.plans.iter().flat_map(|plan| &plan.holds);
    let in_plans = plans.filter(|hold| hold.node == node).map(|hold| hold.gpus);
    let others = snapshot.moves.iter().filter(|record| record.job != id);
    let tasks = others.flat_map(|record| &record.tasks).filter(|(other, _)| *other == node);
    in_plans.chain(tasks.map(|(_, task)| task.gpus)).any(|held| !held.and(gpus).is_empty())
}

fn job_record(snapshot: &Snapshot, id: JobId) -> Option<&JobRecord> {
    let at = snapshot.jobs.binary_search_by_key(&id, |job| job.id).ok()?;
    Some(&snapshot.jobs[at])
}

/// Whether something is wrong with the new place of a job, or was in the latest step.
fn is_broken(shadow: &Shadow, record: &MoveRecord, touched: Option<NodeId>) -> bool {
    record.tasks.iter().any(|(node, task)| {
        let room = shadow.nodes.get(node);
        let is_ill = |room: &Node| !room.unhealthy.and(task.gpus).is_empty();
        let is_closed = |room: &Node| room.closed(shadow.now).is_some();
        Some(*node) == touched || room.is_none_or(|room| is_closed(room) || is_ill(room))
    })
}

/// The node that a command says something of which ends all plans for it.
fn touched(shadow: &Shadow, command: &Command) -> Option<NodeId> {
    match command {
        Command::NodeJoined { spec, .. } => shadow.node_named(&spec.name),
        Command::GpuUnhealthy { node, .. } => Some(*node),
        _ => None,
    }
}
