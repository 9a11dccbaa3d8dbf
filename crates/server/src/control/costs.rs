//! What it costs to pause jobs and to bring them back, learned from those that were: from the
//! order until the GPUs were free, and from getting GPUs again until the program computed as
//! before.
//!
//! Part of the state, so that it follows from the journal as everything does. Whoever submits a job
//! like them without saying what it costs is given what was learned.

use std::collections::BTreeMap;

use muster_engine::action::{Action, JobState};
use muster_model::{JobId, JobSpec, Millis, Rung, Time};
use serde::{Deserialize, Serialize};

/// Kinds of jobs that are remembered; beyond that the ones that were seen longest ago go.
const KINDS_MAX: usize = 10_000;

/// Jobs are alike if they are of the same user, name and rung.
type Kind = (String, String, Rung);

/// What was learned, and what is being measured.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Costs {
    #[serde(with = "super::snapshot::as_list")]
    learned: BTreeMap<Kind, Learned>,
    open: BTreeMap<JobId, Open>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Learned {
    save: Option<Millis>,
    restore: Option<Millis>,
    seen: Time,
}

/// A job on its way from its GPUs or back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Open {
    /// It was told to pause then.
    Saving { since: Time, rung: Rung },
    /// It has left its GPUs by a rung, and is waiting.
    Away { rung: Rung },
    /// It got GPUs again then, and is coming back.
    Restoring { since: Time, rung: Rung },
}

impl Costs {
    /// Takes in what the engine decided about a job.
    pub(crate) fn note(&mut self, now: Time, action: &Action, spec: Option<&JobSpec>) {
        let (Some(job), Some(spec)) = (about(action), spec) else { return };
        let open = self.open.get(&job).copied();
        let next = match (action, open) {
            (Action::Pause { rung, .. }, None | Some(Open::Restoring { .. })) => {
                Some(Open::Saving { since: now, rung: *rung })
            }
            // Further rungs and nodes of the same pause count from its beginning.
            (Action::Pause { rung, .. }, Some(Open::Saving { since, .. })) => {
                Some(Open::Saving { since, rung: *rung })
            }
            (Action::Moved { state, .. }, Some(open)) => self.moved(now, *state, open, spec),
            (_, open) => open,
        };
        match next {
            Some(next) => self.open.insert(job, next),
            None => self.open.remove(&job),
        };
    }

    fn moved(&mut self, now: Time, state: JobState, open: Open, spec: &JobSpec) -> Option<Open> {
        match (state, open) {
            (JobState::Ended(_), _) => None,
            (
                JobState::Waiting | JobState::Queued | JobState::Paused,
                Open::Saving { since, rung },
            ) => {
                self.learn(now, spec, rung, |known| &mut known.save, now.since(since));
                Some(Open::Away { rung })
            }
            // It was let go on: nothing was learned.
            (JobState::Running, Open::Saving { .. }) => None,
            (JobState::Launching | JobState::Resuming, Open::Away { rung }) => {
                Some(Open::Restoring { since: now, rung })
            }
            // A suspended program computes at once; a new process has to read its state first, and
            // says itself when it is done.
            (JobState::Running, Open::Restoring { since, rung: rung @ Rung::Suspend }) => {
                self.learn(now, spec, rung, |known| &mut known.restore, now.since(since));
                None
            }
            (JobState::Queued | JobState::Waiting, Open::Restoring { rung, .. }) => {
                Some(Open::Away { rung })
            }
            (_, open) => Some(open),
        }
    }

    /// A program says how it gets on: it computes. Since when it was coming back, if it was away.
    pub(crate) fn computes(&mut self, now: Time, job: JobId, spec: &JobSpec) -> Option<Time> {
        let Some(Open::Restoring { since, rung }) = self.open.get(&job).copied() else {
            return None;
        };
        self.open.remove(&job);
        self.learn(now, spec, rung, |known| &mut known.restore, now.since(since));
        Some(since)
    }

    /// Fills in what a job does not say of its rungs, where something is known.
    pub(crate) fn fill(&self, spec: &mut JobSpec) {
        let (user, name) = (spec.user.to_string(), spec.name.to_string());
        for cost in &mut spec.checkpoint.rungs {
            let kind = (user.clone(), name.clone(), cost.rung);
            let Some(known) = self.learned.get(&kind) else { continue };
            for (said, learned) in
                [(&mut cost.save, known.save), (&mut cost.restore, known.restore)]
            {
                if let Some(learned) = learned.filter(|_| *said == Millis::ZERO) {
                    *said = learned;
                }
            }
        }
    }

    /// What takes longer than expected counts at once, what takes less by and by: a pause that was
    /// thought too cheap costs work.
    fn learn(
        &mut self,
        now: Time,
        spec: &JobSpec,
        rung: Rung,
        which: impl Fn(&mut Learned) -> &mut Option<Millis>,
        took: Millis,
    ) {
        let kind = (spec.user.to_string(), spec.name.to_string(), rung);
        let known = self.learned.entry(kind).or_default();
        known.seen = now;
        let value = which(known);
        *value = Some(value.map_or(took, |old| took.max(Millis((3 * old.0 + took.0) / 4))));
        if self.learned.len() > KINDS_MAX {
            let oldest = self.learned.iter().min_by_key(|(_, known)| known.seen);
            let oldest = oldest.map(|(kind, _)| kind.clone());
            oldest.and_then(|kind| self.learned.remove(&kind));
        }
    }
}

