//! Bookings and how they concern placement: which nodes are set aside from when on, and on what
//! terms a shape may be on them.
//!
//! Whether a job ends in time is its own affair, and what is known of a failure is known of a
//! shape. So where there are bookings, shapes are told apart by how long their jobs may stay.

use std::collections::{BTreeMap, BTreeSet};

use muster_model::{Booking, JobId, JobSpec, Millis, Name, NodeId, NodeSpec, Policy, Time};

use crate::snapshot::BookingRecord;
use crate::state::shape::Shape;

/// All bookings that are not over.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bookings {
    booked: BTreeMap<BookingId, Booked>,
    by_name: BTreeMap<Name, BookingId>,
    /// Jobs that are not over, by the booking they name, whether or not there is one.
    jobs: BTreeMap<Name, BTreeSet<JobId>>,
    /// How many there have been: numbers are given once.
    pub(crate) made: u32,
    /// Time from a start to a launch, and from an end to its confirmation, at the most.
    slack: Millis,
    grace: Millis,
    /// The longest time until a node has drained.
    pub(crate) drain: Millis,
    /// Nobody heeds them: to see what they keep a job from.
    pub(crate) are_ignored: bool,
}

/// A booking's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BookingId(pub(crate) u32);

/// The number of a booking that is not there.
const NOT_THERE: BookingId = BookingId(0);

/// A booking with its nodes.
#[derive(Clone, Debug)]
pub(crate) struct Booked {
    pub(crate) record: BookingRecord,
    /// Ascending.
    pub(crate) nodes: Vec<NodeId>,
}

/// A booking as a node sees it: it is set aside from a time on, until the booking is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Span {
    pub(crate) from: Time,
    pub(crate) booking: BookingId,
}

/// How long a job may stay once it has started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Stay {
    /// Until its limit, or a little longer.
    Limit(Millis),
    /// Until it is asked to go, within the grace.
    Yields,
}

impl Stay {
    /// The stay of jobs with a limit, rounded up by an eighth at the most, so that there are few.
    pub(crate) fn rounded(limit: Millis) -> Stay {
        let step = 1 << limit.0.max(8).ilog2().saturating_sub(3);
        Stay::Limit(Millis(limit.0.next_multiple_of(step)))
    }
}

/// What placement has to know of a shape where nodes are booked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    now: Time,
    /// Its jobs have gone by then.
    gone: Time,
    /// The booking they run in, and only there unless their place is given.
    inside: Option<BookingId>,
    only_inside: bool,
    are_ignored: bool,
}

impl Terms {
    /// The same for a start that is put off.
    pub(crate) fn put_off(self, by: Millis) -> Terms {
        Terms { gone: Time(self.gone.0.saturating_add(by.0)), ..self }
    }

    /// Whether a node with these spans may be used: no booking of others has begun or begins too
    /// soon, and its own lasts.
    pub(crate) fn are_met(&self, spans: &[Span]) -> bool {
        if self.are_ignored || (spans.is_empty() && !self.only_inside) {
            return true;
        }
        let is_own = |span: &Span| Some(span.booking) == self.inside;
        let is_inside = spans.iter().any(|span| is_own(span) && span.from <= self.now);
        spans.iter().all(|span| is_own(span) || span.from >= self.gone)
            && (is_inside || !self.only_inside)
    }
}

impl Bookings {
    pub(crate) fn new(policy: &Policy) -> Bookings {
        let slack = policy.launch_timeout + policy.stop_grace;
        let (grace, drain) = (policy.stop_grace, slack + policy.limit_max);
        Bookings { slack, grace, drain, ..Bookings::default() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.booked.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.booked.len()
    }

    /// Whether shapes are told apart by how long they stay: since there was a booking.
    pub(crate) fn tell_apart(&self) -> bool {
        self.made > 0
    }

    /// The terms of a shape whose jobs start now.
    pub(crate) fn terms(&self, now: Time, shape: &Shape) -> Terms {
        let gone = match shape.stay {
            Stay::Limit(limit) => Time(now.0.saturating_add(limit.0)) + self.slack,
            // Who is asked to go must have gone when the booking starts.
            Stay::Yields => now + self.grace + Millis(1),
        };
        let only_inside = shape.booking().is_some() && shape.pin.is_none();
        // Who has a place goes on there, if its booking lasts as one of its own.
        let named = shape.booking().filter(|_| only_inside || self.is_open(shape.spec()));
        let inside = named.map(|name| self.id_of(name).unwrap_or(NOT_THERE));
        Terms { now, gone, inside, only_inside, are_ignored: self.are_ignored }
    }

    /// All of them, by number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (BookingId, &Booked)> {
        self.booked.iter().map(|(id, booked)| (*id, booked))
    }

    pub(crate) fn get(&self, id: BookingId) -> Option<&Booked> {
        self.booked.get(&id)
    }

    pub(crate) fn get_mut(&mut self, id: BookingId) -> Option<&mut Booked> {
        self.booked.get_mut(&id)
    }

    pub(crate) fn id_of(&self, name: &Name) -> Option<BookingId> {
        self.by_name.get(name).copied()
    }

    pub(crate) fn named(&self, name: &Name) -> Option<&Booked> {
        self.get(self.id_of(name)?)
    }

    /// Whether the booking that a job names, if it names one, lets it run now.
    pub(crate) fn is_open(&self, job: &JobSpec) -> bool {
        let is_open = |booked: &Booked| booked.record.is_open && booked.record.booking.is_for(job);
        job.booking.as_ref().is_none_or(|name| self.named(name).is_some_and(is_open))
    }

    /// When a booking is told those who have to go.
    pub(crate) fn notice_at(&self, booking: &Booking) -> Time {
        Time(booking.start.0.saturating_sub(self.grace.0))
    }

    /// Adds a booking; its nodes are noted with [`Bookings::cover`].
    pub(crate) fn add(&mut self, record: BookingRecord) -> BookingId {
        let id = BookingId(record.id);
        self.by_name.insert(record.booking.name.clone(), id);
        self.booked.insert(id, Booked { record, nodes: Vec::new() });
        id
    }

    pub(crate) fn remove(&mut self, id: BookingId) -> Option<Booked> {
        let booked = self.booked.remove(&id)?;
        self.by_name.remove(&booked.record.booking.name);
        Some(booked)
    }

    /// Notes a node that has joined; the spans it has then, and whether it is closed by one.
    pub(crate) fn cover(&mut self, node: NodeId, spec: &NodeSpec) -> (Vec<Span>, bool) {
        let (mut spans, mut is_closed) = (Vec::new(), false);
        for (id, booked) in &mut self.booked {
            if booked.record.booking.covers(spec) {
                booked.nodes.push(node);
                spans.push(Span { from: booked.record.booking.start, booking: *id });
                is_closed |= booked.record.is_closed();
            }
        }
        spans.sort_unstable();
        (spans, is_closed)
    }

    /// A job names a booking, or is over.
    pub(crate) fn note_job(&mut self, name: &Name, job: JobId, is_there: bool) {
        let jobs = self.jobs.entry(name.clone()).or_default();
        match is_there {
            true => _ = jobs.insert(job),
            false => _ = jobs.remove(&job),
        }
        if jobs.is_empty() {
            self.jobs.remove(name);
        }
    }

    /// The jobs that name a booking and are not over.
    pub(crate) fn jobs_of(&self, name: &Name) -> Vec<JobId> {
        self.jobs.get(name).into_iter().flatten().copied().collect()
    }
}
