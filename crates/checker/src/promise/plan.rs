//! Promise: nobody gives way for nothing.
//!
//! Room is being made for a job that is queued, at one place for every task of it. Every GPU of
//! that place is healthy, on a node that may be used, and either held for the job, and then
//! nobody's, or in the hands of someone who is named as giving way, or with tasks of a job that is
//! named as giving them back and was asked for them. CPUs and memory will be there too, given up
//! for this job or for another on that node. Nobody gives way to two, or while it is not leaving,
//! and what is held for one is not held for another. When all of a place is held, its job starts;
//! until then someone is still on the way.

use std::collections::{BTreeMap, BTreeSet};

use muster_engine::action::JobState;
use muster_engine::snapshot::{PlanRecord, Snapshot};
use muster_model::{GpuSet, JobId, NodeId, TaskShape};

use crate::shadow::{Job, Node, Shadow};
use crate::violation::{Findings, Promise};

/// A task on a node: its job, its group, its rank.
type Key = (JobId, u16, u32);

/// Judges the plans in the engine's account.
pub(crate) fn compared(shadow: &Shadow, snapshot: &Snapshot, found: &mut Findings) {
    let mut gives_way: BTreeMap<JobId, JobId> = BTreeMap::new();
    let mut held: BTreeMap<NodeId, GpuSet> = BTreeMap::new();
    let mut missing: BTreeMap<NodeId, Missing> = BTreeMap::new();
    for plan in &snapshot.plans {
        let id = plan.job;
        let Some(job) = shadow.jobs.get(&id).filter(|job| job.state == Some(JobState::Queued))
        else {
            found.add(Promise::Plan, format!("room is made for job {id}, which is not queued"));
            continue;
        };
        for &victim in plan.victims.iter().chain(&plan.givers) {
            if let Some(other) = gives_way.insert(victim, id) {
                let detail = format!("job {victim} gives way to job {other} and to job {id}");
                found.add(Promise::Plan, detail);
            }
        }
        are_leaving(shadow, plan, found);
        for hold in &plan.holds {
            let others = held.entry(hold.node).or_default();
            if !others.and(hold.gpus).is_empty() {
                let detail = format!("GPUs of node {} are held for job {id} twice", hold.node);
                found.add(Promise::Plan, detail);
            }
            *others = others.or(hold.gpus);
        }
        covers(job, plan, found);
        for (node, place) in places(job, plan) {
            is_to_be_had(shadow, plan, node, &place, found);
            let hold = plan.holds.iter().find(|hold| hold.node == node);
            let (cpus, memory) = hold.map_or((0, 0), |hold| (hold.cpus, hold.memory));
            let missing = missing.entry(node).or_default();
            missing.cpus += place.cpus.saturating_sub(cpus);
            missing.memory += place.memory.saturating_sub(memory);
        }
    }
    for (node, missing) in missing {
        is_given(shadow, &snapshot.plans, node, missing, found);
    }
}

/// Whoever gives way is leaving or has left, and has not started elsewhere since.
fn are_leaving(shadow: &Shadow, plan: &PlanRecord, found: &mut Findings) {
    for id in &plan.victims {
        let state = shadow.jobs.get(id).and_then(|job| job.state);
        if matches!(state, Some(JobState::Launching | JobState::Running)) {
            let detail = format!("job {id} gives way to job {} and is not leaving", plan.job);
            found.add(Promise::Plan, detail);
        }
    }
}

/// CPUs and MiB that plans still lack on a node: whose they will be may change between plans.
#[derive(Clone, Copy, Debug, Default)]
struct Missing {
    cpus: u64,
    memory: u64,
}

/// Those who give way on a node have the CPUs and the memory that plans lack there.
fn is_given(
    shadow: &Shadow,
    plans: &[PlanRecord],
    node: NodeId,
    missing: Missing,
    found: &mut Findings,
) {
    let Some(room) = shadow.nodes.get(&node) else { return };
    let mut given = Missing::default();
    let is_given = |key: &Key| plans.iter().any(|plan| gives(shadow, plan, node, *key));
    for (_, holding) in room.tasks.iter().filter(|(key, _)| is_given(key)) {
        given.cpus += holding.cpus;
        given.memory += holding.memory;
    }
    if given.cpus < missing.cpus || given.memory < missing.memory {
        found.add(Promise::Plan, format!("rooms on node {node} lack CPUs or memory"));
    }
}

/// Judges the plans when the engine has nothing left to do at this moment.
pub(crate) fn at_rest(shadow: &Shadow, snapshot: &Snapshot, found: &mut Findings) {
    let on_the_way = |id: &JobId| {
        let state = shadow.jobs.get(id).and_then(|job| job.state);
        matches!(state, Some(JobState::Pausing | JobState::Stopping))
            || shadow.jobs.get(id).is_some_and(Job::is_giving)
    };
    let nodes = |plan: &PlanRecord| -> BTreeSet<NodeId> {
        plan.holds.iter().map(|hold| hold.node).collect()
    };
    for plan in &snapshot.plans {
        // What one gave up may have gone to another first, on a node they share.
        let own = nodes(plan);
        let shares = |other: &&PlanRecord| !own.is_disjoint(&nodes(other));
        let nearby = snapshot.plans.iter().filter(shares);
        let mut nearby = nearby.flat_map(|plan| plan.victims.iter().chain(&plan.givers));
        if !nearby.any(on_the_way) {
            let detail = format!("job {} waits for room, and nobody is on the way", plan.job);
            found.add(Promise::Plan, detail);
        }
    }
}

