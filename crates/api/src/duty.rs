//! What a node is asked to have. Duties are a state, not a list of events: the newest version of
//! a duty says all there is to say about its attempt, so losing or doubling one does no harm.

use std::sync::Arc;

use muster_engine::action::TaskPlace;
use muster_model::{Attempt, GpuSet, JobId, Name, QueueName, Rung};
use serde::{Deserialize, Serialize};

use crate::Secret;
use crate::program::Program;
use crate::signal::Reach;
use crate::step::StepDuty;

/// One line of the stream from server to agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Directive {
    /// Duties that are new or have changed.
    Duties {
        /// The version after which nothing has changed yet.
        version: u64,
        /// Whether these are all duties of the node: what is not named is not wanted.
        all: bool,
        /// The duties.
        duties: Vec<Duty>,
    },
    /// Send part of what a task has written.
    Log(LogOrder),
    /// Nothing new; the stream is alive.
    Beat,
}

/// What a node is asked to do about one attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Duty {
    /// The job.
    pub job: JobId,
    /// The attempt.
    pub attempt: Attempt,
    /// Grows with every change of a duty of this node.
    pub version: u64,
    /// What to do.
    pub work: Work,
}

/// What to do about an attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    /// Have exactly these tasks.
    Run(Box<RunWork>),
    /// Have none of its tasks, and say so even if there never were any.
    Stop {
        /// Milliseconds between asking the tasks and forcing them.
        grace_ms: u64,
        /// Why, where somebody decided so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<StopReason>,
    },
    /// The end was heard: nothing about this attempt need be kept or said any more.
    Done,
}

/// Why an attempt is to end before its time. Programs in Slurm's words are told in their output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// Somebody cancelled it.
    Cancelled,
    /// Its time is over.
    TimeLimit,
    /// It makes room for another job.
    Preempted,
    /// Somebody wants it to start again.
    Requeued,
    /// A node was lost that it cannot do without.
    NodeLost,
}

/// An attempt's part on a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunWork {
    /// The tasks here.
    pub tasks: Vec<TaskDuty>,
    /// Who they belong to.
    pub gang: Gang,
    /// What they run.
    pub program: Arc<Program>,
    /// The number of the resize that these tasks answer, once there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resize: Option<u32>,
    /// The newest order of the pause ladder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pause: Option<PauseOrder>,
    /// The newest signal to send, numbered so that it is sent once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<SignalOrder>,
    /// The steps that have tasks here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Arc<StepDuty>>,
    /// What programs of the attempt show to the server. It is added when the duty is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<Secret>,
}

/// One task and its place on the node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskDuty {
    /// Group, rank within it, GPUs.
    pub place: TaskPlace,
    /// Its rank among all tasks of the job.
    pub rank: u32,
    /// Its rank among the job's tasks on this node.
    pub local_rank: u32,
    /// Thousandths of CPUs it may use.
    pub cpus_milli: u64,
    /// Memory it may use, in MiB.
    pub memory_mib: u64,
}

/// What a task should know of its job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gang {
    /// The job's name.
    pub name: Name,
    /// Who submitted it.
    pub user: Name,
    /// Its queue.
    pub queue: QueueName,
    /// The array it is an element of, its index there, and how many elements there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<Element>,
    /// All its tasks.
    pub tasks: u32,
    /// Its nodes, in the order of their ranks.
    pub nodes: Vec<Name>,
    /// This node's rank among them.
    pub node_rank: u32,
    /// Where the task with rank 0 can be met, for gangs of several tasks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rendezvous: Option<Rendezvous>,
    /// What it has of each of its nodes; only programs in Slurm's words are told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<NodeShare>,
    /// When this attempt was launched, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launched_ms: Option<u64>,
    /// Attempts that came before this one.
    pub restarts: u32,
    /// How long it may run, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_ms: Option<u64>,
}

/// What a job has of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeShare {
    /// CPUs.
    pub cpus: u32,
    /// GPUs.
    pub gpus: GpuSet,
}

/// An element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Element {
    /// The array.
    pub array: JobId,
    /// The element's index.
    pub index: u32,
}

/// Where the tasks of a gang meet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rendezvous {
    /// The node of rank 0.
    pub address: String,
    /// A port kept for this gang on that node.
    pub port: u16,
}

/// An order of the pause ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PauseOrder {
    /// The number of the order within the attempt.
    pub order: u32,
    /// The rung.
    pub rung: Rung,
    /// Whether to undo it.
    pub undo: bool,
}

/// A signal to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignalOrder {
    /// How many signals this attempt has been sent, this one included.
    pub number: u32,
    /// The signal.
    pub signal: u8,
    /// Who hears it.
    #[serde(default, skip_serializing_if = "Reach::is_all")]
    pub to: Reach,
}

/// A request for what a task has written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogOrder {
    /// The number of the request, which the answer names.
    pub request: u64,
    /// The job.
    pub job: JobId,
    /// The attempt.
    pub attempt: Attempt,
    /// The task's rank among all tasks of the job.
    pub rank: u32,
    /// Standard error instead of standard output, where they are apart.
    pub error: bool,
    /// Bytes to leave out from the beginning, or from the end if negative.
    pub from: i64,
    /// Go on until the task has ended.
    pub follow: bool,
}
