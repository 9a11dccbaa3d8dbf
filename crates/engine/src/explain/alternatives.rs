//! Counterfactuals: the job with one thing changed, tried by the same functions that decide.

use std::sync::Arc;

use muster_model::{
    Constraint, Dependency, JobId, JobSpec, MilliGpu, Name, Predecessor, Share, ShareSize,
    TaskCount, TaskShape, Time,
};

use crate::action::JobState;
use crate::dense::{Key, QueueId};
use crate::explain::{Alternative, Change, why};
use crate::fairness::limits::What;
use crate::fairness::standing;
use crate::life::{queueing, shares};
use crate::order;
use crate::place;
use crate::plan::estimate::{self, Trial};
use crate::state::State;
use crate::state::shape::Shape;
use crate::transaction::Transaction;

/// At most so many running jobs are looked at as the one whose end would help.
const ENDS_MAX: usize = 128;

/// Everything that would start a queued job now, and whose end would.
pub(crate) fn alternatives(state: &mut State, id: JobId) -> Vec<Alternative> {
    let now = state.now;
    let mut found = Vec::new();
    // Whoever is ahead does not fit, or would have started: only a head that blocks matters.
    if why::blocking_head(state, id).is_none() {
        found = changes_of_job(state, id);
    }
    found.extend(more_quota(state, id));
    let mut alternatives: Vec<Alternative> =
        found.into_iter().map(|change| Alternative { change, starts: now }).collect();
    if let Some((job, starts)) = whose_end(state, id) {
        alternatives.push(Alternative { change: Change::WhenEnds(job), starts });
    }
    alternatives
}

