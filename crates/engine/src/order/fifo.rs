//! First come, first served, as a baseline: jobs go by their number, and the head blocks.

use crate::order::Rule;

pub(super) const RULE: Rule =
    Rule { key: |_| 0, head_blocks: true, fair_share: false, pauses: None };
