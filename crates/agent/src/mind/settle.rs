//! What should be is compared with what is, and what is missing is ordered. Nothing here depends
//! on how the difference came about, so a restart in the middle is only another difference.

use std::sync::Arc;

use muster_api::TaskDuty;
use muster_api::duty::RunWork;
use muster_api::report::Report;
use muster_engine::command::{Exit, Running};

use super::part::{Deadline, Ending, Task, TaskState, Wanted, Why};
use super::{Mind, Order};

/// How long a task has that a resize takes away.
const LEAVE_GRACE_MS: u64 = 30_000;

/// How long the tasks have here whose gang has failed: most will end by themselves.
pub(super) const FAILED_GRACE_MS: u64 = 10_000;

/// The signal that asks tasks to end.
pub(super) const TERM: u8 = 15;

/// The signal that forces them.
pub(super) const KILL: u8 = 9;

impl Mind {
    /// All of an attempt is to end. An earlier deadline stays, and so does the first cause, but
    /// for the end of the lease, which spares nobody.
    pub(super) fn end(&mut self, now_ms: u64, of: Running, why: Why, grace_ms: u64) {
        let part = self.parts.get_mut(&of).expect("only what is known is ended");
        if part.is_finishing || part.is_over() {
            // It has come to its own end.
            return;
        }
        let at_ms = now_ms.saturating_add(grace_ms);
        match &mut part.ending {
            None => {
                let deadline = Deadline::at(at_ms);
                part.ending = Some(Ending { why, deadline, asked: Vec::new() });
            }
            Some(ending) => {
                if !ending.deadline.is_past {
                    ending.deadline.at_ms = ending.deadline.at_ms.min(at_ms);
                }
                if why == Why::Lease && part.failure.is_none() {
                    ending.why = why;
                }
            }
        }
    }

    /// Orders whatever an attempt lacks.
    pub(super) fn settle(&mut self, now_ms: u64, of: Running) {
        // What has come to its end gets no tasks any more, whatever is wanted.
        let is_open = |part: &&super::Part| !part.is_over() && !part.is_finishing;
        let Some(part) = self.parts.get(&of).filter(is_open) else { return };
        if part.ending.is_none()
            && let Wanted::Run(run) = part.wanted.clone()
        {
            self.compare(now_ms, of, &run);
        }
        self.let_go(now_ms, of);
        if self.parts.get(&of).is_some_and(|part| part.ending.is_some()) {
            self.press(now_ms, of);
        }
        self.settle_steps(now_ms, of);
        self.conclude(of);
    }

    /// What is held for a program goes when all of it is over here.
    fn let_go(&mut self, now_ms: u64, of: Running) {
        let Some(part) = self.parts.get(&of) else { return };
        let is_over = part.ending.is_none() && part.is_started && part.is_program_over();
        if is_over && part.is_alive() {
            self.end(now_ms, of, Why::Over, FAILED_GRACE_MS);
        }
    }

    /// Asks the tasks of an attempt that is to end, and forces them when their time is over.
    fn press(&mut self, now_ms: u64, of: Running) {
        let part = self.parts.get_mut(&of).expect("settled above");
        let running = part.running();
        let held = part.held();
        let ending = part.ending.as_mut().expect("it is to end");
        let new: Vec<u32> =
            running.iter().filter(|rank| !ending.asked.contains(rank)).copied().collect();
        let held: Vec<u32> = held.into_iter().filter(|rank| !ending.asked.contains(rank)).collect();
        if !held.is_empty() {
            ending.asked.extend(&held);
            self.orders.push(Order::Release { of, ranks: held });
        }
        // The first task speaks for all.
        if let Some(reason) = part.reason.filter(|_| new.contains(&0)) {
            self.orders.push(Order::Explain { of, step: None, reason });
        }
        let is_first = !ending.deadline.is_past;
        if now_ms >= ending.deadline.at_ms {
            ending.deadline.is_past = true;
            // What has come up since the others were forced is forced as well.
            let ranks = if is_first { running } else { new };
            ending.asked.extend(&ranks);
            if !ranks.is_empty() {
                self.orders.push(Order::Kill { of, ranks });
            }
        } else if !new.is_empty() {
            ending.asked.extend(&new);
            self.orders.push(Order::Signal { of, ranks: new, signal: TERM });
        }
    }

    /// Has exactly the tasks that are wanted, and says so.
    fn compare(&mut self, now_ms: u64, of: Running, run: &Arc<RunWork>) {
        self.dismiss(now_ms, of, run);
        self.launch(now_ms, of, run);
        let part = self.parts.get_mut(&of).expect("settled above");
        let is_there = |duty: &TaskDuty| {
            part.tasks.get(&duty.rank).is_some_and(|task| task.state != TaskState::Coming)
        };
        let is_exact = run.tasks.iter().all(is_there) && part.tasks.len() == run.tasks.len();
        if !is_exact {
            return;
        }
        let number = run.resize.filter(|number| *number > part.resized);
        // What is added by a resize is confirmed by its number.
        if !std::mem::replace(&mut part.is_started, true) && run.resize.is_none() {
            self.outbox.push(Report::Started(of));
        }
        if let Some(resize) = number {
            part.resized = resize;
            self.outbox.push(Report::Resized { of, resize });
        }
        if run.tasks.is_empty() && part.is_alive() {
            // Its steps are left of it, and end as well.
            self.end(now_ms, of, Why::Over, 0);
            return;
        }
        if run.tasks.is_empty() {
            // A part without tasks is none, and nobody waits for its end.
            self.forget(of);
            return;
        }
        self.obey(now_ms, of, run);
    }

