//! The host says what happened to tasks.

use muster_api::Report;
use muster_api::step::StepReport;
use muster_engine::command::{Exit, Running};

use super::part::{TaskState, Wanted, Why};
use super::settle::FAILED_GRACE_MS;
use super::{Happening, Mind, Order};

impl Mind {
    /// Something happened on the node.
    pub fn happened(&mut self, now_ms: u64, happening: Happening) {
        let of = match happening {
            Happening::Launched { of, rank } => {
                self.set_state(of, rank, TaskState::Running);
                of
            }
            Happening::NotLaunched { of, rank, refusal, detail } => {
                let report = Report::Refused { of, refusal, detail };
                self.not_launched(now_ms, of, rank, report);
                of
            }
            Happening::Ended { of, rank, exit } => {
                self.task_ended(now_ms, of, rank, exit);
                of
            }
            Happening::StepLaunched { of, step, rank } => {
                self.step_launched(of, step, rank);
                of
            }
            Happening::StepEnded { of, step, rank, exit, detail } => {
                self.step_ended(of, step, (rank, exit), detail);
                of
            }
            Happening::Took { of, step: Some(step), rank, took } => {
                self.step_took(of, step, rank, took);
                of
            }
            Happening::Took { of, step: None, rank, took } => {
                self.outbox.push(Report::Step(StepReport::Took { of, rank, took }));
                of
            }
            Happening::Saved { of } => {
                self.saved(of);
                of
            }
            Happening::Progress { of, rate, done_ppm } => {
                self.got_on(of, Report::Progress { of, rate, done_ppm });
                of
            }
            Happening::Finished { of } => {
                self.finished(of);
                of
            }
        };
        self.settle(now_ms, of);
        self.settle_others(now_ms, of);
    }

    /// Another attempt of the same job may have waited for this one to go.
    fn settle_others(&mut self, now_ms: u64, of: Running) {
        if self.parts.get(&of).is_some_and(super::Part::is_alive) {
            return;
        }
        let others = self.parts.keys().filter(|other| other.job == of.job && **other != of);
        for other in others.copied().collect::<Vec<_>>() {
            self.settle(now_ms, other);
        }
    }

    fn set_state(&mut self, of: Running, rank: u32, state: TaskState) {
        let task = self.parts.get_mut(&of).and_then(|part| part.tasks.get_mut(&rank));
        if let Some(task) = task.filter(|task| task.state == TaskState::Coming) {
            task.state = state;
        }
    }

    fn not_launched(&mut self, now_ms: u64, of: Running, rank: u32, report: Report) {
        let Some(part) = self.parts.get_mut(&of) else { return };
        part.tasks.remove(&rank);
        if part.ending.is_some() {
            return;
        }
        let is_growth =
            part.is_started || matches!(&part.wanted, Wanted::Run(run) if run.resize.is_some());
        if is_growth {
            part.blocked = Some(part.version);
            self.outbox.push(report);
        } else {
            self.end(now_ms, of, Why::Refused(report), 0);
        }
    }

    fn task_ended(&mut self, now_ms: u64, of: Running, rank: u32, exit: Exit) {
        let Some(part) = self.parts.get_mut(&of) else { return };
        let Some(task) = part.tasks.get_mut(&rank) else { return };
        if !task.is_alive() {
            return;
        }
        task.state = TaskState::Gone(exit);
        if task.leaving.is_some() {
            part.tasks.remove(&rank);
            self.orders.push(Order::Left { of, rank });
            return;
        }
        if !exit.is_success() && part.ending.is_none() {
            part.failure = Some(exit);
            self.end(now_ms, of, Why::Failed, FAILED_GRACE_MS);
        }
    }

    /// What is said of an attempt that is over is of no use to anybody.
    fn got_on(&mut self, of: Running, report: Report) {
        if self.parts.get(&of).is_some_and(|part| !part.is_over()) {
            self.outbox.push(report);
        }
    }

    /// All tasks are gone and so is what follows them: now it can be told.
    fn finished(&mut self, of: Running) {
        let Some(part) = self.parts.get_mut(&of).filter(|part| part.is_finishing) else { return };
        part.is_finishing = false;
        // Who was asked to save and came to a good end has saved.
        let has_saved = part.saving.take().is_some() && !part.is_only_held();
        if has_saved && part.exit().is_success() {
            self.outbox.push(Report::Saved(of));
        }
        let word = match part.ending.as_ref().map(|ending| &ending.why) {
            Some(Why::Refused(report)) => report.clone(),
            _ => Report::Ended { of, exit: part.exit() },
        };
        part.last_word = Some(word.clone());
        self.outbox.push(word);
    }
}
