//! Carries out the engine's actions: what nodes are asked for is on their agenda, and the books
//! about jobs are kept.

use muster_engine::action::{Action, JobState};
use muster_model::{Attempt, JobId, Millis, NodeId, Rung};

use super::agenda::Event;
use super::sharing::shared_gpu;
use super::world::World;

impl World<'_> {
    pub(super) fn carry_out(&mut self, pool: usize, actions: &[Action]) {
        let now = self.now;
        for action in actions {
            match *action {
                Action::Launch { node, job, attempt, ref tasks } => {
                    if let Some(recorder) = &mut self.recorder {
                        recorder.launched(now, pool, (node, job, attempt), tasks);
                    }
                    if self.pools[pool].live(job).is_some_and(|live| live.attempt != attempt) {
                        self.stand_still(pool, job);
                    }
                    if let Some(live) = self.pools[pool].live(job) {
                        live.launch(attempt, node, now);
                        live.gpu = shared_gpu(node, tasks);
                    }
                    let at = now + self.options.launch;
                    self.agenda.plan(at, pool, Event::Up { node, job, attempt });
                }
                Action::Stop { node, job, attempt, .. } => {
                    self.stand_still(pool, job);
                    if let Some(live) = self.pools[pool].live(job) {
                        live.stopped = true;
                    }
                    self.agenda.plan(now, pool, Event::Over { node, job, attempt });
                }
                Action::Pause { node, job, attempt, order, rung } => {
                    self.ordered(pool, (node, job, attempt), order, rung, true);
                }
                Action::Resume { node, job, attempt, order, rung } => {
                    self.ordered(pool, (node, job, attempt), order, rung, false);
                }
                Action::Moved { job, state, .. } => self.moved(pool, job, state),
                _ => {}
            }
        }
    }

    /// A node is asked to take a rung, or to undo it.
    fn ordered(
        &mut self,
        pool: usize,
        (node, job, attempt): (NodeId, JobId, Attempt),
        order: u32,
        rung: Rung,
        down: bool,
    ) {
        let now = self.now;
        if down {
            self.stand_still(pool, job);
        }
        let Some(live) = self.pools[pool].live(job) else { return };
        let takes = live.rung_takes(rung, down);
        let event = match rung {
            // The application saves once, however many nodes ask it to.
            Rung::Checkpoint if live.nodes.first() != Some(&node) => return,
            Rung::Checkpoint => Event::Asked { job, attempt },
            _ => Event::Carried { node, job, attempt, order, rung, down },
        };
        self.agenda.plan(now + takes, pool, event);
    }

    fn moved(&mut self, pool: usize, job: JobId, state: JobState) {
        let now = self.now;
        let Some(live) = self.pools[pool].live(job) else { return };
        match state {
            JobState::Launching | JobState::Resuming => self.holds(pool, job, true),
            JobState::Running => self.compute(pool, job),
            JobState::Pausing => live.gives_way = true,
            JobState::Stopping => {}
            JobState::Paused | JobState::Queued | JobState::Waiting => {
                let gave_way = std::mem::take(&mut live.gives_way);
                let record = live.record;
                self.records[record].pauses += u32::from(gave_way);
                if gave_way {
                    self.outlasts(pool, job);
                }
                self.holds(pool, job, false);
                self.ask(pool, job);
            }
            JobState::Ended(_) => {
                self.holds(pool, job, false);
                self.stand_still(pool, job);
                let Some(live) = self.pools[pool].take(job) else { return };
                let record = &mut self.records[live.record];
                (record.end, record.slowed) = (Some(now), live.slowed_at(now));
                if let Some(recorder) = &mut self.recorder {
                    recorder.over(now, job, (live.record, &self.records[live.record]));
                }
                self.ended += 1;
                self.last_end = now;
                self.learn(&live);
            }
        }
    }

    /// A job has its GPUs from now on, or has them no more.
    fn holds(&mut self, pool: usize, job: JobId, holds: bool) {
        let now = self.now;
        let Some(live) = self.pools[pool].live(job) else { return };
        if live.holds == holds {
            return;
        }
        if holds {
            self.judge(pool, job);
        }
        let Some(live) = self.pools[pool].live(job) else { return };
        let span = now.since(live.since);
        (live.holds, live.since) = (holds, now);
        let record = &mut self.records[live.record];
        if holds {
            record.start.get_or_insert(now);
            record.waited += span;
            record.gap = record.gap.max(span);
        } else {
            record.held += span;
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.holds(now, job, (live.record, record), holds);
        }
    }

    /// A job computes from now on, until what it has left is done, and saves now and then.
    fn compute(&mut self, pool: usize, job: JobId) {
        let now = self.now;
        let slow_milli = self.pools[pool].slowness(job, self.options);
        let Some(live) = self.pools[pool].live(job) else { return };
        if live.stopped || !live.compute(now, slow_milli) {
            return;
        }
        self.join_neighbours(pool, job);
        let Some(live) = self.pools[pool].live(job) else { return };
        let (turn, left, save) = (live.turn, live.time_left(now), live.next_save(now));
        self.agenda.plan(now + left, pool, Event::Done { job, turn });
        if let Some(span) = save {
            self.agenda.plan(now + span, pool, Event::Saves { job, turn });
        }
    }

    /// Counts what jobs that are not over have held and waited until now.
    pub(super) fn count_what_goes_on(&mut self) {
        let now = self.now;
        for pool in &mut self.pools {
            for live in pool.all_live() {
                let span: Millis = now.since(live.since);
                let record = &mut self.records[live.record];
                record.slowed = live.slowed_at(now);
                if live.holds {
                    record.held += span;
                } else {
                    record.waited += span;
                    record.gap = record.gap.max(span);
                }
            }
        }
    }
}
