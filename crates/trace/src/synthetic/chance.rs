//! Everything that is drawn, from one seeded stream. Only sums, products and quotients are used:
//! they give the same bits on every machine, which library functions do not promise.

use std::time::Duration;

use muster_model::Millis;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Exponents beyond this are cut: nothing runs a billion times as long as its like.
const EXPONENT_MAX: f64 = 20.0;

/// Submissions of a thousand that bring several jobs at once.
const BURSTS: u64 = 150;

/// A seeded source of chance.
#[derive(Clone, Debug)]
pub(super) struct Chance {
    stream: ChaCha8Rng,
}

impl Chance {
    pub(super) fn new(seed: u64) -> Chance {
        Chance { stream: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// A number from 0 to below `count`.
    pub(super) fn below(&mut self, count: u64) -> u64 {
        self.stream.random_range(0..count)
    }

    /// An index of a list of this length.
    pub(super) fn index(&mut self, length: usize) -> usize {
        let drawn = self.below(length as u64);
        usize::try_from(drawn).expect("it is less than a length")
    }

    /// Whether something of this chance, in thousandths, happens.
    pub(super) fn happens(&mut self, thousandths: u64) -> bool {
        self.below(1_000) < thousandths
    }

    /// A span shorter than `most`.
    pub(super) fn span(&mut self, most: Millis) -> Millis {
        Millis(self.below(most.0.max(1)))
    }

    /// How many at once: mostly one, seldom many, at most `most`.
    pub(super) fn burst(&mut self, most: u64) -> u64 {
        if most > 1 && self.happens(BURSTS) { 1 + self.below(most) } else { 1 }
    }

    /// One of the choices, each as often as its weight says.
    pub(super) fn pick<'c, T>(&mut self, choices: &'c [T], weight: impl Fn(&T) -> u64) -> &'c T {
        let mut rest = self.below(choices.iter().map(&weight).sum());
        for choice in choices {
            match rest.checked_sub(weight(choice)) {
                Some(left) => rest = left,
                None => return choice,
            }
        }
        unreachable!("what is drawn is less than the sum of the weights")
    }

    /// A span whose logarithm is normal with this deviation.
    pub(super) fn log_normal(&mut self, median: Millis, deviation: f64) -> Millis {
        let factor = exponential(deviation * self.normal());
        // The longest median times the largest factor stays within a Duration.
        let span = Duration::from_millis(median.0).mul_f64(factor);
        Millis(u64::try_from(span.as_millis()).unwrap_or(u64::MAX))
    }

    /// A standard normal value, as twelve uniform ones make it.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.stream.random::<f64>()).sum::<f64>() - 6.0
    }
}

/// The exponential function: a short series for a thousandth of the exponent, squared ten times.
fn exponential(exponent: f64) -> f64 {
    let part = exponent.clamp(-EXPONENT_MAX, EXPONENT_MAX) / 1024.0;
    let series = 1.0 + part * (1.0 + part / 2.0 * (1.0 + part / 3.0 * (1.0 + part / 4.0)));
    (0..10).fold(series, |value, _| value * value)
}

#[cfg(test)]
mod tests {
    use muster_model::Millis;

    use super::{Chance, exponential};

    const DRAWS: usize = 20_000;

    #[test]
    fn the_exponential_is_that_of_the_library() {
        for tenths in -200..=200 {
            let exponent = f64::from(tenths) / 10.0;
            let error = exponential(exponent) / exponent.exp() - 1.0;
            assert!(error.abs() < 1e-7, "{exponent}: {error}");
        }
    }

    #[test]
    fn log_normal_spans_have_their_quartiles() {
        let mut chance = Chance::new(2);
        let mut spans: Vec<u64> =
            (0..DRAWS).map(|_| chance.log_normal(Millis::hours(1), 1.5).0).collect();
        spans.sort_unstable();
        let ratio = |at: usize| spans[at] as f64 / Millis::hours(1).0 as f64;
        assert!((ratio(DRAWS / 2) - 1.0).abs() < 0.05, "{}", ratio(DRAWS / 2));
        let wanted = (1.5_f64 * 0.6745).exp();
        assert!((ratio(DRAWS * 3 / 4) / wanted - 1.0).abs() < 0.06, "{}", ratio(DRAWS * 3 / 4));
    }

    #[test]
    fn choices_come_as_often_as_their_weights_say() {
        let mut chance = Chance::new(3);
        let choices = [(0, 700), (1, 300), (2, 0)];
        let mut counts = [0_usize; 3];
        for _ in 0..DRAWS {
            counts[chance.pick(&choices, |choice| choice.1).0] += 1;
        }
        assert!(counts[0].abs_diff(14_000) < 400, "{counts:?}");
        assert_eq!(counts[2], 0);
    }
}
