//! How much longer a job that has run for a while will run, as quantiles of what is left of its
//! predicted distribution: never "it should be over now".

mod table;
#[cfg(test)]
mod tests;

use muster_model::{Estimate, Millis};

use crate::fixed;
use crate::order::gittins;
use table::REMAINING;

/// Which part of such jobs will have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantile {
    Half,
    Eight,
    Nine,
}

/// The time after which so many of the jobs with this estimate that have run for `attained` will
/// have ended.
pub(crate) fn remaining(estimate: Estimate, attained: Millis, quantile: Quantile) -> Millis {
    let (spread, age) = gittins::cell(estimate, attained);
    let log = i64::from(REMAINING[quantile as usize][spread][age]);
    let median = fixed::log2(u128::from(estimate.median.0));
    Millis(u64::try_from(fixed::exp2(median + log)).unwrap_or(u64::MAX).max(1))
}
