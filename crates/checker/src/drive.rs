//! Driving an engine under judgement: step, ask, and come to rest, with a readable end where a
//! promise is broken.

use std::collections::VecDeque;
use std::fmt::Write;

use muster_engine::Engine;
use muster_engine::action::Action;
use muster_engine::command::Command;
use muster_engine::explain::Why;
use muster_model::{JobId, Time};

use crate::checker::Checker;
use crate::violation::{Violation, report};

/// How many of the latest steps a report shows: enough to see what led to the violation.
const STEPS_SHOWN: usize = 6;

/// How far a driven engine has come.
#[derive(Debug)]
pub(crate) struct Course {
    steps: u64,
    /// The accounts are compared after every so many steps.
    compare_every: u64,
    latest: VecDeque<(Time, Command, Vec<Action>)>,
}

impl Default for Course {
    fn default() -> Self {
        Course { steps: 0, compare_every: 1, latest: VecDeque::new() }
    }
}

impl Checker {
    /// Compares accounts only after every `every`-th step from now on: for long runs, where a
    /// snapshot after each step would cost more than the steps. Actions are still judged all.
    #[must_use]
    pub fn quiet(mut self, every: u64) -> Checker {
        self.course.compare_every = every.max(1);
        self
    }

    /// Steps the engine and judges the step.
    ///
    /// # Panics
    /// If a promise is broken, with all violations and the steps that led to them.
    pub fn step(&mut self, engine: &mut Engine, now: Time, command: Command) -> Vec<Action> {
        let actions = engine.step(now, command.clone());
        let judged = self.observe(now, &command, &actions);
        self.course.note(now, command, &actions);
        self.require(judged);
        if self.course.steps.is_multiple_of(self.course.compare_every) {
            self.audit(engine);
        }
        actions
    }

    /// Compares accounts now.
    ///
    /// # Panics
    /// If a promise is broken, as [`Checker::step`] does.
    pub fn audit(&mut self, engine: &Engine) {
        let snapshot = engine.snapshot();
        let judged = self.compare(&snapshot, &engine.free_counts(), engine.next_wake());
        self.require(judged);
    }

    /// Asks why a job is where it is, judges the answer, and holds the engine to the latest
    /// start it names.
    ///
    /// # Panics
    /// If a promise is broken, as [`Checker::step`] does.
    pub fn ask(&mut self, engine: &mut Engine, job: JobId) -> Option<Why> {
        let why = engine.why(job)?;
        let judged = self.check_why(&why);
        self.require(judged);
        if let Some(latest) = why.latest_start {
            self.promise_latest(job, latest);
        }
        Some(why)
    }

    /// Ticks with the clock standing still until the engine has nothing left to do at this
    /// moment, and returns all that it did.
    ///
    /// # Panics
    /// If that takes more ticks than can be useful, or a promise is broken.
    pub fn settle(&mut self, engine: &mut Engine, now: Time) -> Vec<Action> {
        let mut actions = Vec::new();
        let mut ticks = 0;
        while engine.next_wake().is_some_and(|wake| wake <= now) {
            actions.extend(self.step(engine, now, Command::Tick));
            ticks += 1;
            self.require(self.check_ticks(ticks));
        }
        actions
    }

    fn require(&self, judged: Result<(), Vec<Violation>>) {
        if let Err(violations) = judged {
            panic!("{}\n{}", report(&violations), self.course.in_words());
        }
    }
}

impl Course {
    fn note(&mut self, now: Time, command: Command, actions: &[Action]) {
        self.steps += 1;
        if self.latest.len() == STEPS_SHOWN {
            self.latest.pop_front();
        }
        self.latest.push_back((now, command, actions.to_vec()));
    }

    fn in_words(&self) -> String {
        let mut text = format!("after {} steps, of which the latest:", self.steps);
        for (now, command, actions) in &self.latest {
            write!(text, "\n  at {}: {command:?}", now.0).expect("a string takes all text");
            for action in actions {
                write!(text, "\n    {action:?}").expect("a string takes all text");
            }
        }
        text
    }
}
