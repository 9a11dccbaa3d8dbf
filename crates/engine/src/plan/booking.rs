//! The life of a booking: those who have to go are told, it starts, it ends.
//!
//! Until it starts its nodes are used by whoever has gone by then: by limit, or because it is
//! told to. When it starts they belong to those it is for, or to nobody. When it ends they are
//! everyone's again, and whoever runs there goes on. What is done costs as many looks as it has
//! nodes, and jobs that name it, at each of these moments.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;
use muster_model::{Booking, JobId, Leftovers, Name, NodeId};

use crate::action::JobState;
use crate::life::queueing;
use crate::on::request;
use crate::pause::{hold, moved};
use crate::plan::claim;
use crate::snapshot::BookingRecord;
use crate::state::State;
use crate::state::booking::{BookingId, Span, Stay};
use crate::state::job::Job;
use crate::state::timer::Timer;

/// Sets nodes aside, ascending and not booked at that time.
pub(crate) fn make(state: &mut State, booking: Booking, nodes: Vec<NodeId>) {
    let is_first = !state.capacity.bookings.tell_apart();
    state.capacity.bookings.made += 1;
    let (name, start) = (booking.name.clone(), booking.start);
    let id = state.capacity.bookings.add(BookingRecord {
        id: state.capacity.bookings.made,
        booking,
        made: state.now,
        is_noticed: false,
        is_open: false,
    });
    for &node in &nodes {
        let spans = &mut state.capacity.nodes[node].spans;
        let span = Span { from: start, booking: id };
        let at = spans.partition_point(|other| *other < span);
        spans.insert(at, span);
    }
    claim::forget_on(state, &nodes.iter().map(|node| node.index()).collect());
    booked_mut(state, id).nodes = nodes;
    if is_first {
        tell_apart(state);
    }
    moved::give_up_late(state);
    nodes_changed(state);
    come(state, id);
    settle_jobs(state, &name);
}

/// Shapes are told apart by how long their jobs stay from now on: all that are known are looked
/// at anew, once in the life of a cluster.
fn tell_apart(state: &mut State) {
    for id in state.jobs.ids() {
        if !state.jobs.known(id).is_over() {
            queueing::reshape(state, id);
        }
    }
}

/// A moment of a booking has come.
pub(crate) fn come(state: &mut State, id: BookingId) {
    let now = state.now;
    let Some(booked) = state.capacity.bookings.get(id) else { return };
    let record = &booked.record;
    let name = record.booking.name.clone();
    if record.booking.end.is_some_and(|end| end <= now) {
        take_back(state, id);
        settle_jobs(state, &name);
        return;
    }
    if !record.is_noticed && state.capacity.bookings.notice_at(&record.booking) <= now {
        notice(state, id);
    }
    let record = &booked_mut(state, id).record;
    if !record.is_open && record.booking.start <= now {
        open(state, id);
        settle_jobs(state, &name);
    }
    let record = &booked_mut(state, id).record.clone();
    if let Some(at) = next(state, record) {
        state.timers.set(at, Timer::Booking(id));
    }
}

/// When something happens to a booking next.
fn next(state: &State, record: &BookingRecord) -> Option<muster_model::Time> {
    if !record.is_noticed {
        return Some(state.capacity.bookings.notice_at(&record.booking));
    }
    if record.is_open { record.booking.end } else { Some(record.booking.start) }
}

/// Those who have to go before a booking starts are stopped, and start again elsewhere.
fn notice(state: &mut State, id: BookingId) {
    booked_mut(state, id).record.is_noticed = true;
    let booked = booked_mut(state, id);
    let (booking, nodes) = (booked.record.booking.clone(), booked.nodes.clone());
    let there = nodes.iter().flat_map(|&node| state.capacity.nodes[node].jobs());
    let jobs: BTreeSet<JobId> = there.collect();
    for id in jobs {
        if has_to_go(state, state.jobs.known(id), &booking) {
            request::requeue(state, id);
        }
    }
}

/// Whether a job is stopped when a booking starts where it is: one that gives way whenever it is
/// asked, or that may be started again, where the booking is not to wait.
fn has_to_go(state: &State, job: &Job, booking: &Booking) -> bool {
    let is_inside = booking.is_for(&job.record.spec);
    let yields = state.shapes.get(job.shape).stay == Stay::Yields;
    let may_go = booking.leftovers == Leftovers::Requeue && job.record.spec.requeue.when_lost;
    !is_inside && (yields || may_go)
}

/// A booking starts: nothing counts on its nodes any more.
fn open(state: &mut State, id: BookingId) {
    let booked = booked_mut(state, id);
    booked.record.is_open = true;
    let (is_closed, nodes) = (booked.record.is_closed(), booked.nodes.clone());
    let set: FixedBitSet = nodes.iter().map(|node| node.index()).collect();
    claim::forget_on(state, &set);
    hold::give_up_on_any(state, |node| set.contains(node.index()));
    for node in nodes {
        state.capacity.nodes[node].is_closed |= is_closed;
        state.capacity.changed(node);
    }
    nodes_changed(state);
}

/// A booking is over, or taken back before its time: its nodes are everyone's.
pub(crate) fn take_back(state: &mut State, id: BookingId) {
    let Some(booked) = state.capacity.bookings.remove(id) else { return };
    if let Some(at) = next(state, &booked.record) {
        state.timers.clear(at, Timer::Booking(id));
    }
    let is_closed = booked.record.is_closed();
    for node in booked.nodes {
        let known = &mut state.capacity.nodes[node];
        known.spans.retain(|span| span.booking != id);
        known.is_closed &= !is_closed;
        state.capacity.changed(node);
    }
    nodes_changed(state);
}

/// Decides anew which of the jobs that name a booking wait for it.
pub(crate) fn settle_jobs(state: &mut State, name: &Name) {
    for id in state.capacity.bookings.jobs_of(name) {
        let job = state.jobs.known(id);
        if !job.is_placed() && matches!(job.record.state, JobState::Waiting | JobState::Queued) {
            queueing::settle(state, id);
        }
    }
}

/// What was impossible may be possible, and the other way round.
fn nodes_changed(state: &mut State) {
    state.capacity.topology.version += 1;
    state.pass_due = true;
}

/// Puts restored bookings back, before the nodes.
pub(crate) fn restore(state: &mut State, records: Vec<BookingRecord>, made: u32) {
    state.capacity.bookings.made = made;
    for record in records {
        if let Some(at) = next(state, &record) {
            state.timers.set(at, Timer::Booking(BookingId(record.id)));
        }
        state.capacity.bookings.add(record);
    }
}

fn booked_mut(state: &mut State, id: BookingId) -> &mut crate::state::booking::Booked {
    state.capacity.bookings.get_mut(id).expect("a booking that is not over is known")
}
