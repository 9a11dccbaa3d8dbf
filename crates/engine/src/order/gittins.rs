//! The Gittins rank of a job whose run time is predicted as a log-normal distribution.
//!
//! The rank is the least expected service per chance of finishing, over all ways to try: small
//! for jobs that will soon be done, and growing when a job outruns its prediction. One formula
//! covers good, bad and no prediction (Gittins; Scully, Grosof, Harchol-Balter).

mod table;
#[cfg(test)]
mod tests;

use muster_model::{Estimate, Millis};

use crate::fixed::{self, DOUBLING};
use crate::order::Facts;
use table::RANKS;
pub(crate) use table::{AGES, SIGMAS};

/// Ages are tabulated from this many doublings below the median.
pub(crate) const AGE_LOWEST: i64 = -8 * DOUBLING;

/// Distance between tabulated ages.
pub(crate) const AGE_STEP: i64 = DOUBLING / 8;

/// The spreads that are tabulated: standard deviations of the logarithm, in thousandths.
pub(crate) const SPREADS: [i64; SIGMAS] = [250, 500, 750, 1000, 1500, 2000, 2500, 3000];

/// `log2` of the rank in GPU-milliseconds, in thousandths of a doubling.
pub(crate) fn rank(facts: &Facts) -> i64 {
    let size = size(facts.milli) * facts.size_weight / 1000;
    let median = fixed::log2(u128::from(facts.estimate.median.0));
    size + median + age_term(facts.estimate, facts.attained)
}

/// `log2` of a gang's GPUs; whole numbers of them give the same as without shares.
fn size(milli: u64) -> i64 {
    match milli {
        0 => 0,
        milli if milli.is_multiple_of(1000) => fixed::log2(u128::from(milli / 1000)),
        milli => fixed::log2(u128::from(milli)) - fixed::log2(1000),
    }
}

fn age_term(estimate: Estimate, attained: Millis) -> i64 {
    let (spread, age) = cell(estimate, attained);
    i64::from(RANKS[spread][age])
}

/// Where an estimate and an age are in tables by spread and age.
pub(crate) fn cell(estimate: Estimate, attained: Millis) -> (usize, usize) {
    let spread = spread(estimate);
    if attained.0 == 0 {
        return (spread, 0);
    }
    let age = fixed::log2(u128::from(attained.0)) - fixed::log2(u128::from(estimate.median.0));
    let steps = (age - AGE_LOWEST).max(0) / AGE_STEP;
    (spread, usize::try_from(steps).unwrap_or(AGES).min(AGES - 1))
}

/// The tabulated spread nearest to an estimate's.
fn spread(estimate: Estimate) -> usize {
    /// Nine tenths of a normal distribution lie below 1.2816 standard deviations; a doubling is
    /// ln 2 of the logarithm: together 1000 * ln 2 / 1.2816.
    const SIGMA_PER_DOUBLING_MILLI: i64 = 541;
    let ratio =
        fixed::log2(u128::from(estimate.p90.0)) - fixed::log2(u128::from(estimate.median.0));
    let sigma = ratio * SIGMA_PER_DOUBLING_MILLI / 1000;
    (0..SIGMAS)
        .min_by_key(|&index| (SPREADS[index] - sigma).abs())
        .expect("there are tabulated spreads")
}
