//! Estimates as users give them: right within a factor that is drawn anew for each job.

use muster_model::{Estimate, Millis};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// So many draws from 0 to 1, less half as many, are nearly a standard normal.
const DRAWS: usize = 12;

/// Nine tenths of a normal distribution lie below so many standard deviations.
const NINE_TENTHS: f64 = 1.2816;

/// The estimate of a job, by the standard deviation of the logarithm of its error in thousandths,
/// the seed, and its place in the trace. It does not depend on what else is drawn.
pub(super) fn estimate(truth: Millis, sigma_milli: u32, (seed, index): (u64, usize)) -> Estimate {
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    chance.set_stream(index as u64 + 1);
    let drawn: f64 = (0..DRAWS).map(|_| chance.random::<f64>()).sum();
    let sigma = f64::from(sigma_milli) / 1_000.0;
    let median = truth.0.max(1) as f64 * (sigma * (drawn - DRAWS as f64 / 2.0)).exp();
    let p90 = median * (sigma * NINE_TENTHS).exp();
    Estimate { median: span(median), p90: span(p90) }
}

fn span(millis: f64) -> Millis {
    let most = muster_model::bound::SPAN_MAX.0 as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to range")]
    let whole = millis.clamp(1.0, most) as u64;
    Millis(whole)
}

#[cfg(test)]
mod tests {
    use muster_model::Millis;

    use super::estimate;

    #[test]
    fn half_are_too_long_and_nine_of_ten_below_the_ninth_decile() {
        let truth = Millis::hours(1);
        let all: Vec<_> = (0..4_000).map(|index| estimate(truth, 1_000, (7, index))).collect();
        let longer = all.iter().filter(|estimate| estimate.median > truth).count();
        assert!((1_900..2_100).contains(&longer), "{longer}");
        let covered = all.iter().filter(|estimate| truth <= estimate.p90).count();
        assert!((3_520..3_680).contains(&covered), "{covered}");
    }

    #[test]
    fn a_sure_guess_is_the_truth_and_a_seed_gives_the_same_again() {
        let truth = Millis::minutes(7);
        assert_eq!(estimate(truth, 0, (1, 3)).median, truth);
        assert_eq!(estimate(truth, 900, (1, 3)), estimate(truth, 900, (1, 3)));
        assert_ne!(estimate(truth, 900, (1, 3)), estimate(truth, 900, (1, 4)));
        assert_ne!(estimate(truth, 900, (1, 3)), estimate(truth, 900, (2, 3)));
    }
}
