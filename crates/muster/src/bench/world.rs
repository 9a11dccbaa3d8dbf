//! A virtual cluster that answers the engine at a virtual clock: nodes confirm launches, pause
//! and resume what they are asked to, jobs save and end when they really would, the engine is
//! woken when it asked to be. Every step is timed unless no clock is wanted.

mod agenda;
mod carry;
mod checksum;
mod counts;
mod happen;
mod live;
mod pauses;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anyhow::{Result, bail};
use muster_engine::Engine;
use muster_engine::action::Action;
use muster_engine::command::{Command, Exit};
use muster_model::{JobId, JobSpec, Millis, Time};

use super::chance::Chance;
use super::clock;
use super::jobs::Plan;
use super::layout::{Layout, START};
use super::meter::Meter;
use agenda::Agenda;
use checksum::Checksum;
pub(super) use counts::Counts;
use live::Live;

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
    /// Steps so far, and those in which others were asked to make room.
    steps: u64,
    plans: BTreeSet<u64>,
    /// Until when reclaims were counted.
    counted: Time,
    decisions: Checksum,
    /// Every command so far, if they are kept.
    script: Option<Vec<(Time, Command)>>,
}

impl World {
    /// All nodes have joined and nothing runs.
    pub(super) fn new(layout: Layout, seed: u64) -> World {
        World::around(layout.engine(), seed)
    }

    /// The world around an engine whose nodes have joined.
    pub(super) fn around(engine: Engine, seed: u64) -> World {
        World {
            engine,
            now: START,
            chance: Chance::new(seed ^ u64::MAX),
            agenda: Agenda::default(),
            live: BTreeMap::new(),
            is_timed: true,
            meter: Meter::default(),
            counts: Counts::default(),
            steps: 0,
            plans: BTreeSet::new(),
            counted: START,
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
        self.live.get(&job).filter(|live| live.holds).map_or(0, |live| live.milli / 1_000)
    }

    /// Jobs that are not over and hold nothing.
    pub(super) fn idle(&self) -> Vec<JobId> {
        self.live.iter().filter(|(_, live)| !live.holds).map(|(&job, _)| job).collect()
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
        let spec = Arc::new(spec);
        let actions = self.step(Command::Submit { spec: Arc::clone(&spec) });
        let Some(Action::Accepted { job, .. }) = actions.first() else {
            bail!("the engine refused a job of the workload: {:?}", actions.first());
        };
        let job = *job;
        let live = Live::new(spec, plan);
        self.counts.milli_waiting += live.milli;
        self.live.insert(job, live);
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
        let attempt = live.attempt;
        for node in std::mem::take(&mut live.nodes) {
            self.tell(Command::Ended { node, job, attempt, exit: Exit::Code(0) });
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

    /// Wakes the engine until it is content to sleep.
    pub(super) fn wake_as_asked(&mut self) -> Result<()> {
        for _ in 0..WAKES_MAX {
            if !self.wake_once() {
                return Ok(());
            }
        }
        bail!("the engine asked to be woken {WAKES_MAX} times without time going on");
    }

    /// Wakes the engine if it asked to be by now; whether it did.
    pub(super) fn wake_once(&mut self) -> bool {
        let is_due = self.engine.next_wake().is_some_and(|wake| wake <= self.now);
        if is_due {
            self.tell(Command::Tick);
        }
        is_due
    }

    fn tell(&mut self, command: Command) {
        let actions = self.step(command);
        self.carry_out(&actions);
    }

    /// The measured act, and nothing else inside the measured span.
    fn step(&mut self, command: Command) -> Vec<Action> {
        self.steps += 1;
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
}

#[cfg(test)]
mod tests;
