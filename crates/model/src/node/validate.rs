//! What makes a node acceptable: it has what it says, and stands where the cluster has places.

use crate::bound::{CPUS_MAX, LABELS_MAX, MEMORY_MAX};
use crate::cluster::ClusterSpec;
use crate::error::Invalid;
use crate::field::Field;
use crate::known::{Kind, Known};
use crate::link::{GPUS_PER_NODE_MAX, GpuSet, NodeLinks};
use crate::name::quoted;
use crate::node::NodeSpec;
use crate::problems::Problems;
use crate::unit::{Mib, MilliCpu};

impl NodeSpec {
    /// Everything wrong with the node in this cluster.
    ///
    /// ```
    /// use muster_model::{ClusterSpec, NodeSpec};
    ///
    /// let cluster = ClusterSpec::default().levels(["rack"]);
    /// let node = NodeSpec::new("node-1", "H100", 8).domains(["rack-1"]);
    /// assert_eq!(node.validate(&cluster), Ok(()));
    ///
    /// let problems = NodeSpec::new("node-1", "h100", 8).validate(&cluster).unwrap_err();
    /// assert_eq!(problems[0].meant.as_deref(), Some("H100"));
    /// assert_eq!(
    ///     problems[1].to_string(),
    ///     "domains: 0 domains is not allowed; expected one per level: rack"
    /// );
    /// ```
    pub fn validate(&self, cluster: &ClusterSpec) -> Result<(), Vec<Invalid>> {
        let mut problems = Problems::default();
        let node = Field::WHOLE;
        problems.name(&node.field("name"), &self.name);
        if problems.range(&node.field("gpus"), self.gpus, 0..=GPUS_PER_NODE_MAX) {
            self.check_model(cluster, &node.field("gpu_model"), &mut problems);
            let all = GpuSet::first(self.gpus);
            check_links(&self.links, all, &node.field("links"), &mut problems);
        }
        problems.range(&node.field("cpus"), self.cpus, MilliCpu(1)..=CPUS_MAX);
        problems.range(&node.field("memory"), self.memory, Mib(1)..=MEMORY_MAX);
        let suspend_memory = node.field("suspend_memory");
        problems.range(&suspend_memory, self.suspend_memory, Mib::ZERO..=MEMORY_MAX);
        self.check_domains(cluster, &node.field("domains"), &mut problems);
        let pools = || cluster.pools.iter().map(|pool| pool.name.as_str());
        let missing =
            self.pool.as_ref().filter(|name| !pools().any(|known| known == name.as_str()));
        if let Some(pool) = missing {
            problems.unknown(&node.field("pool"), pool.as_str(), "pools", pools());
        }
        self.check_labels(&node.field("labels"), &mut problems);
        problems.result()
    }

    fn check_model(&self, cluster: &ClusterSpec, field: &Field<'_>, problems: &mut Problems) {
        let gpus = self.gpus;
        match &self.gpu_model {
            None => {
                let allowed = format!("expected the model of the node's {gpus} GPUs");
                problems.holds(gpus == 0, field, || "no model".to_owned(), allowed);
            }
            Some(model) if gpus == 0 => {
                let allowed = "expected no model: the node has no GPUs";
                problems.add(Invalid::new(field.to_string(), quoted(model.as_str()), allowed));
            }
            Some(model) if !cluster.model(model) => {
                let names = cluster.names(Kind::Model);
                problems.unknown(field, model.as_str(), Kind::Model.plural(), names);
            }
            Some(_) => {}
        }
    }

    fn check_domains(&self, cluster: &ClusterSpec, field: &Field<'_>, problems: &mut Problems) {
        if self.domains.len() != cluster.levels.len() {
            let allowed = match cluster.names(Kind::Level).join(", ") {
                levels if levels.is_empty() => {
                    "expected none: the cluster has no levels".to_owned()
                }
                levels => format!("expected one per level: {levels}"),
            };
            let value = match self.domains.len() {
                1 => "1 domain".to_owned(),
                count => format!("{count} domains"),
            };
            problems.add(Invalid::new(field.to_string(), value, allowed));
            return;
        }
        for (index, domain) in self.domains.iter().enumerate() {
            problems.name(&field.at(index), domain);
        }
    }

    fn check_labels(&self, field: &Field<'_>, problems: &mut Problems) {
        if !problems.length(field, "labels", self.labels.len(), 0..=LABELS_MAX) {
            return;
        }
        for (label, value) in &self.labels {
            problems.name(field, label);
            problems.name(&field.field(label.as_str()), value);
        }
    }
}

fn check_links(links: &NodeLinks, all: GpuSet, field: &Field<'_>, problems: &mut Problems) {
    let layers = [("nvlink", &links.nvlink), ("pcie", &links.pcie), ("numa", &links.numa)];
    for (name, groups) in layers {
        let layer = field.field(name);
        let mut taken = GpuSet::EMPTY;
        for (index, group) in groups.iter().enumerate() {
            let at = layer.at(index);
            let outside = group.minus(all);
            let repeated = group.and(taken);
            if group.is_empty() {
                problems.add(Invalid::new(at.to_string(), "no GPU", "expected at least 1"));
            } else if !outside.is_empty() {
                let allowed = format!("expected GPUs of this node, which has {}", all.count());
                problems.add(Invalid::new(at.to_string(), listed(outside), allowed));
            } else if !repeated.is_empty() {
                let allowed = "expected each GPU in one group of a layer";
                problems.add(Invalid::new(at.to_string(), listed(repeated), allowed));
            }
            taken = taken.or(*group);
        }
    }
}

fn listed(gpus: GpuSet) -> String {
    let numbers: Vec<_> = gpus.iter().map(|gpu| gpu.to_string()).collect();
    format!("GPU {}", numbers.join(", "))
}

#[cfg(test)]
mod tests;
