//! Asks the history, corrects what it says, and learns from what came true.

use muster_model::bound::SPAN_MAX;
use muster_model::{Estimate, Millis};
use rustc_hash::FxHashMap;

use crate::bins;
use crate::history::{History, LEVELS, Path};
use crate::offset::{Coverage, Offset};

/// The ninth decile that jobs are ordered by is at least so many times the median: who has only
/// seen alike jobs is too sure of the next.
const SPREAD_MIN: f64 = 6.0;

/// ... and at most so many times: beyond it the order would not depend on the median any more.
const SPREAD_MAX: f64 = 50.0;

/// What is known of a job before it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key<'a> {
    /// Whose it is.
    pub user: Option<&'a str>,
    /// Its name: what repeated runs have in common.
    pub name: Option<&'a str>,
    /// GPUs, rounded up.
    pub gpus: u32,
}

/// A prediction, and what it rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// What jobs are ordered by: as history has it, so that two jobs of which the same is known are
    /// never told apart by the time at which they were asked about.
    pub estimate: Estimate,
    /// Quantiles that hold as often as they say.
    pub corrected: Estimate,
    /// The level of history it rests on: its correction is learned apart.
    level: u8,
}

/// How much of a job's run time was counted while it ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted(usize);

/// Learns run times, and predicts them.
#[derive(Debug)]
pub struct Predictor {
    history: History,
    words: FxHashMap<Box<str>, u32>,
    /// Corrections of the median and the ninth decile, by level.
    offsets: [(Offset, Offset); LEVELS.len()],
    coverage: Coverage,
}

impl Default for Predictor {
    fn default() -> Self {
        Predictor {
            history: History::default(),
            words: FxHashMap::default(),
            offsets: [(Offset::new(0.5), Offset::new(0.9)); LEVELS.len()],
            coverage: Coverage::default(),
        }
    }
}

impl Predictor {
    /// How long a job will run, by what has ended so far.
    pub fn predict(&mut self, key: &Key<'_>) -> Prediction {
        let path = self.path(key);
        let (blend, level) = self.history.blend(&path);
        let (median, p90) = (bins::quantile(&blend, 0.5), bins::quantile(&blend, 0.9));
        let (median_offset, p90_offset) = self.offsets[level];
        let corrected = span(median * median_offset.factor);
        let corrected =
            Estimate { median: corrected, p90: span(p90 * p90_offset.factor).max(corrected) };
        let estimate = Estimate {
            median: span(median),
            p90: span(p90.clamp(median * SPREAD_MIN, median * SPREAD_MAX)),
        };
        let level = u8::try_from(level).expect("levels are few");
        Prediction { estimate, corrected, level }
    }

    /// A job has run for so long and is not over; tell what was counted of it before.
    pub fn reach(&mut self, key: &Key<'_>, counted: &mut Counted, attained: Millis) {
        let bin = bins::bin(attained);
        if bin > counted.0 {
            let path = self.path(key);
            self.history.reach(&path, counted.0, bin);
            counted.0 = bin;
        }
    }

    /// A job has ended after so long; what was predicted of it, if anything was, and what was
    /// counted of it before.
    pub fn learn(
        &mut self,
        key: &Key<'_>,
        (predicted, counted): (Option<Prediction>, Counted),
        duration: Millis,
    ) {
        if let Some(Prediction { corrected, level, .. }) = predicted {
            let (median, p90) = &mut self.offsets[usize::from(level)];
            median.learn(duration > corrected.median);
            p90.learn(duration > corrected.p90);
            self.coverage.jobs += 1;
            self.coverage.median += u64::from(duration <= corrected.median);
            self.coverage.p90 += u64::from(duration <= corrected.p90);
        }
        let path = self.path(key);
        self.history.learn(&path, counted.0, duration);
    }

    /// How many sizes, users and names are told apart so far.
    pub fn places(&self) -> usize {
        self.history.places()
    }

    /// How often predictions held.
    pub fn coverage(&self) -> Coverage {
        self.coverage
    }

    fn path(&mut self, key: &Key<'_>) -> Path {
        let size = size(key.gpus);
        let user = key.user.map(|user| self.word(user));
        let name = key.name.map(|name| self.word(name));
        [
            Some((0, 0)),
            Some((size, 0)),
            user.map(|user| (user, 0)),
            user.map(|user| (user, size)),
            name.map(|name| (user.unwrap_or(0), name)),
        ]
    }

    /// The number of a word; 0 is none's.
    fn word(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.words.get(text) {
            return number;
        }
        let number = u32::try_from(self.words.len() + 1).expect("fewer words than 2^32");
        self.words.insert(text.into(), number);
        number
    }
}

/// Sizes are told apart by doublings.
fn size(gpus: u32) -> u32 {
    gpus.max(1).next_power_of_two().ilog2()
}

fn span(millis: f64) -> Millis {
    let most = SPAN_MAX.0 as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to range")]
    let whole = millis.clamp(1.0, most) as u64;
    Millis(whole)
}

#[cfg(test)]
mod tests {
    use muster_model::Millis;

    use super::{Counted, Key, Predictor};

    const SHORT: Key<'_> = Key { user: Some("user-a"), name: Some("eval"), gpus: 1 };
    const LONG: Key<'_> = Key { user: Some("user-a"), name: Some("train"), gpus: 1 };

    fn run(predictor: &mut Predictor, key: &Key<'_>, duration: Millis) {
        let prediction = predictor.predict(key);
        predictor.learn(key, (Some(prediction), Counted::default()), duration);
    }

    #[test]
    fn names_of_one_user_are_told_apart() {
        let mut predictor = Predictor::default();
        for _ in 0..50 {
            run(&mut predictor, &SHORT, Millis::minutes(2));
            run(&mut predictor, &LONG, Millis::hours(30));
        }
        let (short, long) = (predictor.predict(&SHORT).estimate, predictor.predict(&LONG).estimate);
        assert!(short.median < Millis::minutes(10), "{short:?}");
        assert!(long.median > Millis::hours(10), "{long:?}");
    }

    #[test]
    fn nine_of_ten_stay_below_the_ninth_decile_and_half_below_the_median() {
        let mut predictor = Predictor::default();
        for round in 0..4_000_u64 {
            // Durations over three orders of magnitude, in no order.
            let minutes = 1 << (round * 7_919 % 11);
            run(&mut predictor, &SHORT, Millis::minutes(minutes) + Millis(round * 31 % 9_973));
        }
        let (median, p90) = predictor.coverage().shares().unwrap();
        assert!((0.46..0.54).contains(&median), "{median}");
        assert!((0.87..0.93).contains(&p90), "{p90}");
    }

    #[test]
    fn the_same_history_gives_the_same_predictions() {
        let run = || {
            let mut predictor = Predictor::default();
            (1..500).for_each(|n| run(&mut predictor, &SHORT, Millis(n * n * 977)));
            predictor.predict(&LONG)
        };
        assert_eq!(run(), run());
    }
}
