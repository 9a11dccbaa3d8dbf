//! Bookings in the way: what keeps a job off nodes that are set aside, and jobs that wait for a
//! booking of their own.

use muster_model::{JobId, NodeId};

use crate::dense::ModelId;
use crate::place;
use crate::plan::drain;
use crate::reason::Reason;
use crate::snapshot::JobRecord;
use crate::state::State;
use crate::transaction::Transaction;

/// So many nodes are named.
const NAMED_MAX: usize = 4;

/// That the booking a job names has not started, or is no more.
pub(super) fn unopened(state: &State, record: &JobRecord) -> Option<Reason> {
    let name = record.spec.booking.as_ref()?;
    let bookings = &state.capacity.bookings;
    let own = bookings.named(name).filter(|own| own.record.booking.is_for(&record.spec));
    let opens = own.map(|own| own.record.booking.start.max(state.now));
    (!bookings.is_open(&record.spec)).then(|| Reason::Unopened { booking: name.clone(), opens })
}

/// The booking of nodes that a job would fit on if they were not booked.
pub(super) fn in_the_way(state: &mut State, id: JobId, allowed: u64) -> Option<Reason> {
    if !is_concerned(state, id) {
        return None;
    }
    let nodes = without(state, |state| {
        let node_depth = state.catalog.node_depth();
        let shape = state.shapes.get(state.jobs.known(id).line_shape());
        let mut transaction = Transaction::new(&mut state.capacity);
        let placed = place::place(&mut transaction, shape, allowed, node_depth)?;
        Some(placed.tasks.iter().map(|(node, _)| *node).collect::<Vec<NodeId>>())
    })?;
    reason(state, id, nodes)
}

/// The first booking of nodes without which a job could never fit.
pub(super) fn take_all(state: &mut State, id: JobId) -> Option<Reason> {
    if !is_concerned(state, id) {
        return None;
    }
    let missing = without(state, |state| {
        let shape = state.shapes.get(state.jobs.known(id).shape);
        let (all, node_depth) = (shape.demand.all(), state.catalog.node_depth());
        drain::missing(&state.capacity, shape, all, node_depth)
    });
    if missing > 0 {
        return None;
    }
    let shape = state.shapes.get(state.jobs.known(id).shape);
    let alternatives = shape.demand.alternatives.iter();
    let models: Vec<ModelId> = alternatives.flat_map(|by| by.models.iter().copied()).collect();
    let lets_in =
        |node: NodeId| shape.eligible.last().is_none_or(|(_, set)| set.contains(node.index()));
    let nodes = state.capacity.nodes.iter().map(|(id, node)| (id, node.model));
    let matching = nodes.filter(|(id, model)| models.contains(model) && lets_in(*id));
    let matching = matching.map(|(id, _)| id).collect();
    reason(state, id, matching)
}

/// Whether bookings of others may be in the way of a job.
fn is_concerned(state: &State, id: JobId) -> bool {
    let is_inside = state.jobs.known(id).record.spec.booking.is_some();
    !is_inside && !state.capacity.bookings.is_empty()
}

/// Looks at things as if nothing were booked.
fn without<T>(state: &mut State, look: impl FnOnce(&mut State) -> T) -> T {
    let closed = state.capacity.bookings.iter().filter(|(_, booked)| booked.record.is_closed());
    let nodes: Vec<NodeId> = closed.flat_map(|(_, booked)| booked.nodes.clone()).collect();
    set_closed(state, &nodes, false);
    state.capacity.bookings.are_ignored = true;
    let seen = look(state);
    state.capacity.bookings.are_ignored = false;
    set_closed(state, &nodes, true);
    seen
}

fn set_closed(state: &mut State, nodes: &[NodeId], is_closed: bool) {
    for &node in nodes {
        state.capacity.nodes[node].is_closed = is_closed;
        state.capacity.recount(node);
    }
}

/// The first booking that keeps a job off one of some nodes, with those of them it takes.
fn reason(state: &State, id: JobId, mut nodes: Vec<NodeId>) -> Option<Reason> {
    let terms = state.capacity.terms(state.shapes.get(state.jobs.known(id).line_shape()));
    nodes.sort_unstable();
    nodes.dedup();
    nodes.retain(|node| !terms.are_met(&state.capacity.nodes[*node].spans));
    let spans = nodes.iter().filter_map(|&node| state.capacity.nodes[node].spans.first());
    let first = spans.min()?.booking;
    let is_taken = |node: &&NodeId| {
        state.capacity.nodes[**node].spans.first().is_some_and(|span| span.booking == first)
    };
    let taken: Vec<NodeId> = nodes.iter().filter(is_taken).copied().collect();
    let name = |node: &NodeId| state.capacity.nodes[*node].spec.name.clone();
    let booking = &state.capacity.bookings.get(first)?.record.booking;
    Some(Reason::Booked {
        booking: booking.name.clone(),
        is_for_nobody: booking.is_for_nobody(),
        nodes: taken.iter().take(NAMED_MAX).map(name).collect(),
        more: u32::try_from(taken.len().saturating_sub(NAMED_MAX)).unwrap_or(u32::MAX),
        from: Some(booking.start).filter(|start| *start > state.now),
        until: booking.end,
    })
}
