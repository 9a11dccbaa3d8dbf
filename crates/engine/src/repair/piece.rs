//! The pieces of a gang that have to be placed anew: what was on one lost node, or what is missing
//! of one block of a segment. Each goes as near to where it was as there is room.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use muster_model::NodeId;

use crate::dense::DomainId;
use crate::place::fill::Filler;
use crate::place::{Search, domains, looks};
use crate::repair::mend::{Mender, Placing};

/// Tasks of one group that are placed together.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) group: usize,
    /// Their ranks, ascending.
    pub(super) ranks: Vec<u32>,
    /// The node the first of them was on.
    pub(super) home: NodeId,
    /// They belong to a block of which this stays where it is and has to be joined.
    pub(super) rest: Vec<Placing>,
}

/// What has to go, in pieces, those with the most GPUs per task first; and what stays and is part
/// of no piece.
pub(super) fn pieces(
    mender: &Mender<'_, '_, '_>,
    stay: &[Placing],
    go: &[Placing],
) -> (Vec<Placing>, Vec<Piece>) {
    let demand = &mender.shape.demand;
    let gpus = |group: u16| std::cmp::Reverse(demand.groups[usize::from(group)].gpus);
    // Tasks of one node, or of one block, are one piece.
    let key = |(node, task): &Placing| {
        let part = demand.segment.map_or(node.0, |(block, _)| task.rank / block);
        (gpus(task.group), task.group, part)
    };
    let mut pieces: BTreeMap<_, Piece> = BTreeMap::new();
    for place in go {
        let (node, task) = place;
        let group = usize::from(task.group);
        let new = || Piece { group, ranks: Vec::new(), home: *node, rest: Vec::new() };
        pieces.entry(key(place)).or_insert_with(new).ranks.push(task.rank);
    }
    let mut untouched = Vec::new();
    for place in stay {
        let block = demand.segment.and_then(|_| pieces.get_mut(&key(place)));
        match block {
            Some(piece) => piece.rest.push(*place),
            None => untouched.push(*place),
        }
    }
    pieces.values_mut().for_each(|piece| piece.ranks.sort_unstable());
    (untouched, pieces.into_values().collect())
}

/// Places a piece and returns it with the rest of its block; where there is no room beside that,
/// the whole block is placed anew.
pub(super) fn place(mender: &mut Mender<'_, '_, '_>, piece: &Piece) -> Option<Vec<Placing>> {
    let Some((first, _)) = piece.rest.first() else {
        return near_home(mender, piece, &piece.ranks);
    };
    let (_, depth) = mender.shape.demand.segment.expect("only a segment has blocks");
    if depth < mender.node_depth {
        let capacity = mender.transaction.capacity();
        let within = capacity.topology.ancestor(capacity.nodes[*first].leaf, depth);
        if let Some(mut placed) = beside_rest(mender, piece, within) {
            placed.extend(&piece.rest);
            return Some(placed);
        }
    }
    mender.taken.retain(|taken| piece.rest.iter().all(|(node, _)| node != taken));
    for (node, task) in &piece.rest {
        let demand = &mender.shape.demand.groups[piece.group];
        mender.transaction.give_back(*node, demand.held(task));
    }
    let mut ranks = piece.ranks.clone();
    ranks.extend(piece.rest.iter().map(|(_, task)| task.rank));
    ranks.sort_unstable();
    near_home(mender, piece, &ranks)
}

/// Places what is missing of a block inside the domain where the rest of it is.
fn beside_rest(
    mender: &mut Mender<'_, '_, '_>,
    piece: &Piece,
    within: DomainId,
) -> Option<Vec<Placing>> {
    each_look(mender, |mender, eligible, avoid| {
        let target = Target { domain: within, inside_block: true };
        fill(mender, (eligible, avoid), (piece.group, &piece.ranks), target)
    })
}

/// Places tasks in the domain they come from, or in the nearest around it that has room.
fn near_home(
    mender: &mut Mender<'_, '_, '_>,
    piece: &Piece,
    ranks: &[u32],
) -> Option<Vec<Placing>> {
    let demand = &mender.shape.demand;
    let leaf = mender.transaction.capacity().nodes[piece.home].leaf;
    each_look(mender, |mender, eligible, avoid| {
        let topology = &mender.transaction.capacity().topology;
        let widest = topology.ancestor(leaf, demand.require);
        // Spreading asks for other nodes, not for near ones.
        let mut here = if demand.spread { widest } else { leaf };
        loop {
            let target = Target { domain: here, inside_block: false };
            let placed = fill(mender, (eligible, avoid), (piece.group, ranks), target);
            if placed.is_some() || here == widest {
                return placed;
            }
            let topology = &mender.transaction.capacity().topology;
            here = topology.domains[here].parent.expect("the widest domain is above");
        }
    })
}

/// The nodes one look lets in, and those it leaves out.
type Look<'a> = (Option<&'a FixedBitSet>, Option<&'a FixedBitSet>);

/// Looks at better nodes before others: those that are not left out at first, and among them what
/// the constraint prefers.
fn each_look(
    mender: &mut Mender<'_, '_, '_>,
    mut look: impl FnMut(
        &mut Mender<'_, '_, '_>,
        Option<&FixedBitSet>,
        Option<&FixedBitSet>,
    ) -> Option<Vec<Placing>>,
) -> Option<Vec<Placing>> {
    let (shape, left_out) = (mender.shape, mender.not_at_first);
    for avoid in [Some(left_out), None] {
        for eligible in looks(shape) {
            let placed = look(mender, eligible, avoid);
            if placed.is_some() {
                return placed;
            }
        }
    }
    None
}

/// Where to fill.
#[derive(Clone, Copy)]
struct Target {
    domain: DomainId,
    /// The domain is that of the block which is to be completed.
    inside_block: bool,
}

/// Places tasks inside a domain, all of them or none.
fn fill(
    mender: &mut Mender<'_, '_, '_>,
    (eligible, avoid): Look<'_>,
    (group, ranks): (usize, &[u32]),
    target: Target,
) -> Option<Vec<Placing>> {
    let (demand, models, node_depth) = (&*mender.shape.demand, mender.models, mender.node_depth);
    let terms = mender.transaction.capacity().terms(mender.shape);
    let search = Search { demand, models, eligible, avoid, terms, node_depth };
    let wanted = u32::try_from(ranks.len()).expect("tasks are bounded by validation");
    let topology = &mender.transaction.capacity().topology;
    if !target.inside_block
        && domains::room(topology, &search, group, target.domain) < u64::from(wanted)
    {
        return None;
    }
    let mark = mender.transaction.mark();
    let mut filler = Filler::new(mender.transaction, &search);
    filler.start_group(group);
    filler.keep_off(mender.taken.iter().copied());
    if target.inside_block {
        filler.start_inside_block();
    }
    let placed = filler.fill(target.domain, wanted);
    let mut tasks = filler.into_tasks();
    if placed < wanted {
        mender.transaction.roll_back(mark);
        return None;
    }
    for ((_, task), rank) in tasks.iter_mut().zip(ranks) {
        task.rank = *rank;
    }
    Some(tasks)
}
