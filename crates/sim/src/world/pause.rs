//! What nodes do when they are asked to freeze, suspend, restore or let compute again, and when
//! applications save.

use muster_engine::command::Command;
use muster_model::{Attempt, JobId, Millis, NodeId, Rung};

use super::World;
use super::agenda::Event;
use super::node::Phase;
use crate::error::SimError;

/// An attempt on a node.
type Place = (NodeId, JobId, Attempt);

impl World {
    /// Tasks compute from now on, until what they have left is done.
    pub(super) fn compute(&mut self, node: NodeId, job: JobId, attempt: Attempt) {
        let now = self.now;
        let part = self.parts(node).get_mut(&(job, attempt)).expect("what computes is there");
        part.phase = Phase::Running;
        part.turn += 1;
        part.ends = now + part.left;
        let (ends, turn) = (part.ends, part.turn);
        self.agenda.plan(ends, Event::Done { node, job, attempt, turn });
    }

    /// Tasks come to their own end, if they did not stand still in between.
    pub(super) fn done(&mut self, node: NodeId, job: JobId, attempt: Attempt, turn: u32) {
        let Some(part) = self.parts(node).get(&(job, attempt)) else { return };
        if part.turn == turn && matches!(part.phase, Phase::Running | Phase::Going) {
            let exit = part.exit;
            self.over(node, job, attempt, exit);
        }
    }

    /// The agent is asked to pause or resume its part. Some cannot; asking twice does no harm.
    pub(super) fn ordered(&mut self, place: Place, order: u32, rung: Rung, down: bool) {
        let (node, job, attempt) = place;
        let exit = self.nodes[&node].exit_of(job, attempt);
        let Some(part) = self.parts(node).get_mut(&(job, attempt)) else {
            self.report(node, Command::Ended { node, job, attempt, exit });
            return;
        };
        part.order = part.order.max(order);
        if matches!(part.phase, Phase::Coming | Phase::Going) {
            return;
        }
        // An order that hangs is never answered.
        if self.happens(self.faults.hang) {
            return;
        }
        if down && self.happens(self.faults.refuse) {
            self.report(node, Command::PauseRefused { node, job, attempt, order, rung });
            return;
        }
        if down && rung == Rung::Checkpoint {
            let takes = self.span(Millis(1), self.rung_takes(job, rung, down));
            self.agenda.plan(self.now + takes, Event::Saves { node, job, attempt });
            return;
        }
        let takes = self.span(Millis(1), self.rung_takes(job, rung, down));
        let event = Event::Carried { node, job, attempt, order, rung, down };
        self.agenda.plan(self.now + takes, event);
    }

    /// How long a rung takes at most, by the job's own word.
    fn rung_takes(&self, job: JobId, rung: Rung, down: bool) -> Millis {
        let costs = self.specs.get(&job).map(|spec| spec.checkpoint.rungs.as_slice());
        let cost = costs.unwrap_or_default().iter().find(|cost| cost.rung == rung);
        let takes = cost.map_or(Millis(20), |cost| if down { cost.save } else { cost.restore });
        takes.max(Millis(2))
    }

    /// A node has done what it was asked. What goes back on its GPUs must find them free.
    pub(super) fn carried(
        &mut self,
        (node, job, attempt): Place,
        order: u32,
        rung: Rung,
        down: bool,
    ) -> Result<(), SimError> {
        let now = self.now;
        let Some(part) = self.parts(node).get_mut(&(job, attempt)) else { return Ok(()) };
        // What was asked for since counts, not what comes late.
        if matches!(part.phase, Phase::Coming | Phase::Going) || order < part.order {
            return Ok(());
        }
        let was = part.phase;
        match (rung, down) {
            (Rung::Freeze, true) if was == Phase::Running => {
                part.phase = Phase::Frozen;
                part.left = part.ends.since(now);
                part.turn += 1;
            }
            (Rung::Suspend, true) if was == Phase::Frozen => part.phase = Phase::Suspended,
            (Rung::Suspend, false) if was == Phase::Suspended => {
                part.phase = Phase::Frozen;
                let gpus = part.gpus();
                self.check_back(node, job, gpus)?;
            }
            (Rung::Freeze, false) if was == Phase::Frozen => self.compute(node, job, attempt),
            // It is there already: the order came twice, or what it undoes never came.
            _ => {}
        }
        let command = match down {
            true => Command::Paused { node, job, attempt, order, rung },
            false => Command::Resumed { node, job, attempt, order, rung },
        };
        self.report(node, command);
        Ok(())
    }

    /// Nobody else may be on the GPUs that a job is put back on.
    fn check_back(
        &self,
        node: NodeId,
        job: JobId,
        gpus: muster_model::GpuSet,
    ) -> Result<(), SimError> {
        for (&(other, _), part) in &self.nodes[&node].parts {
            let is_there = part.phase != Phase::Suspended && other != job;
            if is_there && !part.gpus().and(gpus).is_empty() {
                let what = format!("job {job} is put back on node {node} where {other} still is");
                return Err(self.untrue(what));
            }
        }
        Ok(())
    }

    /// The next time an application saves by itself.
    pub(super) fn plan_save(&mut self, node: NodeId, job: JobId, attempt: Attempt) {
        let every = self.specs.get(&job).and_then(|spec| spec.checkpoint.every);
        if let Some(every) = every {
            self.agenda.plan(self.now + every, Event::Saves { node, job, attempt });
        }
    }

    /// The application saves; the word of one node stands for all.
    pub(super) fn saves(&mut self, node: NodeId, job: JobId, attempt: Attempt) {
        let Some(part) = self.parts(node).get(&(job, attempt)) else { return };
        if part.phase == Phase::Running {
            self.report(node, Command::Saved { job, attempt });
            self.plan_save(node, job, attempt);
        }
    }
}
