//! Everything that is drawn by chance, from one seeded generator.

use std::time::Duration;

use muster_model::Millis;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A seeded source of chance.
#[derive(Clone, Debug)]
pub(super) struct Chance {
    rng: ChaCha8Rng,
}

impl Chance {
    /// The same seed draws the same values on every machine.
    pub(super) fn new(seed: u64) -> Chance {
        Chance { rng: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// A number from 0 to below `count`.
    pub(super) fn below(&mut self, count: u64) -> u64 {
        self.rng.random_range(0..count)
    }

    /// A number from 0 to below `count`, small ones more often: the lesser of two.
    pub(super) fn skewed(&mut self, count: u64) -> u64 {
        self.below(count).min(self.below(count))
    }

    /// Whether something of this chance, in thousandths, happens.
    pub(super) fn happens(&mut self, thousandths: u64) -> bool {
        self.below(1_000) < thousandths
    }

    /// One of the choices, each as often as the others.
    pub(super) fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.rng.random_range(0..choices.len())]
    }

    /// A span shorter than `most`.
    pub(super) fn span(&mut self, most: Millis) -> Millis {
        Millis(self.below(most.0.max(1)))
    }

    /// One of the choices, each as often as its weight says.
    pub(super) fn pick<T: Copy>(&mut self, choices: &[(T, u64)]) -> T {
        let mut rest = self.below(choices.iter().map(|(_, weight)| weight).sum());
        for &(choice, weight) in choices {
            if rest < weight {
                return choice;
            }
            rest -= weight;
        }
        unreachable!("what is drawn is less than the sum of the weights")
    }

    /// A span whose logarithm is normal with this standard deviation.
    pub(super) fn log_normal(&mut self, median: Millis, sigma: f64) -> Millis {
        let factor = (sigma * self.normal()).exp();
        let span = Duration::from_millis(median.0).mul_f64(factor);
        Millis(u64::try_from(span.as_millis()).unwrap_or(u64::MAX))
    }

    /// A standard normal value, as twelve uniform ones make it: exact enough for a workload,
    /// and bounded.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.rng.random::<f64>()).sum::<f64>() - 6.0
    }
}

#[cfg(test)]
mod tests {
    use muster_model::Millis;

    use super::Chance;

    const DRAWS: usize = 20_000;

    #[test]
    fn the_same_seed_draws_the_same_values() {
        let draw = |seed| {
            let mut chance = Chance::new(seed);
            (0..100).map(|_| chance.below(1_000_000)).collect::<Vec<_>>()
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
    }

    #[test]
    fn choices_come_as_often_as_their_weights_say() {
        let mut chance = Chance::new(1);
        let mut counts = [0_usize; 3];
        for _ in 0..DRAWS {
            counts[chance.pick(&[(0, 700), (1, 300), (2, 0)])] += 1;
        }
        assert!(counts[0].abs_diff(14_000) < 400, "{counts:?}");
        assert_eq!(counts[2], 0);
    }

    #[test]
    fn log_normal_spans_have_their_median_and_ninth_decile() {
        let mut chance = Chance::new(2);
        let median = Millis::hours(1);
        let mut spans: Vec<u64> = (0..DRAWS).map(|_| chance.log_normal(median, 0.6).0).collect();
        spans.sort_unstable();
        let ratio = |at: usize| spans[at] as f64 / median.0 as f64;
        assert!((ratio(DRAWS / 2) - 1.0).abs() < 0.05, "{}", ratio(DRAWS / 2));
        let wanted = (0.6_f64 * 1.2816).exp();
        assert!((ratio(DRAWS * 9 / 10) - wanted).abs() < 0.1, "{}", ratio(DRAWS * 9 / 10));
    }

    #[test]
    fn skewed_draws_prefer_small_numbers() {
        let mut chance = Chance::new(3);
        let low = (0..DRAWS).filter(|_| chance.skewed(100) < 50).count();
        assert!(low.abs_diff(DRAWS * 3 / 4) < 400, "{low}");
    }
}
