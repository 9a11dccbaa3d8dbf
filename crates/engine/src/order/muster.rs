//! The default policy: least expected service first by Gittins rank, moved by the user's
//! weight, the queue's fair share and the deadline's urgency. No age term: waiting too long is
//! the service floor's business.

use muster_model::{Millis, Policy};

use crate::fixed::DOUBLING;
use crate::order::{Facts, Pauses, Rule};

/// Ranks are told apart by a quarter of a doubling: who is just far enough behind to give way is
/// found soon after. A whole part of a doubling, so that time has no unit.
const BUCKET_STEP: i64 = DOUBLING / 4;

/// Run time does not count as doubled before this.
const LOOK_MIN: Millis = Millis::minutes(1);

pub(super) const RULE: Rule = Rule {
    key,
    head_blocks: false,
    fair_share: true,
    // Twice the service left: each pause inside a pause halves it at least, so that they nest
    // no deeper than the logarithm of the longest over the shortest.
    pauses: Some(Pauses { rank, hysteresis: DOUBLING, weighs: true, bucket, look_after }),
};

/// In thousandths of a doubling.
fn rank(facts: &Facts, _: &Policy) -> i64 {
    let terms = facts.terms();
    terms.rank - terms.weight
}

fn key(facts: &Facts, _: &Policy) -> i64 {
    let terms = facts.terms();
    terms.rank - terms.weight - terms.urgency
}

fn bucket(rank: i64) -> u8 {
    u8::try_from((rank / BUCKET_STEP).clamp(0, 255)).expect("clamped to a byte")
}

/// Whenever its run time has doubled.
fn look_after(facts: &Facts, _: &Policy) -> Option<Millis> {
    Some(facts.attained.max(LOOK_MIN))
}
