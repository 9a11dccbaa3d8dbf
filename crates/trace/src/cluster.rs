//! The cluster a workload runs on: nodes with their prices and failures, pools, topology. It is
//! read from a line, a file or what came with a trace, and declared in the model's types.

mod declare;

use muster_model::{GpuModel, Name, NodeSpec, Pool};

pub use declare::Declared;

/// A cluster to simulate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// As people call it: the line it was written in, or the name of its file.
    pub name: String,
    /// The levels of its topology above the node, widest first.
    pub levels: Vec<Name>,
    /// Its GPU models that the model's catalogue does not know.
    pub models: Vec<GpuModel>,
    /// Its pools; a job that names one stays in it. None where the cluster is one whole.
    pub pools: Vec<Pool>,
    /// Its nodes. A node in a pool also carries the label `pool`, so that constraints match it.
    pub nodes: Vec<Node>,
}

/// One node, with what the engine is not told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// As it joins.
    pub spec: NodeSpec,
    /// Price of one of its GPUs for one hour, in millionths of the currency.
    pub price_micros: u64,
    /// How often it fails: mean failures in a day, in millionths.
    pub failures_ppm: u32,
}

impl Cluster {
    /// GPUs of all nodes.
    pub fn gpus(&self) -> u64 {
        self.nodes.iter().map(|node| u64::from(node.spec.gpus)).sum()
    }
}
