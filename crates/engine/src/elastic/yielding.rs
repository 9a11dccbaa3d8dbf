//! While others wait, nobody has more than the fewest tasks they need: a blocked job gets the
//! room that elastic jobs of its own tier or a lower one can spare.
//!
//! Nothing is asked of anyone before a trial has shown that the job then fits. Sizes are most
//! efficient at the fewest tasks, since speed grows slower than size.

use muster_model::JobId;

use crate::dense::{LineId, ModelId};
use crate::elastic::shrink::{self, Ask, Books};
use crate::fairness::standing;
use crate::order;
use crate::pass::start;
use crate::pause::balance::Balance;
use crate::pause::search::Found;
use crate::pause::{hold, prove};
use crate::place::{self, Placed};
use crate::state::State;
use crate::state::topology::ROOT;
use crate::transaction::Transaction;

/// Room is made for at most so many of the best waiting jobs in one pass; each costs trials.
const BLOCKED_MAX: usize = 4;

/// At most so many lines are looked at for one that only a limit keeps.
const LIMITED_MAX: usize = 16;

/// Makes room for the best of those who wait, where others can spare it.
pub(crate) fn make_room(state: &mut State) {
    if state.elastic.may_shrink.is_empty() {
        return;
    }
    for (id, line) in blocked(state) {
        make_room_for(state, id, line);
    }
}

/// The same before the order of all is worked off: what is free is part of the room for the first
/// who do not fit yet, and nobody behind them takes it. Ends at the first who fits as it is.
pub(crate) fn make_room_ahead(state: &mut State) {
    if state.elastic.may_shrink.is_empty() {
        return;
    }
    for (id, line) in first(state) {
        let fits_now = state.waiting.line(line).standing.allowed != 0
            && can_be_held_for(state, id)
            && fits_with(state, id, &[]).is_some();
        if fits_now {
            break;
        }
        make_room_for(state, id, line);
    }
}

/// The best waiting jobs.
fn first(state: &State) -> Vec<(JobId, LineId)> {
    let most = if order::rule(state.catalog.policy()).head_blocks { 1 } else { BLOCKED_MAX };
    let heads = state.waiting.heads().take(most).map(|(key, _)| key.job);
    heads.map(|id| (id, state.jobs.known(id).line.expect("a head is in line"))).collect()
}

/// The best waiting jobs, and a few that a limit keeps which elastic jobs may have used up.
fn blocked(state: &State) -> Vec<(JobId, LineId)> {
    let mut blocked = first(state);
    let mut roots: Vec<_> = (state.elastic.may_shrink.iter().take(LIMITED_MAX))
        .map(|(_, id)| state.jobs.known(*id).queue)
        .filter_map(|queue| crate::state::queue::path(&state.capacity.queues, queue).last())
        .map(|(root, _)| root)
        .collect();
    roots.sort_unstable();
    roots.dedup();
    for root in roots {
        let lines = state.capacity.queues[root].lines.iter().take(LIMITED_MAX);
        let limited = lines
            .map(|(_, line)| (*line, state.waiting.line(*line)))
            .filter(|(_, line)| line.standing.allowed == 0)
            .filter_map(|(id, line)| Some((line.jobs().next()?.1, id)));
        blocked.extend(limited.take(BLOCKED_MAX));
    }
    blocked
}

/// Finds out what others have to give so that a job fits, asks for it, and holds it; whether that
/// is enough.
pub(crate) fn make_room_for(state: &mut State, id: JobId, line: LineId) -> bool {
    if state.elastic.may_shrink.is_empty() || !can_be_held_for(state, id) {
        return false;
    }
    let line = state.waiting.line(line);
    let tier = order::tier(line.standing.guaranteed, state.catalog.class_rank(line.key.class));
    for model in models(state, id) {
        let Some((asks, placed)) = plan(state, id, model, tier) else { continue };
        let order = start::order_terms(state, id, false);
        let found = Found {
            placed,
            asks,
            offers: Vec::new(),
            balance: Balance::NOTHING,
            moves: Vec::new(),
        };
        hold::commit(state, id, found, order);
        return true;
    }
    false
}

