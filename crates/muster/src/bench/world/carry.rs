//! Carries out the engine's actions: what nodes are asked for is on their agenda, and the books
//! about jobs are kept.

use muster_engine::action::{Action, JobState};
use muster_model::{Attempt, JobId, Millis, NodeId, Rung};

use super::World;
use super::agenda::Event;

/// The time a node takes to launch its part, and to end it when asked to, at most.
const NODE_TAKES_MAX: Millis = Millis::seconds(4);

/// A gang's nodes report its end one after the other within this.
const END_TAKES_MAX: Millis = Millis::seconds(2);

/// An order and its answer are on their way for so long at most, beside what the rung takes.
const MESSAGE_TAKES_MAX: Millis = Millis(400);

impl World {
    pub(super) fn carry_out(&mut self, actions: &[Action]) {
        for action in actions {
            match *action {
                Action::Launch { node, job, attempt, ref tasks } => {
                    self.decisions.add(job, node, tasks);
                    if let Some(live) = self.live.get_mut(&job) {
                        live.launch(attempt, node);
                    }
                    let at = self.now + self.chance.span(NODE_TAKES_MAX);
                    self.agenda.plan(at, Event::Up { node, job, attempt });
                }
                Action::Stop { node, job, attempt, .. } => {
                    if let Some(live) = self.live.get_mut(&job) {
                        live.stand_still(self.now);
                        live.stopped = true;
                    }
                    let at = self.now + self.chance.span(NODE_TAKES_MAX);
                    self.agenda.plan(at, Event::Over { node, job, attempt });
                }
                Action::Resize { node, job, attempt, resize, ref tasks } => {
                    self.decisions.add(job, node, tasks);
                    let is_left = !tasks.is_empty();
                    let at = self.now + self.chance.span(NODE_TAKES_MAX);
                    self.agenda.plan(at, Event::Resized { node, job, attempt, resize, is_left });
                }
                Action::Pause { node, job, attempt, order, rung } => {
                    self.ordered((node, job, attempt), order, rung, true);
                }
                Action::Resume { node, job, attempt, order, rung } => {
                    self.ordered((node, job, attempt), order, rung, false);
                }
                Action::Moved { job, attempt, state } => self.moved(job, attempt, state),
                _ => {}
            }
        }
    }

    /// A node is asked to take a rung, or to undo it.
    fn ordered(&mut self, place: (NodeId, JobId, Attempt), order: u32, rung: Rung, down: bool) {
        let (node, job, attempt) = place;
        let Some(live) = self.live.get_mut(&job) else { return };
        if down && rung == Rung::Freeze {
            live.stand_still(self.now);
        }
        let takes = live.rung_takes(rung, down) + self.chance.span(MESSAGE_TAKES_MAX);
        let event = match rung {
            // The application saves once, however many nodes ask it to.
            Rung::Checkpoint if live.nodes.first() != Some(&node) => return,
            Rung::Checkpoint => Event::Asked { job, attempt },
            _ => Event::Carried { node, job, attempt, order, rung, down },
        };
        self.agenda.plan(self.now + takes, event);
    }

    fn moved(&mut self, job: JobId, attempt: Attempt, state: JobState) {
        match state {
            JobState::Launching => {
                self.counts.placements += 1;
                let decision = self.engine.decision(job);
                let by_floor = decision.is_some_and(|decision| decision.order.floor);
                self.counts.floor_placements += u64::from(by_floor);
                self.holds(job, true);
                self.counts.milli_placed += self.live.get(&job).map_or(0, |live| live.milli);
            }
            JobState::Running => self.compute(job, attempt),
            JobState::Pausing => {
                self.gives_way(job);
                self.count_pause(job, false);
            }
            JobState::Stopping => self.gives_way(job),
            JobState::Resuming => {
                self.counts.resumes += 1;
                self.holds(job, true);
            }
            JobState::Paused => self.holds(job, false),
            JobState::Queued | JobState::Waiting => {
                self.holds(job, false);
                self.count_pause(job, true);
            }
            JobState::Ended(_) => {
                self.holds(job, false);
                let over = self.live.remove(&job);
                self.counts.milli_waiting -= over.map_or(0, |live| live.milli);
            }
        }
    }

    /// A job has its GPUs from now on, or has them no more.
    fn holds(&mut self, job: JobId, holds: bool) {
        let Some(live) = self.live.get_mut(&job) else { return };
        if std::mem::replace(&mut live.holds, holds) == holds {
            return;
        }
        let counts = &mut self.counts;
        let (to, from) = match holds {
            true => (&mut counts.milli_busy, &mut counts.milli_waiting),
            false => (&mut counts.milli_waiting, &mut counts.milli_busy),
        };
        *to += live.milli;
        *from -= live.milli;
    }

    /// A job computes from now on, until what it has left is done, and saves now and then.
    fn compute(&mut self, job: JobId, attempt: Attempt) {
        let Some(live) = self.live.get_mut(&job) else { return };
        if !live.compute(self.now) {
            return;
        }
        let (turn, ends) = (live.turn, self.now + live.left_at(self.now));
        for &node in &live.nodes {
            let at = ends + self.chance.span(END_TAKES_MAX);
            self.agenda.plan(at, Event::Done { node, job, turn });
        }
        if let Some(span) = live.next_save(self.now) {
            self.agenda.plan(self.now + span, Event::Saves { job, attempt, turn });
        }
    }
}
