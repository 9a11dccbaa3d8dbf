//! From a cluster to the types of the model: the configuration, and each node as it joins.

use muster_model::{ClusterSpec, GpuModel, Invalid, NodeSpec};

use super::Cluster;

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
    /// The cluster as the model has it, or the first thing the model does not accept.
    pub fn declare(&self) -> Result<Declared, Vec<Invalid>> {
        let mut gpu_models = self.models.clone();
        let is_new = |known: &GpuModel| !self.models.iter().any(|model| model.name == known.name);
        gpu_models.extend(GpuModel::known().into_iter().filter(is_new));
        let spec = ClusterSpec {
            levels: self.levels.clone(),
            gpu_models,
            pools: self.pools.clone(),
            ..ClusterSpec::default()
        };
        spec.validate()?;
        let nodes: Vec<NodeSpec> = self.nodes.iter().map(|node| node.spec.clone()).collect();
        for node in &nodes {
            node.validate(&spec)?;
        }
        Ok(Declared { spec, nodes })
    }
}
