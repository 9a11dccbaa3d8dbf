//! Deadline urgency: grows by doublings as the slack before a deadline shrinks.

use muster_model::{Millis, Time};

use crate::fixed::{self, DOUBLING};
use crate::order::Facts;

/// Urgency never counts for more than six doublings.
const URGENCY_MAX: i64 = 6 * DOUBLING;

/// `log2(1 + remaining / slack)`, where the remaining time is taken at its ninth decile; 0
/// without a deadline.
pub(crate) fn urgency(facts: &Facts) -> i64 {
    let Some(deadline) = facts.deadline else { return 0 };
    let remaining = remaining(facts);
    let slack = slack(facts, deadline).0.max(1);
    let ratio = (u128::from(remaining.0) << 16) / u128::from(slack);
    let one = 1u128 << 16;
    (fixed::log2(one + ratio) - fixed::log2(one)).clamp(0, URGENCY_MAX)
}

/// When the urgency should be looked at again: when half the slack is gone.
pub(crate) fn next_look(facts: &Facts) -> Option<Time> {
    let deadline = facts.deadline?;
    let slack = slack(facts, deadline);
    (slack.0 > 0).then(|| facts.now + Millis((slack.0 / 2).max(1)))
}

fn remaining(facts: &Facts) -> Millis {
    facts.estimate.p90.saturating_sub(facts.attained)
}

fn slack(facts: &Facts, deadline: Time) -> Millis {
    deadline.since(facts.now + remaining(facts))
}
