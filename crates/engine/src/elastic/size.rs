//! The sizes an elastic job may have, and how it divides into tasks that stay and tasks that are
//! on their way.

use muster_model::{JobId, NodeId, TaskCount};
use smallvec::SmallVec;

use crate::action::TaskPlace;
use crate::dense::ModelId;
use crate::snapshot::{ElasticRun, ResizeRecord, RunRecord};
use crate::state::State;
use crate::state::capacity::Capacity;
use crate::state::demand::{Charge, Demand};
use crate::state::job::Job;

/// What does not change about the size of a job.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    /// The group whose number of tasks changes.
    pub(crate) group: usize,
    pub(crate) min: u32,
    pub(crate) max: u32,
    /// Sizes are whole multiples of this.
    pub(crate) block: u32,
    /// GPUs of one task.
    pub(crate) gpus: u32,
}

/// The range of an elastic job; `None` for one whose size never changes.
pub(crate) fn range(job: &Job) -> Option<Range> {
    let spec = &job.record.spec;
    let group = spec.elastic_group()?;
    let TaskCount { min, max } = spec.groups[group].tasks;
    let block = spec.topology.segment.as_ref().map_or(1, |segment| segment.tasks);
    Some(Range { group, min, max, block, gpus: spec.groups[group].task.gpus })
}

impl Range {
    /// The largest legal size up to `tasks`, and the fewest tasks where there is none.
    pub(crate) fn floor(&self, tasks: u32) -> u32 {
        (tasks.min(self.max) / self.block * self.block).max(self.min)
    }

    /// Whether a task is one of those whose number changes, and of at least this rank.
    pub(crate) fn is_from(&self, task: &TaskPlace, rank: u32) -> bool {
        usize::from(task.group) == self.group && task.rank >= rank
    }
}

/// The elastic part of a job's attempt.
pub(crate) fn of_run(run: &RunRecord) -> &ElasticRun {
    run.elastic.as_ref().expect("an elastic attempt keeps its sizes")
}

pub(crate) fn of_run_mut(run: &mut RunRecord) -> &mut ElasticRun {
    run.elastic.as_mut().expect("an elastic attempt keeps its sizes")
}

/// The resize that is under way for a job.
pub(crate) fn under_way(job: &Job) -> Option<&ResizeRecord> {
    job.record.run.as_ref()?.elastic.as_ref()?.resize.as_ref()
}

/// Tasks that compute now: without those on their way in or out.
pub(crate) fn computing(job: &Job) -> u32 {
    under_way(job).map_or(job.size, |resize| resize.from.min(resize.to))
}

/// The model of each group of an attempt.
pub(crate) fn models(
    capacity: &Capacity,
    run: &RunRecord,
    demand: &Demand,
) -> SmallVec<[ModelId; 1]> {
    capacity.models_of_run(run, demand.groups.len())
}

/// What so many tasks of a group take from their queue on nodes of a model.
pub(crate) fn charge_of_tasks(demand: &Demand, group: usize, tasks: u32, model: ModelId) -> Charge {
    let mut charge = Charge::default();
    charge.add(&demand.groups[group], tasks, model);
    charge
}

/// The tasks from a rank up, each with its node, in the order of ranks.
pub(crate) fn tasks_from(run: &RunRecord, range: &Range, rank: u32) -> Vec<(NodeId, TaskPlace)> {
    let parts = run.nodes.iter().flat_map(|part| part.tasks.iter().map(|task| (part.node, *task)));
    let mut tasks: Vec<(NodeId, TaskPlace)> =
        parts.filter(|(_, task)| range.is_from(task, rank)).collect();
    tasks.sort_unstable_by_key(|(_, task)| task.rank);
    tasks
}

/// The model that the changing tasks of a placed job are on.
pub(crate) fn model(state: &State, id: JobId, range: &Range) -> ModelId {
    let job = state.jobs.known(id);
    let run = job.record.run.as_ref().expect("a job with a size is placed");
    models(&state.capacity, run, &state.shapes.get(job.shape).demand)[range.group]
}
