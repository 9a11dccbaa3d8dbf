//! Steps as an agent hears of them.

use std::sync::Arc;

use muster_api::step::{StepDuty, StepLayout};
use muster_model::{Attempt, JobId, NodeId};

use super::{Control, Part, Step};

impl Control {
    /// The steps that a node is to have of an attempt: those of which it has not said everything.
    pub(crate) fn step_duties(
        &self,
        job: JobId,
        attempt: Attempt,
        node: NodeId,
    ) -> Vec<Arc<StepDuty>> {
        if self.steps.jobs.get(&job).is_none_or(|known| known.attempt != attempt) {
            return Vec::new();
        }
        let duty = |(number, step): (u32, &Step)| {
            let rank = step.parts.iter().position(|part| part.node == node)?;
            let part = &step.parts[rank];
            (!part.is_over()).then(|| Arc::new(self.step_duty(number, step, part, rank)))
        };
        self.steps.of(job).filter_map(duty).collect()
    }

    fn step_duty(&self, number: u32, step: &Step, part: &Part, rank: usize) -> StepDuty {
        let many = |many: usize| u32::try_from(many).expect("a step has fewer tasks than 2^32");
        StepDuty {
            step: number,
            request: Arc::clone(&step.request),
            tasks: part.tasks.clone(),
            layout: StepLayout {
                nodes: step.parts.iter().map(|part| self.node_name(part.node)).collect(),
                tasks: step.parts.iter().map(|part| many(part.tasks.len())).collect(),
                node_rank: many(rank),
                gpus: part.gpus,
            },
            signal: step.signal,
            end_grace_ms: step.grace.map(|grace| grace.0),
        }
    }
}
