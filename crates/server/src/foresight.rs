//! How long a job will run, by how long such jobs ran: what has ended teaches the predictor, and
//! who submits without an estimate is given one.
//!
//! An estimate is journaled with the job it was made for. The predictor itself is never replayed:
//! it begins anew with the latest of the history.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use muster_api::view::Outcome;
use muster_model::{Estimate, JobSpec, Millis};
use muster_predict::{Counted, Key, Predictor};
use muster_store::history::{Change, JobFilter, JobRow};
use muster_store::{HistoryReader, Result};

use crate::control::least_gpus_milli;
use crate::history;

/// Jobs that are read from the history at a start.
const READ_MAX: usize = 5000;

/// Jobs that are learned of what happened in one go; under more load than that a part will do.
const LEARN_MAX: usize = 64;

/// Users and names the predictor may tell apart before it begins anew with the latest jobs.
const PLACES_MAX: usize = 20_000;

/// What has been learned.
#[derive(Debug, Default)]
pub(crate) struct Foresight {
    learned: Mutex<Learned>,
}

#[derive(Debug, Default)]
struct Learned {
    predictor: Predictor,
    latest: VecDeque<Run>,
}

/// A job that ran to its end.
#[derive(Clone, Debug)]
struct Run {
    user: String,
    name: String,
    gpus: u32,
    took: Millis,
}

impl Foresight {
    /// Learns from the latest jobs of the history.
    pub(crate) fn read(past: &dyn HistoryReader) -> Result<Foresight> {
        let ended = JobFilter { states: vec!["ended".to_owned()], ..JobFilter::default() };
        let mut rows = past.jobs(&ended, None, READ_MAX)?;
        rows.reverse();
        let foresight = Foresight::default();
        let runs = rows.iter().filter_map(Run::of);
        runs.for_each(|run| foresight.learned().learn(run));
        Ok(foresight)
    }

    /// Learns from what changed.
    pub(crate) fn learn(&self, changes: &[Change]) {
        let runs = changes.iter().filter_map(|change| match change {
            Change::Job(row) => Run::of(row),
            _ => None,
        });
        for run in runs.take(LEARN_MAX) {
            self.learned().learn(run);
        }
    }

    /// How long a job will run, once anything is known.
    pub(crate) fn estimate(&self, spec: &JobSpec) -> Option<Estimate> {
        let mut learned = self.learned();
        learned.latest.front()?;
        let user = Some(spec.user.as_str());
        let key = Key { user, name: Some(spec.name.as_str()), gpus: gpus(spec) };
        Some(learned.predictor.predict(&key).estimate)
    }

    fn learned(&self) -> MutexGuard<'_, Learned> {
        self.learned.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Learned {
    fn learn(&mut self, run: Run) {
        if self.predictor.places() > PLACES_MAX {
            self.predictor = Predictor::default();
            let latest = std::mem::take(&mut self.latest);
            latest.into_iter().for_each(|run| self.add(run));
        }
        self.add(run);
    }

    fn add(&mut self, run: Run) {
        // What was predicted of it only matters to corrected quantiles, which nobody asks for here.
        self.predictor.learn(&run.key(), (None, Counted::default()), run.took);
        self.latest.push_back(run);
        if self.latest.len() > READ_MAX {
            self.latest.pop_front();
        }
    }
}

impl Run {
    /// The run that a row tells of, if it is over and was not cut short by others.
    fn of(row: &JobRow) -> Option<Run> {
        let outcome = history::outcome(row)?;
        if !matches!(outcome, Outcome::Completed | Outcome::Failed | Outcome::TimedOut) {
            return None;
        }
        Some(Run {
            user: row.user.clone(),
            name: row.name.clone(),
            gpus: u32::try_from(row.gpus.div_ceil(1000)).unwrap_or(u32::MAX),
            took: Millis(row.ended_ms?.saturating_sub(row.started_ms?)),
        })
    }

    fn key(&self) -> Key<'_> {
        Key { user: Some(&self.user), name: Some(&self.name), gpus: self.gpus }
    }
}

/// GPUs of a job at its smallest, rounded up.
fn gpus(spec: &JobSpec) -> u32 {
    u32::try_from(least_gpus_milli(spec).div_ceil(1000)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use muster_model::Name;

    use super::*;

    fn ended(name: &str, outcome: &str, minutes: u64) -> Change {
        Change::Job(JobRow {
            user: "user-a".to_owned(),
            name: name.to_owned(),
            gpus: 8000,
            outcome: Some(outcome.to_owned()),
            started_ms: Some(1000),
            ended_ms: Some(1000 + Millis::minutes(minutes).0),
            ..JobRow::default()
        })
    }

    fn spec(name: &str) -> JobSpec {
        JobSpec { user: Name::from("user-a"), ..JobSpec::gang(name, 1, 8) }
    }

    #[test]
    fn nothing_is_said_before_anything_was_seen() {
        let foresight = Foresight::default();
        assert_eq!(foresight.estimate(&spec("train")), None);
        foresight.learn(&[ended("train", "cancelled", 1)]);
        assert_eq!(foresight.estimate(&spec("train")), None, "who was stopped tells nothing");
    }

    #[test]
    fn jobs_of_a_name_are_expected_to_run_as_long_as_before() {
        let foresight = Foresight::default();
        for _ in 0..40 {
            foresight.learn(&[ended("train", "completed", 600), ended("eval", "failed", 2)]);
        }
        let [train, eval] = ["train", "eval"].map(|name| foresight.estimate(&spec(name)));
        let (train, eval) = (train.expect("it was seen"), eval.expect("it was seen"));
        assert!(train.median > Millis::hours(4), "{train:?}");
        assert!(eval.median < Millis::minutes(10), "{eval:?}");
    }

    #[test]
    fn names_without_end_do_not_take_memory_without_end() {
        let foresight = Foresight::default();
        for number in 0..PLACES_MAX + 10 {
            foresight.learned().learn(Run {
                user: "user-a".to_owned(),
                name: format!("job-{number}"),
                gpus: 1,
                took: Millis::minutes(5),
            });
        }
        let places = foresight.learned().predictor.places();
        assert!(places < PLACES_MAX, "{places}");
        let estimate = foresight.estimate(&spec("job-new")).expect("much was seen");
        assert!(estimate.median < Millis::hours(1), "what was seen still counts: {estimate:?}");
    }
}
