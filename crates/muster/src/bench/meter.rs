//! Costs of single steps, and what is said about many of them.

use std::time::Duration;

use super::clock;

/// The cost of each measured step.
#[derive(Debug, Default)]
pub(super) struct Meter {
    nanos: Vec<u64>,
    total: u64,
}

/// Costs of many steps in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Spread {
    pub(super) p50: f64,
    pub(super) p99: f64,
    pub(super) p999: f64,
    pub(super) max: f64,
}

impl Meter {
    /// One more step has cost so much.
    pub(super) fn add(&mut self, cost: Duration) {
        let nanos = clock::nanos(cost);
        self.nanos.push(nanos);
        self.total += nanos;
    }

    /// Takes over all that another has measured.
    pub(super) fn absorb(&mut self, other: Meter) {
        self.nanos.extend(other.nanos);
        self.total += other.total;
    }

    /// How many steps were measured.
    pub(super) fn steps(&self) -> usize {
        self.nanos.len()
    }

    /// What all of them cost together.
    pub(super) fn total(&self) -> Duration {
        Duration::from_nanos(self.total)
    }

    /// The same in microseconds.
    pub(super) fn total_us(&self) -> f64 {
        micros(self.total)
    }

    /// How so many things for the total come to in a second.
    pub(super) fn per_second(&self, count: u64) -> f64 {
        if self.total == 0 { 0.0 } else { count as f64 * 1e9 / self.total as f64 }
    }

    /// The percentiles, all zero where nothing was measured.
    pub(super) fn spread(mut self) -> Spread {
        self.nanos.sort_unstable();
        let at = |ppm| percentile(&self.nanos, ppm).map_or(0.0, micros);
        Spread { p50: at(500_000), p99: at(990_000), p999: at(999_000), max: at(1_000_000) }
    }

    /// The median in microseconds, if anything was measured.
    pub(super) fn median(self) -> Option<f64> {
        (!self.nanos.is_empty()).then(|| self.spread().p50)
    }
}

/// The smallest value that at least so many parts per million of the sorted values do not
/// exceed.
fn percentile(sorted: &[u64], ppm: usize) -> Option<u64> {
    let rank = (sorted.len() * ppm).div_ceil(1_000_000).max(1);
    sorted.get(rank - 1).copied()
}

fn micros(nanos: u64) -> f64 {
    nanos as f64 / 1_000.0
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Meter, Spread, percentile};

    fn meter(micros: impl IntoIterator<Item = u64>) -> Meter {
        let mut meter = Meter::default();
        for micros in micros {
            meter.add(Duration::from_micros(micros));
        }
        meter
    }

    #[test]
    fn a_percentile_is_the_least_value_that_covers_its_part() {
        let hundred: Vec<u64> = (1..=100).collect();
        assert_eq!(percentile(&hundred, 500_000), Some(50));
        assert_eq!(percentile(&hundred, 990_000), Some(99));
        assert_eq!(percentile(&hundred, 999_000), Some(100));
        assert_eq!(percentile(&hundred, 1_000_000), Some(100));
        assert_eq!(percentile(&hundred, 0), Some(1));
        assert_eq!(percentile(&[], 500_000), None);
    }

    #[test]
    fn one_slow_step_in_a_thousand_shows_in_the_maximum_and_not_in_p999() {
        let spread = meter((0..999).map(|_| 2).chain([5_000])).spread();
        assert_eq!(spread, Spread { p50: 2.0, p99: 2.0, p999: 2.0, max: 5_000.0 });
    }

    #[test]
    fn the_order_of_measuring_does_not_matter() {
        assert_eq!(meter([9, 1, 5]).spread(), meter([5, 9, 1]).spread());
        assert_eq!(meter([9, 1, 5]).median(), Some(5.0));
    }

    #[test]
    fn rates_come_from_the_sum_of_all_steps() {
        let meter = meter([250, 250]);
        assert_eq!((meter.steps(), meter.total_us()), (2, 500.0));
        assert!((meter.per_second(100) - 200_000.0).abs() < 1e-6);
    }

    #[test]
    fn nothing_measured_gives_zeros_and_no_median() {
        assert_eq!(meter([]).per_second(5), 0.0);
        assert_eq!(meter([]).spread(), Spread::default());
        assert_eq!(meter([]).median(), None);
    }
}
