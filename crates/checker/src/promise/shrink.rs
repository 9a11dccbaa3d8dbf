//! Promise: nobody is paused where elastic jobs could have made up for it.
//!
//! When a plan is made, whoever it names as giving way could not have been left alone for tasks
//! that elastic jobs have beyond their fewest on the very nodes of the plan: on one of these nodes
//! at least, there are fewer GPUs, CPUs or less memory in such tasks than the one who gives way has
//! there. This is judged for gangs of one group that ask for nothing but room, and for elastic jobs
//! of their class or a lower one that could have been asked: they run whole, are not changing their
//! size, and no guarantee puts them ahead. Among very many of those the engine asks only some.

use std::collections::{BTreeMap, BTreeSet};

use muster_engine::action::{JobState, TaskPlace};
use muster_engine::explain::Cause;
use muster_engine::snapshot::{PlanRecord, Snapshot};
use muster_model::{JobId, NodeId};

use crate::ledger::chain;
use crate::shadow::{Job, Report, Shadow};
use crate::violation::{Findings, Promise};

/// With more elastic jobs than this the engine looks at the cheapest alone.
const ELASTIC_MAX: usize = 16;

/// What some tasks hold on one node.
#[derive(Clone, Copy, Debug, Default)]
struct Room {
    gpus: u64,
    cpus: u64,
    memory: u64,
    is_alone: bool,
}

/// Judges the plans that were made in the latest step.
pub(crate) fn compared(
    shadow: &Shadow,
    planned: &BTreeSet<JobId>,
    snapshot: &Snapshot,
    found: &mut Findings,
) {
    let is_new = |plan: &&PlanRecord| plan.made == shadow.now && !planned.contains(&plan.job);
    for plan in snapshot.plans.iter().filter(is_new).filter(|plan| !plan.victims.is_empty()) {
        let Some(job) = shadow.jobs.get(&plan.job) else { continue };
        let [group] = job.spec.groups.as_slice() else { continue };
        if group.task.nvlink || group.task.exclusive {
            continue;
        }
        let Some(spare) = spare(shadow, job, plan) else { continue };
        for &victim in plan.victims.iter().filter(|victim| !is_called_in(snapshot, **victim)) {
            judge(shadow, plan, victim, &spare, found);
        }
    }
}

/// Whether someone gives way because it was only lent its GPUs, or only moves.
fn is_called_in(snapshot: &Snapshot, id: JobId) -> bool {
    let at = snapshot.jobs.binary_search_by_key(&id, |job| job.id);
    let pauses = at.ok().and_then(|at| snapshot.jobs[at].pauses.as_ref());
    pauses.is_some_and(|pauses| {
        matches!(pauses.latest.cause, Cause::Reservation | Cause::Move { .. })
    })
}

fn judge(
    shadow: &Shadow,
    plan: &PlanRecord,
    id: JobId,
    spare: &BTreeMap<NodeId, Room>,
    found: &mut Findings,
) {
    let Some(job) = shadow.jobs.get(&id) else { return };
    let held = rooms(job, |_| true);
    let mut on_plan = held.iter().filter(|(node, _)| is_of(plan, **node)).peekable();
    if on_plan.peek().is_none() {
        return;
    }
    let is_made_up = |(node, room): (&NodeId, &Room)| {
        let spare = spare.get(node).copied().unwrap_or_default();
        !room.is_alone
            && !spare.is_alone
            && spare.gpus >= room.gpus
            && spare.cpus >= room.cpus
            && spare.memory >= room.memory
    };
    if on_plan.all(is_made_up) {
        let detail = format!(
            "job {id} is paused for job {}, and elastic jobs had as much to give back",
            plan.job
        );
        found.add(Promise::Shrink, detail);
    }
}

fn is_of(plan: &PlanRecord, node: NodeId) -> bool {
    plan.holds.iter().any(|hold| hold.node == node)
}

/// What elastic jobs could still give back to a job, by node; `None` if there are too many.
fn spare(shadow: &Shadow, seeker: &Job, plan: &PlanRecord) -> Option<BTreeMap<NodeId, Room>> {
    let mut spare: BTreeMap<NodeId, Room> = BTreeMap::new();
    let mut count = 0;
    for job in shadow.jobs.values() {
        let Some(group) = job.spec.elastic_group() else { continue };
        let min = job.spec.groups[group].tasks.min;
        let beyond = |task: &TaskPlace| usize::from(task.group) == group && task.rank >= min;
        let rooms = rooms(job, beyond);
        count += usize::from(!rooms.is_empty());
        if plan.victims.contains(&job.id) || !could_give(shadow, seeker, job) {
            continue;
        }
        for (node, room) in rooms {
            let sum = spare.entry(node).or_default();
            sum.gpus += room.gpus;
            sum.cpus += room.cpus;
            sum.memory += room.memory;
            sum.is_alone |= room.is_alone;
        }
    }
    (count <= ELASTIC_MAX).then_some(spare)
}

/// Whether a job could have been asked to give tasks back to another.
fn could_give(shadow: &Shadow, seeker: &Job, job: &Job) -> bool {
    let is_whole = job.state == Some(JobState::Running)
        && job.run.as_ref().is_some_and(|run| {
            run.parts.values().all(|part| part.report == Report::Started && part.asked.is_none())
        });
    let is_guaranteed = chain(&job.spec.queue).any(|name| {
        let queue = shadow.queues.get(&name);
        queue.is_some_and(|queue| queue.guarantee != Default::default())
    });
    let is_behind = job.class < seeker.class || job.spec.class == seeker.spec.class;
    is_whole && is_behind && !is_guaranteed
}

/// What those tasks of a job hold that are wanted, by node.
fn rooms(job: &Job, is_wanted: impl Fn(&TaskPlace) -> bool) -> BTreeMap<NodeId, Room> {
    let mut rooms: BTreeMap<NodeId, Room> = BTreeMap::new();
    let Some(run) = job.run.as_ref().filter(|run| run.holds) else { return rooms };
    for (node, part) in &run.parts {
        for task in part.tasks.iter().filter(|task| is_wanted(task)) {
            let Some(group) = job.spec.groups.get(usize::from(task.group)) else { continue };
            let room = rooms.entry(*node).or_default();
            room.gpus += u64::from(task.gpus.count());
            room.cpus += group.task.cpus.0;
            room.memory += group.task.memory.0;
            room.is_alone |= group.task.exclusive;
        }
    }
    rooms
}
