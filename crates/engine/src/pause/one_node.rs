//! Room for a gang that needs one node: the node where the least is lost.

use muster_model::NodeId;

use crate::dense::ModelId;
use crate::pause::balance::Balance;
use crate::pause::judge::Offer;
use crate::pause::search::{self, Found, Judged};
use crate::pause::seeker::Seeker;
use crate::state::State;
use crate::state::node::Node;
use crate::state::topology::ROOT;

/// So many lowest domains are looked through, the weakest first.
const LEAVES_MAX: usize = 2;

/// Moves are looked for far less often, and not for the weakest but for the fewest.
const LEAVES_MAX_FOR_MOVES: usize = 64;

/// So many nodes are looked at exactly.
const NODES_MAX: usize = 6;

/// On one node, so many sets are tried: more jobs each time, where CPUs or memory are short.
const TRIES_MAX: usize = 3;

/// The cheapest room on one node: what is cheapest by those it takes is tried first, and the first
/// that is proven and worth it is taken.
pub(crate) fn find(
    state: &mut State,
    seeker: &Seeker,
    models: &[ModelId],
    judged: &mut Judged,
) -> Option<Found> {
    let mut nodes: Vec<(u128, NodeOffers)> = candidates(state, seeker, models, judged)
        .into_iter()
        .filter_map(|node| {
            let offers = NodeOffers::new(state, seeker, node, judged);
            Some((expected_price(seeker, &offers)?, offers))
        })
        .collect();
    nodes.sort_by_key(|(price, node)| (*price, node.node));
    nodes.into_iter().find_map(|(_, offers)| on_node(state, seeker, &offers))
}

/// Who could give way on a node, in their turn, each with its GPUs there.
struct NodeOffers {
    node: NodeId,
    offers: Vec<(Offer, u64)>,
    /// GPUs that are free anyway, and GPUs that are wanted.
    free: u64,
    wanted: u64,
}

impl NodeOffers {
    fn new(state: &State, seeker: &Seeker, node: NodeId, judged: &mut Judged) -> NodeOffers {
        let free = search::free_on(seeker, &state.capacity.nodes[node]).unwrap_or(0);
        let wanted = state.shapes.get(seeker.shape).demand.gpus;
        let offers = offers(state, seeker, node, judged);
        NodeOffers { node, offers, free: u64::from(free), wanted }
    }

    /// The first of them, as many as give enough and more and more, each time with the GPUs that
    /// are too many.
    fn enough(&self) -> impl Iterator<Item = (&[(Offer, u64)], u64)> {
        let mut gpus = self.free;
        (1..=self.offers.len()).filter_map(move |count| {
            gpus += self.offers[count - 1].1;
            Some((&self.offers[..count], gpus.checked_sub(self.wanted)?))
        })
    }
}

/// What the fewest who give enough GPUs on a node would cost, before any proof.
fn expected_price(seeker: &Seeker, offers: &NodeOffers) -> Option<u128> {
    let (first, spare) = offers.enough().next()?;
    let chosen = needed(first, spare);
    Some(match seeker.weighs {
        // Who moves is not late by more than the move takes.
        true if seeker.moves.is_some() => {
            chosen.iter().map(|offer| u128::from(offer.cost()) * u128::from(offer.weight)).sum()
        }
        true => u128::from(Balance::new(seeker, &chosen, 0, 0).cost),
        false => chosen.iter().map(|offer| offer.turn(1)).max().unwrap_or(0),
    })
}

/// The nodes that would have room, the weakest jobs first; judged by the index alone.
fn candidates(
    state: &State,
    seeker: &Seeker,
    models: &[ModelId],
    judged: &mut Judged,
) -> Vec<NodeId> {
    let wanted = state.shapes.get(seeker.shape).demand.gpus;
    let mut found = Vec::new();
    let leaves = if seeker.moves.is_some() { LEAVES_MAX_FOR_MOVES } else { LEAVES_MAX };
    for leaf in search::leaves(state, seeker, models, ROOT).take(leaves) {
        judged.looked += state.capacity.topology.domains[leaf].nodes.len() as u64;
        for &id in &state.capacity.topology.domains[leaf].nodes {
            let node = &state.capacity.nodes[id];
            if !search::may_use(state, seeker, models, node) {
                continue;
            }
            let (weakest, gpus) = within_reach(node, seeker.threshold);
            let free = u64::from(search::free_on(seeker, node).unwrap_or(0));
            if weakest.is_some() && free + gpus >= wanted {
                // Few GPUs to take from weak jobs: the best guess without judging anyone.
                let taken = if seeker.weighs { wanted.saturating_sub(free) } else { 0 };
                found.push((taken, std::cmp::Reverse(weakest), id));
            }
        }
    }
    found.sort_unstable();
    found.truncate(NODES_MAX);
    found.into_iter().map(|(.., id)| id).collect()
}

/// The weakest bucket on a node, and the GPUs of all that are weak enough.
pub(crate) fn within_reach(node: &Node, threshold: u16) -> (Option<u16>, u64) {
    let weak = || node.exposed.iter().filter(|exposed| exposed.bucket >= threshold);
    let gpus = weak().map(|exposed| u64::from(exposed.gpus)).sum();
    (weak().map(|exposed| exposed.bucket).max(), gpus)
}

/// The offers on a node in their turn, each with its GPUs there.
pub(crate) fn offers(
    state: &State,
    seeker: &Seeker,
    node: NodeId,
    judged: &mut Judged,
) -> Vec<(Offer, u64)> {
    let node = &state.capacity.nodes[node];
    let wanted = state.shapes.get(seeker.shape).demand.gpus;
    let free = search::free_on(seeker, node).unwrap_or(0);
    let short = wanted.saturating_sub(u64::from(free)).max(1);
    let weak = node.exposed.iter().filter(|exposed| exposed.bucket >= seeker.threshold);
    let mut offers: Vec<(Offer, u64)> = weak
        .filter_map(|exposed| {
            let offer = search::offer(state, seeker, exposed.job, judged)?;
            Some((offer, u64::from(exposed.gpus)))
        })
        .collect();
    offers.sort_by_key(|(offer, gpus)| {
        // More GPUs than are wanted are worth nothing.
        (offer.turn((*gpus).clamp(1, short)), offer.job)
    });
    offers
}

fn on_node(state: &mut State, seeker: &Seeker, offers: &NodeOffers) -> Option<Found> {
    offers.enough().take(TRIES_MAX).find_map(|(chosen, spare)| {
        let needed = needed(chosen, spare);
        search::weigh(state, seeker, &needed).or_else(|| {
            let all: Vec<Offer> = chosen.iter().map(|(offer, _)| *offer).collect();
            if all.len() > needed.len() { search::weigh(state, seeker, &all) } else { None }
        })
    })
}

/// The offers without the dearest of those that are not needed for their GPUs, of which there are
/// so many too many.
fn needed(offers: &[(Offer, u64)], mut spare: u64) -> Vec<Offer> {
    let mut dearest: Vec<&(Offer, u64)> = offers.iter().collect();
    dearest.sort_by_key(|(offer, _)| std::cmp::Reverse((offer.turn(1), offer.job)));
    let mut dropped = Vec::new();
    for (offer, gpus) in dearest {
        if *gpus <= spare {
            spare -= gpus;
            dropped.push(offer.job);
        }
    }
    let is_kept = |offer: &Offer| !dropped.contains(&offer.job);
    offers.iter().map(|(offer, _)| *offer).filter(is_kept).collect()
}
