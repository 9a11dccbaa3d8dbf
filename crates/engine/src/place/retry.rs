//! Which shapes are worth trying again after room was made.
//!
//! A shape that failed can fit only with the help of a node where room was made since: on that
//! node alone if it needs one node, or else in a domain around it. Everything here is a
//! necessary condition, so that nothing that would fit is ever passed over.

use muster_model::NodeId;

use crate::place::domains::tasks;
use crate::state::capacity::Capacity;
use crate::state::demand::GroupDemand;
use crate::state::shape::Shape;

/// Those of the failed alternatives (as bits) that the freed nodes could help.
pub(crate) fn helped(capacity: &Capacity, shape: &Shape, failed: u64, freed: &[NodeId]) -> u64 {
    let demand = &shape.demand;
    let mut helped = 0;
    for index in 0..demand.alternatives.len() {
        let is_failed = failed >> index & 1 == 1;
        if is_failed && freed.iter().any(|&node| helps(capacity, shape, index, node)) {
            helped |= 1 << index;
        }
    }
    helped
}

/// Whether a task of a shape could go on one of the freed nodes. For a job that has nodes of its
/// own held for it, that may be all that was missing.
pub(crate) fn touches(capacity: &Capacity, shape: &Shape, freed: &[NodeId]) -> bool {
    let least = shape.demand.least();
    let offers = freed.iter().filter_map(|&node| capacity.nodes[node].offer());
    offers.into_iter().any(|offer| offer.covers(&least))
}

fn helps(capacity: &Capacity, shape: &Shape, alternative: usize, id: NodeId) -> bool {
    let demand = &shape.demand;
    let node = &capacity.nodes[id];
    let Some(free) = node.counted else { return false };
    if shape.eligible.last().is_some_and(|(_, set)| !set.contains(id.index())) {
        return false;
    }
    if shape.pin.as_ref().is_some_and(|pin| pin.iter().all(|(node, _)| *node != id)) {
        return false;
    }
    let models = &demand.alternatives[alternative].models;
    let mut groups = demand.groups.iter().zip(models).filter(|(_, model)| **model == node.model);
    if demand.one_node {
        // Any model but this node's would need another node.
        return u64::from(free) >= demand.gpus
            && groups.all(|(group, _)| node.capacity(group, 1) >= group.tasks);
    }
    let holds_one = |(group, _): (&GroupDemand, _)| match group.share {
        None => free >= group.gpus,
        Some(_) => node.capacity(group, 1) > 0,
    };
    if !groups.any(holds_one) {
        return false;
    }
    let domain = capacity.topology.ancestor(node.leaf, demand.require);
    let domain = &capacity.topology.domains[domain];
    (demand.groups.iter().zip(models))
        .all(|(group, &model)| tasks(domain, group, model, 1) >= u64::from(group.tasks))
}
