//! Packing: pods that come in random order and never leave, on nodes with GPUs that can be shared.
//!
//! What is measured is the part of the GPUs that is given away when requests reach some part of
//! what is installed, usually 130 %. The published rules run in a simulator of their own; `muster`
//! is the engine with its default policy, `muster-fillers` the same with fillers in what is left.

mod arrivals;
mod engine;
mod node;
mod rule;
mod typical;

use std::fmt;
use std::str::FromStr;

use muster_trace::{Cluster, Declared, Gpus, Job, Text, Trace, TraceError};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use crate::error::SimError;
use node::Node;
use typical::Typical;

/// Who decides where pods go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Policy {
    /// Any node that has room.
    Random,
    /// Where the product of what is asked for and what is left is least.
    DotProduct,
    /// Beside pods of the same kind.
    GpuClustering,
    /// On GPUs in use, then on nodes in use.
    GpuPacking,
    /// Where the least is left over.
    BestFit,
    /// Where the least becomes of no use to the workload.
    Fgd,
    /// The engine with its default policy.
    Muster,
    /// The same, and what is left goes to fillers: jobs of the class that gives way at once, each
    /// with one CPU and as much of a GPU as there is, from a twentieth up.
    MusterFillers,
}

impl Policy {
    /// All of them.
    pub const ALL: [Policy; 8] = [
        Policy::Random,
        Policy::DotProduct,
        Policy::GpuClustering,
        Policy::GpuPacking,
        Policy::BestFit,
        Policy::Fgd,
        Policy::Muster,
        Policy::MusterFillers,
    ];

    /// Its word, as it is written and read.
    pub const fn word(self) -> &'static str {
        match self {
            Policy::Random => "random",
            Policy::DotProduct => "dot-product",
            Policy::GpuClustering => "gpu-clustering",
            Policy::GpuPacking => "gpu-packing",
            Policy::BestFit => "best-fit",
            Policy::Fgd => "fgd",
            Policy::Muster => "muster",
            Policy::MusterFillers => "muster-fillers",
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}

impl FromStr for Policy {
    type Err = String;

    fn from_str(text: &str) -> Result<Policy, String> {
        let words = Policy::ALL.map(Policy::word).join(", ");
        let found = Policy::ALL.into_iter().find(|policy| policy.word() == text);
        found.ok_or_else(|| format!("expected one of {words}"))
    }
}

/// What a pod asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pod {
    /// Its number among those that ask for the same, memory apart.
    kind: usize,
    cpus: u64,
    memory: u64,
    gpus: u32,
    /// Of each GPU, in thousandths.
    milli: u32,
    /// The models it accepts, one bit each.
    models: u64,
}

impl Pod {
    fn milli_in_all(&self) -> u64 {
        u64::from(self.gpus) * u64::from(self.milli)
    }
}

/// Pods and the nodes they are to be packed on.
#[derive(Debug)]
pub struct Experiment {
    declared: Declared,
    models: Vec<Text>,
    jobs: Vec<Job>,
    pods: Vec<Pod>,
    typical: Typical,
    /// Requests that arrive, in percent of the GPUs; `None` for the pods as they are listed.
    arrived_percent: Option<u32>,
}

/// How full a cluster became.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filled {
    /// Thousandths of GPUs installed.
    pub installed: u64,
    /// Thousandths that are given away.
    pub allocated: u64,
    /// Thousandths that are free and of no use, over the workload's kinds of pods by how often
    /// they come.
    pub fragmented: u64,
}

impl Experiment {
    /// Pods of a list on a cluster: drawn in random order until requests reach so many percent
    /// of the GPUs, or with `None` in the order of the list, each once.
    pub fn new(
        pods: &Trace,
        cluster: &Cluster,
        arrived_percent: Option<u32>,
    ) -> Result<Experiment, TraceError> {
        let declared = cluster.declare()?;
        let mut models: Vec<Text> = Vec::new();
        for name in declared.nodes.iter().filter_map(|node| node.gpu_model.as_ref()) {
            if !models.iter().any(|known| **known == *name.as_str()) {
                models.push(Text::from(name.as_str()));
            }
        }
        let mut kinds = Vec::new();
        let jobs = pods.jobs.clone();
        let pods: Vec<Pod> = jobs.iter().map(|job| pod(job, &models, &mut kinds)).collect();
        let typical = Typical::new(&pods);
        Ok(Experiment { declared, models, jobs, pods, typical, arrived_percent })
    }

