//! An engine that is watched: every step is judged by the checker and written down.

use muster_checker::{Checker, Violation};
use muster_engine::action::Action;
use muster_engine::command::Command;
use muster_engine::explain::Why;
use muster_engine::{Engine, Tuning};
use muster_model::{ClusterSpec, JobId, Time};

use crate::error::SimError;
use crate::log::{Entry, json};

/// An engine with its judge and its log.
#[derive(Debug)]
pub struct Watch {
    engine: Engine,
    checker: Checker,
    tuning: Tuning,
    log: Vec<Entry>,
}

impl Watch {
    /// Watches an engine for an empty cluster.
    pub fn new(cluster: ClusterSpec) -> Result<Watch, SimError> {
        Watch::with_tuning(cluster, Tuning::default())
    }

    /// The same with the engine's switches set.
    pub fn with_tuning(cluster: ClusterSpec, tuning: Tuning) -> Result<Watch, SimError> {
        let checker = Checker::new(&cluster);
        let engine = Engine::with_tuning(cluster, tuning).map_err(SimError::Configure)?;
        Ok(Watch { engine, checker, tuning, log: Vec::new() })
    }

    /// Takes one step; an error where it breaks a promise.
    pub fn step(&mut self, now: Time, command: Command) -> Result<Vec<Action>, SimError> {
        // Written down first, so that the log of a step that panics ends with its command.
        self.log.push(Entry { now, command: command.clone(), actions: Vec::new() });
        let actions = self.engine.step(now, command);
        self.log.last_mut().expect("it was just pushed").actions.clone_from(&actions);
        self.judge().map(|()| actions)
    }

    /// Judges the latest step, and the engine's own account after it.
    fn judge(&mut self) -> Result<(), SimError> {
        let Entry { now, command, actions } = self.log.last().expect("a step was just taken");
        let (snapshot, wake) = (self.engine.snapshot(), self.engine.next_wake());
        let judged = self
            .checker
            .observe(*now, command, actions)
            .and_then(|()| self.checker.compare(&snapshot, &self.engine.free_counts(), wake));
        judged.map_err(|violations| self.broken(violations))
    }

    /// Why a job is where it is; an error where the answer breaks a promise. The engine is held
    /// to the latest start it names.
    pub fn why(&mut self, job: JobId) -> Result<Option<Why>, SimError> {
        let Some(why) = self.engine.why(job) else { return Ok(None) };
        self.checker.check_why(&why).map_err(|violations| self.broken(violations))?;
        if let Some(latest) = why.latest_start {
            self.checker.promise_latest(job, latest);
        }
        Ok(Some(why))
    }

    fn broken(&self, violations: Vec<Violation>) -> SimError {
        let latest = self.log.last();
        let now = latest.map_or(Time(0), |entry| entry.now);
        let command = latest.map_or(String::new(), |entry| json(&entry.command));
        SimError::Promise { now, command, violations }
    }

    /// Replaces the engine by one that is restored from its own snapshot, as after a crash.
    pub fn restart(&mut self) -> Result<(), SimError> {
        let saved = json(&self.engine.snapshot());
        let snapshot = serde_json::from_str(&saved).map_err(|error| {
            SimError::Restored(format!("its snapshot is not read back: {error}"))
        })?;
        self.engine = Engine::restore(snapshot, self.tuning).map_err(SimError::Restore)?;
        let restored = json(&self.engine.snapshot());
        if saved == restored {
            return Ok(());
        }
        Err(SimError::Restored(format!("\n{saved}\n{restored}")))
    }

    /// The engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Every step so far.
    pub fn log(&self) -> &[Entry] {
        &self.log
    }
}
