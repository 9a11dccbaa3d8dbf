//! The stage: plays an engine by hand, step by step, in front of the judge. `play` is for steps
//! that keep every promise; `try_step` is for the one under test and returns the verdict.

use std::sync::Arc;

use muster_checker::{Checker, Promise, Violation, report};
use muster_engine::action::{Action, JobState};
use muster_engine::command::{Command, Exit};
use muster_engine::snapshot::Snapshot;
use muster_model::{Attempt, ClusterSpec, JobId, JobSpec, Name, NodeId, NodeSpec, Time};

use crate::act::{launch, moved};
use crate::record::{Templates, blank};

/// What the judge says of one step.
pub(crate) type Verdict = Result<(), Vec<Violation>>;

/// Task ranks with the bit masks of their GPUs, on one node.
pub(crate) type Places<'a> = (NodeId, &'a [(u32, u64)]);

pub(crate) struct Stage {
    pub(crate) checker: Checker,
    pub(crate) now: Time,
    /// The account an honest engine would give.
    pub(crate) snapshot: Snapshot,
    /// When it would want to be woken.
    pub(crate) wake: Option<Time>,
    pub(crate) templates: Templates,
}

impl Stage {
    /// A cluster with two levels, `zone` and `rack`, and no node yet.
    pub(crate) fn new() -> Stage {
        Stage::with(ClusterSpec::default())
    }

    pub(crate) fn with(cluster: ClusterSpec) -> Stage {
        let levels = vec![Name::from("zone"), Name::from("rack")];
        let cluster = ClusterSpec { levels, ..cluster };
        Stage {
            checker: Checker::new(&cluster),
            now: Time(1_000),
            snapshot: Snapshot { now: Time(1_000), ..blank(&cluster) },
            templates: Templates::new(),
            wake: None,
        }
    }

    /// A step that keeps every promise.
    #[track_caller]
    pub(crate) fn play(&mut self, command: &Command, actions: &[Action]) {
        kept(self.try_step(command, actions));
        self.record(command, actions);
    }

    /// The step under test.
    pub(crate) fn try_step(&mut self, command: &Command, actions: &[Action]) -> Verdict {
        self.checker.observe(self.now, command, actions)
    }

    /// A step of time passing that should not have led to these actions.
    pub(crate) fn try_tick(&mut self, actions: &[Action]) -> Verdict {
        self.try_step(&Command::Tick, actions)
    }

    pub(crate) fn wait(&mut self, millis: u64) {
        self.now = Time(self.now.0 + millis);
        self.snapshot.now = self.now;
    }

    /// The comparison of accounts with the honest one.
    pub(crate) fn try_compare(&mut self) -> Verdict {
        let counts = self.free_counts();
        self.checker.compare(&self.snapshot, &counts, self.wake)
    }

    /// A node joins and is accepted.
    #[track_caller]
    pub(crate) fn join(&mut self, spec: NodeSpec) -> NodeId {
        let known = self.snapshot.nodes.iter().find(|node| node.spec.name == spec.name);
        let next = NodeId(number(self.snapshot.nodes.len()));
        let node = known.map_or(next, |node| node.id);
        let accepted = Action::NodeAccepted { node, name: spec.name.clone() };
        self.play(&Command::NodeJoined { spec, running: Vec::new() }, &[accepted]);
        node
    }

    /// A job is submitted, accepted and queued.
    #[track_caller]
    pub(crate) fn submit(&mut self, spec: JobSpec) -> JobId {
        self.submit_as(spec, JobState::Queued)
    }

    #[track_caller]
    pub(crate) fn submit_as(&mut self, spec: JobSpec, state: JobState) -> JobId {
        let job = self.snapshot.next_job;
        let elements = spec.array.as_ref().map_or(0, |array| number(array.indexes.len()));
        let mut actions = vec![Action::Accepted { job, elements }];
        if elements == 0 {
            actions.push(moved(job, 0, state));
        } else {
            let jobs = (1..=u64::from(elements)).map(|offset| JobId(job.0 + offset));
            actions.extend(jobs.map(|job| moved(job, 0, state)));
        }
        self.play(&Command::Submit { spec: Arc::new(spec) }, &actions);
        job
    }

    /// The actions that start the next attempt of a job.
    pub(crate) fn start_of(&self, job: JobId, places: &[Places<'_>]) -> Vec<Action> {
        let attempt = self.attempt_of(job) + 1;
        let mut actions: Vec<Action> =
            places.iter().map(|(node, tasks)| launch(job, attempt, *node, tasks)).collect();
        actions.push(moved(job, attempt, JobState::Launching));
        actions
    }

    /// Starts a job in a step of its own.
    #[track_caller]
    pub(crate) fn start(&mut self, job: JobId, places: &[Places<'_>]) {
        let actions = self.start_of(job, places);
        self.play(&Command::Tick, &actions);
    }

    /// Starts a job and lets every node confirm.
    #[track_caller]
    pub(crate) fn run(&mut self, job: JobId, places: &[Places<'_>]) {
        self.start(job, places);
        let attempt = self.attempt_of(job);
        for (index, (node, _)) in places.iter().enumerate() {
            let is_last = index + 1 == places.len();
            let running = [moved(job, attempt, JobState::Running)];
            let actions: &[Action] = if is_last { &running } else { &[] };
            self.play(&Command::Started { node: *node, job, attempt: Attempt(attempt) }, actions);
        }
    }

    /// A node ends the current attempt of a job; `actions` follow.
    pub(crate) fn end(&self, node: NodeId, job: JobId, exit: Exit) -> Command {
        let attempt = Attempt(self.attempt_of(job));
        Command::Ended { node, job, attempt, exit }
    }

    pub(crate) fn attempt_of(&self, job: JobId) -> u32 {
        self.snapshot
            .jobs
            .iter()
            .find(|record| record.id == job)
            .expect("the story has that job")
            .attempt
            .0
    }
}

/// A small count as the number it is elsewhere.
pub(crate) fn number(count: usize) -> u32 {
    u32::try_from(count).expect("stories are small")
}

/// Asserts that nothing is wrong.
#[track_caller]
pub(crate) fn kept(verdict: Verdict) {
    if let Err(violations) = verdict {
        panic!("a kept promise was called broken: {}", report(&violations));
    }
}

/// Asserts that this promise is broken, and for this reason.
#[track_caller]
pub(crate) fn broken(verdict: Verdict, promise: Promise, detail: &str) {
    let Err(violations) = verdict else { panic!("a broken promise was not seen: {detail}") };
    let is_found = violations
        .iter()
        .any(|violation| violation.promise == promise && violation.detail.contains(detail));
    assert!(is_found, "expected `{promise}: {detail}`, got {}", report(&violations));
}