/// What could be asked for instead and would start now.
fn changes_of_job(state: &mut State, id: JobId) -> Vec<Change> {
    let spec = Arc::clone(&state.jobs.known(id).record.spec);
    let mut found = Vec::new();
    found.extend(smaller(state, id, &spec));
    found.extend(smaller_share(state, id, &spec));
    for model in other_models(state, &spec) {
        let mut changed = JobSpec::clone(&spec);
        for group in changed.groups.iter_mut().filter(|group| has_gpus(&group.task)) {
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
    found
}

/// Whether a changed job would start now, limits and all.
fn starts(state: &mut State, id: JobId, changed: JobSpec) -> bool {
    let job = state.jobs.known(id);
    let (queue, user) = (job.queue, job.user);
    let stay = state.shapes.get(job.shape).stay;
    let shape = Shape::on_trial(&Arc::new(changed), stay, &state.catalog, &state.capacity);
    let queues = &state.capacity.queues;
    let allowed = standing::standing(queues, queue, user, false, &shape).allowed;
    let node_depth = state.catalog.node_depth();
    let mut transaction = Transaction::new(&mut state.capacity);
    place::place(&mut transaction, &shape, allowed, node_depth).is_some()
}

/// The most tasks that would start now; only for a gang of one group. Found by halving: where
/// some tasks fit, fewer fit as well.
fn smaller(state: &mut State, id: JobId, spec: &JobSpec) -> Option<Change> {
    let [group] = spec.groups.as_slice() else { return None };
    let block = spec.topology.segment.as_ref().map_or(1, |segment| segment.tasks);
    let mut fits = 0;
    let mut too_many = group.tasks.min.div_ceil(block);
    while too_many - fits > 1 {
        let middle = fits + (too_many - fits) / 2;
        let mut changed = spec.clone();
        changed.groups[0].tasks = TaskCount::exactly(middle * block);
        if starts(state, id, changed) {
            fits = middle;
        } else {
            too_many = middle;
        }
    }
    let tasks = fits * block;
    let gpus = u64::from(tasks) * u64::from(group.task.gpus);
    (tasks > 0).then_some(Change::Smaller { tasks, gpus })
}

fn has_gpus(task: &TaskShape) -> bool {
    task.gpus > 0 || task.share.is_some()
}

/// The largest part of a GPU in eighths that would start now where more was asked for; only for
/// a gang of one group.
fn smaller_share(state: &mut State, id: JobId, spec: &JobSpec) -> Option<Change> {
    let [group] = spec.groups.as_slice() else { return None };
    let share = group.task.share.as_ref()?;
    let shape = state.jobs.known(id).shape;
    let wanted = state.shapes.get(shape).demand.milli_each(0);
    let eighths = (1..8).rev().map(|eighth| MilliGpu(eighth * 125));
    let mut smaller = eighths.filter(|milli| milli.0 < wanted);
    let found = smaller.find(|&milli| {
        let mut changed = spec.clone();
        let size = ShareSize::Fraction { least: milli, most: milli };
        changed.groups[0].task.share = Some(Share { size, isolation: share.isolation });
        starts(state, id, changed)
    });
    found.map(Change::Share)
}

/// Models that the job does not accept and the cluster has.
fn other_models(state: &State, spec: &JobSpec) -> Vec<Name> {
    let named = |name| spec.groups.iter().any(|group| group.task.models.contains(name));
    if spec.groups.iter().all(|group| group.task.models.is_empty()) {
        return Vec::new();
    }
    let models = state.catalog.spec.gpu_models.iter().map(|model| &model.name);
    models.filter(|name| !named(name)).cloned().collect()
}

/// How much more quota in one queue would start it, if that is all that is in the way.
fn more_quota(state: &mut State, id: JobId) -> Option<Change> {
    let job = state.jobs.known(id);
    let demand = &state.shapes.get(job.shape).demand;
    let blocking = demand.alternatives.iter().find_map(|alternative| {
        let queues = &state.capacity.queues;
        let blocking = standing::blocking(queues, job.queue, job.user, &alternative.charge)?;
        (!blocking.per_user && blocking.exceeded.what == What::Gpus).then_some(blocking)
    })?;
    let (queue, exceeded) = (blocking.queue, blocking.exceeded);
    let enough = exceeded.used + exceeded.wanted;
    let limit = state.capacity.queues[queue].limit.gpus.replace(enough);
    // When a queue is changed, the shares of all are looked at anew, and with them the order.
    let all = state.capacity.queues.keys();
    let starts = shares::with_fresh(state, all, |state| leaves_room(Trial::new(state), id));
    state.capacity.queues[queue].limit.gpus = limit;
    let queue = state.catalog.spec.queues[queue.index()].name.clone();
    starts.then(|| Change::MoreQuota { queue, gpus: enough - exceeded.limit })
}

/// The running job whose end alone would start it, by the earliest predicted end.
fn whose_end(state: &mut State, id: JobId) -> Option<(JobId, Time)> {
    let now = state.now;
    let mut ends = estimate::predicted_ends(state).into_iter().take(ENDS_MAX);
    let due: Vec<QueueId> = shares::due(state).collect();
    let (end, job) = ends.find(|&(_, other)| {
        let newcomers = released_by(state, other);
        // Its end is a step, which looks at what its queue has used, and at that of others.
        let queues = due.iter().copied().chain([state.jobs.known(other).queue]);
        shares::with_fresh(state, queues, |state| {
            let mut trial = Trial::new(state);
            trial.end(other);
            newcomers.into_iter().for_each(|(newcomer, key)| trial.enter(newcomer, key));
            leaves_room(trial, id)
        })
    })?;
    Some((job, end.max(now)))
}

/// Whether those who come first leave a job the room it needs.
fn leaves_room(mut trial: Trial<'_>, id: JobId) -> bool {
    // Most trials end here, before anybody else is looked at.
    trial.fits(id) && trial.gets_its_turn(id)
}

/// Jobs that another's end may put into line, with their keys: those that wait only for it or its
/// array, the next of its name, the next element of its array.
fn released_by(state: &State, other: JobId) -> Vec<(JobId, i64)> {
    let record = &state.jobs.known(other).record;
    let array = record.element.map(|(array, _)| array);
    let on = [Some(other), array].into_iter().flatten();
    let dependents = on.filter_map(|on| state.dependents.get(&on)).flatten();
    let name = (record.spec.user.clone(), record.spec.name.clone());
    let namesakes = state.namesakes.get(&name).into_iter().flatten();
    let element = array.and_then(|array| state.arrays.get(array)?.throttled.first());
    let is_it = |one: &Predecessor| one.job == other || Some(one.job) == array;
    let waits_only_for_it = |dependency: &Dependency| match dependency {
        Dependency::On(_) | Dependency::AnyOf(_) => dependency.predecessors().iter().any(is_it),
        Dependency::Singleton => true,
    };
    let policy = state.catalog.policy();
    let rule = order::rule(policy);
    (dependents.chain(namesakes.filter(|job| **job != other).take(1)).chain(element))
        .filter_map(|job| state.jobs.get(*job))
        .filter(|job| job.record.state == JobState::Waiting && !job.record.held)
        .filter(|job| job.record.not_before <= state.now)
        .filter(|job| state.capacity.bookings.is_open(&job.record.spec))
        .filter(|job| job.record.unmet.iter().all(waits_only_for_it))
        .map(|job| (job.record.id, (rule.key)(&queueing::facts(state, job), policy)))
        .collect()
}
