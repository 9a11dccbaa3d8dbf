//! An agent is asked to have more or fewer tasks of an attempt. While it does, both what it had
//! and what it will have count as in use; that is the truth that launches are held against.

use muster_engine::action::TaskPlace;
use muster_engine::command::Command;
use muster_model::{Attempt, JobId, Millis, NodeId};

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
        self.check_alone(node, job, attempt, tasks)?;
        if self.nodes[&node].over.contains(&(job, attempt)) {
            // Its end is on its way to the engine.
            return Ok(());
        }
        let part = self.parts(node).get(&(job, attempt));
        if part.is_some_and(|part| part.phase == Phase::Going) {
            return Ok(());
        }
        let is_there = part.is_some();
        let mut all = part.map(|part| part.tasks.clone()).unwrap_or_default();
        let new: Vec<TaskPlace> =
            tasks.iter().filter(|task| !all.contains(task)).copied().collect();
        let grows = !new.is_empty();
        if let Some(refusal) = if grows { self.refusal(job) } else { None } {
            self.report(node, Command::Refused { node, job, attempt, refusal });
            return Ok(());
        }
        if !is_there && tasks.is_empty() {
            self.report(node, Command::Resized { node, job, attempt, resize });
            return Ok(());
        }
        all.extend(new);
        let part =
            self.parts(node).entry((job, attempt)).or_insert_with(|| Part::coming(Vec::new()));
        part.tasks = all;
        part.resize = Some((resize, tasks.to_vec()));
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
        if part.phase == Phase::Going {
            return;
        }
        let Some((_, tasks)) = part.resize.take_if(|(asked, _)| *asked == resize) else { return };
        let was_coming = part.phase == Phase::Coming;
        let is_left = !tasks.is_empty();
        part.tasks = tasks;
        if !is_left {
            self.parts(node).remove(&(job, attempt));
        } else if was_coming {
            self.run(node, job, attempt);
        }
        self.report(node, Command::Resized { node, job, attempt, resize });
    }

    /// How much those of an attempt that compute still have to do.
    pub(super) fn left_elsewhere(&self, job: JobId, attempt: Attempt) -> Option<Millis> {
        let parts = self.nodes.values().filter_map(|node| node.parts.get(&(job, attempt)));
        let running = parts.filter(|part| part.phase == Phase::Running && part.turn > 0);
        running.map(|part| part.ends.since(self.now)).max()
    }
}
