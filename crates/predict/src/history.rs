//! What was seen, from all jobs down to one user's jobs of one name, each level leaning on the one
//! above until it has seen enough itself.

use rustc_hash::FxHashMap;

use crate::bins::{self, BINS, Counts};
use muster_model::Millis;

/// The levels, from the widest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    All,
    Size,
    User,
    UserAndSize,
    UserAndName,
}

pub(crate) const LEVELS: [Level; 5] =
    [Level::All, Level::Size, Level::User, Level::UserAndSize, Level::UserAndName];

/// What was seen before counts so much less with each job that is seen.
const FADES: [f64; LEVELS.len()] = [0.999, 0.999, 0.98, 0.97, 0.95];

/// What the level above says counts as much as so many jobs: from hardly to all. Which of them is
/// best differs from cluster to cluster, and is learned.
const PRIORS: [f64; 5] = [2.0, 8.0, 32.0, 128.0, 1e9];

/// The prior of a level before anything is known: the middle one.
const PRIOR_FIRST: usize = 2;

/// How much less it counts with each job how well a prior did before.
const SCORE_FADES: f64 = 0.998;

/// How likely a duration is taken to be that was never seen.
const UNSEEN: f64 = 1e-4;

/// Who is asked about, at each level; `None` where nothing is said.
pub(crate) type Path = [Option<(u32, u32)>; LEVELS.len()];

/// What was seen at one place of one level: for each bin of durations the jobs that reached it, and
/// those that ended in it. A job that still runs counts as far as it came, so that long jobs do not
/// count for nothing until they are over.
#[derive(Debug)]
struct Seen {
    reached: Counts,
    ended: Counts,
}

/// All that was seen.
#[derive(Debug, Default)]
pub(crate) struct History {
    places: FxHashMap<(u8, u32, u32), usize>,
    seen: Vec<Seen>,
    /// How well each prior of each level has foretold what came, in doublings.
    scores: [[f64; PRIORS.len()]; LEVELS.len()],
}

impl History {
    /// How likely each duration is, and the deepest level that has seen anything.
    pub(crate) fn blend(&self, path: &Path) -> (Counts, usize) {
        let mut ends = guess();
        let mut deepest = 0;
        for (level, place) in path.iter().enumerate() {
            let Some(seen) = place.and_then(|place| self.find(level, place)) else { continue };
            seen.lean(&mut ends, self.prior(level));
            deepest = level;
        }
        (likely(&ends), deepest)
    }

    /// How many places there are, at all levels.
    pub(crate) fn places(&self) -> usize {
        self.seen.len()
    }

    /// A job has come this far and still runs; bins before `from` were counted already.
    pub(crate) fn reach(&mut self, path: &Path, from: usize, to: usize) {
        for (level, place) in path.iter().enumerate() {
            let Some(place) = *place else { continue };
            let seen = self.open(level, place);
            seen.reached[from.min(to)..to].iter_mut().for_each(|count| *count += 1.0);
        }
    }

    /// A job has ended: first the priors are judged by it, then it is seen.
    pub(crate) fn learn(&mut self, path: &Path, from: usize, duration: Millis) {
        let bin = bins::bin(duration);
        self.judge(path, bin);
        for (level, place) in path.iter().enumerate() {
            let Some(place) = *place else { continue };
            let fades = FADES[level];
            let seen = self.open(level, place);
            for count in seen.ended.iter_mut().chain(&mut seen.reached) {
                *count *= fades;
            }
            seen.reached[from.min(bin)..=bin].iter_mut().for_each(|count| *count += 1.0);
            // Its neighbours are nearly as likely: bins are narrower than durations repeat.
            let next = (bin + 1).min(BINS - 1);
            seen.ended[bin.saturating_sub(1)] += 0.25;
            seen.ended[bin] += 0.5;
            seen.ended[next] += 0.25;
            seen.reached[next] += 0.25;
        }
    }

    /// Scores what each prior of each level would have said of a duration.
    fn judge(&mut self, path: &Path, bin: usize) {
        let mut above = guess();
        for (level, place) in path.iter().enumerate() {
            let Some(seen) = place.and_then(|place| self.find(level, place)) else { continue };
            let mut scores = self.scores[level];
            for (score, &prior) in scores.iter_mut().zip(&PRIORS) {
                let mut left = 1.0;
                for index in 0..bin {
                    left *= 1.0 - seen.leaning(&above, prior, index);
                }
                let said = left * seen.leaning(&above, prior, bin);
                *score = *score * SCORE_FADES + log2(said + UNSEEN);
            }
            seen.lean(&mut above, self.prior(level));
            self.scores[level] = scores;
        }
    }

    /// The prior of a level that has done best.
    fn prior(&self, level: usize) -> f64 {
        let scores = &self.scores[level];
        let mut best = PRIOR_FIRST;
        for (index, score) in scores.iter().enumerate() {
            if *score > scores[best] {
                best = index;
            }
        }
        PRIORS[best]
    }

