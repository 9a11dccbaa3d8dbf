//! Starts one job if there is room: tried on trial, held and charged together, then launched.

use muster_model::{JobId, NodeId, Order};

use crate::explain::OrderTerms;
use crate::life::{launch, queueing, shares};
use crate::order;
use crate::place;
use crate::state::State;
use crate::state::line::OrderKey;
use crate::transaction::Transaction;

/// Starts the best job of the order by one of the allowed alternatives (as bits); whether it
/// did.
pub(crate) fn start(state: &mut State, key: OrderKey, allowed: u64) -> bool {
    try_start(state, key.job, allowed, false, &[])
}

/// Starts a starving job on behalf of the floor; the nodes held for it are its own.
pub(crate) fn start_for_floor(state: &mut State, id: JobId, allowed: u64) -> bool {
    let own = state.floor.claims.get(&id).map(|claim| claim.nodes.clone()).unwrap_or_default();
    try_start(state, id, allowed, true, &own)
}

/// Starts a job for which others have given tasks up, on the nodes held for it or elsewhere.
pub(crate) fn start_held(state: &mut State, id: JobId, allowed: u64, own: &[NodeId]) -> bool {
    try_start(state, id, allowed, false, own)
}

fn try_start(state: &mut State, id: JobId, allowed: u64, for_floor: bool, own: &[NodeId]) -> bool {
    let job = state.jobs.known(id);
    let (shape_id, queue, user) = (job.shape, job.queue, job.user);
    let node_depth = state.catalog.node_depth();
    let shape = state.shapes.get(shape_id);
    let mut transaction = Transaction::new(&mut state.capacity);
    // In the order of all, a claim counts for nothing: what is known of a shape holds for all
    // jobs that have it.
    for &node in own {
        transaction.unclaim(node);
    }
    let Some(placed) = place::place(&mut transaction, shape, allowed, node_depth) else {
        return false;
    };
    let charge = &shape.demand.alternatives[placed.alternative].charge;
    let gpus = charge.gpus;
    transaction.charge(queue, user, charge);
    transaction.commit();
    let terms = order_terms(state, id, for_floor);
    let quantum = for_floor.then_some(state.catalog.policy().floor.quantum);
    launch::launch(state, id, placed, terms, quantum);
    queueing::queue_used(state, (queue, user), gpus, true);
    shares::refresh_share(state, queue);
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
        class: state.catalog.spec.classes[usize::from(job.class.0)].value,
        rank: narrow(terms.rank),
        weight: narrow(terms.weight),
        fair_share: narrow(fair_share),
        urgency: narrow(urgency),
        key: narrow(job.record.key - fair_share),
    }
}
