//! Defragmentation: when a gang fits by the count of free GPUs and not by their shape, jobs that
//! can be paused move elsewhere at once and it starts in their place. Only for what that gains it,
//! within a budget, and only what may be said beforehand: a preview says and does nothing more.

use muster_model::{DefragmentationMode, JobId, Millis, Time};

use crate::action::Action;
use crate::dense::ShapeId;
use crate::pass::start;
use crate::pause::search::{self, Found, Judged};
use crate::pause::seeker::{self, PLANS_MAX, Seeker};
use crate::pause::{balance, exposure, hold};
use crate::plan::claim;
use crate::plan::drain::{self, Until};
use crate::reason::Movable;
use crate::state::State;
use crate::state::topology::ROOT;

/// So many of the first heads are asked whether they fit by count.
const HEADS_MAX: usize = 16;

/// So many of them look for moves at once.
const SEARCHES_MAX: usize = 2;

/// After a look that had something to search for, the next waits this long: what is gained is
/// waiting time of minutes, and a search may visit all nodes.
const LOOK_PAUSE: Millis = Millis::minutes(1);

/// The span over which the budget is counted.
const SPAN: Millis = Millis::hours(1);

/// Something has changed that may make moves worth it.
pub(crate) fn note(state: &mut State) {
    let is_on = state.catalog.policy().defragmentation.mode != DefragmentationMode::Off;
    state.moves.is_due |= is_on && state.waiting.len() > 0;
}

/// When moves are looked for next.
pub(crate) fn next_look(state: &State) -> Option<Time> {
    state.moves.is_due.then(|| state.moves.after.max(state.now))
}

/// Looks for moves if it is time to; whether any were begun.
pub(crate) fn look(state: &mut State) -> bool {
    // A pass that goes on in the next step comes first.
    if !state.moves.is_due || state.pass_due || state.now < state.moves.after {
        return false;
    }
    state.moves.is_due = false;
    let heads: Vec<JobId> = (state.waiting.heads().take(HEADS_MAX))
        .filter(|(key, shape)| fits_by_count(state, key.job, *shape))
        .map(|(key, _)| key.job)
        .filter(|job| !state.moves.told.contains(job))
        .collect();
    let mut searches = 0;
    for id in heads {
        let Some(seeker) = Seeker::new(state, id) else { continue };
        if searches == SEARCHES_MAX || state.plans.plans.len() >= PLANS_MAX {
            break;
        }
        searches += 1;
        state.moves.after = state.now + LOOK_PAUSE;
        let seeker = asking_to_move(state, seeker);
        let Some(found) = find(state, &seeker) else { continue };
        match affordable_at(state, cost(&found)) {
            Some(at) if at > state.now => {
                state.moves.is_due = true;
                state.moves.after = state.moves.after.max(at);
            }
            Some(_) => return carry_out(state, &seeker, found),
            None => {}
        }
    }
    false
}

/// Does what was found, or only tells it; whether it was done.
fn carry_out(state: &mut State, seeker: &Seeker, found: Found) -> bool {
    if state.catalog.policy().defragmentation.mode == DefragmentationMode::Preview {
        let movable = told(state, seeker, &found);
        state.moves.told.insert(seeker.id);
        state.actions.push(Action::Previewed { job: seeker.id, movable });
        // There may be others to tell of.
        note(state);
        return false;
    }
    let cost = cost(&found);
    state.moves.spent = faded(state) + cost;
    state.moves.at = state.now;
    let order = start::order_terms(state, seeker.id, false);
    hold::commit(state, seeker.id, found, order);
    true
}

/// The moves that would start a queued job at once, where they are worth it and within the budget.
pub(crate) fn preview(state: &mut State, id: JobId) -> Option<Movable> {
    let shape = state.jobs.known(id).line_shape();
    if !fits_by_count(state, id, shape) {
        return None;
    }
    let seeker = asking_to_move(state, Seeker::new(state, id)?);
    let found = find(state, &seeker)?;
    let at = affordable_at(state, cost(&found))?;
    (at <= state.now).then(|| told(state, &seeker, &found))
}