    fn find(&self, level: usize, place: (u32, u32)) -> Option<&Seen> {
        self.places.get(&key(level, place)).map(|&index| &self.seen[index])
    }

    fn open(&mut self, level: usize, place: (u32, u32)) -> &mut Seen {
        let new = self.seen.len();
        let index = *self.places.entry(key(level, place)).or_insert(new);
        if index == new {
            self.seen.push(Seen { reached: [0.0; BINS], ended: [0.0; BINS] });
        }
        &mut self.seen[index]
    }
}

fn key(level: usize, (one, other): (u32, u32)) -> (u8, u32, u32) {
    (u8::try_from(level).expect("levels are few"), one, other)
}

/// The logarithm of a positive number, by arithmetic alone.
fn log2(value: f64) -> f64 {
    /// Each squaring gives one more bit of the fraction.
    const BITS: u32 = 10;
    let (mut value, mut whole) = (value, 0.0);
    while value < 1.0 {
        value *= 2.0;
        whole -= 1.0;
    }
    let (mut fraction, mut step) = (0.0, 0.5);
    for _ in 0..BITS {
        value *= value;
        if value >= 2.0 {
            value /= 2.0;
            fraction += step;
        }
        step /= 2.0;
    }
    whole + fraction
}

impl Seen {
    /// How likely a job that reached a bin ends in it, leaning on what the level above says.
    fn leaning(&self, above: &Counts, prior: f64, bin: usize) -> f64 {
        let ended = above[bin] * prior + self.ended[bin];
        (ended / (prior + self.reached[bin])).min(1.0)
    }

    /// Replaces what the level above says by what is said here.
    fn lean(&self, above: &mut Counts, prior: f64) {
        for bin in 0..BINS {
            above[bin] = self.leaning(above, prior, bin);
        }
    }
}

/// How likely each duration is, by how likely a job that reached a bin ends in it.
fn likely(ends: &Counts) -> Counts {
    let mut left = 1.0;
    let mut likely = [0.0; BINS];
    for (likely, ends) in likely.iter_mut().zip(ends) {
        *likely = left * ends;
        left -= *likely;
    }
    // Nothing is longer than the last bin.
    likely[BINS - 1] += left;
    likely
}

/// Before anything was seen: from a minute to a day, all alike.
fn guess() -> Counts {
    let (from, to) = (bins::bin(Millis::minutes(1)), bins::bin(Millis::days(1)));
    let mut counts = [0.0; BINS];
    for (index, count) in counts[from..=to].iter_mut().enumerate() {
        *count = 1.0 / (to - from + 1 - index) as f64;
    }
    counts
}

#[cfg(test)]
mod tests {
    use muster_model::Millis;

    use super::{History, Path};
    use crate::bins;

    #[test]
    fn logarithms_are_right_to_a_thousandth() {
        for value in [1e-4, 0.01, 0.3, 0.5, 0.99, 1.0] {
            assert!((super::log2(value) - f64::log2(value)).abs() < 2e-3, "{value}");
        }
    }

    #[test]
    fn names_that_mean_nothing_come_to_count_for_nothing() {
        let mut history = History::default();
        let path =
            |name: u32| -> Path { [Some((0, 0)), Some((0, 0)), None, None, Some((0, name))] };
        for round in 0..5_000_u64 {
            // Durations and names have nothing to do with each other.
            let name = u32::try_from(round * 7_919 % 14).unwrap();
            let minutes = 1 << (round * 104_729 / 7 % 9);
            history.learn(&path(name), 0, Millis::minutes(minutes));
        }
        assert!(history.prior(4) > 100.0, "{:?}", history.scores[4]);
    }

    const PATH: Path = [Some((0, 0)), Some((1, 0)), Some((5, 0)), Some((5, 1)), None];
    const OTHER: Path = [Some((0, 0)), Some((1, 0)), Some((6, 0)), Some((6, 1)), None];

    fn median(history: &History, path: &Path) -> f64 {
        bins::quantile(&history.blend(path).0, 0.5) / 1_000.0
    }

    #[test]
    fn what_a_user_did_counts_for_that_user_more_than_for_another() {
        let mut history = History::default();
        for _ in 0..30 {
            history.learn(&PATH, 0, Millis::seconds(90));
            history.learn(&OTHER, 0, Millis::hours(10));
        }
        assert!(median(&history, &PATH) < 600.0, "{}", median(&history, &PATH));
        assert!(median(&history, &OTHER) > 20_000.0, "{}", median(&history, &OTHER));
    }

    #[test]
    fn one_odd_job_does_not_overturn_what_all_others_say() {
        let mut history = History::default();
        (0..300).for_each(|_| history.learn(&PATH, 0, Millis::seconds(90)));
        history.learn(&OTHER, 0, Millis::hours(100));
        assert!(median(&history, &OTHER) < 3_600.0, "{}", median(&history, &OTHER));
    }

    #[test]
    fn what_is_likely_adds_up_to_one() {
        let mut history = History::default();
        history.learn(&PATH, 0, Millis::seconds(90));
        let sum: f64 = history.blend(&PATH).0.iter().sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    }
}
