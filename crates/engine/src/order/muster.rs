//! The default policy: least expected service first by Gittins rank, moved by the user's
//! weight, the queue's fair share and the deadline's urgency. No age term: waiting too long is
//! the service floor's business.

use crate::order::{Facts, Rule};

pub(super) const RULE: Rule = Rule { key, head_blocks: false, fair_share: true };

fn key(facts: &Facts) -> i64 {
    let terms = facts.terms();
    terms.rank - terms.weight - terms.urgency
}
