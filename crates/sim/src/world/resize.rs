//! An agent is asked to have more or fewer tasks of an attempt. While it does, both what it had
//! and what it will have count as in use; that is the truth that launches are held against.

use muster_engine::action::TaskPlace;
use muster_engine::command::Command;
use muster_model::{Attempt, GpuSet, JobId, Millis, NodeId};

use super::World;
use super::agenda::Event;
use super::node::{Part, Phase};
use crate::error::SimError;

impl World {
    /// The agent is asked to have exactly these tasks. What is new may be refused or hang like a
    /// launch; ending tasks always works.
    pub(super) fn resize(
        &mut self,
        node: NodeId,
        (job, attempt): (JobId, Attempt),
        resize: u32,
        tasks: &[TaskPlace],
    ) -> Result<(), SimError> {
        let gpus = tasks.iter().fold(GpuSet::EMPTY, |set, task| set.or(task.gpus));
        self.check_alone(node, job, attempt, gpus)?;
        if self.nodes[&node].over.contains(&(job, attempt)) {
            // Its end is on its way to the engine.
            return Ok(());
        }
        let part = self.parts(node).get(&(job, attempt)).copied();
        if part.is_some_and(|part| part.phase == Phase::Going) {
            return Ok(());
        }
        let had = part.map_or(GpuSet::EMPTY, |part| part.gpus);
        let grows = !gpus.minus(had).is_empty();
        if let Some(refusal) = if grows { self.refusal(job) } else { None } {
            self.report(node, Command::Refused { node, job, attempt, refusal });
            return Ok(());
        }
        if part.is_none() && tasks.is_empty() {
            self.report(node, Command::Resized { node, job, attempt, resize });
            return Ok(());
        }
        let part = self.parts(node).entry((job, attempt)).or_insert(Part::coming(had));
        part.gpus = had.or(gpus);
        part.resize = Some((resize, gpus));
        if !(grows && self.happens(self.faults.hang)) {
            let takes = self.span(Millis::seconds(1), Millis::seconds(20));
            let event = Event::Resized { node, job, attempt, resize };
            self.agenda.plan(self.now + takes, event);
        }
        Ok(())
    }

    /// The agent has what the latest resize asked for.
    pub(super) fn resized(&mut self, node: NodeId, job: JobId, attempt: Attempt, resize: u32) {
        let Some(part) = self.parts(node).get_mut(&(job, attempt)) else { return };
        let Some((_, gpus)) = part.resize.filter(|(asked, _)| *asked == resize) else { return };
        if part.phase == Phase::Going {
            return;
        }
        part.resize = None;
        part.gpus = gpus;
        let was_coming = part.phase == Phase::Coming;
        part.phase = Phase::Running;
        if gpus.is_empty() {
            self.parts(node).remove(&(job, attempt));
        } else if was_coming {
            self.run(node, job, attempt);
        }
        self.report(node, Command::Resized { node, job, attempt, resize });
    }
}
