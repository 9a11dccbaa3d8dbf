//! Short ways to write the actions, jobs, nodes and queues of a story.

use muster_engine::action::{Action, JobState, TaskPlace};
use muster_model::{
    Attempt, Checkpoint, Constraint, GpuSet, JobId, JobSpec, Mib, MilliCpu, Millis, Name, NodeId,
    NodeLinks, NodeSpec, QueueName, Requeue, Scaling, Sharing, TaskCount, TaskGroup, TaskShape,
    Timing, TopologyWish,
};

/// The first half of the GPUs of a node, and the second.
pub(crate) const LOW: u64 = 0b0000_1111;
pub(crate) const HIGH: u64 = 0b1111_0000;
pub(crate) const ALL: u64 = 0b1111_1111;

pub(crate) fn moved(job: JobId, attempt: u32, state: JobState) -> Action {
    Action::Moved { job, attempt: Attempt(attempt), state }
}

/// A launch of tasks of the first group.
pub(crate) fn launch(job: JobId, attempt: u32, node: NodeId, tasks: &[(u32, u64)]) -> Action {
    let tasks = tasks.iter().map(|(rank, gpus)| place(0, *rank, *gpus)).collect();
    Action::Launch { node, job, attempt: Attempt(attempt), tasks }
}

/// What a resize asks of a node for the first group.
pub(crate) fn resize(job: JobId, number: u32, node: NodeId, tasks: &[(u32, u64)]) -> Action {
    let tasks = tasks.iter().map(|(rank, gpus)| place(0, *rank, *gpus)).collect();
    Action::Resize { node, job, attempt: Attempt(1), resize: number, tasks }
}

pub(crate) fn place(group: u16, rank: u32, gpus: u64) -> TaskPlace {
    TaskPlace { group, rank, gpus: GpuSet(gpus), share: None }
}

pub(crate) fn stop(job: JobId, attempt: u32, node: NodeId) -> Action {
    Action::Stop { node, job, attempt: Attempt(attempt), grace: Millis::seconds(30) }
}

/// A node with eight H100, 64 CPUs and 512 GiB in rack `rack` of zone `zone`.
pub(crate) fn node(name: &str, zone: &str, rack: &str) -> NodeSpec {
    NodeSpec {
        name: Name::from(name),
        gpus: 8,
        gpu_model: Some(Name::from("H100")),
        links: NodeLinks {
            nvlink: vec![GpuSet(LOW), GpuSet(HIGH)],
            pcie: Vec::new(),
            numa: Vec::new(),
        },
        sharing: Sharing::default(),
        cpus: MilliCpu::whole(64),
        memory: Mib::gib(512),
        suspend_memory: Mib::ZERO,
        domains: vec![Name::from(zone), Name::from(rack)],
        pool: None,
        labels: [(Name::from("disk"), Name::from("fast"))].into(),
    }
}

/// A standard job of so many tasks with so many GPUs each, with one CPU and 1 GiB per task.
pub(crate) fn job(tasks: u32, gpus: u32) -> JobSpec {
    JobSpec {
        name: Name::from("train"),
        user: Name::from("user-a"),
        team: None,
        queue: QueueName::from("default"),
        class: Name::from("standard"),
        groups: vec![group("worker", tasks, gpus)],
        topology: TopologyWish::default(),
        constraint: Constraint::default(),
        array: None,
        after: Vec::new(),
        timing: Timing::default(),
        checkpoint: Checkpoint::default(),
        scaling: Scaling::default(),
        weight: 0,
        requeue: Requeue::default(),
        booking: None,
        hold: false,
    }
}

pub(crate) fn group(name: &str, tasks: u32, gpus: u32) -> TaskGroup {
    TaskGroup {
        name: Name::from(name),
        tasks: TaskCount::exactly(tasks),
        task: TaskShape {
            gpus,
            cpus: MilliCpu::whole(1),
            memory: Mib::gib(1),
            ..TaskShape::default()
        },
    }
}
