//! Promise: what a task holds, nobody else holds.
//!
//! Every GPU is held by at most one task. The GPUs of a launch exist on its node, are healthy,
//! and are as many as the task asks for. The CPUs and the memory of all tasks on a node are no
//! more than the node has. A task that wants its node to itself has it to itself. Nothing is
//! launched on a node that is out of sight, gone, drained, or resting after a refusal.

use muster_engine::action::TaskPlace;
use muster_model::{GpuSet, JobId, NodeId, Time};

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
    if task.gpus.count() != group.task.gpus {
        let (given, wanted) = (task.gpus.count(), group.task.gpus);
        let detail = format!("{whose} was given {given} GPUs and asks for {wanted}");
        found.add(Promise::Exclusive, detail);
    }
    if group.task.share.is_some() {
        let detail = format!("{whose} asks for a share, which cannot be placed yet");
        found.add(Promise::Exclusive, detail);
    }
}

/// Judges the nodes of a start once it is taken in.
pub(crate) fn shared(shadow: &Shadow, start: &Start, found: &mut Findings) {
    for (id, _) in &start.places {
        if let Some(node) = shadow.nodes.get(id) {
            holders(node, start.job, found);
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
            if !both.is_empty() {
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
