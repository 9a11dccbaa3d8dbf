//! Writing a node in a line: what a typical node of its kind has, changed where it differs.

use std::collections::BTreeMap;

use crate::link::{GPUS_PER_NODE_MAX, NodeLinks};
use crate::name::Name;
use crate::node::NodeSpec;
use crate::share::Sharing;
use crate::unit::{Mib, MilliCpu};

/// CPUs that a typical GPU server has for each GPU.
const CPUS_PER_GPU: u64 = 16;

/// Memory that a typical GPU server has for each GPU.
const GIB_PER_GPU: u64 = 128;

impl NodeSpec {
    /// A node with `gpus` GPUs of `model` behind an NVSwitch, and 16 CPUs and 128 GiB for each.
    ///
    /// ```
    /// use muster_model::{Mib, NodeSpec};
    ///
    /// let node = NodeSpec::new("node-1", "H100", 8)
    ///     .domains(["zone-a", "rack-1"])
    ///     .label("disk", "fast");
    /// assert_eq!(node.gpus, 8);
    /// assert_eq!(node.memory, Mib::gib(1024));
    /// ```
    pub fn new(name: &str, model: &str, gpus: u32) -> NodeSpec {
        NodeSpec {
            name: Name::from(name),
            gpus,
            gpu_model: Some(Name::from(model)),
            links: NodeLinks::nvswitch(gpus.min(GPUS_PER_NODE_MAX)),
            sharing: Sharing::default(),
            cpus: MilliCpu::whole(CPUS_PER_GPU * u64::from(gpus)),
            memory: Mib::gib(GIB_PER_GPU * u64::from(gpus)),
            suspend_memory: Mib::ZERO,
            domains: Vec::new(),
            pool: None,
            labels: BTreeMap::new(),
        }
    }

    /// A node without GPUs.
    pub fn without_gpus(name: &str, cpus: u64, memory: Mib) -> NodeSpec {
        NodeSpec {
            gpu_model: None,
            cpus: MilliCpu::whole(cpus),
            memory,
            ..NodeSpec::new(name, "", 0)
        }
    }

    /// With so many whole CPUs.
    #[must_use]
    pub fn cpus(mut self, cpus: u64) -> NodeSpec {
        self.cpus = MilliCpu::whole(cpus);
        self
    }

    /// With so much memory.
    #[must_use]
    pub fn memory(mut self, memory: Mib) -> NodeSpec {
        self.memory = memory;
        self
    }

    /// With so much host memory for the state of suspended work.
    #[must_use]
    pub fn suspend_memory(mut self, memory: Mib) -> NodeSpec {
        self.suspend_memory = memory;
        self
    }

    /// With GPUs that can be shared in these ways.
    #[must_use]
    pub fn sharing(mut self, sharing: Sharing) -> NodeSpec {
        self.sharing = sharing;
        self
    }

    /// Wired like this.
    #[must_use]
    pub fn links(mut self, links: NodeLinks) -> NodeSpec {
        self.links = links;
        self
    }

    /// In these domains, widest level first.
    #[must_use]
    pub fn domains<'a>(mut self, domains: impl IntoIterator<Item = &'a str>) -> NodeSpec {
        self.domains = domains.into_iter().map(Name::from).collect();
        self
    }

    /// In this pool.
    #[must_use]
    pub fn pool(mut self, pool: &str) -> NodeSpec {
        self.pool = Some(Name::from(pool));
        self
    }

    /// With one more label.
    #[must_use]
    pub fn label(mut self, label: &str, value: &str) -> NodeSpec {
        self.labels.insert(Name::from(label), Name::from(value));
        self
    }
}
