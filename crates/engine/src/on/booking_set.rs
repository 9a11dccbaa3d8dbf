//! Nodes are set aside for a span of time, or not any more.

use std::collections::BTreeSet;

use muster_model::bound::BOOKINGS_MAX;
use muster_model::{BookedPlace, Booking, Invalid, Name, NodeId};

use crate::on::Refusals;
use crate::plan::booking;
use crate::state::State;
use crate::state::booking::BookingId;
use crate::state::topology::ROOT;

/// Makes a booking, or changes the one that has its name.
pub(crate) fn set(state: &mut State, booking: Booking) -> Result<(), Refusals> {
    booking.validate(&state.catalog.spec)?;
    let before = state.capacity.bookings.id_of(&booking.name);
    check(state, &booking, before)?;
    let nodes = nodes(state, &booking)?;
    refuse_overlap(state, &booking, before, &nodes)?;
    if let Some(before) = before {
        booking::take_back(state, before);
    }
    booking::make(state, booking, nodes);
    Ok(())
}

/// Takes a booking back; one that has started ends.
pub(crate) fn remove(state: &mut State, name: &Name) -> Result<(), Refusals> {
    let Some(id) = state.capacity.bookings.id_of(name) else {
        let allowed = "expected the name of a booking that is not over";
        return Err(vec![Invalid::new("name", name.to_string(), allowed)]);
    };
    booking::take_back(state, id);
    booking::settle_jobs(state, name);
    Ok(())
}

fn check(state: &State, booking: &Booking, before: Option<BookingId>) -> Result<(), Refusals> {
    if let Some(end) = booking.end.filter(|end| *end <= state.now) {
        let allowed = format!("expected a time in the future; it is {} now", state.now.0);
        return Err(vec![Invalid::new("end", end.0.to_string(), allowed)]);
    }
    if before.is_none() && state.capacity.bookings.len() >= BOOKINGS_MAX {
        let allowed = format!("expected at most {BOOKINGS_MAX} bookings at a time");
        return Err(vec![Invalid::new("bookings", BOOKINGS_MAX.to_string(), allowed)]);
    }
    Ok(())
}

/// The nodes that a booking names, ascending.
fn nodes(state: &State, booking: &Booking) -> Result<Vec<NodeId>, Refusals> {
    let mut nodes: BTreeSet<NodeId> = BTreeSet::new();
    let mut unknown = Vec::new();
    for (index, place) in booking.places.iter().enumerate() {
        let found = match place {
            BookedPlace::Node(name) => state.capacity.by_name.get(name).map(|node| vec![*node]),
            BookedPlace::Domain(path) => {
                let domain = state.capacity.topology.find(path);
                domain.map(|domain| state.capacity.topology.nodes_below(domain).collect())
            }
        };
        match found.filter(|nodes| !nodes.is_empty()) {
            Some(found) => nodes.extend(found),
            None => unknown.push(unknown_place(state, index, place)),
        }
    }
    if unknown.is_empty() { Ok(nodes.into_iter().collect()) } else { Err(unknown) }
}

fn unknown_place(state: &State, index: usize, place: &BookedPlace) -> Invalid {
    let allowed = match place {
        BookedPlace::Node(_) => "expected the name of a node that has joined".to_owned(),
        BookedPlace::Domain(_) => {
            let top = &state.capacity.topology.domains[ROOT];
            match top.children.first() {
                Some(&first) => {
                    let path = state.capacity.topology.path(first);
                    let example = BookedPlace::Domain(path);
                    format!("expected a domain that has nodes, by its path, such as {example}")
                }
                None => "expected a domain that has nodes; this cluster has none".to_owned(),
            }
        }
    };
    Invalid::new(format!("places[{index}]"), place.to_string(), allowed)
}

/// A node is set aside for one booking at a time.
fn refuse_overlap(
    state: &State,
    booking: &Booking,
    before: Option<BookingId>,
    nodes: &[NodeId],
) -> Result<(), Refusals> {
    let others = state
        .capacity
        .bookings
        .iter()
        .filter(|(id, other)| Some(*id) != before && other.record.booking.meets(booking));
    for (id, other) in others {
        let is_shared = |node: &&NodeId| {
            state.capacity.nodes[**node].spans.iter().any(|span| span.booking == id)
        };
        if let Some(node) = nodes.iter().find(is_shared) {
            let name = &state.capacity.nodes[*node].spec.name;
            let Booking { name: other, start, end, .. } = &other.record.booking;
            let until = end.map_or("its removal".to_owned(), |end| end.0.to_string());
            let allowed = format!(
                "node {name} is booked as {other} from {} until {until}; choose another time or \
                 other nodes",
                start.0
            );
            return Err(vec![Invalid::new("places", booking.name.to_string(), allowed)]);
        }
    }
    Ok(())
}
