//! How much of a gang fits where: the numbers behind a reason. Taken from the index where that
//! already shows that there is no room, and counted node by node where it does not.

use muster_model::NodeId;

use crate::dense::{DomainId, Key};
use crate::place::{Search, domains};
use crate::state::capacity::Capacity;
use crate::state::demand::GroupDemand;
use crate::state::node::Node;
use crate::state::topology::ROOT;

/// What fits of the tightest group of a gang.
#[derive(Clone, Debug)]
pub(crate) struct Measure {
    /// Tasks of the group.
    pub(crate) tasks: u32,
    /// Nodes that match by model and constraint and can be seen.
    pub(crate) nodes: u32,
    /// Whether its tasks use GPUs at all.
    pub(crate) uses_gpus: bool,
    /// GPUs wanted of the group's model, by all groups together.
    pub(crate) gpus_wanted: u64,
    /// GPUs free on matching nodes.
    pub(crate) gpus_free: u64,
    /// The part of a GPU its tasks need, in milli-GPU, and the node with the largest that is free.
    pub(crate) share: Option<(u32, Option<(u32, NodeId)>)>,
    /// Tasks that fit by GPUs alone, in the whole cluster.
    pub(crate) fit_by_gpus: u32,
    /// Tasks that fit in the whole cluster with their CPUs and memory.
    pub(crate) fit: u32,
    /// The place of the required level where most fit, and how many.
    pub(crate) best: (Spot, u32),
}

/// A domain, or a single node where the level is the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spot {
    Domain(DomainId),
    Node(NodeId),
}

/// How much of a node to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    Now,
    ByGpus,
}

/// A look at one group of a gang.
struct Look<'a> {
    capacity: &'a Capacity,
    search: &'a Search<'a>,
    group: usize,
}

/// Measures the group of a gang that fits worst.
pub(crate) fn measure(capacity: &Capacity, search: &Search<'_>) -> Measure {
    let measures =
        (0..search.demand.groups.len()).map(|group| Look { capacity, search, group }.measure());
    let short = |measure: &Measure| i64::from(measure.best.1) - i64::from(measure.tasks);
    measures.min_by_key(short).expect("a gang has a group")
}

impl Look<'_> {
    fn measure(&self) -> Measure {
        let tasks = self.demand().tasks;
        let (nodes, gpus_free) = self.matching();
        let by_gpus = self.best(Count::ByGpus);
        let fit_by_gpus = self.below(ROOT, Count::ByGpus);
        let short_of_gpus = by_gpus.1 < tasks;
        let best = if short_of_gpus { by_gpus } else { self.best(Count::Now) };
        let fit = if fit_by_gpus < tasks { fit_by_gpus } else { self.below(ROOT, Count::Now) };
        let uses_gpus = self.demand().gpus > 0 || self.demand().share.is_some();
        let (gpus_wanted, share) = (self.gpus_wanted(), self.share());
        Measure { tasks, nodes, uses_gpus, gpus_wanted, gpus_free, share, fit_by_gpus, fit, best }
    }

    /// The largest piece of a GPU that could be shared as the group asks.
    fn share(&self) -> Option<(u32, Option<(u32, NodeId)>)> {
        let need = self.demand().need(self.search.models[self.group])?;
        let mode = crate::state::shared::index(need.mode);
        let nodes = self.capacity.nodes.iter().map(|(_, node)| node);
        let open = nodes.filter(|node| self.matches(node) && node.counted.is_some());
        let pieces = open.map(|node| (node.largest_pieces()[mode], node.id));
        // The first node among equals.
        let largest = pieces.max_by_key(|&(milli, node)| (milli, std::cmp::Reverse(node)));
        Some((need.milli, largest.filter(|(milli, _)| *milli > 0)))
    }

    fn gpus_wanted(&self) -> u64 {
        let model = self.search.models[self.group];
        let groups = self.search.demand.groups.iter().zip(self.search.models);
        groups.filter(|(_, other)| **other == model).map(|(group, _)| group.total_gpus()).sum()
    }

    fn demand(&self) -> &GroupDemand {
        &self.search.demand.groups[self.group]
    }

    fn unit(&self) -> u32 {
        self.search.demand.unit(self.search.node_depth)
    }

    /// Nodes that match, and GPUs free on those that take new work.
    fn matching(&self) -> (u32, u64) {
        let (mut nodes, mut gpus) = (0, 0);
        for id in (0..self.capacity.nodes.len()).map(NodeId::from_index) {
            let glance = self.capacity.glance(id);
            let is_one = glance.is_usable && glance.model == self.search.models[self.group];
            let is_booked = || {
                let spans = &self.capacity.nodes[id].spans;
                !self.capacity.bookings.is_empty() && !self.search.terms.are_met(spans)
            };
            if is_one && self.search.is_eligible(id) && !is_booked() {
                nodes += 1;
                gpus += u64::from(glance.free);
            }
        }
        (nodes, gpus)
    }

    /// Whether a node is one the group could ever use while nothing about it changes.
    fn matches(&self, node: &Node) -> bool {
        node.model == self.search.models[self.group]
            && self.search.lets_in(node)
            && node.is_usable()
    }

    /// The place of the required level where most fit, the first among equals.
    fn best(&self, count: Count) -> (Spot, u32) {
        let mut best = (Spot::Domain(ROOT), 0);
        if self.search.demand.require == self.search.node_depth {
            for (id, node) in self.capacity.nodes.iter() {
                let fit = self.of_node(node, count);
                if fit > best.1 {
                    best = (Spot::Node(id), fit);
                }
            }
            return best;
        }
        for (id, domain) in self.capacity.topology.domains.iter() {
            if domain.depth == self.search.demand.require {
                let fit = self.below(id, count);
                if fit > best.1 {
                    best = (Spot::Domain(id), fit);
                }
            }
        }
        best
    }

    /// Tasks that fit below a domain, in whole segments.
    fn below(&self, id: DomainId, count: Count) -> u32 {
        let topology = &self.capacity.topology;
        // The index knows free GPUs, not how they are linked or whether their node is empty.
        let demand = self.demand();
        let is_alone = demand.exclusive || demand.apart;
        let is_plain = self.search.eligible.is_none() && !demand.nvlink && !is_alone;
        let is_plain = is_plain && demand.share.is_none() && self.capacity.bookings.is_empty();
        if count == Count::ByGpus && is_plain {
            let room = domains::room(topology, self.search, self.group, id);
            return u32::try_from(room).unwrap_or(u32::MAX);
        }
        let domain = &topology.domains[id];
        let mut fit: u32 = 0;
        for &child in &domain.children {
            fit = fit.saturating_add(self.below(child, count));
        }
        for &node in &domain.nodes {
            fit = fit.saturating_add(self.of_node(&self.capacity.nodes[node], count));
        }
        match self.search.demand.segment {
            Some((block, depth)) if depth == domain.depth => fit / block * block,
            _ => fit,
        }
    }

    fn of_node(&self, node: &Node, count: Count) -> u32 {
        if !self.matches(node) || node.counted.is_none() {
            return 0;
        }
        let demand = self.demand();
        match count {
            Count::Now => node.capacity(demand, self.unit()),
            Count::ByGpus => {
                let by_gpus = GroupDemand { cpus: 0, memory: 0, ..demand.clone() };
                node.capacity(&by_gpus, self.unit())
            }
        }
    }
}