    /// Tasks that are not wanted any more, or not there, leave.
    fn dismiss(&mut self, now_ms: u64, of: Running, run: &RunWork) {
        let part = self.parts.get_mut(&of).expect("settled above");
        let (mut asked, mut forced, mut gone) = (Vec::new(), Vec::new(), Vec::new());
        let mut released = Vec::new();
        for (rank, task) in &mut part.tasks {
            let is_wanted =
                run.tasks.iter().any(|duty| duty.rank == *rank && duty.place == task.place);
            if is_wanted && task.leaving.is_none() {
                continue;
            }
            match (task.state, &mut task.leaving) {
                (TaskState::Gone(_), _) => gone.push(*rank),
                (TaskState::Coming, _) => {}
                (TaskState::Running, leaving @ None) => {
                    *leaving = Some(Deadline::at(now_ms.saturating_add(LEAVE_GRACE_MS)));
                    if task.is_held { released.push(*rank) } else { asked.push(*rank) }
                }
                (TaskState::Running, Some(deadline)) => {
                    if now_ms >= deadline.at_ms && !deadline.is_past {
                        deadline.is_past = true;
                        forced.extend((!task.is_held).then_some(*rank));
                    }
                }
            }
        }
        for rank in gone {
            part.tasks.remove(&rank);
            self.orders.push(Order::Left { of, rank });
        }
        if !released.is_empty() {
            self.orders.push(Order::Release { of, ranks: released });
        }
        if !asked.is_empty() {
            self.orders.push(Order::Signal { of, ranks: asked, signal: TERM });
        }
        if !forced.is_empty() {
            self.orders.push(Order::Kill { of, ranks: forced });
        }
    }

    /// Launches what is wanted and not there: within the lease, and not beside another attempt.
    fn launch(&mut self, now_ms: u64, of: Running, run: &Arc<RunWork>) {
        let is_beside = |(other, part): (&Running, &super::Part)| {
            other.job == of.job && *other != of && part.is_alive()
        };
        if now_ms >= self.lease_ms || self.parts.iter().any(is_beside) {
            return;
        }
        let part = self.parts.get_mut(&of).expect("settled above");
        // What was wanted in an earlier session may have been given up while we were away.
        let is_said = part.version > 0;
        if !is_said || part.blocked == Some(part.version) {
            return;
        }
        let is_missing = |duty: &&TaskDuty| !part.tasks.contains_key(&duty.rank);
        let tasks: Vec<TaskDuty> = run.tasks.iter().filter(is_missing).cloned().collect();
        if tasks.is_empty() {
            return;
        }
        let is_growth = part.is_started || run.resize.is_some();
        for duty in &tasks {
            let is_held = run.program.runs.holds(duty.rank);
            let state = TaskState::Coming;
            part.tasks.insert(duty.rank, Task { place: duty.place, is_held, state, leaving: None });
        }
        self.orders.push(Order::Launch { of, run: Arc::clone(run), tasks, is_growth });
    }

    /// When no task is left, what follows an attempt is ordered.
    fn conclude(&mut self, of: Running) {
        let Some(part) = self.parts.get_mut(&of) else { return };
        if part.is_alive() || part.is_over() {
            return;
        }
        let was_here = !part.tasks.is_empty();
        let is_ending = part.ending.is_some();
        if was_here && (is_ending || self.has_ended(of)) {
            let part = self.parts.get_mut(&of).expect("looked up above");
            part.is_finishing = true;
            self.orders.push(Order::Finish { of });
        } else if is_ending {
            self.never_here(of);
        }
    }

    /// Whether the tasks that are gone are all there were to be.
    fn has_ended(&self, of: Running) -> bool {
        let part = &self.parts[&of];
        match &part.wanted {
            Wanted::Run(run) => run.tasks.iter().all(|duty| part.tasks.contains_key(&duty.rank)),
            Wanted::Unsaid => part.is_started,
            Wanted::Stop => true,
        }
    }

    /// An attempt of which nothing ever ran here is told to be over at once.
    fn never_here(&mut self, of: Running) {
        let part = self.parts.get_mut(&of).expect("looked up above");
        let word = match part.ending.as_ref().map(|ending| &ending.why) {
            Some(Why::Refused(report)) => report.clone(),
            _ => Report::Ended { of, exit: Exit::Stopped },
        };
        part.last_word = Some(word.clone());
        self.outbox.push(word);
    }
}
