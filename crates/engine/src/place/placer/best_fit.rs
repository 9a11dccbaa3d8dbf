//! Best fit, a baseline: everything where the least is left over.

use super::{Rule, When};

pub(super) const RULE: Rule = Rule { shares_by_gradient: false, whole_by_gradient: When::Never };
