//! The start of an attempt: its launches of one step put together.

use std::collections::BTreeMap;

use muster_engine::action::{Action, TaskPlace};
use muster_model::{Attempt, JobId, NodeId};

use super::job::{Part, Run};
use super::{Holding, Shadow};
use crate::ledger::Usage;

/// All launches of one attempt in one step, in the order they were given.
#[derive(Debug)]
pub(crate) struct Start {
    pub(crate) job: JobId,
    pub(crate) attempt: Attempt,
    pub(crate) places: Vec<(NodeId, Vec<TaskPlace>)>,
}

impl Start {
    /// The starts in a step's actions.
    pub(crate) fn collect(actions: &[Action]) -> BTreeMap<(JobId, Attempt), Start> {
        let mut starts = BTreeMap::new();
        for action in actions {
            let Action::Launch { node, job, attempt, tasks } = action else { continue };
            let new = || Start { job: *job, attempt: *attempt, places: Vec::new() };
            let start = starts.entry((*job, *attempt)).or_insert_with(new);
            start.places.push((*node, tasks.clone()));
        }
        starts
    }

    /// Every task with its node.
    pub(crate) fn tasks(&self) -> impl Iterator<Item = (NodeId, &TaskPlace)> {
        self.places.iter().flat_map(|(node, tasks)| tasks.iter().map(|task| (*node, task)))
    }
}

impl Shadow {
    /// The start that a resumed job's attempt amounts to: it holds its own place again.
    pub(crate) fn start_again(&self, id: JobId) -> Option<Start> {
        let job = self.jobs.get(&id)?;
        let parts = job.run.as_ref()?.parts.iter();
        let places = parts.map(|(node, part)| (*node, part.tasks.clone())).collect();
        Some(Start { job: id, attempt: job.attempt, places })
    }

    /// Takes in that a resumed job holds its place again.
    pub(crate) fn hold_again(&mut self, start: &Start) {
        let Some(job) = self.jobs.get_mut(&start.job) else { return };
        let Some(run) = job.run.as_mut() else { return };
        run.holds = true;
        self.ledger.charge(&job.spec, &run.charge);
        for (id, tasks) in &start.places {
            let Some(node) = self.nodes.get_mut(id) else { continue };
            node.suspended.remove(&start.job);
            for task in tasks {
                let group = job.spec.groups.get(usize::from(task.group));
                let Some(shape) = group.map(|group| &group.task) else { continue };
                let key = (start.job, task.group, task.rank);
                node.tasks.insert(key, Holding::new(shape, task));
            }
        }
    }

    /// Takes in that an attempt starts: it holds all it was given from here on. What an earlier
    /// attempt held is let go, so that one mistake is reported once.
    pub(crate) fn begin(&mut self, start: &Start) {
        self.release(start.job);
        let computed = self.jobs.get(&start.job).map(|job| self.computed(job));
        let Some(job) = self.jobs.get_mut(&start.job) else { return };
        job.computed = computed.unwrap_or_default();
        let mut charge = Usage::default();
        let mut parts: BTreeMap<NodeId, Part> = BTreeMap::new();
        for (id, tasks) in &start.places {
            parts.entry(*id).or_insert_with(Part::new).tasks.extend(tasks);
            let Some(node) = self.nodes.get_mut(id) else { continue };
            charge.add_tasks(&job.spec, tasks, node.spec.gpu_model.as_ref());
            for task in tasks {
                let group = job.spec.groups.get(usize::from(task.group));
                let Some(shape) = group.map(|group| &group.task) else { continue };
                let key = (start.job, task.group, task.rank);
                node.tasks.insert(key, Holding::new(shape, task));
            }
        }
        self.ledger.charge(&job.spec, &charge);
        job.attempt = start.attempt;
        job.run = Some(Run {
            placed: self.now,
            running_since: None,
            stopping_since: None,
            was_out_of_time: false,
            ran: Default::default(),
            order: 0,
            ordered: None,
            is_suspending: false,
            in_host: false,
            parts,
            charge,
            holds: true,
            is_idle: false,
            resized: None,
            resizes: 0,
        });
    }
}
