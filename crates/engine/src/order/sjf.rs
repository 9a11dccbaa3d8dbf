//! Shortest job first by its estimate, as a baseline: the head blocks.

use crate::order::Rule;

pub(super) const RULE: Rule = Rule {
    key: |facts| i64::try_from(facts.estimate.median.0).unwrap_or(i64::MAX),
    head_blocks: true,
    fair_share: false,
    pauses: None,
};
