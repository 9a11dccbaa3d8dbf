//! While others wait, nobody has more than the fewest tasks they need: a blocked job gets the
//! room that elastic jobs of its own tier or a lower one can spare.
//!
//! Nothing is asked of anyone before a trial has shown that the job then fits. Sizes are most
//! efficient at the fewest tasks, since speed grows slower than size.

use std::collections::{BTreeMap, BTreeSet};

use muster_model::{JobId, NodeId};

use crate::dense::{LineId, ModelId};
use crate::elastic::shrink::{self, Ask, Books};
use crate::fairness::standing;
use crate::order;
use crate::pass::start;
use crate::pause::balance::Balance;
use crate::pause::search::Found;
use crate::pause::{hold, prove};
use crate::place::{self, Placed};
use crate::plan::loan;
use crate::state::State;
use crate::state::topology::ROOT;
use crate::transaction::Transaction;

/// Room is made for at most so many of the best waiting jobs in one pass; each costs trials.
const BLOCKED_MAX: usize = 4;

/// At most so many lines are looked at for one that only a limit keeps.
const LIMITED_MAX: usize = 16;

/// Makes room for the best of those who wait, where others can spare it.
pub(crate) fn make_room(state: &mut State) {
    if nobody_can_give(state) {
        return;
    }
    for (id, line) in blocked(state) {
        make_room_for(state, id, line);
    }
}

/// The same while the order of all is worked off, before each start: what is free is part of the
/// room for the first who do not fit yet, and nobody behind them takes it. Ends at the first who
/// fits as it is. Who was `tried` in this pass is not again, for room only gets less within one.
pub(crate) fn make_room_ahead(state: &mut State, tried: &mut BTreeSet<JobId>) {
    if nobody_can_give(state) {
        return;
    }
    for (id, line) in first(state) {
        if tried.contains(&id) {
            continue;
        }
        if fits_now(state, id, line) {
            break;
        }
        tried.insert(id);
        make_room_for(state, id, line);
    }
}

/// Whether no elastic job has more tasks than its fewest.
pub(crate) fn nobody_can_give(state: &State) -> bool {
    state.elastic.may_shrink.is_empty() && state.floor.loans.is_empty()
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
    // What the floor holds for a job is the floor's to add to.
    if state.floor.is_claimed(id) {
        return false;
    }
    let Some(found) = find(state, id, line) else { return false };
    let order = start::order_terms(state, id, false);
    hold::commit(state, id, found, order);
    true
}

/// The room that a job gets if others give as much as that takes.
pub(crate) fn find(state: &mut State, id: JobId, line: LineId) -> Option<Found> {
    if nobody_can_give(state) || !can_be_held_for(state, id) {
        return None;
    }
    let line = state.waiting.line(line);
    let tier = order::tier(line.standing.guaranteed, state.catalog.class_rank(line.key.class));
    for model in models(state, id) {
        let Some((asks, placed)) = plan(state, id, model, tier) else { continue };
        let (offers, balance, moves) = (Vec::new(), Balance::NOTHING, Vec::new());
        return Some(Found { placed, asks, offers, balance, moves });
    }
    None
}

/// Whether a plan can hold room for a job: whole GPUs, anywhere.
fn can_be_held_for(state: &State, id: JobId) -> bool {
    let job = state.jobs.known(id);
    let has_shares = state.shapes.get(job.shape).demand.has_shares();
    job.line.is_some() && job.pinned.is_none() && !has_shares
}

/// The models a job accepts, best first.
pub(crate) fn models(state: &State, id: JobId) -> Vec<ModelId> {
    let demand = &state.shapes.get(state.jobs.known(id).shape).demand;
    let mut models: Vec<ModelId> = Vec::new();
    for model in demand.models() {
        if !models.contains(&model) {
            models.push(model);
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
    if free + own + state.elastic.spare(model) + loan::gpus(state, id, model) < least {
        return None;
    }
    let givers = shrink::givers(state, id, model, tier);
    let to_give: u64 = givers.iter().map(|giver| giver.gpus()).sum();
    if givers.is_empty() || free + own + to_give < least {
        return None;
    }
    let everything: Vec<Ask> = givers.iter().map(|giver| giver.all()).collect();
    if !may_hold(state, id, model, &everything) {
        return None;
    }
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

/// Whether there would be room for all tasks of a gang of one group, by GPUs alone, if others gave
/// back what is asked: told without a trial.
fn may_hold(state: &State, id: JobId, model: ModelId, asks: &[Ask]) -> bool {
    let demand = &state.shapes.get(state.jobs.known(id).shape).demand;
    let [group] = demand.groups.as_slice() else { return true };
    let is_claimed = state.floor.claims.contains_key(&id);
    if is_claimed || group.gpus == 0 || demand.alternatives.len() > 1 {
        return true;
    }
    let books = Books { jobs: &state.jobs, shapes: &state.shapes, catalog: &state.catalog };
    let mut given: BTreeMap<NodeId, u32> = BTreeMap::new();
    for (node, held) in asks.iter().flat_map(|ask| shrink::holdings(books, ask)) {
        *given.entry(node).or_default() += held.gpus.count();
    }
    let more = |(&node, &gpus): (&NodeId, &u32)| {
        let node = &state.capacity.nodes[node];
        let with = (node.usable().count() + gpus) / group.gpus;
        u64::from(with - node.counted.unwrap_or(0) / group.gpus)
    };
    let free = state.capacity.topology.domains[ROOT].free(model).tasks(group.gpus, 1);
    free + given.iter().map(more).sum::<u64>() >= u64::from(group.tasks)
}

/// GPUs free on the nodes reserved for a job, which are not counted as free.
fn own_free(state: &State, id: JobId) -> u64 {
    state.floor.claims.get(&id).map_or(0, |claim| state.capacity.spare_on(&claim.nodes))
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

/// Whether a job fits as things are.
fn fits_now(state: &mut State, id: JobId, line: LineId) -> bool {
    let allowed = state.waiting.line(line).standing.allowed;
    let shape = state.shapes.get(state.jobs.known(id).line_shape());
    let mut transaction = Transaction::new(&mut state.capacity);
    place::place(&mut transaction, shape, allowed, state.catalog.node_depth()).is_some()
}
