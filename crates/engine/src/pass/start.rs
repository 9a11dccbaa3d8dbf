//! Starts one job if there is room: tried on trial, held and charged together, then launched.

use fixedbitset::FixedBitSet;
use muster_model::{JobId, Order};

use crate::explain::OrderTerms;
use crate::fairness::standing;
use crate::life::{launch, queueing};
use crate::order;
use crate::pause::resume;
use crate::place::{self, close};
use crate::plan::claim;
use crate::repair::{self, mend};
use crate::state::State;
use crate::state::line::OrderKey;
use crate::transaction::Transaction;

/// Starts the best job of the order by one of the allowed alternatives (as bits); whether it
/// did.
pub(crate) fn start(state: &mut State, key: OrderKey, allowed: u64) -> bool {
    try_start(state, key.job, allowed, Ahead::OfNobody)
}

/// Starts a starving job on behalf of the floor; the nodes held for it are its own.
pub(crate) fn start_for_floor(state: &mut State, id: JobId, allowed: u64) -> bool {
    try_start(state, id, allowed, Ahead::ByFloor)
}

/// Starts a gang on the nodes reserved for it, or elsewhere.
pub(crate) fn start_for_reservation(state: &mut State, id: JobId, allowed: u64) -> bool {
    try_start(state, id, allowed, Ahead::ByReservation)
}

/// Starts a job that lost a node, on its old place if that can be or else wherever it fits.
pub(crate) fn start_for_repair(state: &mut State, id: JobId, allowed: u64) -> bool {
    try_start(state, id, allowed, Ahead::ByRepair)
}

/// On what grounds a job starts before others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ahead {
    OfNobody,
    ByFloor,
    ByReservation,
    ByRepair,
}

fn try_start(state: &mut State, id: JobId, allowed: u64, ahead: Ahead) -> bool {
    let for_floor = ahead == Ahead::ByFloor;
    let not_at_first = (ahead == Ahead::ByRepair).then(|| repair::not_at_first(state, id));
    let job = state.jobs.known(id);
    let (shape_id, queue, user) = (job.line_shape(), job.queue, job.user);
    let node_depth = state.catalog.node_depth();
    let shape = state.shapes.get(shape_id);
    // In the order of all, a claim counts for nothing: what is known of a shape holds for all
    // jobs that have it.
    let is_own = matches!(ahead, Ahead::ByFloor | Ahead::ByReservation);
    let claim = state.floor.claims.get(&id).filter(|_| is_own);
    if claim.is_some_and(|claim| !claim::may_hold(&state.capacity, claim, &shape.demand)) {
        return false;
    }
    let mut transaction = Transaction::new(&mut state.capacity);
    let mut own = None;
    if let Some(claim) = claim {
        for &node in &claim.nodes {
            transaction.unclaim(node);
        }
        // Elsewhere a gang that does not starve waits for its turn like all others.
        if ahead == Ahead::ByReservation {
            let nodes = claim.nodes.iter().map(|node| node.index());
            own = Some(nodes.collect::<FixedBitSet>());
        }
    }
    let to_repair = job.record.repair.as_deref().zip(not_at_first.as_ref());
    let mended = to_repair.and_then(|(repair, not_at_first)| {
        let by = (allowed, node_depth);
        mend::mend(&mut transaction, shape, repair, not_at_first, by)
    });
    let placed = mended.or_else(|| match own {
        Some(nodes) => {
            place::place_on(&mut transaction, shape, allowed, node_depth, (nodes, false))
        }
        None => place::place(&mut transaction, shape, allowed, node_depth),
    });
    let Some(mut placed) = placed else { return false };
    if shape.demand.has_shares() {
        close::close(&mut transaction, &shape.demand, &mut placed, |transaction, charge| {
            standing::blocking(&transaction.capacity().queues, queue, user, charge).is_none()
        });
    }
    let terms_of_repair = to_repair.map(|(repair, _)| repair::terms(repair, &placed));
    let charge = placed.charge(&shape.demand);
    let gpus = charge.gpus;
    transaction.charge(queue, user, &charge);
    transaction.commit();
    let terms = order_terms(state, id, for_floor);
    let quantum = for_floor.then_some(state.catalog.policy().floor.quantum);
    if state.jobs.known(id).pinned.is_some() {
        resume::begin(state, id, quantum);
    } else {
        launch::launch(state, id, placed, (terms, terms_of_repair), quantum);
    }
    queueing::queue_used(state, (queue, user), gpus, true);
    true
}

/// The terms that put a job where it is in the order.
pub(crate) fn order_terms(state: &State, id: JobId, floor: bool) -> OrderTerms {
    let job = state.jobs.known(id);
    let terms = queueing::facts(state, job).terms();
    let uses_share = order::rule(state.catalog.policy()).fair_share;
    let fair_share = if uses_share { state.capacity.queues[job.queue].fair_share } else { 0 };
    let standing = job.line.map(|line| state.waiting.line(line).standing);
    // Under the default policy, urgency is told as it is in the key.
    let urgency = match state.catalog.policy().order {
        Order::Muster => terms.rank - terms.weight - job.record.key,
        _ => terms.urgency,
    };
    let narrow = |value: i64| i32::try_from(value).unwrap_or(i32::MAX);
    OrderTerms {
        floor,
        guaranteed: standing.is_some_and(|standing| standing.guaranteed),
        class: state.catalog.class_spec(job.class).value,
        rank: narrow(terms.rank),
        weight: narrow(terms.weight),
        fair_share: narrow(fair_share),
        urgency: narrow(urgency),
        key: narrow(job.record.key - fair_share),
    }
}
