//! What is known of a job, in plain data.

use muster_model::Time;

use super::elements::Elements;
use crate::request::{MemoryRequest, Request};
use crate::words::{ExitCode, Reason, State};

/// One job, or the elements of an array that wait together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobFacts {
    /// Its number.
    pub id: u64,
    /// Its array and which elements.
    pub array: Option<(u64, Elements)>,
    /// Its name.
    pub name: String,
    /// Who submitted it.
    pub user: String,
    /// Their number.
    pub uid: u32,
    /// Their group.
    pub group: String,
    /// Its number.
    pub gid: u32,
    /// Its partition.
    pub partition: String,
    /// Its account; empty where it has none.
    pub account: String,
    /// Its QOS.
    pub qos: String,
    /// Its state.
    pub state: State,
    /// Why it waits, or ended.
    pub reason: Reason,
    /// How it ended.
    pub exit: ExitCode,
    /// How its script ended, where that is not the same.
    pub batch_exit: ExitCode,
    /// Whose number ended it, where somebody did.
    pub cancelled_by: Option<u32>,
    /// The nodes it has or had, the first one first.
    pub nodes: Vec<String>,
    /// What it asks for.
    pub wants: Wants,
    /// The options it was submitted with; the defaults where it came another way.
    pub request: Request,
    /// When it was submitted.
    pub submitted: Time,
    /// When it started, last.
    pub started: Option<Time>,
    /// When it ended.
    pub ended: Option<Time>,
    /// When it will probably start.
    pub expected: Option<Time>,
    /// Not before.
    pub begin: Option<Time>,
    /// To be ended by then.
    pub deadline: Option<Time>,
    /// How long it may run, in seconds.
    pub limit_s: Option<u64>,
    /// How often it was started again.
    pub restarts: u32,
    /// Whether it may be.
    pub requeue: bool,
    /// Larger goes first.
    pub priority: u64,
    /// The folder it runs in.
    pub directory: String,
    /// Its script.
    pub command: String,
    /// The command line that submitted it.
    pub line: String,
    /// Where its output goes, filled in.
    pub output: String,
    /// Where its errors go.
    pub error: String,
    /// Where its input comes from.
    pub input: String,
    /// The machine it was submitted on.
    pub host: String,
    /// The name of the cluster.
    pub cluster: String,
    /// Whether it has a script; an allocation has none.
    pub is_batch: bool,
    /// Its steps, in order.
    pub steps: Vec<StepFacts>,
    /// What its script took, once it has ended.
    pub measured: Option<Measured>,
    /// Why and for whom it gave way, last.
    pub note: Option<String>,
}

/// What a job asks for, and is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wants {
    /// Nodes.
    pub nodes: u32,
    /// Tasks that `srun` would start.
    pub tasks: u32,
    /// CPUs in all.
    pub cpus: u64,
    /// CPUs of the first node, where its script runs.
    pub cpus_first: u64,
    /// GPUs in all.
    pub gpus: u64,
    /// GPUs of the first node.
    pub gpus_first: u64,
    /// Memory in all, in MiB; 0 where none was asked for.
    pub memory_mib: u64,
    /// Memory of the first node.
    pub memory_first_mib: u64,
}

/// One step of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepFacts {
    /// Its number.
    pub number: u32,
    /// What it runs.
    pub name: String,
    /// Its state.
    pub state: State,
    /// How it ended.
    pub exit: ExitCode,
    /// Its nodes.
    pub nodes: Vec<String>,
    /// Its tasks.
    pub tasks: u32,
    /// Its CPUs.
    pub cpus: u64,
    /// Its GPUs.
    pub gpus: u64,
    /// When it started.
    pub started: Option<Time>,
    /// When it ended.
    pub ended: Option<Time>,
    /// What it took, once tasks of it have ended.
    pub measured: Option<Measured>,
}

/// What the tasks of a step took, as their nodes measured it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// The most memory that one of them had at once, in KiB.
    pub memory_max_kib: u64,
    /// The rank of that task.
    pub memory_max_task: u32,
    /// Its node.
    pub memory_max_node: String,
    /// The mean of all of them, in KiB.
    pub memory_mean_kib: u64,
    /// CPU time of the programs, in milliseconds.
    pub user_ms: u64,
    /// CPU time of the kernel, in milliseconds.
    pub system_ms: u64,
}

impl JobFacts {
    /// Its number as people know it: `12`, `12_3`, `12_[3-5%2]`.
    pub fn label(&self) -> String {
        match &self.array {
            None => self.id.to_string(),
            Some((array, elements)) => format!("{array}_{elements}"),
        }
    }

    /// How long it has run, or ran, in seconds.
    pub fn elapsed_s(&self, now: Time) -> u64 {
        if self.state == State::Pending {
            return 0;
        }
        let Some(started) = self.started else { return 0 };
        // Whole seconds on the wall, as Slurm counts them.
        let end = self.ended.unwrap_or(now);
        (end.0 / 1000).saturating_sub(started.0 / 1000)
    }

    /// When it will have ended at the latest, or did.
    pub fn end(&self) -> Option<Time> {
        let due = || Some(Time(self.started?.0.saturating_add(self.limit_s? * 1000)));
        self.ended.or_else(due).filter(|_| self.state != State::Pending)
    }

    /// How many nodes it has, or asks for.
    pub fn node_count(&self) -> u32 {
        match u32::try_from(self.nodes.len()) {
            Ok(count) if count > 0 => count,
            _ => self.wants.nodes,
        }
    }

    /// GPUs of each node as `--gres` writes them; empty where none are asked for so.
    pub fn per_node(&self) -> String {
        let gpus = &self.request.size.gpus;
        let asked = gpus.gres.as_ref().or(gpus.per_node.as_ref());
        asked.map(|gpus| format!("gres:{}", gpus.as_gres())).unwrap_or_default()
    }

    /// Memory as it was asked for, with what it is counted by.
    pub(super) fn memory_asked(&self) -> (&'static str, String) {
        match self.request.size.memory {
            Some(MemoryRequest::PerNode(memory)) => ("MinMemoryNode", memory.to_string()),
            Some(MemoryRequest::PerCpu(memory)) => ("MinMemoryCPU", memory.to_string()),
            Some(MemoryRequest::PerGpu(memory)) => ("MinMemoryNode", memory.to_string()),
            None => ("MinMemoryNode", "0".to_owned()),
        }
    }
}
