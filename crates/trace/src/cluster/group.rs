//! Groups of like nodes: what lines and files are made of, and how they become nodes.

use std::collections::BTreeMap;

use muster_model::{Mib, MilliCpu, Name, NodeLinks, NodeSpec, Pool};

use super::{Cluster, Node, POOL_LABEL, refuse};
use crate::error::TraceError;

/// The most nodes of a cluster: a hundred times the largest there is.
pub(super) const NODES_MAX: u32 = 1 << 20;

/// The most GPUs of a node, as in the model.
pub(super) const GPUS_MAX: u32 = muster_model::link::GPUS_PER_NODE_MAX;

/// Millionths.
const MICROS: u64 = 1_000_000;

/// Like nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) count: u32,
    pub(super) gpus: u32,
    pub(super) model: String,
    /// CPUs and memory of one node; those of a typical node where nothing is said.
    pub(super) cpus: Option<MilliCpu>,
    pub(super) memory: Option<Mib>,
    pub(super) links: Option<Links>,
    pub(super) pool: Option<String>,
    pub(super) price_micros: u64,
    pub(super) failures_ppm: u32,
    /// Levels from the lowest up: how many nodes make a rack, how many racks a block.
    pub(super) levels: Vec<(String, u32)>,
}

/// How the GPUs of a node are wired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Links {
    NvSwitch,
    Pairs,
    Pcie,
}

impl Links {
    pub(super) fn find(text: &str) -> Option<Links> {
        Some(match text {
            "nvswitch" => Links::NvSwitch,
            "pairs" => Links::Pairs,
            "pcie" => Links::Pcie,
            _ => return None,
        })
    }

    fn wire(self, gpus: u32) -> NodeLinks {
        match self {
            Links::NvSwitch => NodeLinks::nvswitch(gpus),
            Links::Pairs => NodeLinks::pairs(gpus),
            Links::Pcie => NodeLinks::pcie(gpus),
        }
    }
}

impl Group {
    /// Typical nodes without a place.
    pub(super) fn new(count: u32, gpus: u32, model: &str) -> Group {
        Group {
            count,
            gpus,
            model: model.to_owned(),
            cpus: None,
            memory: None,
            links: None,
            pool: None,
            price_micros: 0,
            failures_ppm: 0,
            levels: Vec::new(),
        }
    }

    /// One of its nodes.
    pub(super) fn node(&self, name: &str) -> Node {
        let mut spec = match self.gpus {
            0 => NodeSpec::without_gpus(name, 1, Mib(1)),
            gpus => NodeSpec::new(name, &self.model, gpus),
        };
        if let Some(links) = self.links {
            // A node with more GPUs than there can be is refused when it is declared.
            spec.links = links.wire(self.gpus.min(GPUS_MAX));
        }
        spec.cpus = self.cpus.unwrap_or(spec.cpus);
        spec.memory = self.memory.unwrap_or(spec.memory);
        if let Some(pool) = &self.pool {
            spec = spec.pool(pool).label(POOL_LABEL, pool);
        }
        Node { spec, price_micros: self.price_micros, failures_ppm: self.failures_ppm }
    }
}

/// The nodes of these groups, numbered through, each group in domains of its own.
pub(super) fn assemble(name: &str, groups: &[Group]) -> Result<Cluster, TraceError> {
    let total: u64 = groups.iter().map(|group| u64::from(group.count)).sum();
    if total == 0 || total > u64::from(NODES_MAX) {
        let reason = format!("it has {total} nodes");
        return Err(refuse(name, reason, format!("a cluster has 1 to {NODES_MAX} nodes")));
    }
    let names = |group: &Group| -> Vec<String> {
        group.levels.iter().map(|(level, _)| level.clone()).collect()
    };
    let levels = groups.first().map(names).unwrap_or_default();
    if let Some(other) = groups.iter().find(|group| names(group) != levels) {
        let reason = format!("one part has the levels [{}]", levels.join(", "));
        let reason = format!("{reason}, another [{}]", names(other).join(", "));
        return Err(refuse(name, reason, "give every part the same levels in the same order"));
    }
    let mut nodes = Vec::new();
    let mut begun = vec![0; levels.len()];
    let width = total.to_string().len();
    for group in groups {
        let mut used = begun.clone();
        for index in 0..group.count {
            let mut node = group.node(&format!("node-{:0width$}", nodes.len() + 1));
            let mut place = u64::from(index);
            for (at, (level, size)) in group.levels.iter().enumerate() {
                place /= u64::from(*size);
                let number = begun[at] + place + 1;
                used[at] = number;
                node.spec.domains.push(Name::from(format!("{level}-{number}").as_str()));
            }
            node.spec.domains.reverse();
            nodes.push(node);
        }
        begun = used;
    }
    let levels = levels.iter().rev().map(|level| Name::from(level.as_str())).collect();
    let pools = pools(&nodes);
    Ok(Cluster {
        name: name.to_owned(),
        levels,
        models: Vec::new(),
        pools,
        queues: Vec::new(),
        nodes,
    })
}

/// The pools of these nodes in order of appearance, each as large as it is.
pub(super) fn pools(nodes: &[Node]) -> Vec<Pool> {
    let mut order = Vec::new();
    let mut found: BTreeMap<Name, Pool> = BTreeMap::new();
    for node in nodes {
        let Some(name) = &node.spec.pool else { continue };
        let pool = found.entry(name.clone()).or_insert_with(|| {
            order.push(name.clone());
            Pool {
                name: name.clone(),
                region: None,
                min: 0,
                max: 0,
                price_micros: node.price_micros,
                spot: false,
            }
        });
        pool.max += 1;
        pool.min = pool.max;
    }
    order.iter().filter_map(|name| found.remove(name)).collect()
}

/// A decimal number in millionths, such as a price: `2.5` is 2,500,000.
pub(super) fn millionths(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let has_digits = !whole.is_empty() || !fraction.is_empty();
    if !has_digits || !is_digits(whole) || !is_digits(fraction) || fraction.len() > 6 {
        return None;
    }
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let fraction: u64 = format!("{fraction:0<6}").parse().ok()?;
    whole.checked_mul(MICROS)?.checked_add(fraction)
}
