//! The default: shares by gradient, beside others wherever they fit. Whole GPUs by best fit, which
//! keeps nodes and domains whole, until shares are part of the mix: then CPUs and pieces of GPUs
//! are what is short, and the gradient sees both.

use super::{Rule, When};

pub(super) const RULE: Rule =
    Rule { shares_by_gradient: true, whole_by_gradient: When::WithShares, pieces_first: true };
