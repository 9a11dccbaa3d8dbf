//! Which domains of a level could hold a gang, by the index alone.

use muster_model::NodeId;

use crate::dense::{DomainId, ModelId};
use crate::place::{Search, share};
use crate::state::capacity::Capacity;
use crate::state::demand::GroupDemand;
use crate::state::domain::{Domain, slots};
use crate::state::topology::{ROOT, Topology};

/// A domain with enough GPUs free; ordered by how well it fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Candidate {
    /// Tasks more that it could hold.
    pub(crate) left: u64,
    /// GPUs free in it, and in the two domains around it: emptier ones stay whole.
    gpus: [u64; 3],
    pub(crate) domain: DomainId,
}

/// The domains of a depth that have room for every group by GPUs. A domain without room has no
/// child with room, so whole subtrees are passed over at once.
pub(crate) fn candidates(topology: &Topology, search: &Search<'_>, depth: u8) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut to_visit = vec![ROOT];
    while let Some(id) = to_visit.pop() {
        let domain = &topology.domains[id];
        if domain.depth < depth {
            if has_room(domain, search) {
                to_visit.extend(&domain.children);
            }
            continue;
        }
        if let Some(candidate) = candidate(topology, search, id) {
            found.push(candidate);
        }
    }
    found
}

fn has_room(domain: &Domain, search: &Search<'_>) -> bool {
    search
        .demand
        .groups
        .iter()
        .zip(search.models)
        .all(|(group, &model)| tasks(domain, group, model, 1) >= u64::from(group.tasks))
}

/// How many tasks of a group a domain could hold by GPUs alone, where each node takes whole
/// multiples of `unit` of them. An upper bound.
pub(crate) fn tasks(domain: &Domain, group: &GroupDemand, model: ModelId, unit: u32) -> u64 {
    match (&group.share, group.need(model)) {
        (None, _) => domain.free(model).tasks(group.gpus, unit),
        (Some(_), None) => 0,
        (Some(_), Some(need)) => share::tasks(domain, model, need),
    }
}

fn candidate(topology: &Topology, search: &Search<'_>, id: DomainId) -> Option<Candidate> {
    let domain = &topology.domains[id];
    if !has_room(domain, search) {
        return None;
    }
    let mut left = u64::MAX;
    for group in 0..search.demand.groups.len() {
        let room = room(topology, search, group, id);
        left = left.min(room.checked_sub(u64::from(search.demand.groups[group].tasks))?);
    }
    let free = |id: DomainId| {
        let domain = &topology.domains[id];
        search.models.iter().map(|&model| domain.free(model).gpus).sum()
    };
    let parent = domain.parent.unwrap_or(ROOT);
    let grandparent = topology.domains[parent].parent.unwrap_or(ROOT);
    let gpus = [free(id), free(parent), free(grandparent)];
    Some(Candidate { left, gpus, domain: id })
}

/// How many tasks of a group a domain can hold by GPUs, in whole segments.
pub(crate) fn room(topology: &Topology, search: &Search<'_>, group: usize, id: DomainId) -> u64 {
    let domain = &topology.domains[id];
    let (model, demand) = (search.models[group], &search.demand.groups[group]);
    let unit = search.demand.unit(search.node_depth);
    match search.demand.segment {
        Some((_, depth)) if domain.depth < depth && depth < search.node_depth => {
            domain.children.iter().map(|&child| room(topology, search, group, child)).sum()
        }
        Some((block, depth)) if domain.depth == depth => {
            tasks(domain, demand, model, unit) / u64::from(block) * u64::from(block)
        }
        _ => tasks(domain, demand, model, unit),
    }
}

/// Whether every group fits by itself in a domain, CPUs, memory and constraint included. Counted
/// on the nodes that have GPUs free, and only until there is enough, so that a gang that does
/// not fit is not tried node by node and taken back.
pub(crate) fn fits_each(capacity: &Capacity, search: &Search<'_>, id: DomainId) -> bool {
    (0..search.demand.groups.len()).all(|group| {
        let wanted = u64::from(search.demand.groups[group].tasks);
        exact(capacity, search, group, id, wanted) >= wanted
    })
}

/// How many tasks of a group a domain can hold, in whole segments; at least `enough` if it is
/// not less.
fn exact(capacity: &Capacity, search: &Search<'_>, group: usize, id: DomainId, enough: u64) -> u64 {
    let domain = &capacity.topology.domains[id];
    let block = match search.demand.segment {
        Some((block, depth)) if depth == domain.depth => u64::from(block),
        _ => 1,
    };
    // Inside a block's domain the rest after the last whole block is of no use.
    let enough = enough.next_multiple_of(block);
    let mut tasks = 0;
    for &child in &domain.children {
        tasks += exact(capacity, search, group, child, enough - tasks.min(enough));
        if tasks >= enough {
            break;
        }
    }
    let demand = &search.demand.groups[group];
    let unit = search.demand.unit(search.node_depth);
    let model = search.models[group];
    if let Some(need) = demand.need(model) {
        let members = share::members(domain, model, need);
        let nodes = slots(&members).map(|slot| &capacity.nodes[domain.nodes[slot]]);
        tasks += nodes.map(|node| u64::from(search.capacity(node, demand, unit))).sum::<u64>();
        return tasks / block * block;
    }
    let free = domain.free(model);
    for gpus in (demand.gpus..free.span()).rev() {
        if tasks >= enough {
            break;
        }
        let members = free.members(gpus);
        let nodes = slots(&members).map(|slot| &capacity.nodes[domain.nodes[slot]]);
        tasks += nodes.map(|node| u64::from(search.capacity(node, demand, unit))).sum::<u64>();
    }
    tasks / block * block
}

/// Some node of a domain; every domain has one, for nodes make domains.
pub(crate) fn some_node(topology: &Topology, id: DomainId) -> NodeId {
    let mut domain = &topology.domains[id];
    while let Some(&child) = domain.children.first() {
        domain = &topology.domains[child];
    }
    domain.nodes[0]
}
