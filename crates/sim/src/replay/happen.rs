//! What happens next: a node or an application reports, as it was foreseen, unless something else
//! came in between.

use muster_engine::command::{Command, Exit};
use muster_model::{Attempt, JobId, Millis};

use super::agenda::Event;
use super::live::Live;
use super::world::World;
use crate::error::SimError;

impl World<'_> {
    pub(super) fn happen(&mut self) -> Result<(), SimError> {
        let Some((at, pool, event)) = self.agenda.pop() else { return Ok(()) };
        self.now = self.now.max(at);
        match event {
            Event::Up { node, job, attempt } => {
                let is_up = self.goes_on(pool, job, attempt) && !self.is_broken(pool, node);
                if is_up {
                    self.tell(pool, Command::Started { node, job, attempt })
                } else {
                    Ok(())
                }
            }
            Event::Over { node, job, attempt } => {
                if self.is_broken(pool, node) {
                    return Ok(());
                }
                let live = self.pools[pool].live(job).filter(|live| live.attempt == attempt);
                let Some(live) = live else { return Ok(()) };
                live.leave(node);
                self.tell(pool, Command::Ended { node, job, attempt, exit: Exit::Stopped })
            }
            Event::Done { job, turn } => self.done(pool, job, turn),
            Event::Carried { node, job, attempt, order, rung, down } => {
                if !self.goes_on(pool, job, attempt) || self.is_broken(pool, node) {
                    return Ok(());
                }
                let report = match down {
                    true => Command::Paused { node, job, attempt, order, rung },
                    false => Command::Resumed { node, job, attempt, order, rung },
                };
                self.tell(pool, report)
            }
            Event::Asked { job, attempt } => {
                if self.goes_on(pool, job, attempt) {
                    self.save(pool, job)
                } else {
                    Ok(())
                }
            }
            Event::Saves { job, turn } => self.saves(pool, job, turn),
            Event::Breaks { node } => self.breaks(pool, node),
            Event::Mended { node } => self.mended(pool, node),
        }
    }

    /// A job has done all it had to, unless it stood still or was slowed down since that was
    /// foreseen.
    fn done(&mut self, pool: usize, job: JobId, turn: u32) -> Result<(), SimError> {
        let now = self.now;
        let live = self.pools[pool].live(job).filter(|live| live.turn == turn && !live.stopped);
        let is_done = |live: &&mut Live| live.time_left(now) == Millis::ZERO;
        let Some(live) = live.filter(is_done) else { return Ok(()) };
        let (attempt, nodes) = (live.attempt, std::mem::take(&mut live.nodes));
        for node in nodes {
            self.tell(pool, Command::Ended { node, job, attempt, exit: Exit::Code(0) })?;
        }
        Ok(())
    }

    /// An application saves by itself.
    fn saves(&mut self, pool: usize, job: JobId, turn: u32) -> Result<(), SimError> {
        let live = self.pools[pool].live(job).filter(|live| live.turn == turn);
        let Some(every) = live.and_then(|live| live.every) else { return Ok(()) };
        self.agenda.plan(self.now + every, pool, Event::Saves { job, turn });
        self.save(pool, job)
    }

    /// An application says that it has saved.
    fn save(&mut self, pool: usize, job: JobId) -> Result<(), SimError> {
        let now = self.now;
        let Some(live) = self.pools[pool].live(job) else { return Ok(()) };
        live.save(now);
        let attempt = live.attempt;
        self.tell(pool, Command::Saved { job, attempt })
    }

    /// Whether an attempt goes on, as far as its nodes know.
    fn goes_on(&mut self, pool: usize, job: JobId, attempt: Attempt) -> bool {
        let live = self.pools[pool].live(job);
        live.is_some_and(|live| live.attempt == attempt && !live.stopped)
    }
}