/// The job that an action is about, where it is one that matters here.
fn about(action: &Action) -> Option<JobId> {
    match action {
        Action::Pause { job, .. } | Action::Moved { job, .. } => Some(*job),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use muster_engine::action::Outcome;
    use muster_model::{Attempt, Name, NodeId, RungCost};

    use super::*;

    fn spec(name: &str) -> JobSpec {
        let zero = Millis::ZERO;
        let mut spec = JobSpec { user: Name::from("user-a"), ..JobSpec::gang(name, 1, 8) };
        spec.checkpoint.rungs = [Rung::Suspend, Rung::Checkpoint]
            .map(|rung| RungCost { rung, save: zero, restore: zero })
            .to_vec();
        spec
    }

    fn pause(rung: Rung) -> Action {
        let (node, job, attempt) = (NodeId(0), JobId(7), Attempt(1));
        Action::Pause { node, job, attempt, order: 1, rung }
    }

    fn moved(state: JobState) -> Action {
        Action::Moved { job: JobId(7), attempt: Attempt(1), state }
    }

    /// Tells what happened in which second.
    fn tell(costs: &mut Costs, story: &[(u64, Action)]) {
        for (second, action) in story {
            costs.note(Time(second * 1000), action, Some(&spec("train")));
        }
    }

    /// Seconds of saving and restoring that a new job is given.
    fn given(costs: &Costs, name: &str, rung: Rung) -> (u64, u64) {
        let mut spec = spec(name);
        costs.fill(&mut spec);
        let cost = spec.checkpoint.rungs.iter().find(|cost| cost.rung == rung).copied();
        let cost = cost.expect("it was there");
        (cost.save.0 / 1000, cost.restore.0 / 1000)
    }

    #[test]
    fn a_checkpoint_is_measured_from_the_order_to_the_free_gpus_and_back_to_progress() {
        let mut costs = Costs::default();
        let story = [
            (10, pause(Rung::Checkpoint)),
            (11, moved(JobState::Pausing)),
            (40, moved(JobState::Stopping)),
            (41, moved(JobState::Queued)),
            (100, moved(JobState::Launching)),
            (102, moved(JobState::Running)),
        ];
        tell(&mut costs, &story);
        assert_eq!(given(&costs, "train", Rung::Checkpoint), (31, 0), "it is still reading");
        let since = costs.computes(Time(160_000), JobId(7), &spec("train"));
        assert_eq!(since, Some(Time(100_000)));
        assert_eq!(costs.computes(Time(161_000), JobId(7), &spec("train")), None, "it is back");
        assert_eq!(given(&costs, "train", Rung::Checkpoint), (31, 60));
        assert_eq!(given(&costs, "train", Rung::Suspend), (0, 0));
        assert_eq!(given(&costs, "eval", Rung::Checkpoint), (0, 0));
    }

    #[test]
    fn a_suspended_job_is_back_when_it_runs() {
        let mut costs = Costs::default();
        let story = [
            (10, pause(Rung::Freeze)),
            (10, pause(Rung::Suspend)),
            (14, moved(JobState::Paused)),
            (50, moved(JobState::Resuming)),
            (53, moved(JobState::Running)),
        ];
        tell(&mut costs, &story);
        assert_eq!(given(&costs, "train", Rung::Suspend), (4, 3));
    }

    #[test]
    fn a_pause_that_was_called_off_teaches_nothing() {
        let mut costs = Costs::default();
        let story = [(10, pause(Rung::Checkpoint)), (30, moved(JobState::Running))];
        tell(&mut costs, &story);
        tell(&mut costs, &[(60, moved(JobState::Queued))]);
        assert_eq!(given(&costs, "train", Rung::Checkpoint), (0, 0));
        let story =
            [(70, pause(Rung::Checkpoint)), (80, moved(JobState::Ended(Outcome::Completed)))];
        tell(&mut costs, &story);
        assert_eq!((given(&costs, "train", Rung::Checkpoint), costs.open.len()), ((0, 0), 0));
    }

    #[test]
    fn longer_counts_at_once_and_shorter_by_and_by() {
        let mut costs = Costs::default();
        for (took, expected) in [(20, 20), (60, 60), (20, 50)] {
            let story = [(0, pause(Rung::Checkpoint)), (took, moved(JobState::Queued))];
            costs.open.clear();
            tell(&mut costs, &story);
            assert_eq!(given(&costs, "train", Rung::Checkpoint).0, expected);
        }
    }

    #[test]
    fn what_a_job_says_itself_stands() {
        let mut costs = Costs::default();
        tell(&mut costs, &[(0, pause(Rung::Checkpoint)), (20, moved(JobState::Queued))]);
        let mut own = spec("train");
        own.checkpoint.rungs[1].save = Millis::seconds(5);
        costs.fill(&mut own);
        assert_eq!(own.checkpoint.rungs[1].save, Millis::seconds(5));
    }
}
