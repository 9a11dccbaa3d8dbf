//! A resize in the shadow: what nodes are asked to have of an attempt, and what they then have.

use muster_engine::action::{JobState, TaskPlace};
use muster_model::{Attempt, JobId, NodeId};

use super::job::{Asked, Part, Report};
use super::{Holding, Shadow, Start};
use crate::ledger::Usage;
use crate::step::Step;

/// What one node is asked to have of an attempt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resize<'a> {
    pub(crate) node: NodeId,
    pub(crate) job: JobId,
    pub(crate) attempt: Attempt,
    pub(crate) resize: u32,
    pub(crate) tasks: &'a [TaskPlace],
}

impl Shadow {
    /// The tasks that a resize brings to a node, in the form of a start.
    pub(crate) fn added_by(&self, resize: &Resize<'_>) -> Start {
        let part = self.part(resize.node, resize.job);
        let is_new = |task: &&TaskPlace| part.is_none_or(|part| !part.tasks.contains(task));
        let added: Vec<TaskPlace> = resize.tasks.iter().filter(is_new).copied().collect();
        let places = if added.is_empty() { Vec::new() } else { vec![(resize.node, added)] };
        Start { job: resize.job, attempt: resize.attempt, places }
    }

    /// Whether a resize takes tasks from a node that it was not to lose before.
    pub(crate) fn takes_away(&self, resize: &Resize<'_>) -> bool {
        let part = self.part(resize.node, resize.job);
        part.is_some_and(|part| part.wanted().iter().any(|task| !resize.tasks.contains(task)))
    }

    fn part(&self, node: NodeId, job: JobId) -> Option<&Part> {
        self.jobs.get(&job)?.run.as_ref()?.parts.get(&node)
    }

    /// Takes in what a node is asked: what is added is held from here on.
    pub(crate) fn resize(&mut self, resize: &Resize<'_>) {
        let added = self.added_by(resize).places.pop().map(|(_, tasks)| tasks).unwrap_or_default();
        let now = self.now;
        let Some(job) = self.jobs.get_mut(&resize.job) else { return };
        let Some(run) = job.run.as_mut().filter(|run| run.holds) else { return };
        if !run.is_resizing() && !run.has_gap() {
            run.resized = Some(now);
        }
        run.resizes = run.resizes.max(resize.resize);
        let part = run.parts.entry(resize.node).or_insert_with(Part::new);
        part.tasks.extend(&added);
        // What was added before and not confirmed may still be missing.
        let mut missing = part.asked.take().map(|asked| asked.added).unwrap_or_default();
        missing.retain(|task| resize.tasks.contains(task));
        missing.extend(&added);
        let tasks = resize.tasks.to_vec();
        part.asked = Some(Asked { resize: resize.resize, tasks, added: missing });
        let Some(node) = self.nodes.get_mut(&resize.node) else { return };
        let mut charge = Usage::default();
        charge.add_tasks(&job.spec, &added, node.spec.gpu_model.as_ref());
        for task in &added {
            let Some(group) = job.spec.groups.get(usize::from(task.group)) else { continue };
            let key = (resize.job, task.group, task.rank);
            node.tasks.insert(key, Holding::new(&group.task, task));
        }
        self.ledger.charge(&job.spec, &charge);
        run.charge.add(&charge);
    }

    /// Whether a task is about to leave its node: with all of its job, or asked of it alone.
    pub(crate) fn leaves(&self, node: NodeId, (job, group, rank): (JobId, u16, u32)) -> bool {
        let is_running =
            self.jobs.get(&job).is_some_and(|job| job.state == Some(JobState::Running));
        let Some(part) = self.part(node, job).filter(|_| is_running) else { return true };
        let is_this = |task: &TaskPlace| (task.group, task.rank) == (group, rank);
        part.report.is_end() || !part.wanted().iter().any(is_this)
    }

    /// Whether a node's word about a resize is waited for.
    pub(crate) fn is_awaited(
        &self,
        node: NodeId,
        job: JobId,
        attempt: Attempt,
        resize: u32,
    ) -> bool {
        let is_current = self.jobs.get(&job).is_some_and(|job| job.attempt == attempt);
        let part = self.part(node, job).filter(|part| is_current && !part.report.is_end());
        let asked = part.and_then(|part| part.asked.as_ref());
        asked.is_some_and(|asked| asked.resize == resize)
    }

    /// A node has what it was asked to have: what left is free.
    pub(super) fn resized(
        &mut self,
        (node, id, attempt): (NodeId, JobId, Attempt),
        resize: u32,
        step: &mut Step<'_>,
    ) {
        if !self.is_awaited(node, id, attempt, resize) {
            return;
        }
        let run = self.jobs.get_mut(&id).and_then(|job| job.run.as_mut());
        let Some(part) = run.and_then(|run| run.parts.get_mut(&node)) else { return };
        let Some(asked) = part.asked.take() else { return };
        part.report = Report::Started;
        let left: Vec<TaskPlace> =
            part.tasks.iter().filter(|task| !asked.tasks.contains(task)).copied().collect();
        part.tasks = asked.tasks;
        let is_empty = part.tasks.is_empty();
        self.let_go(node, id, &left);
        if is_empty && let Some(run) = self.jobs.get_mut(&id).and_then(|job| job.run.as_mut()) {
            run.parts.remove(&node);
        }
        // All the rest may have ended before: then this is the end of it.
        step.touched.insert(id);
        if self.jobs.get(&id).is_some_and(|job| !job.may_run()) {
            step.causes.insert(id);
        }
        self.release_if_over(id);
    }

    /// A node is gone that only had tasks on their way in or out.
    pub(super) fn drop_part(&mut self, node: NodeId, id: JobId) {
        let run = self.jobs.get_mut(&id).and_then(|job| job.run.as_mut());
        if let Some(part) = run.and_then(|run| run.parts.remove(&node)) {
            self.let_go(node, id, &part.tasks);
        }
        self.release_if_over(id);
    }

    /// All the rest may have ended by itself before.
    fn release_if_over(&mut self, id: JobId) {
        if self.jobs.get(&id).is_some_and(|job| !job.may_run()) {
            self.release(id);
        }
    }

    fn let_go(&mut self, node: NodeId, id: JobId, tasks: &[TaskPlace]) {
        let Some(job) = self.jobs.get_mut(&id) else { return };
        let (Some(run), Some(node)) = (job.run.as_mut(), self.nodes.get_mut(&node)) else { return };
        let mut charge = Usage::default();
        charge.add_tasks(&job.spec, tasks, node.spec.gpu_model.as_ref());
        for task in tasks {
            node.tasks.remove(&(id, task.group, task.rank));
        }
        self.ledger.release(&job.spec, &charge);
        run.charge.subtract(&charge);
    }
}
