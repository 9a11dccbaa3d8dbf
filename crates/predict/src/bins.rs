//! Durations in logarithmic bins, four to a doubling. Only comparisons and the four operations of
//! arithmetic are used, which give the same bits on every machine.

use muster_model::Millis;

/// Bins of a doubling.
const PER_DOUBLING: usize = 4;

/// The first bin holds what is shorter than twice this power of two of milliseconds: a second.
const FIRST_DOUBLING: u32 = 9;

/// The last doubling ends beyond half a year; what is longer is counted there.
const DOUBLINGS: usize = 25;

/// How many bins there are.
pub(crate) const BINS: usize = PER_DOUBLING * DOUBLINGS;

/// The lower edges of the bins of a doubling, as multiples of its begin.
const EDGES: [f64; PER_DOUBLING] =
    [1.0, 1.189_207_115_002_721, std::f64::consts::SQRT_2, 1.681_792_830_507_429];

/// How often durations were seen, or how likely they are.
pub(crate) type Counts = [f64; BINS];

/// The bin of a duration.
pub(crate) fn bin(duration: Millis) -> usize {
    let millis = duration.0.max(1 << FIRST_DOUBLING);
    let doubling = millis.ilog2();
    let part = millis as f64 / (1_u64 << doubling) as f64;
    let within = EDGES.iter().rposition(|edge| *edge <= part).unwrap_or(0);
    let index = (doubling - FIRST_DOUBLING) as usize * PER_DOUBLING + within;
    index.min(BINS - 1)
}

/// Where a bin begins, in milliseconds.
fn begin(bin: usize) -> f64 {
    let doubling = FIRST_DOUBLING as usize + bin / PER_DOUBLING;
    (1_u64 << doubling) as f64 * EDGES[bin % PER_DOUBLING]
}

/// The duration that a part of all stay below.
pub(crate) fn quantile(counts: &Counts, part: f64) -> f64 {
    let all: f64 = counts.iter().sum();
    let mut left = all * part;
    for (index, &count) in counts.iter().enumerate() {
        if count > 0.0 && count >= left {
            let (from, to) = (begin(index), begin(index + 1));
            return from + (to - from) * (left / count).clamp(0.0, 1.0);
        }
        left -= count;
    }
    begin(BINS)
}

#[cfg(test)]
mod tests {
    use muster_model::Millis;

    use super::{BINS, begin, bin, quantile};

    #[test]
    fn a_duration_is_between_the_edges_of_its_bin() {
        for millis in [512, 700, 1_000, 60_000, 3_600_000, 86_400_000, 1_000_000_000] {
            let bin = bin(Millis(millis));
            assert!(begin(bin) <= millis as f64 && (millis as f64) < begin(bin + 1), "{millis}");
        }
    }

    #[test]
    fn what_is_too_short_or_too_long_is_counted_at_the_ends() {
        assert_eq!((bin(Millis(0)), bin(Millis(u64::MAX))), (0, BINS - 1));
    }

    #[test]
    fn quantiles_part_what_was_counted() {
        let mut counts = [0.0; BINS];
        for seconds in 1..=1_000_u64 {
            counts[bin(Millis::seconds(seconds))] += 1.0;
        }
        for (part, seconds) in [(0.1, 100.0), (0.5, 500.0), (0.9, 900.0)] {
            let found = quantile(&counts, part) / 1_000.0;
            assert!((found / seconds - 1.0).abs() < 0.1, "{part}: {found}");
        }
    }
}
