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

/// How a level leans on the one above, and how it forgets.
#[derive(Clone, Copy, Debug)]
struct Leaning {
    /// What the level above says counts as much as so many jobs.
    prior: f64,
    /// What was seen before counts so much less with each job.
    fades: f64,
}

const LEANINGS: [Leaning; LEVELS.len()] = [
    // Nothing is above all jobs but a guess.
    Leaning { prior: 10.0, fades: 0.999 },
    Leaning { prior: 30.0, fades: 0.999 },
    Leaning { prior: 20.0, fades: 0.98 },
    Leaning { prior: 10.0, fades: 0.95 },
    Leaning { prior: 4.0, fades: 0.9 },
];

/// Who is asked about, at each level; `None` where nothing is said.
pub(crate) type Path = [Option<(u32, u32)>; LEVELS.len()];

/// Durations seen at one place of one level.
#[derive(Debug)]
struct Seen {
    counts: Counts,
    weight: f64,
}

/// All that was seen.
#[derive(Debug, Default)]
pub(crate) struct History {
    places: FxHashMap<(u8, u32, u32), usize>,
    seen: Vec<Seen>,
}

impl History {
    /// How likely each duration is, and the deepest level that has seen anything.
    pub(crate) fn blend(&self, path: &Path) -> (Counts, usize) {
        let mut blend = guess();
        let mut deepest = 0;
        for (level, place) in path.iter().enumerate() {
            let Some(seen) = place.and_then(|place| self.find(level, place)) else { continue };
            let prior = LEANINGS[level].prior;
            let all = prior + seen.weight;
            for (blended, count) in blend.iter_mut().zip(&seen.counts) {
                *blended = (*blended * prior + count) / all;
            }
            deepest = level;
        }
        (blend, deepest)
    }

    /// A job has ended.
    pub(crate) fn learn(&mut self, path: &Path, duration: Millis) {
        let bin = bins::bin(duration);
        for (level, place) in path.iter().enumerate() {
            let Some(place) = *place else { continue };
            let fades = LEANINGS[level].fades;
            let seen = self.open(level, place);
            seen.counts.iter_mut().for_each(|count| *count *= fades);
            seen.counts[bin] += 1.0;
            seen.weight = seen.weight * fades + 1.0;
        }
    }

    fn find(&self, level: usize, place: (u32, u32)) -> Option<&Seen> {
        self.places.get(&key(level, place)).map(|&index| &self.seen[index])
    }

    fn open(&mut self, level: usize, place: (u32, u32)) -> &mut Seen {
        let new = self.seen.len();
        let index = *self.places.entry(key(level, place)).or_insert(new);
        if index == new {
            self.seen.push(Seen { counts: [0.0; BINS], weight: 0.0 });
        }
        &mut self.seen[index]
    }
}

fn key(level: usize, (one, other): (u32, u32)) -> (u8, u32, u32) {
    (u8::try_from(level).expect("levels are few"), one, other)
}

/// Before anything was seen: from a minute to a day, all alike.
fn guess() -> Counts {
    let (from, to) = (bins::bin(Millis::minutes(1)), bins::bin(Millis::days(1)));
    let mut counts = [0.0; BINS];
    let each = 1.0 / (to - from + 1) as f64;
    counts[from..=to].fill(each);
    counts
}

#[cfg(test)]
mod tests {
    use muster_model::Millis;

    use super::{History, Path};
    use crate::bins;

    const PATH: Path = [Some((0, 0)), Some((1, 0)), Some((5, 0)), Some((5, 1)), None];
    const OTHER: Path = [Some((0, 0)), Some((1, 0)), Some((6, 0)), Some((6, 1)), None];

    fn median(history: &History, path: &Path) -> f64 {
        bins::quantile(&history.blend(path).0, 0.5) / 1_000.0
    }

    #[test]
    fn what_a_user_did_counts_for_that_user_more_than_for_another() {
        let mut history = History::default();
        for _ in 0..30 {
            history.learn(&PATH, Millis::seconds(90));
            history.learn(&OTHER, Millis::hours(10));
        }
        assert!(median(&history, &PATH) < 600.0, "{}", median(&history, &PATH));
        assert!(median(&history, &OTHER) > 20_000.0, "{}", median(&history, &OTHER));
    }

    #[test]
    fn one_odd_job_does_not_overturn_what_all_others_say() {
        let mut history = History::default();
        (0..300).for_each(|_| history.learn(&PATH, Millis::seconds(90)));
        history.learn(&OTHER, Millis::hours(100));
        assert!(median(&history, &OTHER) < 3_600.0, "{}", median(&history, &OTHER));
    }

    #[test]
    fn what_is_likely_adds_up_to_one() {
        let mut history = History::default();
        history.learn(&PATH, Millis::seconds(90));
        let sum: f64 = history.blend(&PATH).0.iter().sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    }
}
