//! Fair share alone, as a baseline: the queue furthest below its share goes first, and within
//! a queue who came first.

use crate::order::Rule;

pub(super) const RULE: Rule =
    Rule { key: |_| 0, head_blocks: false, fair_share: true, pauses: None };
