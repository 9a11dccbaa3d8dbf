//! What the job's own tasks took, as their nodes measured it. They stand among its steps under a
//! number of their own, so that they are kept and shown as those of steps are.

use std::collections::BTreeMap;
use std::sync::Arc;

use muster_api::step::{OWN, StepRequest, StepTask, Took};
use muster_engine::command::{Exit, Running};
use muster_model::{GpuSet, NodeId, Time};

use super::layout::Takes;
use super::{Applied, Control, JobSteps, Part, Step};

impl Control {
    /// A node says what a task of a job took. Later words of the same task change nothing.
    pub(super) fn note_own(
        &mut self,
        now: Time,
        node: NodeId,
        (of, rank): (Running, u32),
        took: Took,
    ) -> Applied {
        let Some(known) = self.book.get(of.job).filter(|job| job.attempt == of.attempt) else {
            return Applied::default();
        };
        let started = known.started;
        let steps = self.steps.jobs.entry(of.job).or_default();
        if steps.attempt != of.attempt {
            *steps = JobSteps { attempt: of.attempt, ..JobSteps::default() };
        }
        let fresh = || Step { started, ..Step::new(now, Arc::new(StepRequest::default())) };
        let own = steps.steps.entry(OWN).or_insert_with(fresh);
        own.ended = Some(now);
        let part = own.part_on(node);
        if !part.took.contains_key(&rank) {
            let (gpus, local_rank) = (GpuSet::EMPTY, 0);
            part.tasks.push(StepTask { rank, local_rank, gpus, cpus_milli: 0, memory_mib: 0 });
            // How it ended is the job's to say.
            part.ends.insert(rank, (Exit::Code(0), String::new()));
            part.took.insert(rank, took);
        }
        let mut applied = Applied::default();
        applied.steps.insert((of.job, OWN));
        applied
    }
}

impl Step {
    fn part_on(&mut self, node: NodeId) -> &mut Part {
        let known = self.parts.iter().position(|part| part.node == node);
        let place = known.unwrap_or_else(|| {
            self.parts.push(Part {
                node,
                tasks: Vec::new(),
                gpus: GpuSet::EMPTY,
                takes: Takes::default(),
                ends: BTreeMap::new(),
                took: BTreeMap::new(),
            });
            self.parts.len() - 1
        });
        &mut self.parts[place]
    }
}
