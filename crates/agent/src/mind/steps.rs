//! Steps: programs inside an attempt. They come and go with their duties, end with the attempt at
//! the latest, and the server hears of each task's end.

use std::collections::BTreeMap;
use std::sync::Arc;

use muster_api::duty::{RunWork, StopReason};
use muster_api::report::Report;
use muster_api::step::{StepDuty, StepReport, StepTask, Took};
use muster_engine::command::{Exit, Running};

use super::part::{Deadline, Part, TaskState, Wanted};
use super::settle::{KILL, TERM};
use super::{FoundStep, Mind, Order};

/// A step as the agent knows it.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    /// By rank. Those that have ended stay, so that they are not launched again.
    tasks: BTreeMap<u32, TaskState>,
    /// Whether the server was told that all of it runs.
    is_started: bool,
    /// What tasks took, by rank, until their end is told.
    took: BTreeMap<u32, Took>,
    /// The newest signal that was sent.
    signal: u32,
    ending: Option<StepEnding>,
}

#[derive(Clone, Debug)]
struct StepEnding {
    deadline: Deadline,
    asked: Vec<u32>,
}

impl Step {
    pub(super) fn is_alive(&self) -> bool {
        self.tasks.values().any(|state| !matches!(state, TaskState::Gone(_)))
    }

    fn running(&self) -> Vec<u32> {
        let running = self.tasks.iter().filter(|(_, state)| **state == TaskState::Running);
        running.map(|(rank, _)| *rank).collect()
    }

    /// It is to end by then; an earlier time stays.
    fn end(&mut self, at_ms: u64) {
        match &mut self.ending {
            None => {
                self.ending = Some(StepEnding { deadline: Deadline::at(at_ms), asked: Vec::new() });
            }
            Some(ending) if !ending.deadline.is_past => {
                ending.deadline.at_ms = ending.deadline.at_ms.min(at_ms);
            }
            Some(_) => {}
        }
    }

    pub(super) fn due_ms(&self) -> Option<u64> {
        let ending = self.ending.as_ref().filter(|_| self.is_alive())?;
        (!ending.deadline.is_past).then_some(ending.deadline.at_ms)
    }
}

impl Mind {
    /// A step that an earlier agent left.
    pub(super) fn find_step(&mut self, of: Running, found: FoundStep) {
        let FoundStep { step, tasks, signal } = found;
        let mut known = Step { is_started: true, signal, ..Step::default() };
        for (rank, exit) in tasks {
            known.tasks.insert(rank, exit.map_or(TaskState::Running, TaskState::Gone));
            if let Some(exit) = exit {
                self.tell_end(of, step, rank, exit, String::new());
            }
        }
        let part = self.parts.get_mut(&of).expect("its attempt was found before");
        part.steps.insert(step, known);
    }

    /// A task of a step runs.
    pub(super) fn step_launched(&mut self, of: Running, step: u32, rank: u32) {
        let Some(known) = self.step(of, step) else { return };
        if known.tasks.get(&rank) == Some(&TaskState::Coming) {
            known.tasks.insert(rank, TaskState::Running);
        }
        let is_whole = known.tasks.values().all(|state| *state != TaskState::Coming);
        if is_whole && !std::mem::replace(&mut known.is_started, true) {
            self.outbox.push(Report::Step(StepReport::Started { of, step }));
        }
    }

    /// A task of a step has ended, or could not be started.
    pub(super) fn step_ended(
        &mut self,
        of: Running,
        step: u32,
        (rank, exit): (u32, Exit),
        detail: String,
    ) {
        let Some(state) = self.step(of, step).and_then(|known| known.tasks.get_mut(&rank)) else {
            return;
        };
        if matches!(state, TaskState::Gone(_)) {
            return;
        }
        *state = TaskState::Gone(exit);
        self.tell_end(of, step, rank, exit, detail);
    }

    /// What a task of a step took, which is told with its end.
    pub(super) fn step_took(&mut self, of: Running, step: u32, rank: u32, took: Took) {
        if let Some(known) = self.step(of, step) {
            known.took.insert(rank, took);
        }
    }

    /// Has exactly the steps that are wanted, or none where the attempt ends.
    pub(super) fn settle_steps(&mut self, now_ms: u64, of: Running) {
        let Some(part) = self.parts.get(&of) else { return };
        let is_said = part.version > 0;
        match (part.ending.as_ref().map(|ending| ending.deadline), part.wanted.clone()) {
            (Some(deadline), _) => self.end_steps(of, deadline.at_ms),
            (None, Wanted::Run(run)) if is_said => {
                self.leave_steps(now_ms, of, &run);
                if part_may_start(&self.parts[&of], now_ms, self.lease_ms) {
                    run.steps.iter().for_each(|duty| self.launch_step(of, &run, duty));
                }
                run.steps.iter().for_each(|duty| self.obey_step(now_ms, of, duty));
            }
            _ => {}
        }
        self.press_steps(now_ms, of);
    }

    /// A signal for all that runs in steps.
    pub(super) fn signal_steps(&mut self, of: Running, signal: u8) {
        for (step, known) in &self.parts[&of].steps {
            let ranks = known.running();
            if !ranks.is_empty() {
                self.orders.extend(explained(of, *step, &ranks, signal));
                self.orders.push(Order::SignalStep { of, step: *step, ranks, signal });
            }
        }
    }