/// Whether a plan can hold room for a job: whole GPUs, anywhere, and not what the floor holds for
/// it already.
fn can_be_held_for(state: &State, id: JobId) -> bool {
    let job = state.jobs.known(id);
    let claim = state.floor.claims.get(&id);
    job.line.is_some()
        && job.pinned.is_none()
        && !state.shapes.get(job.shape).demand.has_shares()
        && claim.is_none_or(|claim| claim.reserved.is_some())
}

/// The models a job accepts, best first.
pub(crate) fn models(state: &State, id: JobId) -> Vec<ModelId> {
    let demand = &state.shapes.get(state.jobs.known(id).shape).demand;
    let mut models: Vec<ModelId> = Vec::new();
    for model in demand.alternatives.iter().flat_map(|alternative| &alternative.models) {
        if !models.contains(model) {
            models.push(*model);
        }
    }
    models
}

/// The fewest of the cheapest givers that are enough, each asked for no more than it takes, and
/// the place the job then gets.
fn plan(state: &mut State, id: JobId, model: ModelId, tier: u16) -> Option<(Vec<Ask>, Placed)> {
    let demand = &state.shapes.get(state.jobs.known(id).shape).demand;
    let free = state.capacity.topology.domains[ROOT].free(model).gpus;
    // What counts must be right before any place is looked for; groups may be of other models.
    let least = if demand.groups.len() == 1 { demand.gpus } else { 1 };
    let own: u64 = own_free(state, id);
    if free + own + state.elastic.spare(model) < least {
        return None;
    }
    let givers = shrink::givers(state, model, tier);
    let to_give: u64 = givers.iter().map(|giver| giver.gpus()).sum();
    if givers.is_empty() || free + own + to_give < least {
        return None;
    }
    let everything: Vec<Ask> = givers.iter().map(|giver| giver.all()).collect();
    fits_with(state, id, &everything)?;
    let mut count = 1;
    let (all, placed) = loop {
        let all: Vec<Ask> = givers[..count].iter().map(|giver| giver.all()).collect();
        if let Some(placed) = fits_with(state, id, &all) {
            break (all, placed);
        }
        if count == givers.len() {
            return None;
        }
        count = (count * 2).min(givers.len());
    };
    // Only what is on these nodes is needed, and perhaps not all of that.
    let nodes = placed.nodes();
    let used: Vec<Ask> = all.iter().filter_map(|ask| ask.giver.clearing(state, &nodes)).collect();
    let mut asks = if fits_with(state, id, &used).is_some() { used } else { all };
    shrink::spare(&mut asks, |asks| fits_with(state, id, asks).is_some());
    let placed = fits_with(state, id, &asks)?;
    (!asks.is_empty()).then_some((asks, placed))
}

/// GPUs free on the nodes reserved for a job, which are not counted as free.
fn own_free(state: &State, id: JobId) -> u64 {
    let own = state.floor.claims.get(&id).into_iter().flat_map(|claim| &claim.nodes);
    own.map(|&node| u64::from(state.capacity.nodes[node].spare.unwrap_or(0))).sum()
}

/// The place a job would get if others gave back what is asked, limits and all.
fn fits_with(state: &mut State, id: JobId, asks: &[Ask]) -> Option<Placed> {
    let books = Books { jobs: &state.jobs, shapes: &state.shapes, catalog: &state.catalog };
    let job = books.jobs.known(id);
    let shape = books.shapes.get(job.shape);
    let mut transaction = Transaction::new(&mut state.capacity);
    let own = state.floor.claims.get(&id).into_iter().flat_map(|claim| &claim.nodes);
    own.for_each(|&node| transaction.unclaim(node));
    for ask in asks {
        shrink::give(&mut transaction, books, ask);
    }
    let queues = &transaction.capacity().queues;
    let allowed = standing::standing(queues, job.queue, job.user, false, shape).allowed;
    let terms = prove::terms(transaction.capacity(), shape);
    place::place_by(&mut transaction, shape, allowed, books.catalog.node_depth(), terms)
}
