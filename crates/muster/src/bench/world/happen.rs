//! What happens when an event of the agenda is due.

use muster_engine::command::{Command, Exit};
use muster_model::{JobId, NodeId, Rung};

use super::World;
use super::agenda::Event;

/// Of a thousand orders to freeze a part, so many are refused: some processes cannot be locked.
const REFUSED: u64 = 5;

impl World {
    pub(super) fn happen(&mut self) {
        let Some((at, event)) = self.agenda.pop() else { return };
        self.now = self.now.max(at);
        match event {
            Event::Up { node, job, attempt } => {
                if self.is_alive(job, attempt) {
                    self.tell(Command::Started { node, job, attempt });
                }
            }
            Event::Over { node, job, attempt } => {
                let is_there = self.live.get(&job).is_some_and(|live| live.attempt == attempt);
                if is_there && self.leave(job, node) {
                    self.tell(Command::Ended { node, job, attempt, exit: Exit::Stopped });
                }
            }
            Event::Done { node, job, turn } => self.done(node, job, turn),
            Event::Carried { node, job, attempt, order, rung, down } => {
                if !self.is_alive(job, attempt) {
                    return;
                }
                let is_refused = down && rung == Rung::Freeze && self.chance.happens(REFUSED);
                self.tell(match (down, is_refused) {
                    (true, true) => Command::PauseRefused { node, job, attempt, order, rung },
                    (true, false) => Command::Paused { node, job, attempt, order, rung },
                    (false, _) => Command::Resumed { node, job, attempt, order, rung },
                });
            }
            Event::Resized { node, job, attempt, resize, is_left } => {
                if self.is_alive(job, attempt) {
                    self.resized(node, job, is_left);
                    self.counts.resizes += 1;
                    self.tell(Command::Resized { node, job, attempt, resize });
                }
            }
            Event::Asked { job, attempt } => {
                if self.is_alive(job, attempt) {
                    self.save(job);
                }
            }
            Event::Saves { job, attempt, turn } => {
                let Some(live) = self.live.get(&job).filter(|live| live.turn == turn) else {
                    return;
                };
                if let Some(every) = live.spec.checkpoint.every {
                    self.agenda.plan(self.now + every, Event::Saves { job, attempt, turn });
                }
                self.save(job);
            }
        }
    }

    /// A node has a part of a job from now on, or has none any more. Who joins a job is done with
    /// the others.
    fn resized(&mut self, node: NodeId, job: JobId, is_left: bool) {
        let Some(live) = self.live.get_mut(&job) else { return };
        let at = live.nodes.iter().position(|other| *other == node);
        match (at, is_left) {
            (Some(at), false) => {
                live.nodes.swap_remove(at);
            }
            (None, true) => {
                live.nodes.push(node);
                let (turn, ends) = (live.turn, self.now + live.left_at(self.now));
                self.agenda.plan(ends, Event::Done { node, job, turn });
            }
            _ => {}
        }
    }

    /// A part has done all it had to, unless the job stood still since that was foreseen.
    fn done(&mut self, node: NodeId, job: JobId, turn: u32) {
        let Some(live) = self.live.get(&job).filter(|live| live.turn == turn) else { return };
        let (attempt, exit) = (live.attempt, live.plan.exit);
        if self.leave(job, node) {
            self.tell(Command::Ended { node, job, attempt, exit });
        }
    }

    /// An application says that it has saved, if it computes.
    fn save(&mut self, job: JobId) {
        let Some(live) = self.live.get_mut(&job) else { return };
        if live.save(self.now) {
            let attempt = live.attempt;
            self.counts.saves += 1;
            self.tell(Command::Saved { job, attempt });
        }
    }

    /// Nothing of a job is on a node any more; whether there was.
    fn leave(&mut self, job: JobId, node: NodeId) -> bool {
        let Some(live) = self.live.get_mut(&job) else { return false };
        let Some(at) = live.nodes.iter().position(|other| *other == node) else { return false };
        live.nodes.swap_remove(at);
        true
    }

    /// Whether an attempt goes on, as far as its nodes know.
    fn is_alive(&self, job: JobId, attempt: muster_model::Attempt) -> bool {
        self.live.get(&job).is_some_and(|live| live.attempt == attempt && !live.stopped)
    }
}
