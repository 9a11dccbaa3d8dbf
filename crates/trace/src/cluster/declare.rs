//! From a cluster to the types of the model: the configuration, and each node as it joins.

use muster_model::{ClusterSpec, GpuModel, Invalid, NodeSpec};

use super::{Cluster, refuse};
use crate::error::TraceError;

/// A cluster in the model's types, valid together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Levels, GPU models and pools; queues, classes and policy are the defaults, for the caller
    /// to change.
    pub spec: ClusterSpec,
    /// The nodes, in order.
    pub nodes: Vec<NodeSpec>,
}

impl Cluster {
    /// The cluster as the model has it, or the first thing that the model does not accept.
    pub fn declare(&self) -> Result<Declared, TraceError> {
        let mut gpu_models = self.models.clone();
        let is_new = |known: &GpuModel| !self.models.iter().any(|model| model.name == known.name);
        gpu_models.extend(GpuModel::known().into_iter().filter(is_new));
        let spec = ClusterSpec {
            levels: self.levels.clone(),
            gpu_models,
            pools: self.pools.clone(),
            ..ClusterSpec::default()
        };
        spec.validate().map_err(|problems| self.refused("", &problems))?;
        let nodes: Vec<NodeSpec> = self.nodes.iter().map(|node| node.spec.clone()).collect();
        for node in &nodes {
            let place = format!("{}: ", node.name);
            node.validate(&spec).map_err(|problems| self.refused(&place, &problems))?;
        }
        Ok(Declared { spec, nodes })
    }

    fn refused(&self, place: &str, problems: &[Invalid]) -> TraceError {
        let Some(first) = problems.first() else {
            unreachable!("a refusal has at least one problem")
        };
        let Invalid { field, value, allowed, meant } = first;
        let hint = match meant {
            Some(meant) => format!("did you mean {meant}?"),
            None => allowed.clone(),
        };
        refuse(&self.name, format!("{place}{field}: {value} is not allowed"), hint)
    }
}