    /// Fills the empty cluster once.
    pub fn fill(&self, policy: Policy, seed: u64) -> Result<Filled, SimError> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (order, ranks) = (self.arrivals(&mut rng), self.node_order(&mut rng));
        let mut nodes: Vec<Node> = ranks.iter().map(|&node| self.node(node)).collect();
        match policy {
            Policy::Muster => engine::fill(self, &order, &ranks, &mut nodes, false)?,
            Policy::MusterFillers => engine::fill(self, &order, &ranks, &mut nodes, true)?,
            _ => rule::fill(self, policy, &order, &mut nodes, rng),
        }
        Ok(self.filled(&nodes))
    }

    fn filled(&self, nodes: &[Node]) -> Filled {
        let installed: u64 = nodes.iter().map(Node::installed).sum();
        let free: u64 = nodes.iter().map(Node::milli_left).sum();
        let fragments: u64 = nodes.iter().map(|node| self.typical.fragments(node)).sum();
        let fragmented = fragments / self.typical.pods().max(1);
        Filled { installed, allocated: installed - free, fragmented }
    }

    fn node(&self, index: usize) -> Node {
        let spec = &self.declared.nodes[index];
        let name = spec.gpu_model.as_ref().map(|name| name.as_str());
        let bit = self.models.iter().position(|model| Some(&**model) == name);
        Node::new(spec, bit.map_or(0, |bit| 1 << bit))
    }
}

/// Distinct models are told apart by the bits of a word.
const MODELS_MAX: usize = 64;

/// What pods of one kind have in common: CPUs, GPUs, thousandths of each, models.
type Kind = (u64, u32, u32, u64);

fn pod(job: &Job, models: &[Text], kinds: &mut Vec<Kind>) -> Pod {
    assert!(models.len() <= MODELS_MAX, "a cluster has a few models of GPUs");
    let (gpus, milli) = match job.gpus {
        Gpus::Whole(0) => (0, 0),
        Gpus::Whole(gpus) => (gpus, node::WHOLE),
        Gpus::Share(share) => (1, u32::try_from(share.0).expect("less than a whole GPU")),
    };
    let accepted = |model: &Text| job.models.is_empty() || job.models.contains(model);
    let bits = models.iter().enumerate().filter(|(_, model)| accepted(model));
    let models = bits.map(|(bit, _)| 1 << bit).sum();
    let cpus = job.cpus.map_or(0, |cpus| cpus.0);
    let found = kinds.iter().position(|kind| *kind == (cpus, gpus, milli, models));
    let kind = found.unwrap_or(kinds.len());
    if found.is_none() {
        kinds.push((cpus, gpus, milli, models));
    }
    Pod { kind, cpus, memory: job.memory.map_or(0, |memory| memory.0), gpus, milli, models }
}

/// The figures of a policy over several seeds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// The policy.
    pub policy: &'static str,
    /// How many seeds.
    pub seeds: u64,
    /// GPUs given away, in percent of all: the mean.
    pub allocated_percent_mean: f64,
    /// Its standard deviation over the seeds.
    pub allocated_percent_std: f64,
    /// GPUs free and of no use, in percent of all: the mean.
    pub fragmented_percent_mean: f64,
}

impl Figures {
    /// Sums up the runs of a policy.
    pub fn of(policy: Policy, runs: &[Filled]) -> Figures {
        let percent = |part: u64, run: &Filled| part as f64 * 100.0 / run.installed.max(1) as f64;
        let allocated: Vec<f64> = runs.iter().map(|run| percent(run.allocated, run)).collect();
        let fragmented: Vec<f64> = runs.iter().map(|run| percent(run.fragmented, run)).collect();
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
        let middle = mean(&allocated);
        let squares: f64 = allocated.iter().map(|value| (value - middle).powi(2)).sum();
        Figures {
            policy: policy.word(),
            seeds: runs.len() as u64,
            allocated_percent_mean: middle,
            allocated_percent_std: (squares / runs.len().max(1) as f64).sqrt(),
            fragmented_percent_mean: mean(&fragmented),
        }
    }
}

#[cfg(test)]
mod tests;
