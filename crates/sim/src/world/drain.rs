//! Time in the world: one event or wake after the other, for a span, until nothing is left to
//! happen, or, with all faults gone, to the end of every job that can end.

use muster_engine::command::Command;
use muster_model::{JobId, Millis, NodeId, Time};

use super::World;
use super::faults::Faults;
use crate::error::SimError;

/// A run takes at most so many steps; more is a loop. None of 1,600 random worlds took 30,000,
/// and a loop that is found is run hundreds of times to make it smaller.
const STEPS_MAX: u64 = 50_000;

/// The engine may want to be woken at one moment so often; more is a loop.
const WAKES_IN_PLACE_MAX: u32 = 1000;

/// When nothing else is to happen and the engine does nothing so many times in a row when it is
/// woken, it is at rest.
const QUIET_WAKES_MAX: u32 = 200;

impl World {
    /// Lets so much time pass.
    pub fn run_for(&mut self, span: Millis) -> Result<(), SimError> {
        let end = self.now + span;
        for _ in 0..STEPS_MAX {
            match self.next_moment() {
                Some(next) if next <= end => self.move_on().map(|_| ())?,
                _ => {
                    self.now = end;
                    return Ok(());
                }
            }
        }
        Err(self.restless(STEPS_MAX))
    }

    /// Goes on until nothing is left to happen: no event is planned, and every job is over or
    /// the engine no longer does anything when it is woken.
    pub fn run_until_idle(&mut self) -> Result<(), SimError> {
        let mut quiet = 0;
        for _ in 0..STEPS_MAX {
            let is_quiet = self.live.is_empty() || quiet == QUIET_WAKES_MAX;
            if self.agenda.is_idle() && (is_quiet || self.watch.engine().next_wake().is_none()) {
                return Ok(());
            }
            quiet = if self.move_on()? { 0 } else { quiet + 1 };
        }
        Err(self.restless(STEPS_MAX))
    }

    /// Puts an end to all faults: nodes return, drained ones are resumed, bookings are taken back,
    /// GPUs are well, held jobs are released. Then runs until idle, and says which jobs are still
    /// not over.
    pub fn drain(&mut self) -> Result<Vec<JobId>, SimError> {
        self.faults = Faults::NONE;
        self.agenda.forget_mishaps();
        self.faulty.clear();
        self.standing = None;
        let nodes: Vec<NodeId> = self.nodes.keys().copied().collect();
        for node in nodes {
            self.make_whole(node)?;
        }
        self.unbook_all()?;
        let held: Vec<JobId> = self.held();
        for job in held {
            self.tell(&Command::Release { job })?;
        }
        self.run_until_idle()?;
        Ok(self.live.iter().copied().collect())
    }

    fn make_whole(&mut self, node: NodeId) -> Result<(), SimError> {
        self.come_back(node, self.nodes[&node].connection)?;
        let target = &self.nodes[&node];
        let unhealthy: Vec<u32> = target.unhealthy.iter().collect();
        if target.drained {
            self.toggle_drain(node)?;
        }
        for gpu in unhealthy {
            self.set_health(node, gpu, true)?;
        }
        Ok(())
    }

    fn held(&self) -> Vec<JobId> {
        let jobs = self.watch.engine().snapshot().jobs;
        let held = jobs.iter().filter(|job| job.held && self.live.contains(&job.id));
        held.map(|job| job.id).collect()
    }

    /// When the next thing happens: an event, or a wake.
    fn next_moment(&self) -> Option<Time> {
        let wake = self.watch.engine().next_wake().map(|wake| self.wake_time(wake));
        match (self.agenda.next_at(), wake) {
            (Some(event), Some(wake)) => Some(event.min(wake)),
            (event, wake) => event.or(wake),
        }
    }

    /// Lets the next thing happen. An event comes before a wake at the same moment: an agent
    /// ends its tasks by the end of its lease, not after. Whether anything was to be done.
    fn move_on(&mut self) -> Result<bool, SimError> {
        let wake = self.watch.engine().next_wake().map(|wake| self.wake_time(wake));
        let event = self.agenda.next_at();
        match (event, wake) {
            (Some(event), wake) if wake.is_none_or(|wake| event <= wake) => {
                let (at, event) = self.agenda.pop().expect("there is a next event");
                self.now = self.now.max(at);
                self.happen(event)?;
                Ok(true)
            }
            (_, Some(wake)) => {
                self.now = wake;
                self.wake()
            }
            (_, None) => Ok(false),
        }
    }

    /// Wakes the engine until it is content to sleep. Whether it did anything.
    fn wake(&mut self) -> Result<bool, SimError> {
        let mut did_anything = false;
        for _ in 0..WAKES_IN_PLACE_MAX {
            did_anything |= !self.tell(&Command::Tick)?.is_empty();
            let wake = self.watch.engine().next_wake().map(|wake| self.wake_time(wake));
            if wake.is_none_or(|wake| wake > self.now) {
                return Ok(did_anything);
            }
        }
        Err(self.restless(u64::from(WAKES_IN_PLACE_MAX)))
    }

    fn restless(&self, steps: u64) -> SimError {
        SimError::Restless { now: self.now, steps, wake: self.watch.engine().next_wake() }
    }
}
