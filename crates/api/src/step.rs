//! Steps: programs that the owner of a running job starts in its places.

mod duty;
pub mod frame;
mod view;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::program::Container;
use crate::secret::Secret;

pub use duty::{StepDuty, StepLayout, StepReport, StepTask};
pub use view::{StepState, StepView, TaskEnd, Took};

/// The number under which a job's own tasks stand among its steps, once one of them has ended.
pub const OWN: u32 = u32::MAX;

/// A step to start in a running job. What is not said is as the job has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct StepRequest {
    /// What it is called.
    pub name: String,
    /// The command and its arguments, run without a shell.
    pub command: Vec<String>,
    /// Its variables: all of them but those that tell it what it is.
    pub environment: BTreeMap<String, String>,
    /// The folder its tasks start in; the job's where nothing is said.
    pub directory: Option<String>,
    /// The mask for new files.
    pub umask: Option<u32>,
    /// Where its streams go.
    pub streams: Streams,
    /// A container image.
    pub image: Option<String>,
    /// What is special about its container.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<Box<Container>>,
    /// How many tasks, and on which of the job's nodes.
    pub size: StepSize,
    /// How tasks are dealt out among the nodes.
    pub distribution: StepDistribution,
    /// Which of the step's GPUs on its node each task sees.
    pub gpu_binding: GpuBinding,
    /// Share what other steps have instead of waiting for them.
    pub overlap: bool,
    /// Take only the CPUs that are asked for, and not all the job has on its nodes.
    pub exact: bool,
    /// Refuse it if it cannot start at once.
    pub immediate: bool,
    /// More tasks than CPUs are all right.
    pub overcommit: bool,
    /// End all tasks when one has failed.
    pub kill_on_bad_exit: bool,
    /// A job that only holds its places ends with this step, and as it does.
    pub ends_job: bool,
}

/// How much a step needs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct StepSize {
    /// Tasks in all; one for each node where nothing is said.
    pub tasks: Option<u32>,
    /// Nodes; as many as it needs of the job's where nothing is said.
    pub nodes: Option<u32>,
    /// Tasks on each node, at most.
    pub tasks_per_node: Option<u32>,
    /// CPUs of each task.
    pub cpus_per_task: Option<u32>,
    /// GPUs in all.
    pub gpus: Option<u32>,
    /// GPUs on each node.
    pub gpus_per_node: Option<u32>,
    /// GPUs for each task.
    pub gpus_per_task: Option<u32>,
    /// Memory on each node, in MiB.
    pub memory_mib: Option<u64>,
    /// On these nodes of the job, by name.
    pub nodelist: Vec<String>,
    /// Not on these.
    pub exclude: Vec<String>,
    /// From this node of the job on.
    pub relative: Option<u32>,
}

/// How tasks are dealt out among nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StepDistribution {
    /// Neighbours share a node.
    #[default]
    Block,
    /// One after the other, node by node.
    Cyclic,
    /// So many at a time, node by node.
    Plane(u32),
    /// On these nodes, one name for each task.
    Arbitrary(Vec<String>),
}

/// Which GPUs a task sees.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GpuBinding {
    /// All that the step has on the node.
    #[default]
    All,
    /// So many of its own.
    PerTask(u32),
    /// One, which so many tasks share.
    Single(u32),
    /// One of the step's GPUs by its place among them, by the task's place on the node.
    Map(Vec<u32>),
}

/// Where the standard streams of a step go. A path may have `%j`, `%s`, `%t`, `%n`, `%N` and so on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Streams {
    /// A file for standard output; to the listener, or kept by the agent, where nothing is said.
    pub output: Option<String>,
    /// A file for standard error; with standard output where nothing is said.
    pub error: Option<String>,
    /// A file for standard input.
    pub input: Option<String>,
    /// Add to files instead of emptying them.
    pub append: bool,
    /// Who listens to what is not a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listener: Option<Arc<Listener>>,
}

/// Where a step's streams are carried to while it runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Listener {
    /// Host and port.
    pub address: String,
    /// What proves that a caller is a task of this step.
    pub key: Secret,
    /// The fingerprint of the listener's certificate; without one the way is not encrypted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// Which task hears standard input; all where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_to: Option<u32>,
    /// No task hears any.
    #[serde(default)]
    pub no_input: bool,
    /// A terminal for the first task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminal: Option<Terminal>,
}

/// How large a terminal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Terminal {
    /// Lines.
    pub rows: u16,
    /// Characters in a line.
    pub columns: u16,
}