fn told(state: &State, seeker: &Seeker, found: &Found) -> Movable {
    Movable {
        jobs: found.offers.iter().map(|offer| offer.job).collect(),
        cost: cost(found),
        otherwise: state.now + balance::natural(seeker, &found.offers),
    }
}

/// Whether enough GPUs are free for a job, wherever they are.
pub(crate) fn fits_by_count(state: &State, id: JobId, shape: ShapeId) -> bool {
    let shape = state.shapes.get(shape);
    let demand = &shape.demand;
    // What the floor holds nodes for is not in want of more, and one GPU is never in pieces.
    if shape.pin.is_some() || demand.gpus < 2 || state.floor.is_claimed(id) {
        return false;
    }
    let own = state.floor.claims.get(&id).into_iter().flat_map(|claim| &claim.nodes);
    let own: u64 = own.map(|&node| u64::from(state.capacity.nodes[node].spare.unwrap_or(0))).sum();
    let root = &state.capacity.topology.domains[ROOT];
    demand.alternatives.iter().any(|alternative| {
        let mut models = alternative.models.to_vec();
        models.sort_unstable();
        models.dedup();
        let free: u64 = models.iter().map(|&model| root.free(model).gpus).sum();
        free + own >= demand.gpus
    })
}

/// A seeker as one that asks others to move, whoever they are.
fn asking_to_move(state: &State, seeker: Seeker) -> Seeker {
    let threshold = exposure::ONLY_RECLAIMED + 1;
    let (moves, within) = (Some(waits(state, &seeker)), seeker::RELEASE_MAX);
    Seeker { threshold, moves, within, ..seeker }
}

/// How long a job waits if nobody moves, by what is reserved or expected.
fn waits(state: &State, seeker: &Seeker) -> Millis {
    let reserved = state.floor.claims.get(&seeker.id).and_then(|claim| claim.reserved);
    if let Some(reserved) = reserved {
        return reserved.start.since(state.now);
    }
    // Ends are foreseen only where reservations are made; without, those who would move count.
    if state.catalog.policy().reservations.most == 0 {
        return Millis(u64::MAX);
    }
    let shape = state.shapes.get(seeker.shape);
    let node_depth = state.catalog.node_depth();
    let capacity = &state.capacity;
    let soonest = drain::soonest(capacity, shape, seeker.allowed, node_depth, Until::Expected);
    soonest.map_or(Millis(u64::MAX), |drain| drain.ready.since(state.now))
}

/// The cheapest moves that start a job and are worth it; nodes reserved for it are its own.
fn find(state: &mut State, seeker: &Seeker) -> Option<Found> {
    claim::with_own_nodes(state, seeker.id, |state| {
        search::find(state, seeker, &mut Judged::default())
    })
}

/// What moves cost, in GPU-milliseconds.
fn cost(found: &Found) -> u64 {
    found.offers.iter().map(|offer| offer.cost()).sum()
}

/// GPU-milliseconds that moves may cost in a span, on what is installed now.
fn allowed(state: &State, span: Millis) -> u64 {
    let ppm = state.catalog.policy().defragmentation.budget_ppm;
    let installed = u128::from(state.capacity.installed.gpus) * u128::from(ppm);
    u64::try_from(installed * u128::from(span.0) / 1_000_000_000).unwrap_or(u64::MAX)
}

/// What of the budget is spent and not yet allowed again.
fn faded(state: &State) -> u64 {
    state.moves.spent.saturating_sub(allowed(state, state.now.since(state.moves.at)))
}

/// When the budget allows a cost; `None` if it never does.
fn affordable_at(state: &State, cost: u64) -> Option<Time> {
    let most = allowed(state, SPAN);
    if cost > most {
        return None;
    }
    let over = (faded(state) + cost).saturating_sub(most);
    if over == 0 {
        return Some(state.now);
    }
    let span = u128::from(over) * u128::from(SPAN.0) / u128::from(most.max(1)) + 1;
    Some(state.now + Millis(u64::try_from(span).unwrap_or(u64::MAX)))
}
