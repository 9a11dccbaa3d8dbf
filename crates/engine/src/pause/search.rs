//! The search for those who could give way: the cheapest set that is proven to start the seeker
//! and worth it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use muster_model::{JobId, NodeId, Rung};

use crate::dense::{DomainId, ModelId};
use crate::elastic::shrink::Ask;
use crate::pause::balance::Balance;
use crate::pause::judge::{self, Offer};
use crate::pause::price::{self, Saving};
use crate::pause::prove::{self, Proof};
use crate::pause::reach::Need;
use crate::pause::seeker::Seeker;
use crate::pause::suspend::{self, Planned};
use crate::pause::{crowd, gang, mover, one_node};
use crate::place::Placed;
use crate::state::State;
use crate::state::bucket::Buckets;
use crate::state::domain::Domain;
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
    /// Where those who only move will be.
    pub(crate) moves: Vec<(JobId, Placed)>,
}

/// Jobs that were judged in one search, each once.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    jobs: BTreeMap<JobId, Option<Offer>>,
    /// How many nodes and jobs were looked at.
    pub(crate) looked: u64,
}

impl Judged {
    /// Nobody yet, but these are out of the question.
    pub(crate) fn without(jobs: impl Iterator<Item = JobId>) -> Judged {
        Judged { jobs: jobs.map(|job| (job, None)).collect(), looked: 0 }
    }
}

/// The best room that can be made for a seeker by pausing, if any is worth it.
pub(crate) fn find(state: &mut State, seeker: &Seeker, judged: &mut Judged) -> Option<Found> {
    let demand = std::sync::Arc::clone(&state.shapes.get(seeker.shape).demand);
    for (index, alternative) in demand.alternatives.iter().enumerate() {
        if seeker.allowed >> index & 1 == 0 {
            continue;
        }
        let seeker = Seeker { allowed: 1 << index, ..*seeker };
        let models = &alternative.models;
        let found = match demand.one_node {
            true => one_node::find(state, &seeker, models, judged),
            false => gang::find(state, &seeker, models, judged),
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
    if seeker.moves.is_some() {
        return mover::weigh(state, seeker, offers);
    }
    room(state, seeker, offers, &[]).filter(|found| is_worth(state, seeker, found))
}

/// Whether a room is worth what it costs, where that matters.
pub(crate) fn is_worth(state: &State, seeker: &Seeker, found: &Found) -> bool {
    let margin = state.catalog.policy().pausing.margin_ppm;
    !seeker.weighs || seeker.starves || found.balance.is_worth(&found.offers, margin)
}

/// The same beside tasks that are given back, whatever it is worth.
pub(crate) fn room(
    state: &mut State,
    seeker: &Seeker,
    offers: &[Offer],
    asks: &[Ask],
) -> Option<Found> {
    let offers = &side_by_side(state, offers);
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
    let balance = crowd::balance(state, seeker, &offers, charge.gpus, idle * 1000);
    Some(Found { placed, asks: asks.to_vec(), offers, balance, moves: Vec::new() })
}

/// The offers without those for whom the others leave no host memory or no storage.
pub(crate) fn side_by_side(state: &State, offers: &[Offer]) -> Vec<Offer> {
    let (mut planned, mut saving) = (Planned::default(), Saving::default());
    let mut has_room = |offer: &&Offer| match offer.price.rung {
        Rung::Suspend => suspend::has_room_beside(state, offer.job, &mut planned),
        Rung::Checkpoint => price::may_save_beside(state, offer.job, offer.price, &mut saving),
        Rung::Freeze | Rung::Requeue => true,
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
    let judge = if seeker.moves.is_some() { mover::judge } else { judge::judge };
    *judged.jobs.entry(id).or_insert_with(|| {
        judged.looked += 1;
        judge(state, seeker, id).ok()
    })
}

/// The lowest domains below a domain in which someone could give way, the weakest first; only as
/// many domains are looked at as are asked for.
pub(crate) fn leaves<'a>(
    state: &'a State,
    seeker: &Seeker,
    models: &'a [ModelId],
    below: DomainId,
) -> impl Iterator<Item = DomainId> + 'a {
    // Where a node has to be emptied, nobody is of use who does not empty one.
    let of: fn(&Domain) -> &Buckets = match Need::new(state, seeker, 0).is_of_nodes {
        true => |domain| &domain.emptied,
        false => |domain| &domain.exposed,
    };
    leaves_by(state, of, seeker.threshold, models, below)
}

/// The same by one of the counts that domains keep.
pub(crate) fn leaves_by<'a>(
    state: &'a State,
    counts: fn(&Domain) -> &Buckets,
    threshold: u16,
    models: &'a [ModelId],
    below: DomainId,
) -> impl Iterator<Item = DomainId> + 'a {
    let domains = &state.capacity.topology.domains;
    let weakest = move |id: DomainId| {
        let of = |&model: &ModelId| counts(&domains[id]).weakest(model);
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
    is_there
        && models.contains(&node.model)
        && lets_in(node.id)
        && seeker.terms.are_met(&node.spans)
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
