//! Giving back and giving way together: where what elastic jobs can spare is not enough, it still
//! comes first, and only those are paused whom it does not make up for.

use muster_model::NodeId;

use crate::elastic::shrink::{self, Ask, Books};
use crate::elastic::yielding;
use crate::pause::judge::Offer;
use crate::pause::search::{self, Found, Judged};
use crate::pause::seeker::Seeker;
use crate::state::State;
use crate::state::node::Held;

/// The best room that can be made for a seeker, with what others can spare and without.
pub(crate) fn find(state: &mut State, seeker: &Seeker, judged: &mut Judged) -> Option<Found> {
    let asks: Vec<Ask> = spares(state, seeker);
    if asks.is_empty() {
        return search::find(state, seeker, judged);
    }
    // Who gives tasks back is not paused as well; only where that does not do, they may be.
    let mut apart = Judged::without(asks.iter().map(|ask| ask.giver.job));
    let found = with_given(state, &asks, |state| search::find(state, seeker, &mut apart));
    judged.looked += apart.looked;
    let Found { placed, offers, .. } = match found {
        Some(found) => found,
        None => search::find(state, seeker, judged)?,
    };
    // They were judged for the models of this alternative.
    let seeker = Seeker { allowed: 1 << placed.alternative, ..*seeker };
    let is_paused = |ask: &Ask| offers.iter().any(|offer| offer.job == ask.giver.job);
    let asks = asks.into_iter().filter(|ask| !is_paused(ask)).collect();
    fewest(state, &seeker, offers, asks)
}

/// All that elastic jobs can give back to a seeker.
fn spares(state: &State, seeker: &Seeker) -> Vec<Ask> {
    if yielding::nobody_can_give(state) {
        return Vec::new();
    }
    let tier = crate::order::tier(seeker.guaranteed, seeker.class_rank);
    let givers = yielding::models(state, seeker.id).into_iter();
    let givers = givers.flat_map(|model| shrink::givers(state, seeker.id, model, tier));
    givers.map(|giver| giver.all()).collect()
}

/// Leaves out whom and what is not needed, the dearest first: those who would be paused before
/// tasks that would be given back. Each costs a trial. What was worth it with more pauses is worth
/// it with fewer.
pub(crate) fn fewest(
    state: &mut State,
    seeker: &Seeker,
    mut offers: Vec<Offer>,
    mut asks: Vec<Ask>,
) -> Option<Found> {
    offers.sort_by_key(|offer| (offer.cost(), offer.job));
    let mut at = offers.len();
    while at > 0 {
        at -= 1;
        let offer = offers.remove(at);
        if search::room(state, seeker, &offers, &asks).is_none() {
            offers.insert(at, offer);
        }
    }
    // Only what is on its nodes is needed, and perhaps not all of that.
    let nodes = search::room(state, seeker, &offers, &asks)?.placed.nodes();
    let used: Vec<Ask> = asks.iter().filter_map(|ask| ask.giver.clearing(state, &nodes)).collect();
    if search::room(state, seeker, &offers, &used).is_some() {
        asks = used;
    }
    shrink::spare(&mut asks, |asks| search::room(state, seeker, &offers, asks).is_some());
    search::room(state, seeker, &offers, &asks)
}

/// Looks at things as they would be if all of this had been given back.
fn with_given<T>(state: &mut State, asks: &[Ask], look: impl FnOnce(&mut State) -> T) -> T {
    let given: Vec<(NodeId, Held)> = asks.iter().flat_map(|ask| holdings(state, ask)).collect();
    for &(node, held) in &given {
        state.capacity.give_back(node, held);
        state.capacity.recount(node);
    }
    let seen = look(state);
    for &(node, held) in &given {
        state.capacity.take(node, held);
        state.capacity.recount(node);
    }
    seen
}

/// What the tasks hold that a job is asked for.
fn holdings(state: &State, ask: &Ask) -> Vec<(NodeId, Held)> {
    let books = Books { jobs: &state.jobs, shapes: &state.shapes, catalog: &state.catalog };
    shrink::holdings(books, ask)
}
