//! A figure over time, summed up in a bounded number of buckets: when time outgrows them, two
//! neighbours become one. Nothing is lost by that but detail, so the sum over all is exact.

use muster_model::{Millis, Time};

/// The most buckets: a chart is not much wider in points. Even, so that they can be paired.
pub(super) const MOST: usize = 400;

/// How long the first buckets last.
const WIDTH: Millis = Millis::seconds(1);

/// A figure times milliseconds, bucket by bucket.
#[derive(Clone, Debug)]
pub(super) struct Buckets {
    first: Time,
    width: Millis,
    sums: Vec<u128>,
}

impl Buckets {
    pub(super) fn new(first: Time) -> Buckets {
        Buckets { first, width: WIDTH, sums: Vec::new() }
    }

    /// The figure was so much all the time between two moments; of that, a part counts.
    pub(super) fn add(&mut self, from: Time, to: Time, figure: u64, (part, of): (u64, u64)) {
        self.reach(to);
        let (mut from, to) = (from.since(self.first).0, to.since(self.first).0);
        let weight = u128::from(figure) * u128::from(part);
        // Every turn goes to the next bucket, of which there are at most [`MOST`].
        while from < to {
            let bucket = from / self.width.0;
            let end = to.min((bucket + 1) * self.width.0);
            let index = usize::try_from(bucket).expect("there are few buckets");
            self.sums[index] += weight * u128::from(end - from) / u128::from(of.max(1));
            from = end;
        }
    }

    /// Makes buckets until this moment; where they would be too many, larger ones.
    pub(super) fn reach(&mut self, until: Time) {
        let span = until.since(self.first).0;
        // Ends because the width doubles each time.
        while span > self.width.0.saturating_mul(MOST as u64) {
            self.width = Millis(self.width.0 * 2);
            let pairs = self.sums.chunks(2);
            self.sums = pairs.map(|pair| pair.iter().sum()).collect();
        }
        let needed = usize::try_from(span.div_ceil(self.width.0)).expect("there are few buckets");
        if self.sums.len() < needed {
            self.sums.resize(needed, 0);
        }
    }

    pub(super) fn width(&self) -> Millis {
        self.width
    }

    pub(super) fn into_sums(self) -> Vec<u128> {
        self.sums
    }
}

#[cfg(test)]
mod tests {
    use muster_model::{Millis, Time};

    use super::{Buckets, MOST};

    #[test]
    fn a_figure_is_spread_over_the_buckets_it_covers() {
        let mut buckets = Buckets::new(Time(10_000));
        buckets.add(Time(10_500), Time(12_250), 4, (1, 1));
        buckets.add(Time(12_250), Time(12_500), 4, (1, 2));
        assert_eq!(buckets.into_sums(), [2_000, 4_000, 1_500]);
    }

    #[test]
    fn when_time_outgrows_the_buckets_two_become_one_and_the_sum_stays() {
        let mut buckets = Buckets::new(Time(0));
        let end = Time(Millis::seconds(MOST as u64).0);
        buckets.add(Time(0), end, 3, (1, 1));
        buckets.add(end, Time(end.0 + 1), 5, (1, 1));
        assert_eq!(buckets.width(), Millis::seconds(2));
        let sums = buckets.into_sums();
        assert_eq!(sums.len(), MOST / 2 + 1);
        assert_eq!((sums[0], sums[MOST / 2]), (6_000, 5));
        assert_eq!(sums.iter().sum::<u128>(), u128::from(end.0) * 3 + 5);
    }
}
