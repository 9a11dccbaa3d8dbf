//! What is due when. A timer is set with what it is about and taken back when that is over, so
//! the set never outgrows what is alive.

use std::collections::BTreeSet;

use muster_model::{JobId, NodeId, Time};

use crate::state::booking::BookingId;

/// Something that happens by the passing of time. The order decides among timers of one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Timer {
    /// The leases of lost nodes end.
    Leases,
    /// A node that refused a launch may be tried again.
    Rested(NodeId),
    /// A job's earliest start or pause is over.
    Begin(JobId),
    /// A launch was not confirmed in time.
    Unconfirmed(JobId),
    /// A running job is to be warned of its limit.
    Warn(JobId),
    /// A running job is at its limit.
    Limit(JobId),
    /// A job with a deadline has become more urgent.
    Urgency(JobId),
    /// A job served by the floor no longer counts against it.
    Quantum(JobId),
    /// A running job has become easier to pause.
    Exposure(JobId),
    /// A job that searched in vain has rested.
    Rest(JobId),
    /// A job outlasts the time it was expected to run.
    Expect(JobId),
    /// A reserved start has come.
    Slip(JobId),
    /// A booking starts or ends, or those who have to go before it are told.
    Booking(BookingId),
    /// A job could no longer finish by its deadline.
    Late(JobId),
    /// A gang has waited for places as near as it wants for long enough.
    Widen(JobId),
    /// A job has not given up its GPUs, or not got going again, in time.
    Pause(JobId),
    /// A growth was not confirmed in time.
    Unresized(JobId),
    /// An elastic job may grow again.
    Grow(JobId),
    /// Tasks that others give back for a job were not given in time.
    Giving(JobId),
}

/// All timers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timers {
    timers: BTreeSet<(Time, Timer)>,
}

impl Timers {
    pub(crate) fn set(&mut self, at: Time, timer: Timer) {
        self.timers.insert((at, timer));
    }

    pub(crate) fn clear(&mut self, at: Time, timer: Timer) {
        self.timers.remove(&(at, timer));
    }

    /// The earliest timer that is due, taken out.
    pub(crate) fn due(&mut self, now: Time) -> Option<Timer> {
        let &(at, timer) = self.timers.first()?;
        if at > now {
            return None;
        }
        self.timers.pop_first();
        Some(timer)
    }

    /// When the next one is due.
    pub(crate) fn next(&self) -> Option<Time> {
        self.timers.first().map(|(at, _)| *at)
    }
}
