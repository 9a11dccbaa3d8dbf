//! When jobs come: more by day than by night, fewer at the weekend, otherwise by chance.

use muster_model::{Millis, Time};

use super::START;
use super::chance::Chance;

const HOUR: u64 = Millis::hours(1).0;

/// How busy each hour of a working day is.
const HOURS: [u64; 24] =
    [6, 5, 4, 4, 4, 4, 5, 6, 8, 11, 13, 13, 11, 12, 14, 14, 14, 13, 12, 11, 11, 10, 9, 7];

/// A weekend has this part of a working day, in tenths.
const WEEKEND_TENTHS: u64 = 6;

/// Moments in order.
#[derive(Debug)]
pub(super) struct Arrivals {
    moments: Vec<Time>,
}

impl Arrivals {
    /// So many moments within a span, which begins on a Monday.
    pub(super) fn new(span: Millis, count: u64, chance: &mut Chance) -> Arrivals {
        // Sums of the weights of the hours; the last one may be cut short.
        let mut sums = Vec::new();
        let mut sum = 0;
        for hour in 0..span.0.div_ceil(HOUR) {
            let length = HOUR.min(span.0 - hour * HOUR);
            sum += weight(hour) * length;
            sums.push(sum);
        }
        let total = sum.max(1);
        let mut moments: Vec<Time> = (0..count)
            .map(|_| {
                let drawn = chance.below(total);
                let hour = sums.partition_point(|&sum| sum <= drawn);
                let before = if hour == 0 { 0 } else { sums[hour - 1] };
                let hour = hour as u64;
                START + Millis(hour * HOUR + (drawn - before) / weight(hour))
            })
            .collect();
        moments.sort_unstable();
        Arrivals { moments }
    }

    /// The moment of this number.
    pub(super) fn at(&self, number: u64) -> Time {
        let index = usize::try_from(number).expect("there is a moment for each number");
        self.moments[index]
    }
}

fn weight(hour: u64) -> u64 {
    let in_day = usize::try_from(hour % 24).expect("a day has 24 hours");
    let is_weekend = hour / 24 % 7 >= 5;
    HOURS[in_day] * if is_weekend { WEEKEND_TENTHS } else { 10 }
}

#[cfg(test)]
mod tests {
    use muster_model::Millis;

    use super::super::START;
    use super::super::chance::Chance;
    use super::{Arrivals, HOUR};

    #[test]
    fn days_are_busier_than_nights_and_weekends_are_quiet() {
        let arrivals = Arrivals::new(Millis::days(28), 100_000, &mut Chance::new(1));
        let mut by_day = [0_u64; 7];
        let (mut afternoon, mut night) = (0_u64, 0_u64);
        for moment in &arrivals.moments {
            let hour = moment.since(START).0 / HOUR;
            by_day[usize::try_from(hour / 24 % 7).unwrap()] += 1;
            afternoon += u64::from(hour % 24 == 15);
            night += u64::from(hour % 24 == 3);
        }
        assert!(afternoon > 3 * night, "{afternoon} and {night}");
        let (working, weekend) = (by_day[..5].iter().min(), by_day[5..].iter().max());
        assert!(working > weekend, "{by_day:?}");
        assert!(arrivals.moments.is_sorted());
    }

    #[test]
    fn all_moments_lie_within_the_span() {
        let span = Millis(Millis::hours(5).0 + 1_234);
        let arrivals = Arrivals::new(span, 10_000, &mut Chance::new(2));
        let last = arrivals.moments.last().unwrap().since(START);
        assert!(last < span && last > Millis::hours(4), "{last:?}");
    }
}