    fn end_steps(&mut self, of: Running, at_ms: u64) {
        let part = self.parts.get_mut(&of).expect("settled above");
        part.steps.values_mut().for_each(|known| known.end(at_ms));
    }

    /// What is not wanted any more is ended, and forgotten once it is over: the server has heard.
    fn leave_steps(&mut self, now_ms: u64, of: Running, run: &RunWork) {
        let part = self.parts.get_mut(&of).expect("settled above");
        let is_wanted = |step: &u32| run.steps.iter().any(|duty| duty.step == *step);
        let mut over = Vec::new();
        for (step, known) in part.steps.iter_mut().filter(|(step, _)| !is_wanted(step)) {
            match known.is_alive() {
                true => known.end(now_ms),
                false => over.push(*step),
            }
        }
        for step in over {
            part.steps.remove(&step);
            self.orders.push(Order::ForgetStep { of, step });
        }
    }

    /// Launches what of a step is not there.
    fn launch_step(&mut self, of: Running, run: &Arc<RunWork>, duty: &Arc<StepDuty>) {
        let part = self.parts.get_mut(&of).expect("settled above");
        let known = part.steps.entry(duty.step).or_default();
        let is_missing = |task: &&StepTask| !known.tasks.contains_key(&task.rank);
        let tasks: Vec<StepTask> = duty.tasks.iter().filter(is_missing).copied().collect();
        if tasks.is_empty() {
            return;
        }
        let is_ended = duty.end_grace_ms.is_some() || known.ending.is_some();
        let state = if is_ended { TaskState::Gone(Exit::Stopped) } else { TaskState::Coming };
        known.tasks.extend(tasks.iter().map(|task| (task.rank, state)));
        if is_ended {
            // It ended before it began.
            for task in tasks {
                self.tell_end(of, duty.step, task.rank, Exit::Stopped, String::new());
            }
            return;
        }
        let (run, duty) = (Arc::clone(run), Arc::clone(duty));
        self.orders.push(Order::LaunchStep { of, run, duty, tasks });
    }

    /// Sends what signal is new, and begins its end.
    fn obey_step(&mut self, now_ms: u64, of: Running, duty: &StepDuty) {
        let step = duty.step;
        let Some(known) = self.step(of, step) else { return };
        if let Some(grace_ms) = duty.end_grace_ms {
            known.end(now_ms.saturating_add(grace_ms));
        }
        let Some((number, signal)) = duty.signal.filter(|(number, _)| *number > known.signal)
        else {
            return;
        };
        if known.tasks.values().any(|state| *state == TaskState::Coming) {
            // Those that are on their way hear it with the others.
            return;
        }
        known.signal = number;
        let ranks = known.running();
        self.orders.push(Order::RememberStep { of, step, signal: number });
        if !ranks.is_empty() {
            self.orders.extend(explained(of, step, &ranks, signal));
            self.orders.push(Order::SignalStep { of, step, ranks, signal });
        }
    }

    /// Asks the tasks of steps that are to end, and forces them when their time is over.
    fn press_steps(&mut self, now_ms: u64, of: Running) {
        let part = self.parts.get_mut(&of).expect("settled above");
        for (step, known) in &mut part.steps {
            let (step, running) = (*step, known.running());
            let Some(ending) = &mut known.ending else { continue };
            let is_first = !ending.deadline.is_past;
            let new: Vec<u32> =
                running.iter().filter(|rank| !ending.asked.contains(rank)).copied().collect();
            let (ranks, signal) = match now_ms >= ending.deadline.at_ms {
                true => (if is_first { running } else { new }, 9),
                false => (new, TERM),
            };
            // What outlives its job is cancelled, as far as it can tell.
            let reason = part.reason.unwrap_or(StopReason::Cancelled);
            if ranks.contains(&0) && !ending.asked.contains(&0) {
                self.orders.push(Order::Explain { of, step: Some(step), reason });
            }
            ending.deadline.is_past |= signal == 9;
            ending.asked.extend(&ranks);
            if !ranks.is_empty() {
                self.orders.push(Order::SignalStep { of, step, ranks, signal });
            }
        }
    }

    fn tell_end(&mut self, of: Running, step: u32, rank: u32, exit: Exit, detail: String) {
        let took = self.step(of, step).and_then(|known| known.took.remove(&rank));
        let ended = StepReport::Ended { of, step, rank, exit, detail, took };
        self.outbox.push(Report::Step(ended));
    }

    fn step(&mut self, of: Running, step: u32) -> Option<&mut Step> {
        self.parts.get_mut(&of)?.steps.get_mut(&step)
    }
}

/// In Slurm who is sent a signal that ends is told so, whether it ends or not.
fn explained(of: Running, step: u32, ranks: &[u32], signal: u8) -> Option<Order> {
    let ends = matches!(signal, TERM | KILL) && ranks.contains(&0);
    ends.then_some(Order::Explain { of, step: Some(step), reason: StopReason::Cancelled })
}

/// Steps start beside tasks that are up, within the lease.
fn part_may_start(part: &Part, now_ms: u64, lease_ms: u64) -> bool {
    part.is_started && now_ms < lease_ms
}
