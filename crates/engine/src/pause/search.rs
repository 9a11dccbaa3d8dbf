//! The search for those who could give way: the cheapest set that is proven to start the seeker
//! and worth it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use muster_model::{JobId, NodeId, Rung};

use crate::dense::{DomainId, ModelId};
use crate::elastic::shrink::Ask;
use crate::pause::balance::Balance;
use crate::pause::judge::{self, Offer};
use crate::pause::prove::{self, Proof};
use crate::pause::seeker::Seeker;
use crate::pause::suspend::{self, Planned};
use crate::pause::{gang, one_node};
use crate::place::Placed;
use crate::state::State;
use crate::state::node::Node;
use crate::state::topology::ROOT;

/// Room that can be made.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) placed: Placed,
    /// Tasks that elastic jobs give back.
    pub(crate) asks: Vec<Ask>,
    /// Jobs that are paused.
    pub(crate) offers: Vec<Offer>,
    pub(crate) balance: Balance,
}

/// Jobs that were judged in one search, each once.
pub(crate) type Judged = BTreeMap<JobId, Option<Offer>>;

/// The best room that can be made for a seeker by pausing, if any is worth it.
pub(crate) fn find(state: &mut State, seeker: &Seeker, mut judged: Judged) -> Option<Found> {
    let demand = std::sync::Arc::clone(&state.shapes.get(seeker.shape).demand);
    for (index, alternative) in demand.alternatives.iter().enumerate() {
        if seeker.allowed >> index & 1 == 0 {
            continue;
        }
        let seeker = Seeker { allowed: 1 << index, ..*seeker };
        let models = &alternative.models;
        let found = match demand.one_node {
            true => one_node::find(state, &seeker, models, &mut judged),
            false => gang::find(state, &seeker, models, &mut judged),
        };
        if let Some(mut found) = found {
            found.placed.alternative = index;
            return Some(found);
        }
    }
    None
}

/// A set of jobs proven to make room and worth it, without those who are not needed.
pub(crate) fn weigh(state: &mut State, seeker: &Seeker, offers: &[Offer]) -> Option<Found> {
    let found = room(state, seeker, offers, &[])?;
    let margin = state.catalog.policy().pausing.margin_ppm;
    found.balance.is_worth(&found.offers, margin).then_some(found)
}

/// The same beside tasks that are given back, whatever it is worth.
pub(crate) fn room(
    state: &mut State,
    seeker: &Seeker,
    offers: &[Offer],
    asks: &[Ask],
) -> Option<Found> {
    let offers = &suspendable(state, offers);
    let victims: Vec<JobId> = offers.iter().map(|offer| offer.job).collect();
    let Proof { placed, needed, idle } = prove::prove(state, seeker, &victims, asks)?;
    let is_needed = |offer: &&Offer| needed.contains(&offer.job);
    let offers: Vec<Offer> = if needed.len() == offers.len() {
        offers.to_vec()
    } else {
        offers.iter().filter(is_needed).copied().collect()
    };
    let demand = &state.shapes.get(seeker.shape).demand;
    let charge = &demand.alternatives[placed.alternative].charge;
    let balance = Balance::new(seeker, &offers, charge.gpus, idle * 1000);
    Some(Found { placed, asks: asks.to_vec(), offers, balance })
}

/// The offers without those to suspend for whom the others leave no host memory.
fn suspendable(state: &State, offers: &[Offer]) -> Vec<Offer> {
    let mut planned = Planned::default();
    let mut has_room = |offer: &&Offer| {
        offer.price.rung != Rung::Suspend
            || suspend::has_room_beside(state, offer.job, &mut planned)
    };
    offers.iter().filter(|offer| has_room(offer)).copied().collect()
}

/// Judges a job unless it was already.
pub(crate) fn offer(
    state: &State,
    seeker: &Seeker,
    id: JobId,
    judged: &mut Judged,
) -> Option<Offer> {
    *judged.entry(id).or_insert_with(|| judge::judge(state, seeker, id).ok())
}

/// The lowest domains below a domain in which someone could give way, the weakest first; only as
/// many domains are looked at as are asked for.
pub(crate) fn leaves<'a>(
    state: &'a State,
    seeker: &Seeker,
    models: &'a [ModelId],
    below: DomainId,
) -> impl Iterator<Item = DomainId> + 'a {
    let (domains, threshold) = (&state.capacity.topology.domains, seeker.threshold);
    let weakest = move |id: DomainId| {
        let of = |&model: &ModelId| domains[id].weakest(model);
        let bucket = models.iter().filter_map(of).max().filter(|&bucket| bucket >= threshold)?;
        Some((bucket, Reverse(id)))
    };
    let mut open: BinaryHeap<(u16, Reverse<DomainId>)> = weakest(below).into_iter().collect();
    std::iter::from_fn(move || {
        loop {
            let (_, Reverse(id)) = open.pop()?;
            if domains[id].children.is_empty() {
                return Some(id);
            }
            open.extend(domains[id].children.iter().filter_map(|&child| weakest(child)));
        }
    })
}

/// Whether a node could be part of a room for the seeker.
pub(crate) fn may_use(state: &State, seeker: &Seeker, models: &[ModelId], node: &Node) -> bool {
    let shape = state.shapes.get(seeker.shape);
    let lets_in = |id: NodeId| match shape.eligible.last() {
        Some((_, set)) => set.contains(id.index()),
        None => true,
    };
    // A node that someone has alone is not counted, and is room when that one gives way.
    let is_alone = node.exclusive > 0 && node.is_open() && node.claimed.is_none();
    let is_there = free_on(seeker, node).is_some() || is_alone;
    is_there && models.contains(&node.model) && lets_in(node.id)
}

/// The domains in which all of a gang must be.
pub(crate) fn places(state: &State, require: u8) -> Vec<DomainId> {
    match require {
        0 => vec![ROOT],
        depth => state.capacity.topology.domains_at(ROOT, depth),
    }
}

/// GPUs free on a node for a seeker; `None` where it may not go. Nodes that are reserved for it are
/// its own; what the floor holds for it is only waited for.
pub(crate) fn free_on(seeker: &Seeker, node: &Node) -> Option<u32> {
    let is_own = node.is_reserved && node.claimed == Some(seeker.id);
    node.counted.or_else(|| node.spare.filter(|_| is_own))
}
