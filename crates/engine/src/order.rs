//! The order of waiting jobs: tiers that no score crosses, and inside a tier one key.
//!
//! A policy is one small file: how it makes the key, whether its head blocks, whether queues
//! that have used less than their share go first.

mod fair;
mod fifo;
pub(crate) mod gittins;
mod muster;
mod sjf;
pub(crate) mod urgency;

use muster_model::{Estimate, Millis, Order, Policy, Time};

use crate::fixed::DOUBLING;

/// What a policy says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    /// The part of the key that is the job's own; smaller goes first.
    pub(crate) key: fn(&Facts) -> i64,
    /// Nobody passes the first job, even if it does not fit.
    pub(crate) head_blocks: bool,
    /// The queue's fair-share term is taken off the key.
    pub(crate) fair_share: bool,
    /// How running and waiting jobs are compared when one may take the place of the other;
    /// `None` where nobody is ever paused.
    pub(crate) pauses: Option<Pauses>,
}

/// When a job is far enough behind another to give way to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pauses {
    /// A rank in thousandths of a doubling; larger gives way.
    pub(crate) rank: fn(&Facts) -> i64,
    /// By how much more it must be, with the cost of pausing counted as service.
    pub(crate) hysteresis: i64,
}

/// What a key is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    /// Milli-GPUs of the gang.
    pub(crate) milli: u64,
    pub(crate) estimate: Estimate,
    /// Run time it has had.
    pub(crate) attained: Millis,
    /// The user's weight, in doublings.
    pub(crate) weight: i8,
    pub(crate) deadline: Option<Time>,
    pub(crate) now: Time,
    /// How strongly GPUs count, in thousandths.
    pub(crate) size_weight: i64,
}

/// The rule of a policy.
pub(crate) fn rule(policy: &Policy) -> &'static Rule {
    match policy.order {
        Order::Muster => &muster::RULE,
        Order::Fifo => &fifo::RULE,
        Order::Sjf => &sjf::RULE,
        Order::Fair => &fair::RULE,
    }
}

/// The tier of a job: within its queue's guarantee before all others, then by class.
/// `class_rank` is 0 for the class that goes first.
pub(crate) fn tier(guaranteed: bool, class_rank: u8) -> u16 {
    u16::from(!guaranteed) << 8 | u16::from(class_rank)
}

/// The terms of the default key, in thousandths of a doubling.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    pub(crate) rank: i64,
    pub(crate) weight: i64,
    pub(crate) urgency: i64,
}

impl Facts {
    pub(crate) fn terms(&self) -> Terms {
        Terms {
            rank: gittins::rank(self),
            weight: i64::from(self.weight) * DOUBLING,
            urgency: urgency::urgency(self),
        }
    }
}
