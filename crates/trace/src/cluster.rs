//! The cluster a workload runs on: nodes with their prices and failures, pools, queues, topology.
//! It is read from a line, a file or what came with a trace, and declared in the model's types.
//!
//! ```
//! use std::path::Path;
//!
//! use muster_trace::Cluster;
//!
//! let cluster = Cluster::find("64x8:V100/rack=8/block=4", Path::new("traces"))?;
//! assert_eq!((cluster.nodes.len(), cluster.gpus()), (64, 512));
//! let declared = cluster.declare()?;
//! assert_eq!(declared.nodes[63].domains[1].as_str(), "rack-8");
//! # Ok::<(), muster_trace::TraceError>(())
//! ```

mod declare;
mod file;
mod group;
mod known;
mod line;
mod table;

use std::path::Path;

use muster_model::bound::QUEUE_WEIGHT_MAX;
use muster_model::{GpuModel, MilliGpu, Name, NodeSpec, Pool};

use crate::error::TraceError;
use crate::job::Text;

pub use declare::Declared;

/// Where the public traces lie beside a checkout of Muster; a user may name another folder.
pub const TRACES_FOLDER: &str = "../shared/traces";

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
    /// What teams are guaranteed, for those who tell teams apart.
    pub queues: Vec<Queue>,
    /// Its nodes. A node in a pool also carries the label `pool`, so that constraints match it.
    pub nodes: Vec<Node>,
}

/// The queue of a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queue {
    /// The team as traces call it.
    pub team: Text,
    /// What it can always have.
    pub guarantee: MilliGpu,
    /// Its part of what is shared, relative to the others.
    pub weight: u32,
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
    /// The cluster that is meant by a text: one that came with a public trace, found in the
    /// folder; a file; or a line such as `135x8:H100`.
    pub fn find(text: &str, traces: &Path) -> Result<Cluster, TraceError> {
        if let Some(known) = known::find(text) {
            return known.read(traces);
        }
        match Path::new(text).extension().and_then(|extension| extension.to_str()) {
            Some("toml") => file::read_toml(Path::new(text)),
            Some("json") => file::read_json(Path::new(text)),
            Some("csv" | "gz" | "zst") => table::read(text, Path::new(text)),
            _ => line::read(text),
        }
    }

    /// GPUs of all nodes.
    pub fn gpus(&self) -> u64 {
        self.nodes.iter().map(|node| u64::from(node.spec.gpus)).sum()
    }

    /// The same cluster as one whole, without pools. Whose the pools were is guaranteed as much.
    #[must_use]
    pub fn merged(mut self) -> Cluster {
        let queues: Vec<Queue> = self.pools.iter().map(|pool| self.queue_of(pool)).collect();
        self.queues.extend(queues);
        self.pools.clear();
        for node in &mut self.nodes {
            node.spec.pool = None;
            node.spec.labels.remove(&Name::from(POOL_LABEL));
        }
        self
    }
}

impl Cluster {
    /// A queue with as much as a pool has.
    fn queue_of(&self, pool: &Pool) -> Queue {
        let nodes = self.nodes.iter().filter(|node| node.spec.pool.as_ref() == Some(&pool.name));
        let gpus: u64 = nodes.map(|node| u64::from(node.spec.gpus)).sum();
        let weight = u32::try_from(gpus).unwrap_or(QUEUE_WEIGHT_MAX).clamp(1, QUEUE_WEIGHT_MAX);
        Queue { team: Text::from(pool.name.as_str()), guarantee: MilliGpu::whole(gpus), weight }
    }
}

/// The label by which constraints find the nodes of a pool.
pub const POOL_LABEL: &str = "pool";

fn refuse(text: &str, reason: impl Into<String>, hint: impl Into<String>) -> TraceError {
    TraceError::Cluster { text: text.to_owned(), reason: reason.into(), hint: hint.into() }
}

#[cfg(test)]
mod tests;
