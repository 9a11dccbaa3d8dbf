//! Promise: what a task holds, nobody else holds.
//!
//! Every GPU is held by at most one task, or by tasks that each hold a part of it: all isolated
//! the same way, together no more than the GPU and its memory, and on a card that is cut by MIG in
//! slices that its layout allows. A node shares GPUs only in ways it says it can. The GPUs of a
//! launch exist on its node, are healthy, and are as many as the task asks for. The CPUs and the
//! memory of all tasks on a node are no more than the node has. A task that wants its node to
//! itself has it to itself. Nothing is launched on a node that is out of sight, gone, drained, or
//! resting after a refusal.

use std::collections::BTreeMap;

use muster_engine::action::{SharePlace, TaskPlace};
use muster_model::{GpuSet, JobId, NodeId, Time};

use crate::card;
use crate::shadow::{Holding, Job, Node, Shadow, Start};
use crate::violation::{Findings, Promise};

/// Judges a start before it is taken in.
pub(crate) fn launched(shadow: &Shadow, job: &Job, start: &Start, found: &mut Findings) {
    for (id, tasks) in &start.places {
        let Some(node) = shadow.nodes.get(id) else {
            found.add(Promise::Exclusive, format!("job {} is on unknown node {id}", job.id));
            continue;
        };
        if let Some(why) = node.closed(shadow.now) {
            let detail = format!("job {} was launched on node {id}, which {why}", job.id);
            found.add(Promise::Exclusive, detail);
        }
        for task in tasks {
            right_gpus(job, node, task, found);
            right_share(shadow, job, node, task, found);
        }
    }
}

fn right_gpus(job: &Job, node: &Node, task: &TaskPlace, found: &mut Findings) {
    let whose = format!("task {}.{} of job {}", task.group, task.rank, job.id);
    let missing = task.gpus.minus(GpuSet::first(node.spec.gpus));
    if !missing.is_empty() {
        let (have, id) = (node.spec.gpus, node.id);
        let detail = format!("{whose} was given {} of the {have} of node {id}", numbers(missing));
        found.add(Promise::Exclusive, detail);
    }
    let ill = task.gpus.and(node.unhealthy);
    if !ill.is_empty() {
        let detail = format!("{whose} was given unhealthy {} of node {}", numbers(ill), node.id);
        found.add(Promise::Exclusive, detail);
    }
    let Some(group) = job.spec.groups.get(usize::from(task.group)) else { return };
    let wanted = if group.task.share.is_some() { 1 } else { group.task.gpus };
    if task.gpus.count() != wanted {
        let given = task.gpus.count();
        let detail = format!("{whose} was given {given} GPUs and asks for {wanted}");
        found.add(Promise::Exclusive, detail);
    }
}

/// Whether a task has the part of a GPU that it asks for, on a node that can give it.
fn right_share(shadow: &Shadow, job: &Job, node: &Node, task: &TaskPlace, found: &mut Findings) {
    let Some(group) = job.spec.groups.get(usize::from(task.group)) else { return };
    let whose = format!("task {}.{} of job {}", task.group, task.rank, job.id);
    let wrong = match (&group.task.share, &task.share) {
        (None, None) => return,
        (None, Some(_)) => Some("part of a GPU and asks for whole ones".to_owned()),
        (Some(_), None) => Some("whole GPUs and asks for a share".to_owned()),
        (Some(asked), Some(given)) => {
            if !node.spec.sharing.allows(given.mode) {
                let (id, mode) = (node.id, given.mode.word());
                let detail = format!("{whose} is on node {id}, which cannot isolate {mode}");
                found.add(Promise::Exclusive, detail);
            }
            shadow.model(node).and_then(|model| card::unlike(model, asked, given))
        }
    };
    if let Some(wrong) = wrong {
        found.add(Promise::Exclusive, format!("{whose} was given {wrong}"));
    }
}

/// Judges the nodes of a start once it is taken in.
pub(crate) fn shared(shadow: &Shadow, start: &Start, found: &mut Findings) {
    for (id, _) in &start.places {
        if let Some(node) = shadow.nodes.get(id) {
            holders(node, start.job, found);
            cards(shadow, node, found);
            room(node, found);
        }
    }
}

fn holders(node: &Node, new: JobId, found: &mut Findings) {
    let tasks: Vec<_> = node.tasks.iter().collect();
    for (index, (key, holding)) in tasks.iter().enumerate() {
        for (other_key, other) in &tasks[index + 1..] {
            if key.0 != new && other_key.0 != new {
                continue;
            }
            let pair = || {
                let name =
                    |key: &(JobId, u16, u32)| format!("task {}.{} of job {}", key.1, key.2, key.0);
                format!("{} and {}", name(key), name(other_key))
            };
            let both = holding.gpus.and(other.gpus);
            let share_it = holding.share.is_some() && other.share.is_some();
            if !both.is_empty() && !share_it {
                let detail = format!("{} hold {} of node {}", pair(), numbers(both), node.id);
                found.add(Promise::Exclusive, detail);
            }
            if holding.is_exclusive || other.is_exclusive {
                let detail = format!("{} share node {}, and one is exclusive", pair(), node.id);
                found.add(Promise::Exclusive, detail);
            }
        }
    }
}

/// Judges each GPU of a node that is shared.
fn cards(shadow: &Shadow, node: &Node, found: &mut Findings) {
    let Some(model) = shadow.model(node) else { return };
    let mut cards: BTreeMap<u32, Vec<SharePlace>> = BTreeMap::new();
    for holding in node.tasks.values() {
        if let (Some(gpu), Some(share)) = (holding.gpus.iter().next(), holding.share) {
            cards.entry(gpu).or_default().push(share);
        }
    }
    for (gpu, parts) in cards {
        for wrong in card::wrong(model, &parts) {
            found.add(Promise::Exclusive, format!("GPU {gpu} of node {} {wrong}", node.id));
        }
    }
}

fn room(node: &Node, found: &mut Findings) {
    let sum = |amount: fn(&Holding) -> u64| node.tasks.values().map(amount).sum::<u64>();
    let resources = [
        ("milli-CPUs", sum(|holding| holding.cpus), node.spec.cpus.0),
        ("MiB of memory", sum(|holding| holding.memory), node.spec.memory.0),
    ];
    for (what, used, have) in resources {
        if used > have {
            let detail = format!("tasks on node {} hold {used} of its {have} {what}", node.id);
            found.add(Promise::Exclusive, detail);
        }
    }
}

/// Remembers how long the engine itself says that a node rests: that binds it too.
pub(crate) fn rest_told(shadow: &mut Shadow, node: NodeId, until: Time) {
    if let Some(node) = shadow.nodes.get_mut(&node) {
        node.rest_told = until;
    }
}

fn numbers(gpus: GpuSet) -> String {
    let numbers: Vec<String> = gpus.iter().map(|gpu| gpu.to_string()).collect();
    format!("GPU {}", numbers.join(", "))
}
