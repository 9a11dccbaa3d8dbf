//! Where a gang could go soonest if everything on its nodes ran to its limit: the nodes a
//! claim holds.

use fixedbitset::FixedBitSet;
use muster_model::{NodeId, Time};

use crate::dense::DomainId;
use crate::snapshot::Sight;
use crate::state::capacity::Capacity;
use crate::state::demand::Demand;
use crate::state::node::Node;
use crate::state::shape::Shape;
use crate::state::topology::ROOT;

/// Nodes that will hold a gang, and when they will have drained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Drain {
    pub(crate) ready: Time,
    pub(crate) nodes: Vec<NodeId>,
}

/// A look for nodes to drain.
struct Look<'a> {
    capacity: &'a Capacity,
    demand: &'a Demand,
    eligible: Option<&'a FixedBitSet>,
    node_depth: u8,
    /// Nodes held for others count as well: would it ever fit?
    with_claimed: bool,
}

/// The soonest drain for a shape by one of its alternatives (as bits).
pub(crate) fn soonest(
    capacity: &Capacity,
    shape: &Shape,
    alternatives: u64,
    node_depth: u8,
    with_claimed: bool,
) -> Option<Drain> {
    let demand = &shape.demand;
    let eligible = shape.eligible.last().map(|(_, set)| set);
    let look = Look { capacity, demand, eligible, node_depth, with_claimed };
    let mut best: Option<Drain> = None;
    for index in 0..demand.alternatives.len() {
        if alternatives >> index & 1 == 0 {
            continue;
        }
        let found = if demand.one_node { look.one_node(index) } else { look.one_domain(index) };
        if let Some(found) = found
            && best.as_ref().is_none_or(|best| found.ready < best.ready)
        {
            best = Some(found);
        }
    }
    best
}

impl Look<'_> {
    /// Whether a node can be waited for.
    fn counts(&self, node: &Node) -> bool {
        node.sight == Sight::Seen
            && !node.drained
            && (self.with_claimed || node.claimed.is_none())
            && self.eligible.is_none_or(|set| set.contains(node.id.index()))
    }

    fn ready(&self, node: &Node) -> Time {
        node.drains_at(self.capacity.now).max(node.rests_until)
    }

    fn one_node(&self, alternative: usize) -> Option<Drain> {
        let models = &self.demand.alternatives[alternative].models;
        let holds_all = |node: &&Node| {
            self.counts(node)
                && models.iter().all(|model| *model == node.model)
                && self.demand.fits_empty(node)
        };
        let nodes = self.capacity.nodes.iter().map(|(_, node)| node);
        let node = nodes.filter(holds_all).min_by_key(|node| (self.ready(node), node.id))?;
        Some(Drain { ready: self.ready(node), nodes: vec![node.id] })
    }

    fn one_domain(&self, alternative: usize) -> Option<Drain> {
        let mut best: Option<Drain> = None;
        let mut to_visit = vec![ROOT];
        while let Some(id) = to_visit.pop() {
            let domain = &self.capacity.topology.domains[id];
            if domain.depth < self.demand.require {
                to_visit.extend(&domain.children);
                continue;
            }
            let found = self.inside(alternative, id);
            if let Some(found) = found
                && best.as_ref().is_none_or(|best| found.ready < best.ready)
            {
                best = Some(found);
            }
        }
        best
    }

    /// The nodes of one domain that drain first and together hold every group. No node serves
    /// two groups, which asks for more than is needed but never for less.
    fn inside(&self, alternative: usize, domain: DomainId) -> Option<Drain> {
        let mut chosen: Vec<NodeId> = Vec::new();
        let mut ready = self.capacity.now;
        for group in self.demand.placing_order() {
            let mut blocks = self.blocks(alternative, group, domain, &chosen);
            blocks.sort_unstable();
            let mut rest = self.demand.groups[group].tasks;
            for block in blocks {
                if rest == 0 {
                    break;
                }
                rest = rest.saturating_sub(block.tasks);
                ready = ready.max(block.ready);
                chosen.extend(block.nodes);
            }
            if rest > 0 {
                return None;
            }
        }
        chosen.sort_unstable();
        chosen.dedup();
        Some(Drain { ready, nodes: chosen })
    }

    /// What can be had piece by piece: single nodes, or for segments the nodes of one domain
    /// that together hold a block.
    fn blocks(
        &self,
        alternative: usize,
        group: usize,
        domain: DomainId,
        taken: &[NodeId],
    ) -> Vec<Block> {
        let model = self.demand.alternatives[alternative].models[group];
        let unit = self.demand.unit(self.node_depth);
        let block_depth = self.demand.segment.filter(|(_, depth)| *depth < self.node_depth);
        let mut found = Vec::new();
        let mut to_visit = vec![domain];
        while let Some(id) = to_visit.pop() {
            let here = &self.capacity.topology.domains[id];
            if let Some((block, depth)) = block_depth
                && here.depth == depth
            {
                let plain = self.nodes_below(group, model, unit, id, taken);
                found.extend(join_blocks(plain, block));
                continue;
            }
            to_visit.extend(&here.children);
            if block_depth.is_none() {
                found.extend(self.nodes_in(group, model, unit, id, taken));
            }
        }
        found
    }

    fn nodes_below(
        &self,
        group: usize,
        model: crate::dense::ModelId,
        unit: u32,
        domain: DomainId,
        taken: &[NodeId],
    ) -> Vec<Block> {
        let mut found = Vec::new();
        let mut to_visit = vec![domain];
        while let Some(id) = to_visit.pop() {
            to_visit.extend(&self.capacity.topology.domains[id].children);
            found.extend(self.nodes_in(group, model, unit, id, taken));
        }
        found
    }

    fn nodes_in(
        &self,
        group: usize,
        model: crate::dense::ModelId,
        unit: u32,
        domain: DomainId,
        taken: &[NodeId],
    ) -> Vec<Block> {
        let nodes = self.capacity.topology.domains[domain].nodes.iter();
        nodes
            .map(|&id| &self.capacity.nodes[id])
            .filter(|node| node.model == model && self.counts(node) && !taken.contains(&node.id))
            .filter_map(|node| {
                let tasks = node.capacity_empty(&self.demand.groups[group], unit);
                let ready = self.ready(node);
                (tasks > 0).then(|| Block { ready, tasks, nodes: vec![node.id] })
            })
            .collect()
    }
}

/// Nodes that hold so many tasks once they have drained; ordered by when that is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Block {
    ready: Time,
    tasks: u32,
    nodes: Vec<NodeId>,
}

/// Joins nodes, soonest first, into groups that hold one block each.
fn join_blocks(mut nodes: Vec<Block>, block: u32) -> Vec<Block> {
    nodes.sort_unstable();
    let mut blocks = Vec::new();
    let mut open = Block { ready: Time(0), tasks: 0, nodes: Vec::new() };
    for node in nodes {
        open.ready = open.ready.max(node.ready);
        open.tasks += node.tasks;
        open.nodes.extend(node.nodes);
        if open.tasks >= block {
            let rest = Block { ready: Time(0), tasks: 0, nodes: Vec::new() };
            let mut full = std::mem::replace(&mut open, rest);
            full.tasks = full.tasks / block * block;
            blocks.push(full);
        }
    }
    blocks
}
