//! How places are chosen among those that will do. A placer is one small file: for what it looks
//! at the fragmentation gradient. Whether a gang fits never depends on it.

mod best_fit;
mod fgd;
mod muster;

use muster_model::{Placer, Policy};

use crate::state::mix::Mix;

/// What a placer says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    /// Shares go where the gradient is least; otherwise where they fit most tightly.
    pub(crate) shares_by_gradient: bool,
    /// Whether whole GPUs that fit on one node do so too.
    pub(crate) whole_by_gradient: When,
}

/// When a rule applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    Never,
    /// While shares are part of the recent mix of demand.
    WithShares,
    Always,
}

impl Rule {
    /// Whether a gang that fits on one node is placed by the gradient.
    pub(crate) fn is_by_gradient(&self, has_shares: bool, mix: &Mix) -> bool {
        match self.whole_by_gradient {
            _ if has_shares => self.shares_by_gradient,
            When::Never => false,
            When::WithShares => mix.has_shares(),
            When::Always => true,
        }
    }
}

/// The rule of a policy.
pub(crate) fn rule(policy: &Policy) -> &'static Rule {
    match policy.placer {
        Placer::Muster => &muster::RULE,
        Placer::BestFit => &best_fit::RULE,
        Placer::Fgd => &fgd::RULE,
    }
}
