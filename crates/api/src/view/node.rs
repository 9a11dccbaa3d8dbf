//! Nodes, queues, events and the cluster as people see them.

use muster_engine::snapshot::Sight;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::moment::Moment;

/// One node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NodeView {
    /// Its name.
    pub name: String,
    /// Whether it can be seen and used.
    pub state: NodeState,
    /// Whether an operator keeps new work off.
    pub drained: bool,
    /// GPUs it has.
    pub gpus: u32,
    /// Their model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gpu_model: Option<String>,
    /// Thousandths of GPUs that are allocated.
    pub gpus_used_milli: u64,
    /// GPUs that report errors, by index.
    pub unhealthy: Vec<u32>,
    /// Thousandths of CPUs offered to tasks.
    pub cpus_milli: u64,
    /// Thousandths of CPUs that are allocated.
    #[serde(default)]
    pub cpus_used_milli: u64,
    /// Memory offered to tasks, in MiB.
    pub memory_mib: u64,
    /// Memory that is allocated, in MiB.
    #[serde(default)]
    pub memory_used_mib: u64,
    /// The domains that hold it, widest first.
    pub domains: Vec<String>,
    /// Its pool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<String>,
    /// Its labels as `name=value`.
    pub labels: Vec<String>,
    /// Jobs that hold something on it.
    pub jobs: Vec<u64>,
    /// When its lease ends, while it cannot be seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub lease_ends: Option<Moment>,
}

/// Whether a node can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NodeState {
    /// It can.
    Up,
    /// It cannot, and its tasks may run until its lease ends.
    Unknown,
    /// Its lease has ended: nothing of ours runs there.
    Gone,
}

impl From<Sight> for NodeState {
    fn from(sight: Sight) -> NodeState {
        match sight {
            Sight::Seen => NodeState::Up,
            Sight::Unknown { .. } => NodeState::Unknown,
            Sight::Gone => NodeState::Gone,
        }
    }
}

/// One queue and its books.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QueueView {
    /// Its full name.
    pub name: String,
    /// Its weight.
    pub weight: u32,
    /// Thousandths of GPUs it is guaranteed, or those below it are together where that is more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guarantee_milli: Option<u64>,
    /// Thousandths of GPUs it may have at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_milli: Option<u64>,
    /// Thousandths of GPUs it uses.
    pub used_milli: u64,
    /// Thousandths of GPUs it uses beyond its guarantee.
    #[serde(default)]
    pub borrowed_milli: u64,
    /// Thousandths of GPUs of its guarantee that its siblings use.
    #[serde(default)]
    pub lent_milli: u64,
    /// The part of the cluster that its weight entitles it to, in millionths.
    #[serde(default)]
    pub share_ppm: u32,
    /// Its part of what was used lately, in millionths; what is long past counts for less.
    #[serde(default)]
    pub usage_ppm: u32,
    /// Jobs that run.
    pub running: u64,
    /// Jobs that wait.
    pub pending: u64,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EventView {
    /// Its place in the order of all events.
    pub id: u64,
    /// When.
    #[schema(value_type = String)]
    pub at: Moment,
    /// What kind: `job` or `node` and what became of it.
    pub kind: String,
    /// The job it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job: Option<u64>,
    /// The node it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// What happened, in words.
    pub text: String,
}

/// Why a job is where it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WhyView {
    /// The job.
    pub job: u64,
    /// The answer in words, as the command line shows it.
    pub text: String,
    /// The answer as data: reasons, estimates, alternatives.
    #[schema(value_type = Object)]
    pub why: serde_json::Value,
    /// Why it got the place it got, once it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub decision: Option<serde_json::Value>,
}

/// The cluster at a glance.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClusterView {
    /// Nodes that can be seen.
    pub nodes: u64,
    /// Nodes that cannot.
    pub nodes_unseen: u64,
    /// GPUs of nodes that can be seen.
    pub gpus: u64,
    /// Thousandths of GPUs that are allocated.
    pub gpus_used_milli: u64,
    /// Jobs that wait.
    pub pending: u64,
    /// Jobs that hold GPUs or are about to.
    pub active: u64,
    /// Jobs that have ended since the cluster began.
    pub ended: u64,
    /// The last entry of the journal.
    pub sequence: u64,
}

impl ClusterView {
    /// Counts a node in, with its GPUs and how many thousandths of them are used.
    pub fn add_node(&mut self, state: NodeState, gpus: u32, used_milli: u64) {
        let is_up = state == NodeState::Up;
        self.nodes += u64::from(is_up);
        self.nodes_unseen += u64::from(!is_up);
        self.gpus += if is_up { u64::from(gpus) } else { 0 };
        self.gpus_used_milli += used_milli;
    }
}
