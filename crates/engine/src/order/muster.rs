//! The default policy: least expected service first by Gittins rank, moved by the user's
//! weight, the queue's fair share and the deadline's urgency. No age term: waiting too long is
//! the service floor's business.

use crate::fixed::DOUBLING;
use crate::order::{Facts, Pauses, Rule};

pub(super) const RULE: Rule = Rule {
    key,
    head_blocks: false,
    fair_share: true,
    // Twice the service left: each pause inside a pause halves it at least, so that they nest
    // no deeper than the logarithm of the longest over the shortest.
    pauses: Some(Pauses { rank, hysteresis: DOUBLING }),
};

fn rank(facts: &Facts) -> i64 {
    let terms = facts.terms();
    terms.rank - terms.weight
}

fn key(facts: &Facts) -> i64 {
    let terms = facts.terms();
    terms.rank - terms.weight - terms.urgency
}
