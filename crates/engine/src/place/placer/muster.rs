//! The default: shares by gradient. Whole GPUs by best fit, which keeps nodes and domains whole,
//! until shares are part of the mix: then CPUs and pieces of GPUs are what is short, and the
//! gradient sees both.

use super::{Rule, When};

pub(super) const RULE: Rule =
    Rule { shares_by_gradient: true, whole_by_gradient: When::WithShares };
