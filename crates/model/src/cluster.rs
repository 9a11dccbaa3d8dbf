//! The cluster as it is configured: levels, models, classes, queues, teams, pools, policy.

mod build;
mod validate;

use serde::{Deserialize, Serialize};

use crate::class::Class;
use crate::gpu::GpuModel;
use crate::name::Name;
use crate::people::Team;
use crate::policy::Policy;
use crate::pool::{Pool, Region};
use crate::queue::QueueSpec;
use crate::window::Window;

/// Everything about a cluster but its nodes and jobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct ClusterSpec {
    /// The levels of the topology tree, widest first, above the node.
    pub levels: Vec<Name>,
    /// The GPU models that may appear.
    pub gpu_models: Vec<GpuModel>,
    /// The classes.
    pub classes: Vec<Class>,
    /// The queues, parents before children.
    pub queues: Vec<QueueSpec>,
    /// The teams.
    pub teams: Vec<Team>,
    /// The regions.
    pub regions: Vec<Region>,
    /// The pools.
    pub pools: Vec<Pool>,
    /// The windows.
    pub windows: Vec<Window>,
    /// The policy.
    pub policy: Policy,
}

impl Default for ClusterSpec {
    fn default() -> Self {
        ClusterSpec {
            levels: Vec::new(),
            gpu_models: GpuModel::known(),
            classes: Class::defaults(),
            queues: vec![QueueSpec::new("default")],
            teams: Vec::new(),
            regions: Vec::new(),
            pools: Vec::new(),
            windows: Vec::new(),
            policy: Policy::default(),
        }
    }
}
