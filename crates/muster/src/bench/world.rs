//! A virtual cluster that answers the engine at a virtual clock: nodes confirm launches, jobs
//! end when they really would, the engine is woken when it asked to be. Every step is
//! timed unless no clock is wanted.

mod agenda;
mod checksum;

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Result, bail};
use muster_engine::Engine;
use muster_engine::action::{Action, JobState};
use muster_engine::command::{Command, Exit};
use muster_model::{Attempt, JobId, JobSpec, Millis, NodeId, Time};

use super::chance::Chance;
use super::clock;
use super::jobs::Plan;
use super::layout::{Layout, START};
use super::meter::Meter;
use agenda::{Agenda, Event};
use checksum::Checksum;

/// The time a node takes to launch its part, and to end it when asked to, at most.
const NODE_TAKES_MAX: Millis = Millis::seconds(4);

/// A gang's nodes report its end one after the other within this.
const END_TAKES_MAX: Millis = Millis::seconds(2);

/// An engine that asks to be woken so often without time going on will never rest.
const WAKES_MAX: u32 = 100_000;

/// The virtual cluster.
#[derive(Debug)]
pub(super) struct World {
    engine: Engine,
    now: Time,
    chance: Chance,
    agenda: Agenda,
    live: BTreeMap<JobId, Live>,
    /// Whether steps are timed.
    is_timed: bool,
    /// Steps that were timed since it was last taken.
    meter: Meter,
    counts: Counts,
    decisions: Checksum,
    /// Every command so far, if they are kept.
    script: Option<Vec<(Time, Command)>>,
}

/// What has happened so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Gangs placed.
    pub(super) placements: u64,
    /// Those of them that the service floor placed.
    pub(super) floor_placements: u64,
    /// GPUs of all gangs placed.
    pub(super) gpus_placed: u64,
    /// GPUs of those that are over.
    pub(super) gpus_ended: u64,
}

impl Counts {
    /// GPUs in use.
    pub(super) fn gpus_busy(self) -> u64 {
        self.gpus_placed - self.gpus_ended
    }
}

/// A job that is not over.
#[derive(Debug)]
struct Live {
    plan: Plan,
    gpus: u64,
    nodes: Vec<NodeId>,
    /// It was asked to end, so it does not come to its own end.
    stopped: bool,
}

impl World {
    /// All nodes have joined and nothing runs.
    pub(super) fn new(layout: Layout, seed: u64) -> World {
        World {
            engine: layout.engine(),
            now: START,
            chance: Chance::new(seed ^ u64::MAX),
            agenda: Agenda::default(),
            live: BTreeMap::new(),
            is_timed: true,
            meter: Meter::default(),
            counts: Counts::default(),
            decisions: Checksum::default(),
            script: None,
        }
    }

    /// The same without reading the clock, which some tools that watch a program cannot bear:
    /// under valgrind the call that finds the clock crashes.
    pub(super) fn untimed(layout: Layout, seed: u64) -> World {
        World { is_timed: false, ..World::new(layout, seed) }
    }

    /// Keeps every command from here on.
    pub(super) fn keep_script(&mut self) {
        self.script = Some(Vec::new());
    }

    /// The commands kept so far.
    pub(super) fn take_script(&mut self) -> Vec<(Time, Command)> {
        self.script.take().unwrap_or_default()
    }

    pub(super) fn now(&self) -> Time {
        self.now
    }

    pub(super) fn engine(&mut self) -> &mut Engine {
        &mut self.engine
    }

    pub(super) fn into_engine(self) -> Engine {
        self.engine
    }

    pub(super) fn counts(&self) -> Counts {
        self.counts
    }

    /// GPUs that a job holds.
    pub(super) fn gpus_of(&self, job: JobId) -> u64 {
        self.live.get(&job).map_or(0, |live| live.gpus)
    }

    /// A number that two runs share only if they placed the same gangs at the same places.
    pub(super) fn decisions(&self) -> String {
        self.decisions.to_string()
    }

    /// What the steps since the last call have cost.
    pub(super) fn take_meter(&mut self) -> Meter {
        std::mem::take(&mut self.meter)
    }

    /// Someone submits now.
    pub(super) fn submit(&mut self, spec: JobSpec, plan: Plan) -> Result<JobId> {
        let actions = self.step(Command::Submit { spec: Arc::new(spec) });
        let Some(Action::Accepted { job, .. }) = actions.first() else {
            bail!("the engine refused a job of the workload: {:?}", actions.first());
        };
        let job = *job;
        self.live.insert(job, Live { plan, gpus: 0, nodes: Vec::new(), stopped: false });
        self.carry_out(&actions);
        Ok(job)
    }

    /// Someone cancels a job now.
    pub(super) fn cancel(&mut self, job: JobId) {
        self.tell(Command::Cancel { job });
    }

