//! Letting time pass: every wake the engine asked for and every end that is due happens at its
//! time, in order.

use muster_engine::action::{Action, JobState};
use muster_engine::command::{Command, Exit};
use muster_engine::snapshot::JobRecord;
use muster_model::{Millis, Time};

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
        [self.engine.next_wake(), end].into_iter().flatten().min()
    }

    /// Ends the jobs whose time has come, if they still run.
    fn end_due(&mut self) -> Vec<Action> {
        let mut actions = Vec::new();
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
