//! Quantiles that hold as often as they say: each is corrected by a factor that grows when a job
//! outlasts it and shrinks when one does not, in the proportion that makes them balance (adaptive
//! conformal inference, Gibbs and Candès 2021). Nothing is assumed about the distribution.

/// The step of a factor: a few dozen misses in a row double it.
const STEP: f64 = 0.025;

/// A correction is never larger, nor smaller than its inverse.
const FACTOR_MAX: f64 = 8.0;

/// The correction of one quantile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offset {
    part: f64,
    pub(crate) factor: f64,
}

impl Offset {
    /// For the quantile that this part of all stay below.
    pub(crate) fn new(part: f64) -> Offset {
        Offset { part, factor: 1.0 }
    }

    /// A job outlasted the corrected quantile, or did not.
    pub(crate) fn learn(&mut self, outlasted: bool) {
        let change = if outlasted { self.part } else { self.part - 1.0 };
        self.factor = (self.factor * (1.0 + STEP * change)).clamp(1.0 / FACTOR_MAX, FACTOR_MAX);
    }
}

/// How often what was predicted held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Predictions of jobs that have ended.
    pub jobs: u64,
    /// Of these, jobs not longer than their median.
    pub median: u64,
    /// Of these, jobs not longer than their ninth decile.
    pub p90: u64,
}

impl Coverage {
    /// The part that stayed below the median, and the part below the ninth decile.
    pub fn shares(&self) -> Option<(f64, f64)> {
        let part = |count: u64| count as f64 / self.jobs as f64;
        (self.jobs > 0).then(|| (part(self.median), part(self.p90)))
    }
}

#[cfg(test)]
mod tests {
    use super::Offset;

    #[test]
    fn a_quantile_that_is_wrong_comes_to_hold_as_often_as_it_says() {
        let mut offset = Offset::new(0.9);
        let mut held = 0;
        for round in 0..20_000_u64 {
            // Evenly spread from 0 to 1000, with a guess of a third of what is right.
            let truth = (round * 7_919 % 1_000) as f64;
            let outlasted = truth > 300.0 * offset.factor;
            held += u64::from(!outlasted && round >= 10_000);
            offset.learn(outlasted);
        }
        assert!((8_900..=9_100).contains(&held), "{held}");
    }

    #[test]
    fn a_factor_stays_within_bounds() {
        let mut offset = Offset::new(0.5);
        (0..10_000).for_each(|_| offset.learn(true));
        assert_eq!(offset.factor, 8.0);
        (0..10_000).for_each(|_| offset.learn(false));
        assert_eq!(offset.factor, 0.125);
    }
}
