//! From tasks, nodes and GPUs to what each node gives, by Slurm's rules.
//!
//! The script of a job runs once, on its first node, and holds the whole allocation until its end;
//! `srun` starts tasks in it later. So where the number of nodes is known, the job is one slice for
//! each node, with that node's share of everything, on nodes that differ. Where only the number of
//! tasks is known, it is one slice for each task, and several may share a node.

mod count;
mod gpus;

use serde::{Deserialize, Serialize};

use self::count::Counts;
use self::gpus::GpuNeeds;
use super::check::conflict;
use super::{MemoryRequest, Note, Request};
use crate::error::Refusal;
use crate::values::Memory;

/// What a job is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allocation {
    /// What one slice is for.
    pub unit: Unit,
    /// Tasks in all.
    pub tasks: u32,
    /// The slices, in order; equal ones together.
    pub slices: Vec<Slices>,
    /// Where something was settled that the options leave open.
    pub notes: Vec<Note>,
}

/// What one slice is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// A node, and each has only one.
    Node,
    /// A task, and a node may have several.
    Task,
}

/// Equal slices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slices {
    /// How many.
    pub count: u32,
    /// What each of them is.
    pub slice: Slice,
}

/// What is given of one node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slice {
    /// How many tasks `srun` starts there.
    pub tasks: u32,
    /// CPUs.
    pub cpus: u32,
    /// GPUs.
    pub gpus: u32,
    /// Their type; any without one.
    pub model: Option<String>,
    /// Memory; what the cluster gives by default without it.
    pub memory: Option<Memory>,
    /// Nobody else uses the node.
    pub exclusive: bool,
}

impl Allocation {
    /// How many slices there are.
    pub fn count(&self) -> u32 {
        self.slices.iter().map(|slices| slices.count).sum()
    }

    /// How many nodes, where that is known.
    pub fn nodes(&self) -> Option<u32> {
        (self.unit == Unit::Node).then(|| self.count())
    }

    /// How many GPUs in all.
    pub fn gpus(&self) -> u64 {
        let each = |slices: &Slices| u64::from(slices.count) * u64::from(slices.slice.gpus);
        self.slices.iter().map(each).sum()
    }
}

impl Request {
    /// What the job is given; the options that contradict each other otherwise.
    ///
    /// ```
    /// use muster_slurm::{Command, Request};
    ///
    /// let words = ["--nodes=2", "--ntasks=5", "--cpus-per-task=4"].map(str::to_owned);
    /// let request = Request::from_words(Command::Sbatch, words).expect("good options").request;
    /// let slices = request.allocation().expect("options that go together").slices;
    /// let cpus: Vec<(u32, u32)> = slices.iter().map(|it| (it.count, it.slice.cpus)).collect();
    /// assert_eq!(cpus, [(1, 12), (1, 8)]);
    /// ```
    pub fn allocation(&self) -> Result<Allocation, Refusal> {
        let gpus = GpuNeeds::of(&self.size)?;
        let counts = Counts::of(self, &gpus)?;
        gpus.check(&counts)?;
        if self.size.cpus_per_gpu.is_some() && self.size.cpus_per_task.is_some() {
            let why = "CPUs are counted in one way only";
            return Err(conflict(&["--cpus-per-gpu", "--cpus-per-task"], why));
        }
        let mut slices: Vec<Slices> = Vec::new();
        for (count, index) in runs(counts.units, [counts.tasks, gpus.per_job.unwrap_or(0)]) {
            let slice = self.slice(&counts, &gpus, index)?;
            match slices.last_mut() {
                Some(last) if last.slice == slice => last.count += count,
                _ => slices.push(Slices { count, slice }),
            }
        }
        let Counts { unit, tasks, notes, .. } = counts;
        Ok(Allocation { unit, tasks, slices, notes })
    }

    /// The slice of one node, or of one task.
    fn slice(&self, counts: &Counts, gpus: &GpuNeeds, index: u32) -> Result<Slice, Refusal> {
        let size = &self.size;
        let tasks = dealt(counts.tasks, counts.units, index);
        let gpu_count = gpus.of_slice(counts, tasks, index);
        let by_tasks = match size.overcommit {
            true => 1,
            false => tasks.saturating_mul(size.cpus_per_task.unwrap_or(1)),
        };
        let by_gpus = size.cpus_per_gpu.unwrap_or(0).saturating_mul(gpu_count);
        let cpus = by_tasks.max(by_gpus).max(size.cpus_per_node_min.unwrap_or(0));
        let memory = match size.memory {
            None => None,
            Some(MemoryRequest::PerNode(memory)) => Some(memory),
            Some(MemoryRequest::PerCpu(memory)) => Some(MemoryRequest::times(memory, cpus)),
            Some(MemoryRequest::PerGpu(_)) if gpu_count == 0 => {
                let why = "there are no GPUs to count memory by";
                return Err(conflict(&["--mem-per-gpu", "no GPUs"], why));
            }
            Some(MemoryRequest::PerGpu(memory)) => Some(MemoryRequest::times(memory, gpu_count)),
        };
        let model = gpus.model.clone().filter(|_| gpu_count > 0);
        Ok(Slice { tasks, cpus, gpus: gpu_count, model, memory, exclusive: size.exclusive })
    }
}

/// How many of `things` the one with this index gets; those in front get the odd ones.
fn dealt(things: u32, among: u32, index: u32) -> u32 {
    things / among + u32::from(index < things % among)
}

/// Runs of indexes that get the same of everything that is dealt out, each by its length and its
/// first index. There are at most three, however many indexes there are.
fn runs(count: u32, things: [u32; 2]) -> Vec<(u32, u32)> {
    let mut cuts = vec![0, count];
    cuts.extend(things.map(|things| things % count));
    cuts.sort_unstable();
    cuts.dedup();
    cuts.windows(2).map(|pair| (pair[1] - pair[0], pair[0])).collect()
}
