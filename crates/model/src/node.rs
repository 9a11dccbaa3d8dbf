//! A node as its agent declares it when it joins.

mod build;
mod validate;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::link::NodeLinks;
use crate::name::Name;
use crate::share::Sharing;
use crate::unit::{Mib, MilliCpu};

/// What a node has. One GPU model per node; a node without GPUs has `gpus` 0 and no model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeSpec {
    /// The node's name, unique in the cluster.
    pub name: Name,
    /// Number of GPUs.
    #[serde(default)]
    pub gpus: u32,
    /// Which model they are.
    #[serde(default)]
    pub gpu_model: Option<Name>,
    /// How the GPUs are wired.
    #[serde(default)]
    pub links: NodeLinks,
    /// How its GPUs can be shared.
    #[serde(default)]
    pub sharing: Sharing,
    /// CPUs offered to tasks.
    pub cpus: MilliCpu,
    /// Memory offered to tasks.
    pub memory: Mib,
    /// Host memory set aside for the state of suspended work.
    #[serde(default)]
    pub suspend_memory: Mib,
    /// The domain of each level that holds this node, widest level first, one name per level
    /// of the cluster's topology.
    #[serde(default)]
    pub domains: Vec<Name>,
    /// The pool this node belongs to.
    #[serde(default)]
    pub pool: Option<Name>,
    /// Free-form labels that constraints match.
    #[serde(default)]
    pub labels: BTreeMap<Name, Name>,
}
