//! An entry as people read it: its kind in one word, and the rest in one line. Nodes have their
//! numbers here, for their names depend on what came before.

use muster_api::Moment;
use muster_engine::command::{Command, Exit, Refusal};
use muster_model::{Attempt, JobId, JobSpec, NodeId};

use super::Entry;

impl Entry {
    /// What kind of thing happened, in one word.
    pub fn kind(&self) -> &'static str {
        match self {
            Entry::Configured { .. } => "configured",
            Entry::Submitted { .. } => "submitted",
            Entry::Announced { .. } => "announced",
            Entry::Told(command) | Entry::Explained { command, .. } => kind(command),
            Entry::Forgotten { .. } => "forgotten",
            Entry::Inside(inside) => inside.kind(),
        }
    }

    /// The rest of it, in one line.
    pub fn line(&self) -> String {
        match self {
            Entry::Configured { cluster, by } => {
                format!("by {by}: {}", count(cluster.queues.len(), "queue"))
            }
            Entry::Submitted { spec, key, .. } => {
                let key = key.as_ref().map(|key| format!(", key {key}")).unwrap_or_default();
                format!("{}{key}", submission(spec))
            }
            Entry::Announced { spec, running, .. } => {
                let model = spec.gpu_model.as_ref().map(|model| format!("{model} "));
                let gpus = format!("{}x{}", model.unwrap_or_default().trim_end(), spec.gpus);
                let jobs = count(running.len(), "job");
                format!("node {} with GPUs {gpus}, {jobs} running there", spec.name)
            }
            Entry::Told(command) => told(command),
            Entry::Forgotten { node, by } => format!("node {node} by {by}"),
            Entry::Inside(inside) => inside.line(),
            Entry::Explained { command, detail } if detail.is_empty() => told(command),
            Entry::Explained { command, detail } => format!("{}: {detail}", told(command)),
        }
    }
}

fn kind(command: &Command) -> &'static str {
    match command {
        Command::Submit { .. } => "submitted",
        Command::Cancel { .. } => "cancel",
        Command::Hold { .. } => "hold",
        Command::Release { .. } => "release",
        Command::Requeue { .. } => "requeue",
        Command::Amend { .. } => "changed",
        Command::Estimated { .. } => "estimated",
        Command::NodeJoined { .. } => "announced",
        Command::NodeLost { .. } | Command::NodesLost { .. } => "lost",
        Command::NodeReturned { .. } => "returned",
        Command::NodeDrained { .. } => "drained",
        Command::NodeResumed { .. } => "undrained",
        Command::GpuUnhealthy { .. } => "gpu-unhealthy",
        Command::GpuHealthy { .. } => "gpu-healthy",
        Command::Started { .. } => "started",
        Command::Refused { .. } => "refused",
        Command::Ended { .. } => "ended",
        Command::Saved { .. } => "saved",
        Command::Idle { .. } => "idle",
        Command::Paused { .. } => "paused",
        Command::PauseRefused { .. } => "not-paused",
        Command::Resumed { .. } => "resumed",
        Command::Resized { .. } => "resized",
        Command::Progress { .. } => "progress",
        Command::QueueSet { .. } => "queue-set",
        Command::BookingSet { .. } => "booked",
        Command::BookingRemoved { .. } => "unbooked",
        Command::Tick => "tick",
    }
}

fn told(command: &Command) -> String {
    match command {
        Command::Submit { spec } => submission(spec),
        Command::Cancel { job }
        | Command::Hold { job }
        | Command::Release { job }
        | Command::Requeue { job } => format!("job {job}"),
        Command::Amend { job, spec } => format!("job {job}: {}", submission(spec)),
        Command::Estimated { job, .. } => format!("job {job}: how long it will run"),
        Command::NodeJoined { spec, .. } => format!("node {}", spec.name),
        Command::NodeLost { node, lease_ends } => {
            format!("node #{}, lease ends at {}", node.0, Moment(*lease_ends))
        }
        Command::NodesLost { nodes, lease_ends } => {
            format!("{}, leases end at {}", count(nodes.len(), "node"), Moment(*lease_ends))
        }
        Command::NodeReturned { node, running } => {
            format!("node #{}, {} running there", node.0, count(running.len(), "job"))
        }
        Command::NodeDrained { node } | Command::NodeResumed { node } => {
            format!("node #{}", node.0)
        }
        Command::GpuUnhealthy { node, gpu } | Command::GpuHealthy { node, gpu } => {
            format!("GPU {gpu} of node #{}", node.0)
        }
        Command::Started { node, job, attempt } => part(*job, *attempt, *node),
        Command::Refused { node, job, attempt, refusal } => {
            let (Refusal::Node(word) | Refusal::Job(word)) = refusal;
            format!("{}, {word}", part(*job, *attempt, *node))
        }
        Command::Ended { node, job, attempt, exit } => {
            format!("{}, {}", part(*job, *attempt, *node), end(*exit))
        }
        Command::Saved { job, attempt } => format!("job {job} attempt {attempt}"),
        Command::Idle { job, attempt, is_idle } => {
            let what = if *is_idle { "computes nothing" } else { "computes again" };
            format!("job {job} attempt {attempt} {what}")
        }
        Command::Paused { node, job, attempt, rung, .. }
        | Command::PauseRefused { node, job, attempt, rung, .. }
        | Command::Resumed { node, job, attempt, rung, .. } => {
            format!("{}, {rung}", part(*job, *attempt, *node))
        }
        Command::Resized { node, job, attempt, .. } => part(*job, *attempt, *node),
        Command::Progress { job, attempt, .. } => format!("job {job} attempt {attempt}"),
        Command::QueueSet { queue } => format!("queue {}", queue.name),
        Command::BookingSet { booking } => format!("booking {}", booking.name),
        Command::BookingRemoved { name } => format!("booking {name}"),
        Command::Tick => "time has passed".to_owned(),
    }
}

fn submission(spec: &JobSpec) -> String {
    let elements = spec.array.as_ref().map(|array| count(array.indexes.len(), "element"));
    let elements = elements.map(|elements| format!(", {elements}")).unwrap_or_default();
    format!("`{}` by {} in queue {}{elements}", spec.name, spec.user, spec.queue)
}

fn part(job: JobId, attempt: Attempt, node: NodeId) -> String {
    format!("job {job} attempt {attempt} on node #{}", node.0)
}

pub(super) fn end(exit: Exit) -> String {
    match exit {
        Exit::Code(code) => format!("exit code {code}"),
        Exit::Signal(signal) => format!("signal {signal}"),
        Exit::OutOfMemory => "out of memory".to_owned(),
        Exit::Stopped => "stopped".to_owned(),
    }
}

fn count(many: usize, what: &str) -> String {
    if many == 1 { format!("1 {what}") } else { format!("{many} {what}s") }
}
