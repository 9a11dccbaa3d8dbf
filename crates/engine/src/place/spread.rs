//! Spreading: as many nodes as there are tasks, where there are so many.

use muster_model::NodeId;

use crate::dense::DomainId;
use crate::place::domains;
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

/// Places whole blocks round after round, one per domain of their level and round, the roomiest
/// domains first, and returns how many tasks that is. Within its domain a block spreads too.
pub(crate) fn spread_blocks(
    filler: &mut Filler<'_, '_, '_>,
    domain: DomainId,
    wanted: u32,
    (block, depth): (u32, u8),
) -> u32 {
    let mut places = domains_below(filler, domain, depth);
    places.sort_unstable_by_key(|&(room, place)| (std::cmp::Reverse(room), place));
    let mut placed = 0;
    loop {
        let before = placed;
        for &(_, place) in &places {
            if placed + block > wanted {
                return placed;
            }
            placed += filler.fill(place, block);
        }
        if placed == before {
            return placed;
        }
    }
}

/// The domains of a depth below another, with their room by GPUs.
fn domains_below(filler: &Filler<'_, '_, '_>, domain: DomainId, depth: u8) -> Vec<(u64, DomainId)> {
    let topology = &filler.transaction().capacity().topology;
    let room = |id| (domains::room(topology, filler.search, filler.group(), id), id);
    topology.domains_at(domain, depth).into_iter().map(room).collect()
}

fn nodes_with_room(filler: &Filler<'_, '_, '_>, domain: DomainId) -> Vec<(u32, NodeId)> {
    let capacity = filler.transaction().capacity();
    let model = filler.search.models[filler.group()];
    let nodes = capacity.topology.nodes_below(domain).map(|id| &capacity.nodes[id]);
    nodes
        .filter(|node| node.counted.is_some() && node.model == model)
        .map(|node| (filler.capacity(node.id), node.id))
        .filter(|&(room, _)| room >= filler.unit())
        .collect()
}