    /// A job that holds a place comes to its end now, on all its nodes.
    pub(super) fn end(&mut self, job: JobId) {
        let Some(live) = self.live.get_mut(&job) else { return };
        for node in std::mem::take(&mut live.nodes) {
            self.tell(Command::Ended { node, job, attempt: Attempt(1), exit: Exit::Code(0) });
        }
    }

    /// Lets time pass until the next thing has happened; `false` when nothing is to come.
    pub(super) fn go_on(&mut self) -> Result<bool> {
        let (event, wake) = (self.agenda.next_at(), self.engine.next_wake());
        match (event, wake) {
            (None, None) => return Ok(false),
            (Some(at), Some(wake)) if at < wake => self.happen(),
            (Some(_), None) => self.happen(),
            (_, Some(wake)) => {
                self.now = self.now.max(wake);
                self.tell(Command::Tick);
            }
        }
        self.wake_as_asked()?;
        Ok(true)
    }

    /// Lets all pass that is due within a span.
    pub(super) fn pass_time(&mut self, span: Millis) -> Result<()> {
        let until = self.now + span;
        while self.next_at().is_some_and(|at| at <= until) {
            self.go_on()?;
        }
        self.now = until;
        Ok(())
    }

    /// When something happens next.
    fn next_at(&self) -> Option<Time> {
        [self.agenda.next_at(), self.engine.next_wake()].into_iter().flatten().min()
    }

    fn wake_as_asked(&mut self) -> Result<()> {
        for _ in 0..WAKES_MAX {
            if self.engine.next_wake().is_none_or(|wake| wake > self.now) {
                return Ok(());
            }
            self.tell(Command::Tick);
        }
        bail!("the engine asked to be woken {WAKES_MAX} times without time going on");
    }

    fn happen(&mut self) {
        let Some((at, event)) = self.agenda.pop() else { return };
        self.now = self.now.max(at);
        match event {
            Event::Up { node, job, attempt } => {
                self.tell(Command::Started { node, job, attempt });
            }
            Event::Over { node, job, attempt, exit } => {
                // One that was asked to end does so, and does not come to its own end too.
                let was_asked = exit == Exit::Stopped;
                if self.live.get(&job).is_some_and(|live| live.stopped == was_asked) {
                    self.tell(Command::Ended { node, job, attempt, exit });
                }
            }
        }
    }

    fn tell(&mut self, command: Command) {
        let actions = self.step(command);
        self.carry_out(&actions);
    }

    /// The measured act, and nothing else inside the measured span.
    fn step(&mut self, command: Command) -> Vec<Action> {
        if let Some(script) = &mut self.script {
            script.push((self.now, command.clone()));
        }
        if !self.is_timed {
            return self.engine.step(self.now, command);
        }
        let before = clock::thread_cpu();
        let actions = self.engine.step(self.now, command);
        self.meter.add(clock::thread_cpu().saturating_sub(before));
        actions
    }

    fn carry_out(&mut self, actions: &[Action]) {
        for action in actions {
            match action {
                Action::Launch { node, job, attempt, tasks } => {
                    self.decisions.add(*job, *node, tasks);
                    let gpus = tasks.iter().map(|task| u64::from(task.gpus.count())).sum::<u64>();
                    self.counts.gpus_placed += gpus;
                    if let Some(live) = self.live.get_mut(job) {
                        live.nodes.push(*node);
                        live.gpus += gpus;
                    }
                    let at = self.now + self.chance.span(NODE_TAKES_MAX);
                    let (node, job, attempt) = (*node, *job, *attempt);
                    self.agenda.plan(at, Event::Up { node, job, attempt });
                }
                Action::Stop { node, job, attempt, .. } => {
                    if let Some(live) = self.live.get_mut(job) {
                        live.stopped = true;
                    }
                    let at = self.now + self.chance.span(NODE_TAKES_MAX);
                    let (node, job, attempt) = (*node, *job, *attempt);
                    self.agenda.plan(at, Event::Over { node, job, attempt, exit: Exit::Stopped });
                }
                Action::Moved { job, attempt, state } => self.moved(*job, *attempt, *state),
                _ => {}
            }
        }
    }

    fn moved(&mut self, job: JobId, attempt: Attempt, state: JobState) {
        match state {
            JobState::Launching => {
                self.counts.placements += 1;
                let decision = self.engine.decision(job);
                let by_floor = decision.is_some_and(|decision| decision.order.floor);
                self.counts.floor_placements += u64::from(by_floor);
            }
            JobState::Running => {
                let Some(live) = self.live.get(&job) else { return };
                let Plan { duration, exit } = live.plan;
                for &node in &live.nodes {
                    let at = self.now + duration + self.chance.span(END_TAKES_MAX);
                    self.agenda.plan(at, Event::Over { node, job, attempt, exit });
                }
            }
            JobState::Ended(_) => {
                let over = self.live.remove(&job);
                self.counts.gpus_ended += over.map_or(0, |live| live.gpus);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
