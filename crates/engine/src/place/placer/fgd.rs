//! Fragmentation gradient descent, a baseline: everything that fits on one node where the gradient
//! is least (Weng et al., 2023).

use super::{Rule, When};

pub(super) const RULE: Rule = Rule { shares_by_gradient: true, whole_by_gradient: When::Always };
