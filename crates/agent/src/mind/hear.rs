//! Duties are heard. A duty says all there is to say of its attempt, so only the newest counts.

use std::sync::Arc;

use muster_api::duty::{Duty, RunWork, StopReason, Work};
use muster_api::report::Report;
use muster_engine::command::{Exit, Running};

use super::part::{Part, Wanted, Why};
use super::{Mind, OVER_MAX};
use crate::mind::Order;

/// How long an attempt has that nobody wants: whoever would have given it more has forgotten it.
const UNWANTED_GRACE_MS: u64 = 5_000;

impl Mind {
    /// Duties of a session. What is older than what was heard changes nothing.
    pub fn hear(&mut self, now_ms: u64, session: u64, version: u64, all: bool, duties: &[Duty]) {
        let is_old = if all { version < self.version } else { version <= self.version };
        if self.session != Some(session) || (is_old && self.version > 0) {
            return;
        }
        self.version = version;
        if all {
            self.unwanted(now_ms, duties);
        }
        // What is to end makes room for what is to start.
        let (ends, runs): (Vec<_>, Vec<_>) =
            duties.iter().partition(|duty| !matches!(duty.work, Work::Run(_)));
        for duty in ends.into_iter().chain(runs) {
            self.hear_one(now_ms, duty);
        }
        let known: Vec<Running> = self.parts.keys().copied().collect();
        for of in known {
            self.settle(now_ms, of);
        }
        self.forget_oldest();
    }

    /// What is not named in all duties is not wanted here.
    fn unwanted(&mut self, now_ms: u64, duties: &[Duty]) {
        let is_named =
            |of: &Running| duties.iter().any(|it| it.job == of.job && it.attempt == of.attempt);
        let others: Vec<Running> = self.parts.keys().filter(|of| !is_named(of)).copied().collect();
        for of in others {
            match self.parts[&of].is_over() || !self.parts[&of].is_alive() {
                true => self.forget(of),
                false => self.end(now_ms, of, Why::Asked, UNWANTED_GRACE_MS),
            }
        }
    }

    fn hear_one(&mut self, now_ms: u64, duty: &Duty) {
        let of = Running { job: duty.job, attempt: duty.attempt };
        if self.parts.get(&of).is_some_and(|part| duty.version < part.version) {
            return;
        }
        match &duty.work {
            Work::Run(run) => self.hear_run(now_ms, of, run),
            Work::Stop { grace_ms, why } => self.hear_stop(now_ms, of, *grace_ms, *why),
            Work::Done => match self.parts.get(&of).is_some_and(Part::is_alive) {
                true => self.end(now_ms, of, Why::Asked, 0),
                false => self.forget(of),
            },
        }
        if let Some(part) = self.parts.get_mut(&of) {
            part.version = duty.version;
        }
    }

    fn hear_run(&mut self, now_ms: u64, of: Running, run: &RunWork) {
        if let Some(part) = self.parts.get_mut(&of) {
            match &part.last_word {
                Some(word) => self.outbox.push(word.clone()),
                None => part.wanted = Wanted::Run(Arc::new(run.clone())),
            }
            return;
        }
        if run.tasks.is_empty() && run.resize.is_none() {
            // An order about an attempt that is not here: its end is all there is to say.
            self.outbox.push(Report::Ended { of, exit: Exit::Stopped });
            return;
        }
        let others: Vec<Running> =
            self.parts.keys().filter(|other| other.job == of.job).copied().collect();
        if others.iter().any(|other| other.attempt > of.attempt) {
            // Attempts only grow: this one is a thing of the past.
            self.outbox.push(Report::Ended { of, exit: Exit::Stopped });
            return;
        }
        for other in others {
            match self.parts[&other].is_alive() {
                true => self.end(now_ms, other, Why::Asked, 0),
                false => self.forget(other),
            }
        }
        self.parts.insert(of, Part::new(Wanted::Run(Arc::new(run.clone()))));
    }

    fn hear_stop(&mut self, now_ms: u64, of: Running, grace_ms: u64, reason: Option<StopReason>) {
        let part = self.parts.entry(of).or_insert_with(|| Part::new(Wanted::Stop));
        part.wanted = Wanted::Stop;
        part.reason = part.reason.or(reason);
        match &part.last_word {
            Some(word) => {
                // Whoever asks to stop waits for the end, also of what was never launched.
                let exit = match word {
                    Report::Ended { exit, .. } => *exit,
                    _ => Exit::Stopped,
                };
                self.outbox.push(Report::Ended { of, exit });
            }
            None => self.end(now_ms, of, Why::Asked, grace_ms),
        }
    }

    /// Nothing about an attempt is kept any more.
    pub(super) fn forget(&mut self, of: Running) {
        if self.parts.remove(&of).is_some() {
            self.orders.push(Order::Forget { of });
        }
    }

    fn forget_oldest(&mut self) {
        let over = self.parts.iter().filter(|(_, part)| part.is_over());
        let mut over: Vec<(u64, Running)> = over.map(|(of, part)| (part.version, *of)).collect();
        if over.len() <= OVER_MAX {
            return;
        }
        over.sort_unstable();
        over.truncate(over.len() - OVER_MAX);
        for (_, of) in over {
            self.forget(of);
        }
    }
}
