//! Usage that fades: what was used long ago counts less, by a half-life.

use muster_model::{Millis, Time};

use crate::fixed;

/// Usage of one queue, brought up to date only when someone asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    /// Decayed milli-GPU-milliseconds as of `faded`, with later ones added undecayed.
    pub(crate) decayed: u128,
    /// All milli-GPU-milliseconds ever, for accounting.
    pub(crate) total: u128,
    /// Up to when running work is counted.
    pub(crate) counted: Time,
    /// Up to when `decayed` has faded.
    pub(crate) faded: Time,
    /// Milli-GPUs in use now, in dominant terms.
    pub(crate) rate: u64,
}

/// Fading is applied in steps of this part of the half-life: finer steps would round to none.
const FADE_STEPS: u64 = 64;

impl Usage {
    /// Counts everything up to `now`.
    pub(crate) fn settle(&mut self, now: Time, half_life: Millis) {
        let span = now.since(self.counted).0;
        let step = (half_life.0 / FADE_STEPS).max(1);
        self.total += u128::from(self.rate) * u128::from(span);
        let unfaded = now.since(self.faded).0;
        if unfaded < step {
            self.decayed += u128::from(self.rate) * u128::from(span);
        } else {
            let faded = fixed::scale(self.decayed, fixed::decay(unfaded, half_life.0));
            let added = u128::from(self.rate) * fixed::decayed_span(span, half_life.0);
            self.decayed = faded + added;
            self.faded = now;
        }
        self.counted = now;
    }

    /// Decayed usage as it would be if everything up to `now` were counted.
    pub(crate) fn decayed_at(&self, now: Time, half_life: Millis) -> u128 {
        let mut usage = self.clone();
        usage.settle(now, half_life);
        usage.decayed
    }

    /// More is in use from `now` on.
    pub(crate) fn raise(&mut self, now: Time, half_life: Millis, rate: u64) {
        self.settle(now, half_life);
        self.rate += rate;
    }

    /// Less is in use from `now` on.
    pub(crate) fn lower(&mut self, now: Time, half_life: Millis, rate: u64) {
        self.settle(now, half_life);
        self.rate -= rate;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Millis = Millis::days(1);

    #[test]
    fn what_was_used_a_half_life_ago_counts_half() {
        let mut usage = Usage::default();
        usage.raise(Time(0), DAY, 1000);
        usage.lower(Time(60_000), DAY, 1000);
        assert_eq!(usage.decayed, 60_000_000);
        usage.settle(Time(60_000) + DAY, DAY);
        assert!(usage.decayed.abs_diff(30_000_000) < 100_000, "{}", usage.decayed);
        assert_eq!(usage.total, 60_000_000);
    }

    #[test]
    fn settling_often_or_once_comes_to_the_same() {
        let (mut often, mut once) = (Usage::default(), Usage::default());
        often.raise(Time(0), DAY, 8000);
        once.raise(Time(0), DAY, 8000);
        for second in 1..=86_400 {
            often.settle(Time(second * 1000), DAY);
        }
        once.settle(Time(86_400_000), DAY);
        let error = often.decayed.abs_diff(once.decayed);
        assert!(error * 50 < once.decayed, "{} against {}", often.decayed, once.decayed);
        assert_eq!(often.total, once.total);
    }
}
