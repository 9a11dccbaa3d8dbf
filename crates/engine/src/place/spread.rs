//! Spreading: as many nodes as there are tasks, where there are so many.

use muster_model::NodeId;

use crate::dense::DomainId;
use crate::place::fill::Filler;

/// Places up to `wanted` tasks round after round, one per node and round, the roomiest nodes
/// first, and returns how many.
pub(crate) fn spread(filler: &mut Filler<'_, '_, '_>, domain: DomainId, wanted: u32) -> u32 {
    let mut nodes = nodes_with_room(filler, domain);
    nodes.sort_unstable_by_key(|&(room, node)| (std::cmp::Reverse(room), node));
    let unit = filler.unit();
    let mut placed = 0;
    loop {
        let before = placed;
        for &(_, node) in &nodes {
            if placed + unit > wanted {
                return placed;
            }
            if filler.capacity(node) >= unit {
                filler.put(node, unit);
                placed += unit;
            }
        }
        if placed == before {
            return placed;
        }
    }
}

fn nodes_with_room(filler: &Filler<'_, '_, '_>, domain: DomainId) -> Vec<(u32, NodeId)> {
    let capacity = filler.transaction().capacity();
    let model = filler.search.models[filler.group()];
    let mut found = Vec::new();
    let mut to_visit = vec![domain];
    while let Some(id) = to_visit.pop() {
        let here = &capacity.topology.domains[id];
        to_visit.extend(&here.children);
        for &node in &here.nodes {
            let is_counted = capacity.nodes[node].counted.is_some();
            if is_counted && capacity.nodes[node].model == model {
                found.push((filler.capacity(node), node));
            }
        }
    }
    found.retain(|&(room, _)| room >= filler.unit());
    found
}
