//! Steps as people see them.

use muster_api::Moment;
use muster_api::step::{StepState, StepView, TaskEnd};
use muster_model::JobId;

use super::{Control, Part, Step};

impl Control {
    /// The steps of a job's present attempt that are in memory, by number.
    pub fn step_views(&self, job: JobId) -> Vec<StepView> {
        self.steps.of(job).map(|(number, step)| self.view_of(job, number, step)).collect()
    }

    /// One step, while it is in memory.
    pub fn step_view(&self, job: JobId, number: u32) -> Option<StepView> {
        let mut steps = self.steps.of(job);
        let (_, step) = steps.find(|(known, _)| *known == number)?;
        Some(self.view_of(job, number, step))
    }

    fn view_of(&self, job: JobId, number: u32, step: &Step) -> StepView {
        let attempt = self.steps.jobs.get(&job).map_or(0, |known| known.attempt.0);
        let count = |part: &Part| u32::try_from(part.tasks.len()).unwrap_or(u32::MAX);
        let mut ends: Vec<TaskEnd> = step.parts.iter().flat_map(|part| self.ends(part)).collect();
        ends.sort_unstable_by_key(|end| end.rank);
        let cpus = |part: &Part| match part.takes.cpus_milli {
            0 => part.tasks.first().map_or(0, |task| task.cpus_milli),
            taken => taken,
        };
        StepView {
            job: job.0,
            attempt,
            step: number,
            name: step.request.name.clone(),
            state: match (step.ended, step.parts.is_empty()) {
                (Some(_), _) => StepState::Ended,
                (None, true) => StepState::Waiting,
                (None, false) => StepState::Running,
            },
            tasks: step.parts.iter().map(count).sum(),
            nodes: step.parts.iter().map(|part| self.node_name(part.node).to_string()).collect(),
            tasks_per_node: step.parts.iter().map(count).collect(),
            cpus_milli: step.parts.iter().map(cpus).sum(),
            gpus: step.parts.iter().map(|part| part.gpus.count()).sum(),
            submitted: Moment(step.submitted),
            started: step.started.map(Moment),
            ended: step.ended.map(Moment),
            is_cancelled: step.is_cancelled,
            ends,
        }
    }

    fn ends(&self, part: &Part) -> Vec<TaskEnd> {
        let node = self.node_name(part.node).to_string();
        let end = |(rank, (exit, detail)): (&u32, &(_, String))| {
            let took = part.took.get(rank).copied();
            TaskEnd { took, ..TaskEnd::new(*rank, node.clone(), *exit, detail.clone()) }
        };
        part.ends.iter().map(end).collect()
    }
}
