//! Room for a gang on several nodes: the cheapest nodes of a domain that together hold it. A job
//! on several nodes is charged once and gives way on all of them.

use std::collections::BTreeSet;

use muster_model::NodeId;

use crate::dense::{DomainId, ModelId};
use crate::pause::judge::Offer;
use crate::pause::one_node;
use crate::pause::reach::Need;
use crate::pause::search::{self, Found, Judged};
use crate::pause::seeker::Seeker;
use crate::state::State;

/// So many domains of the required level are tried, those with the most to give first.
const PLACES_MAX: usize = 2;

/// Nodes are looked at until they could give this many times what is wanted.
const CHOICE: u64 = 2;

/// So many nodes and jobs are looked at in one domain, or more for a gang that needs more.
const LOOKS_MAX: u64 = 1024;

/// If the cheapest nodes do not do, for their shape or their CPUs, half as many more are tried.
const TRIES_MAX: usize = 2;

/// What one node could give.
#[derive(Debug)]
struct NodeOffer {
    /// What the pauses on it cost for each GPU it gives, in thousandths; where nothing is weighed,
    /// the turn of the last to give way.
    cost: u128,
    node: NodeId,
    gpus: u64,
    offers: Vec<Offer>,
}

/// The cheapest room on several nodes.
pub(crate) fn find(
    state: &mut State,
    seeker: &Seeker,
    models: &[ModelId],
    judged: &mut Judged,
) -> Option<Found> {
    let places = places(state, seeker, models);
    places
        .into_iter()
        .take(PLACES_MAX)
        .find_map(|place| within(state, seeker, models, place, judged))
}

/// The domains of the required level that could give enough, those with the most first.
fn places(state: &State, seeker: &Seeker, models: &[ModelId]) -> Vec<DomainId> {
    let demand = &state.shapes.get(seeker.shape).demand;
    let topology = &state.capacity.topology;
    let mut models = models.to_vec();
    models.sort_unstable();
    models.dedup();
    let need = Need::new(state, seeker, 0);
    let reach = |id: &DomainId| need.gpus(&topology.domains[*id], &models);
    // Who is asked to move needs a place elsewhere: the less has to, the better.
    let free = |id: &DomainId| {
        let domain = &topology.domains[*id];
        models.iter().map(|&model| domain.free(model).gpus).sum::<u64>()
    };
    let mut enough = search::places(state, demand.require);
    enough.retain(|id| need.is_within(state, *id, &models));
    match seeker.moves {
        Some(_) => enough.sort_by_cached_key(|id| (std::cmp::Reverse(free(id)), *id)),
        None => enough.sort_by_cached_key(|id| (std::cmp::Reverse(reach(id)), *id)),
    }
    enough
}

fn within(
    state: &mut State,
    seeker: &Seeker,
    models: &[ModelId],
    place: DomainId,
    judged: &mut Judged,
) -> Option<Found> {
    let wanted = state.shapes.get(seeker.shape).demand.gpus;
    let mut nodes = node_offers(state, seeker, models, place, judged);
    nodes.sort_unstable_by_key(|node| (node.cost, node.node));
    let mut chosen: Vec<Offer> = Vec::new();
    let mut seen = BTreeSet::new();
    let (mut gpus, mut enough, mut tries) = (0, wanted, 0);
    for node in nodes {
        gpus += node.gpus;
        chosen.extend(node.offers.into_iter().filter(|offer| seen.insert(offer.job)));
        if gpus < enough {
            continue;
        }
        let found = search::weigh(state, seeker, &chosen);
        tries += 1;
        if found.is_some() || tries == TRIES_MAX {
            return found;
        }
        enough += wanted.div_ceil(2);
    }
    None
}

/// What the nodes below a domain could give, the weakest lowest domains first, and those with
/// room of their own.
fn node_offers(
    state: &State,
    seeker: &Seeker,
    models: &[ModelId],
    place: DomainId,
    judged: &mut Judged,
) -> Vec<NodeOffer> {
    let demand = &state.shapes.get(seeker.shape).demand;
    let each = demand.groups.iter().map(|group| u64::from(group.gpus)).min().unwrap_or(1).max(1);
    let mut found = free_nodes(state, seeker, models, place, each);
    let mut gpus: u64 = found.iter().map(|node| node.gpus).sum();
    let looks_max = judged.looked + LOOKS_MAX.max(demand.gpus.saturating_mul(CHOICE));
    for leaf in search::leaves(state, seeker, models, place) {
        if gpus >= demand.gpus.saturating_mul(CHOICE) {
            break;
        }
        if judged.looked >= looks_max {
            break;
        }
        judged.looked += state.capacity.topology.domains[leaf].nodes.len() as u64;
        for &id in &state.capacity.topology.domains[leaf].nodes {
            let node = &state.capacity.nodes[id];
            let (weakest, within_reach) = one_node::within_reach(node, seeker.threshold);
            let free = u64::from(search::free_on(seeker, node).unwrap_or(0));
            let is_fit = search::may_use(state, seeker, models, node);
            if !is_fit || weakest.is_none() || free + within_reach < each {
                continue;
            }
            let offers = one_node::offers(state, seeker, id, judged);
            let given: u64 = offers.iter().map(|(_, gpus)| gpus).sum();
            // Only the GPUs of whole tasks are of use, beyond those free anyway.
            let useful = (free + given) / each * each - free / each * each;
            if useful == 0 {
                continue;
            }
            let useful = useful.min(demand.gpus.div_ceil(each) * each);
            let taken = taken(&offers, demand.gpus.saturating_sub(free));
            let cost = match seeker.weighs {
                true => {
                    let cost: u128 = taken.map(|offer| u128::from(offer.cost())).sum();
                    cost * 1000 / u128::from(useful) + 1
                }
                false => taken.map(|offer| offer.turn(1)).max().unwrap_or(0),
            };
            let offers = offers.into_iter().map(|(offer, _)| offer).collect();
            found.push(NodeOffer { cost, node: id, gpus: useful, offers });
            gpus += useful;
        }
    }
    found
}

/// The first of some offers that give so many GPUs.
fn taken(offers: &[(Offer, u64)], wanted: u64) -> impl Iterator<Item = &Offer> {
    let mut gpus = 0;
    let is_short = move |&(_, here): &&(Offer, u64)| {
        let is_short = gpus < wanted;
        gpus += here;
        is_short
    };
    offers.iter().take_while(is_short).map(|(offer, _)| offer)
}

/// Nodes that have room for tasks already, counted by the index of their lowest domains.
fn free_nodes(
    state: &State,
    seeker: &Seeker,
    models: &[ModelId],
    place: DomainId,
    each: u64,
) -> Vec<NodeOffer> {
    let topology = &state.capacity.topology;
    let depth = topology.domains[place].depth;
    let mut found = Vec::new();
    let mut to_visit = vec![place];
    while let Some(id) = to_visit.pop() {
        let domain = &topology.domains[id];
        let free = |model: &ModelId| domain.free(*model).gpus >= each;
        if domain.depth > depth && !models.iter().any(free) {
            continue;
        }
        to_visit.extend(&domain.children);
        for &id in &domain.nodes {
            let node = &state.capacity.nodes[id];
            let gpus = u64::from(search::free_on(seeker, node).unwrap_or(0)) / each * each;
            if gpus > 0 && search::may_use(state, seeker, models, node) {
                found.push(NodeOffer { cost: 0, node: id, gpus, offers: Vec::new() });
            }
        }
    }
    found
}
