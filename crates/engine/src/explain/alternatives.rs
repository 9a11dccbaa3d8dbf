//! Counterfactuals: the job with one thing changed, tried by the same functions that decide.

use std::sync::Arc;

use muster_model::{Constraint, JobId, JobSpec, TaskCount, Time};

use crate::explain::{Alternative, Change, measure};
use crate::fairness::limits::What;
use crate::fairness::standing;
use crate::place::{self, Search};
use crate::plan::estimate;
use crate::state::State;
use crate::state::shape::Shape;
use crate::transaction::Transaction;

/// At most so many running jobs are looked at as the one whose end would help.
const ENDS_MAX: usize = 256;

/// Everything that would start a queued job now, and whose end would.
pub(crate) fn alternatives(state: &mut State, id: JobId) -> Vec<Alternative> {
    let spec = Arc::clone(&state.jobs.known(id).record.spec);
    let mut found = Vec::new();
    found.extend(smaller(state, id, &spec));
    for model in other_models(state, &spec) {
        let mut changed = JobSpec::clone(&spec);
        for group in changed.groups.iter_mut().filter(|group| group.task.gpus > 0) {
            group.task.models = vec![model.clone()];
        }
        if starts(state, id, changed) {
            found.push(Change::Model(model));
        }
    }
    if let Some(level) = &spec.topology.require {
        let mut changed = JobSpec::clone(&spec);
        changed.topology.require = None;
        if starts(state, id, changed) {
            found.push(Change::WithoutLevel(level.clone()));
        }
    }
    if spec.constraint.require.is_some() {
        let mut changed = JobSpec::clone(&spec);
        changed.constraint = Constraint::default();
        if starts(state, id, changed) {
            found.push(Change::WithoutConstraint);
        }
    }
    found.extend(more_quota(state, id));
    let now = state.now;
    let mut alternatives: Vec<Alternative> =
        found.into_iter().map(|change| Alternative { change, starts: now }).collect();
    if let Some((job, starts)) = whose_end(state, id) {
        alternatives.push(Alternative { change: Change::WhenEnds(job), starts });
    }
    alternatives
}

/// Whether a changed job would start now, limits and all.
fn starts(state: &mut State, id: JobId, changed: JobSpec) -> bool {
    let job = state.jobs.known(id);
    let (queue, user) = (job.queue, job.user);
    let shape = Shape::on_trial(&Arc::new(changed), &state.catalog, &state.capacity);
    let queues = &state.capacity.queues;
    let allowed = standing::standing(queues, queue, user, false, &shape).allowed;
    let node_depth = state.catalog.node_depth();
    let mut transaction = Transaction::new(&mut state.capacity);
    place::place(&mut transaction, &shape, allowed, node_depth).is_some()
}

/// The most tasks that would start now; only for a gang of one group.
fn smaller(state: &mut State, id: JobId, spec: &JobSpec) -> Option<Change> {
    let [group] = spec.groups.as_slice() else { return None };
    let job = state.jobs.known(id);
    let shape = state.shapes.get(job.shape);
    let eligible = shape.eligible.last().map(|(_, set)| set);
    let node_depth = state.catalog.node_depth();
    let fits = |models: &[crate::dense::ModelId]| {
        let search = Search { demand: &shape.demand, models, eligible, node_depth };
        measure::measure(&state.capacity, &search).best.1
    };
    let alternatives = &shape.demand.alternatives;
    let room = alternatives.iter().map(|alternative| fits(&alternative.models)).max()?;
    let quota = quota_left(state, id, group.task.gpus);
    let block = spec.topology.segment.as_ref().map_or(1, |segment| segment.tasks);
    let tasks = room.min(quota).min(group.tasks.min.saturating_sub(1)) / block * block;
    if tasks == 0 {
        return None;
    }
    let gpus = u64::from(tasks) * u64::from(group.task.gpus);
    let mut changed = spec.clone();
    changed.groups[0].tasks = TaskCount::exactly(tasks);
    starts(state, id, changed).then_some(Change::Smaller { tasks, gpus })
}

/// Tasks of so many GPUs that the limits on the path leave room for.
fn quota_left(state: &State, id: JobId, gpus: u32) -> u32 {
    let mut left = u64::MAX;
    let mut here = Some(state.jobs.known(id).queue);
    while let Some(queue) = here {
        let queue = &state.capacity.queues[queue];
        if let Some(limit) = queue.limit.gpus {
            left = left.min(limit.saturating_sub(queue.used.gpus));
        }
        here = queue.parent;
    }
    let tasks = (left / 1000).checked_div(u64::from(gpus)).unwrap_or(u64::MAX);
    u32::try_from(tasks).unwrap_or(u32::MAX)
}

/// Models that the job does not accept and the cluster has.
fn other_models(state: &State, spec: &JobSpec) -> Vec<muster_model::Name> {
    let named = |name| spec.groups.iter().any(|group| group.task.models.contains(name));
    if spec.groups.iter().all(|group| group.task.models.is_empty()) {
        return Vec::new();
    }
    let models = state.catalog.spec.gpu_models.iter().map(|model| &model.name);
    models.filter(|name| !named(name)).cloned().collect()
}

/// How much more quota would start it, if quota is all that is in the way.
fn more_quota(state: &mut State, id: JobId) -> Option<Change> {
    let job = state.jobs.known(id);
    let (queue, user, shape_id) = (job.queue, job.user, job.shape);
    let shape = state.shapes.get(shape_id);
    let charge = &shape.demand.alternatives.first()?.charge;
    let blocking = standing::blocking(&state.capacity.queues, queue, user, charge)?;
    if blocking.per_user || blocking.exceeded.what != What::Gpus {
        return None;
    }
    let missing = blocking.exceeded.used + blocking.exceeded.wanted - blocking.exceeded.limit;
    let name = state.catalog.spec.queues[usize::from(blocking.queue.0)].name.clone();
    let node_depth = state.catalog.node_depth();
    let mut transaction = Transaction::new(&mut state.capacity);
    let fits = place::place(&mut transaction, shape, shape.demand.all(), node_depth).is_some();
    fits.then_some(Change::MoreQuota { queue: name, gpus: missing })
}

/// The running job whose end alone would start it, by the earliest predicted end.
fn whose_end(state: &mut State, id: JobId) -> Option<(JobId, Time)> {
    let ends = estimate::predicted_ends(state);
    let job = state.jobs.known(id);
    let (queue, user) = (job.queue, job.user);
    let shape = state.shapes.get(job.shape);
    let node_depth = state.catalog.node_depth();
    let found = ends.into_iter().take(ENDS_MAX).find(|&(_, other)| {
        let mut transaction = Transaction::new(&mut state.capacity);
        estimate::let_go(&mut transaction, state.jobs.known(other), &state.shapes);
        let queues = &transaction.capacity().queues;
        let allowed = standing::standing(queues, queue, user, false, shape).allowed;
        place::place(&mut transaction, shape, allowed, node_depth).is_some()
    });
    found.map(|(end, other)| (other, end.max(state.now)))
}
