//! Promise: booked nodes are there for those they are booked for.
//!
//! A job that names a booking is started only on its nodes, while it lasts, and only if its user or
//! its queue may use it. Any other is started on a node that is booked only before the booking
//! starts, and only if its limit ends it by then or it is one that gives way whenever it is asked.
//! When a booking has started, nobody else is left computing on its nodes but those who were there
//! before it was made, and not even they if they had to go. The engine knows the bookings that
//! were made and are not over.

use muster_engine::action::JobState;
use muster_engine::snapshot::{Sight, Snapshot};
use muster_model::{Booking, Name, NodeId, Time};

use crate::shadow::{Job, Shadow, Start};
use crate::violation::{Findings, Promise};

/// Judges a start, or a suspended job that goes on.
pub(crate) fn launched(shadow: &Shadow, job: &Job, start: &Start, found: &mut Findings) {
    let is_first = start.attempt != job.attempt;
    for (id, _) in &start.places {
        let Some(node) = shadow.nodes.get(id) else { continue };
        let mut is_inside = false;
        for (booking, _) in shadow.bookings_of(&node.spec) {
            // A suspended job goes on before its booking starts as any other does.
            let is_own = booking.is_for(&job.spec);
            if is_own && (is_first || booking.start <= shadow.now) {
                is_inside = true;
                inside(shadow, job, booking, found);
            } else {
                outside(shadow, job, (*id, booking), is_first, found);
            }
        }
        // A suspended job goes on where it was, even if the booking it ran in is over.
        if job.spec.booking.is_some() && !is_inside && is_first {
            let detail = format!("job {} is on node {id}, outside of its booking", job.id);
            found.add(Promise::Booking, detail);
        }
    }
}

fn inside(shadow: &Shadow, job: &Job, booking: &Booking, found: &mut Findings) {
    let (id, name) = (job.id, &booking.name);
    if booking.start > shadow.now {
        found.add(Promise::Booking, format!("job {id} is started before its booking {name}"));
    }
}

fn outside(
    shadow: &Shadow,
    job: &Job,
    (node, booking): (NodeId, &Booking),
    is_first: bool,
    found: &mut Findings,
) {
    let (id, name) = (job.id, &booking.name);
    let policy = &shadow.cluster.policy;
    let limit = if is_first { shadow.limit_of(&job.spec) } else { shadow.limit_left(job) };
    let is_in_time = shadow.now + limit + policy.stop_grace <= booking.start;
    let gives_way = shadow.yields(&job.spec) && shadow.now + policy.stop_grace < booking.start;
    if !is_in_time && !gives_way {
        let detail = format!("job {id} is started on node {node}, which is booked as {name}");
        found.add(Promise::Booking, detail);
    }
}

/// Judges a submission that was accepted.
pub(crate) fn accepted(shadow: &Shadow, job: &Job, found: &mut Findings) {
    let Some(name) = &job.spec.booking else { return };
    let lets_in = |(booking, _): &(Booking, Time)| booking.lets_in(&job.spec.user, &job.spec.queue);
    if !shadow.bookings.get(name).is_some_and(lets_in) {
        let detail = format!("job {} may not use booking {name} and was accepted", job.id);
        found.add(Promise::Booking, detail);
    }
}

/// Judges, when the engine has nothing left to do at this moment, who is left on booked nodes.
pub(crate) fn at_rest(shadow: &Shadow, found: &mut Findings) {
    if shadow.bookings.is_empty() {
        return;
    }
    for node in shadow.nodes.values().filter(|node| node.sight == Sight::Seen) {
        for (booking, made) in shadow.bookings_of(&node.spec) {
            if booking.start > shadow.now {
                continue;
            }
            let there = node.tasks.keys().map(|(job, ..)| &shadow.jobs[job]);
            for job in there.filter(|job| is_left(shadow, job, (booking, *made))) {
                let (id, name) = (job.id, &booking.name);
                let detail = format!("job {id} is left on node {} of booking {name}", node.id);
                found.add(Promise::Booking, detail);
            }
        }
    }
}

/// Whether a job computes where it should not any more.
fn is_left(shadow: &Shadow, job: &Job, (booking, made): (&Booking, Time)) -> bool {
    let Some(run) = &job.run else { return false };
    let is_stopping = job.state == Some(JobState::Stopping);
    let came_later = run.placed > made;
    let is_inside = booking.is_for(&job.spec);
    !is_stopping && !is_inside && (came_later || shadow.has_to_go(job))
}

/// Judges which bookings the engine knows.
pub(crate) fn compared(shadow: &Shadow, snapshot: &Snapshot, found: &mut Findings) {
    let lasts = |booking: &Booking| booking.end.is_none_or(|end| end > shadow.now);
    for (booking, made) in shadow.bookings.values().filter(|(booking, _)| lasts(booking)) {
        let is_it = |record: &&muster_engine::snapshot::BookingRecord| {
            record.booking == *booking && record.made == *made
        };
        if !snapshot.bookings.iter().any(|record| is_it(&record)) {
            let detail = format!("booking {} is not in the snapshot", booking.name);
            found.add(Promise::Booking, detail);
        }
    }
    let is_unknown = |name: &Name| !shadow.bookings.contains_key(name);
    for record in snapshot.bookings.iter().filter(|record| is_unknown(&record.booking.name)) {
        let detail = format!("booking {} is inside and was never made", record.booking.name);
        found.add(Promise::Booking, detail);
    }
}
