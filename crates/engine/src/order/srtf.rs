//! Shortest remaining time first, as a baseline: a job goes before all that have longer to run, and
//! takes the place of those who have the longest.
//!
//! What remains is the median of the estimate less what the job has run; for the published rule
//! estimates must be exact. Work that a restart does again counts as done. Nothing is weighed. What
//! jobs and policy say of pausing still holds: contracts, guarantees, classes, the floor, and how
//! long a job is left alone (`run_min`, `interval` and `overhead_ppm` of the policy).

use muster_model::{Millis, Policy};

use crate::fixed;
use crate::order::{Facts, Pauses, Rule};

/// A job that outlasts its estimate is taken to be about to end: the published rule decides anew
/// every second.
const REMAINING_MIN: Millis = Millis::seconds(1);

/// Remaining times are told apart by an eighth of a doubling, so that months fit the index.
const BUCKET_STEP: i64 = fixed::DOUBLING / 8;

/// Nobody has to know sooner that less remains: it only makes a job harder to pause.
const LOOK_MIN: Millis = Millis::minutes(1);

pub(super) const RULE: Rule = Rule {
    key: remaining,
    head_blocks: false,
    fair_share: false,
    // Strictly more: equals never take turns.
    pauses: Some(Pauses { rank: remaining, hysteresis: 1, weighs: false, bucket, look_after }),
};

/// In milliseconds.
fn remaining(facts: &Facts, _: &Policy) -> i64 {
    let remaining = facts.estimate.median.saturating_sub(facts.attained);
    i64::try_from(remaining.max(REMAINING_MIN).0).unwrap_or(i64::MAX)
}

fn bucket(rank: i64) -> u8 {
    let log = fixed::log2(u128::from(rank.unsigned_abs()));
    u8::try_from((log / BUCKET_STEP).clamp(0, 255)).expect("clamped to a byte")
}

/// When half of what remains is gone.
fn look_after(facts: &Facts, _: &Policy) -> Option<Millis> {
    let remaining = facts.estimate.median.saturating_sub(facts.attained);
    (remaining > REMAINING_MIN).then(|| Millis(remaining.0 / 2).max(LOOK_MIN))
}