/// What a plan wants of one node.
#[derive(Debug, Default)]
struct Place {
    gpus: GpuSet,
    cpus: u64,
    memory: u64,
    is_exclusive: bool,
    tasks: Vec<GpuSet>,
}

/// Every task once, with as many GPUs as it asks for.
fn covers(job: &Job, plan: &PlanRecord, found: &mut Findings) {
    let id = job.id;
    let mut left: BTreeSet<(u16, u32)> = BTreeSet::new();
    for (index, group) in (0_u16..).zip(&job.spec.groups) {
        left.extend((0..group.tasks.min).map(|rank| (index, rank)));
    }
    for (_, task) in &plan.tasks {
        let wanted = job.spec.groups.get(usize::from(task.group)).map(|group| group.task.gpus);
        if !left.remove(&(task.group, task.rank)) || wanted != Some(task.gpus.count()) {
            let (group, rank) = (task.group, task.rank);
            let detail = format!("the room for job {id} has a wrong place for task {group}.{rank}");
            found.add(Promise::Plan, detail);
        }
    }
    for (group, rank) in left {
        let detail = format!("the room for job {id} has no place for task {group}.{rank}");
        found.add(Promise::Plan, detail);
    }
}

fn places(job: &Job, plan: &PlanRecord) -> BTreeMap<NodeId, Place> {
    let mut places: BTreeMap<NodeId, Place> = BTreeMap::new();
    for (node, task) in &plan.tasks {
        let unknown = TaskShape::default();
        let group = job.spec.groups.get(usize::from(task.group));
        let shape = group.map_or(&unknown, |group| &group.task);
        let place = places.entry(*node).or_default();
        place.gpus = place.gpus.or(task.gpus);
        place.cpus += shape.cpus.0;
        place.memory += shape.memory.0;
        place.is_exclusive |= shape.exclusive;
        place.tasks.push(task.gpus);
    }
    places
}

/// Every GPU is held or with someone who gives way, and so are enough CPUs and memory.
fn is_to_be_had(
    shadow: &Shadow,
    plan: &PlanRecord,
    node: NodeId,
    place: &Place,
    found: &mut Findings,
) {
    let id = plan.job;
    let Some(room) = shadow.nodes.get(&node) else {
        found.add(Promise::Plan, format!("the room for job {id} is on unknown node {node}"));
        return;
    };
    if let Some(why) = room.closed(shadow.now) {
        let detail = format!("the room for job {id} is on node {node}, which {why}");
        found.add(Promise::Plan, detail);
    }
    let shared = place.tasks.iter().map(|gpus| gpus.count()).sum::<u32>() != place.gpus.count();
    if shared || !place.gpus.and(room.unhealthy).is_empty() {
        let detail = format!("the room for job {id} on node {node} has GPUs twice or unhealthy");
        found.add(Promise::Plan, detail);
    }
    let hold = plan.holds.iter().find(|hold| hold.node == node);
    let held = hold.map(|hold| hold.gpus).unwrap_or_default();
    if !held.minus(place.gpus).is_empty() {
        let detail = format!("more is held for job {id} on node {node} than it will use");
        found.add(Promise::Plan, detail);
    }
    owners(shadow, plan, room, (place.gpus, held), found);
    let stays = |key: &Key| !gives(shadow, plan, node, *key);
    let cannot_share = room
        .tasks
        .iter()
        .any(|(key, holding)| stays(key) && (place.is_exclusive || holding.is_exclusive));
    if cannot_share {
        let detail = format!("the room for job {id} on node {node} is shared with who is alone");
        found.add(Promise::Plan, detail);
    }
}

/// What is held is nobody's, and the rest of the place is with those who give way.
fn owners(
    shadow: &Shadow,
    plan: &PlanRecord,
    node: &Node,
    (wanted, held): (GpuSet, GpuSet),
    found: &mut Findings,
) {
    let (id, place) = (plan.job, node.id);
    let mut with_victims = GpuSet::EMPTY;
    for (key, holding) in &node.tasks {
        let owner = key.0;
        if !holding.gpus.and(held).is_empty() {
            let detail = format!("what is held for job {id} on node {place} is with job {owner}");
            found.add(Promise::Plan, detail);
        }
        if gives(shadow, plan, place, *key) {
            with_victims = with_victims.or(holding.gpus);
        }
    }
    if !wanted.minus(held).minus(with_victims).is_empty() {
        let detail = format!("nobody gives way for all of the room for job {id} on node {place}");
        found.add(Promise::Plan, detail);
    }
}

/// Whether a task is that of someone who gives way, or one that is given back.
fn gives(shadow: &Shadow, plan: &PlanRecord, node: NodeId, key: Key) -> bool {
    let is_given_back = || plan.givers.contains(&key.0) && shadow.leaves(node, key);
    plan.victims.contains(&key.0) || is_given_back()
}
