//! The parts of a request. What was not asked for is empty; defaults come later.

use muster_model::{Array, Mib};
use serde::{Deserialize, Serialize};

use crate::values::{
    Binding, Dependencies, Distribution, Export, Features, Gpus, Hint, Hostlist, MailTypes, Memory,
    Moment, Mounts, NodeCount, OpenMode, Pattern, Signal, Switches, TimeLimit,
};

/// Who and what it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Identity {
    /// Its name.
    pub job_name: Option<String>,
    /// Who pays for it.
    pub account: Option<String>,
    /// Where it may run, any of these.
    pub partitions: Vec<String>,
    /// Under which promise.
    pub qos: Option<String>,
    /// In which reservation, any of these.
    pub reservations: Vec<String>,
    /// What people say about it.
    pub comment: Option<String>,
}

/// How much it needs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Size {
    /// Nodes.
    pub nodes: Option<NodeCount>,
    /// Tasks.
    pub tasks: Option<u32>,
    /// Tasks on each node; with a number of tasks, at most so many.
    pub tasks_per_node: Option<u32>,
    /// Tasks for each GPU.
    pub tasks_per_gpu: Option<u32>,
    /// CPUs of a task.
    pub cpus_per_task: Option<u32>,
    /// CPUs for each GPU.
    pub cpus_per_gpu: Option<u32>,
    /// Fewest CPUs on a node.
    pub cpus_per_node_min: Option<u32>,
    /// Memory.
    pub memory: Option<MemoryRequest>,
    /// GPUs.
    pub gpus: Gpu,
    /// Sockets of a node, for GPUs that are counted by them.
    pub sockets_per_node: Option<u32>,
    /// One CPU for each node instead of each task.
    pub overcommit: bool,
    /// Nodes that nobody else uses.
    pub exclusive: bool,
}

/// GPUs, by what they are counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Gpu {
    /// In all.
    pub per_job: Option<Gpus>,
    /// On each node, by `--gpus-per-node`.
    pub per_node: Option<Gpus>,
    /// On each node, by `--gres`.
    pub gres: Option<Gpus>,
    /// For each task.
    pub per_task: Option<Gpus>,
    /// On each socket.
    pub per_socket: Option<Gpus>,
}

/// Memory, by what it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryRequest {
    /// On each node.
    PerNode(Memory),
    /// For each CPU; zero is all memory of the node.
    PerCpu(Memory),
    /// For each GPU; zero is all memory of the node.
    PerGpu(Memory),
}

impl MemoryRequest {
    /// So much for each of `count`, or all.
    pub(super) fn times(memory: Memory, count: u32) -> Memory {
        match memory {
            Memory::All => Memory::All,
            Memory::Mib(Mib(mib)) => Memory::Mib(Mib(mib.saturating_mul(u64::from(count)))),
        }
    }
}

/// Where it may run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Place {
    /// Only on nodes like this.
    pub constraint: Option<Features>,
    /// On nodes like this first.
    pub prefer: Option<Features>,
    /// On these nodes, and more where it needs more.
    pub nodelist: Hostlist,
    /// Not on these nodes.
    pub exclude: Hostlist,
    /// Across few switches.
    pub switches: Option<Switches>,
    /// So many nodes each within one block.
    pub segment: Option<u32>,
    /// On as many nodes as possible.
    pub spread: bool,
}

/// When and for how long.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct When {
    /// How long it may run.
    pub limit: Option<TimeLimit>,
    /// To how short a time that may be cut so that it starts sooner.
    pub limit_min: Option<TimeLimit>,
    /// Not before.
    pub begin: Option<Moment>,
    /// Ended by then, or not started.
    pub deadline: Option<Moment>,
    /// Not before it is released.
    pub hold: bool,
    /// Not before other jobs.
    pub dependency: Option<Dependencies>,
    /// What happens when that can never be met.
    pub kill_on_invalid_dependency: Option<bool>,
    /// One element for each index.
    pub array: Option<Array>,
    /// Within so many seconds or not at all.
    pub immediate_s: Option<u32>,
}

/// How its program runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Run {
    /// In this folder.
    pub directory: Option<String>,
    /// Output goes there.
    pub output: Option<Pattern>,
    /// Errors go there; to the output without it.
    pub error: Option<Pattern>,
    /// Input comes from there.
    pub input: Option<Pattern>,
    /// What happens to files that are there.
    pub open_mode: Option<OpenMode>,
    /// The environment.
    pub export: Option<Export>,
    /// Whether it may be started again.
    pub requeue: Option<bool>,
    /// The signal before its end.
    pub signal: Option<Signal>,
    /// When mail is sent.
    pub mail_types: Option<MailTypes>,
    /// To whom.
    pub mail_user: Option<String>,
    /// A command instead of a script.
    pub wrap: Option<String>,
}

/// The container it runs in, in the words of pyxis.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Container {
    /// The image.
    pub image: Option<String>,
    /// What it sees of the node.
    pub mounts: Mounts,
    /// In which folder of it.
    pub workdir: Option<String>,
    /// Variables that overrule those of the image.
    pub environment: Vec<String>,
    /// Whether it sees the user's home.
    pub mount_home: Option<bool>,
    /// Whether the user is root inside.
    pub remap_root: Option<bool>,
    /// Whether the image's entry point runs.
    pub entrypoint: Option<bool>,
    /// Whether it can write to its root.
    pub writable: Option<bool>,
}

/// How its tasks sit on their nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Layout {
    /// How they are dealt out.
    pub distribution: Option<Distribution>,
    /// How they are tied to CPUs.
    pub cpu_bind: Option<Binding>,
    /// How they are tied to memory.
    pub mem_bind: Option<Binding>,
    /// How they are tied to GPUs.
    pub gpu_bind: Option<Binding>,
    /// What kind of program it is.
    pub hint: Option<Hint>,
}

/// What concerns a step of `srun`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Step {
    /// In this job.
    pub job: Option<u64>,
    /// From this node of the job on.
    pub relative: Option<u32>,
    /// With the resources of other steps.
    pub overlap: bool,
    /// With only what it asks for.
    pub exact: bool,
    /// With everything the job has on its nodes.
    pub whole: bool,
    /// End all tasks when one fails.
    pub kill_on_bad_exit: Option<bool>,
    /// How many seconds after the first task's end the others are ended; 0 is never.
    pub wait_s: Option<u32>,
    /// Each line with the number of its task.
    pub label: bool,
    /// Output as it comes, not by lines.
    pub unbuffered: bool,
    /// A terminal for the first task.
    pub pty: bool,
    /// How MPI programs find each other.
    pub mpi: Option<String>,
    /// One interrupt is enough.
    pub quit_on_interrupt: bool,
}

/// How the command itself behaves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Client {
    /// Print the number of the job and nothing else.
    pub parsable: bool,
    /// Print less.
    pub quiet: bool,
    /// Print more, so many times.
    pub verbose: u8,
    /// Say what would happen.
    pub test_only: bool,
    /// Wait for the end of the job.
    pub wait: bool,
    /// Pass over the lines of other systems.
    pub ignore_pbs: bool,
    /// Do not run a shell beside the allocation.
    pub no_shell: bool,
    /// Print the options.
    pub help: bool,
    /// Print the options in short.
    pub usage: bool,
    /// Print the version.
    pub version: bool,
}

/// An option without effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// Its long name.
    pub option: String,
    /// Its value.
    pub value: Option<String>,
}
