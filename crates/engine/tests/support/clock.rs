//! Letting time pass: every wake the engine asked for and every end that is due happens at its
//! time, in order.

use muster_engine::action::{Action, JobState};
use muster_engine::command::{Command, Exit};
use muster_engine::snapshot::JobRecord;
use muster_model::{JobId, Millis, Time};

use super::world::World;

impl World {
    pub(crate) fn now(&self) -> Time {
        self.now
    }

    /// Lets so much time pass.
    pub(crate) fn advance(&mut self, span: Millis) -> Vec<Action> {
        self.advance_to(self.now + span)
    }

    /// Lets time pass up to a moment.
    pub(crate) fn advance_to(&mut self, until: Time) -> Vec<Action> {
        assert!(until >= self.now, "time does not run backwards");
        let mut actions = self.settle();
        while let Some(next) = self.next_event().filter(|&next| next <= until) {
            self.now = self.now.max(next);
            actions.extend(self.end_due());
            actions.extend(self.settle());
        }
        self.now = until;
        actions.extend(self.step(Command::Tick));
        actions.extend(self.settle());
        actions
    }

    /// Lets time pass, to a bound, until nothing is left that would happen by itself.
    pub(crate) fn play_out(&mut self, bound: Millis) -> Vec<Action> {
        let until = self.now + bound;
        let mut actions = self.settle();
        while let Some(next) = self.next_event().filter(|&next| next <= until) {
            actions.extend(self.advance_to(next));
        }
        actions
    }

    fn next_event(&self) -> Option<Time> {
        let end = self.ends.first().map(|(at, _)| *at);
        let save = self.saves.first().map(|(at, _)| *at);
        [self.engine.next_wake(), end, save].into_iter().flatten().min()
    }

    /// A job runs, perhaps again: it ends when it has computed long enough, and saves meanwhile.
    pub(crate) fn plan_end(&mut self, job: JobId) {
        let record = self.record(job);
        let ran = record.run.as_ref().map(|run| run.ran).unwrap_or_default();
        if let Some(&run_time) = self.run_times.get(&job) {
            self.ends.retain(|(_, other)| *other != job);
            self.ends.insert((self.now + run_time.saturating_sub(ran), job));
        }
        if let Some(every) = record.spec.checkpoint.every.filter(|_| self.obedient) {
            self.saves.retain(|(_, other)| *other != job);
            self.saves.insert((self.now + every, job));
        }
    }

    /// Ends the jobs whose time has come, if they still run, and lets those save whose time that
    /// is.
    fn end_due(&mut self) -> Vec<Action> {
        let mut actions = Vec::new();
        while let Some(&(at, job)) = self.saves.first().filter(|(at, _)| *at <= self.now) {
            self.saves.pop_first();
            if matches!(self.word(job), "running" | "pausing") {
                let every = self.record(job).spec.checkpoint.every.expect("who saves says so");
                self.saves.insert((at + every, job));
                actions.extend(self.saved(job));
            }
        }
        while let Some(&(at, job)) = self.ends.first() {
            if at > self.now {
                break;
            }
            self.ends.pop_first();
            let records = self.snapshot().jobs;
            let is_it = |record: &&JobRecord| record.id == job;
            if records.iter().find(is_it).is_some_and(|record| record.state == JobState::Running) {
                actions.extend(self.end(job, Exit::Code(0)));
            }
        }
        actions
    }
}
