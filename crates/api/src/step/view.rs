//! A step as people see it.

use muster_engine::command::Exit;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::moment::Moment;

/// One step of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StepView {
    /// The job.
    pub job: u64,
    /// The attempt of the job.
    pub attempt: u32,
    /// Its number within the attempt; 4294967295 for the job's own tasks.
    pub step: u32,
    /// Its name.
    pub name: String,
    /// Where it is in its life.
    pub state: StepState,
    /// How many tasks it has, once it has places.
    pub tasks: u32,
    /// Its nodes, in order.
    pub nodes: Vec<String>,
    /// How many tasks are on each of them.
    pub tasks_per_node: Vec<u32>,
    /// Thousandths of CPUs it has in all.
    pub cpus_milli: u64,
    /// GPUs it has in all.
    pub gpus: u32,
    /// When it was accepted.
    #[schema(value_type = String)]
    pub submitted: Moment,
    /// When it got its places.
    #[schema(value_type = Option<String>)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<Moment>,
    /// When its last task ended.
    #[schema(value_type = Option<String>)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Moment>,
    /// Whether somebody asked it to end.
    #[serde(default)]
    pub is_cancelled: bool,
    /// The tasks that have ended, by rank.
    pub ends: Vec<TaskEnd>,
}

/// Where a step is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StepState {
    /// Other steps have what it needs.
    Waiting,
    /// Its tasks run, or are about to.
    Running,
    /// All its tasks have ended.
    Ended,
}

/// How a task of a step ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct TaskEnd {
    /// Its rank.
    pub rank: u32,
    /// Its node.
    pub node: String,
    /// The exit code, where it ended by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<i32>,
    /// The signal, where one ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<u8>,
    /// Whether it ran out of memory.
    pub out_of_memory: bool,
    /// Why it could not be started, where it could not.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// What it took, where that was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub took: Option<Took>,
}

/// What a task took of its node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Took {
    /// The most memory it had at once, in KiB: all of it where its node can count that, else that
    /// of its largest process.
    pub memory_peak_kib: u64,
    /// CPU time of its programs, in milliseconds.
    pub user_ms: u64,
    /// CPU time that the kernel spent for them, in milliseconds.
    pub system_ms: u64,
}

impl TaskEnd {
    /// From how it ended. What was taken away was ended by force.
    pub fn new(rank: u32, node: String, exit: Exit, detail: String) -> TaskEnd {
        let (code, signal) = match exit {
            Exit::Code(code) => (Some(code), None),
            Exit::Signal(signal) => (None, Some(signal)),
            Exit::OutOfMemory | Exit::Stopped => (None, Some(9)),
        };
        let out_of_memory = exit == Exit::OutOfMemory;
        TaskEnd { rank, node, code, signal, out_of_memory, detail, took: None }
    }

    /// As a shell would put it.
    pub fn status(&self) -> i32 {
        self.code.unwrap_or_else(|| 128 + i32::from(self.signal.unwrap_or_default()))
    }
}

impl StepView {
    /// The highest status of its tasks.
    pub fn status(&self) -> i32 {
        self.ends.iter().map(TaskEnd::status).max().unwrap_or_default()
    }
}
