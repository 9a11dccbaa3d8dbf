//! A queue is added or changed: guarantees, limits and weights hold from now on.

use muster_model::{Invalid, QueueSpec};

use crate::dense::{Key, QueueId};
use crate::life::{queueing, shares};
use crate::on::Refusals;
use crate::state::State;
use crate::state::queue;

pub(crate) fn set(state: &mut State, spec: QueueSpec) -> Result<(), Refusals> {
    let mut cluster = state.catalog.spec.clone();
    match cluster.queues.iter_mut().find(|queue| queue.name == spec.name) {
        Some(queue) => *queue = spec.clone(),
        None => cluster.queues.push(spec.clone()),
    }
    cluster.validate()?;
    refuse_parent_with_jobs(state, &spec)?;
    state.catalog.set_queue(spec);
    queue::configure(&mut state.capacity.queues, &state.catalog);
    recount_users(state);
    for id in 0..state.capacity.queues.len() {
        let id = QueueId::from_index(id);
        shares::refresh_share(state, id);
    }
    requeue_lines(state);
    state.pass_due = true;
    Ok(())
}

/// A queue that has jobs cannot become a parent: parents only divide.
fn refuse_parent_with_jobs(state: &State, spec: &QueueSpec) -> Result<(), Refusals> {
    let is_new = state.catalog.queue(&spec.name).is_none();
    let Some(parent) = spec.name.parent().filter(|_| is_new) else { return Ok(()) };
    let has_jobs = state.jobs.ids().into_iter().any(|id| {
        let job = state.jobs.known(id);
        !job.is_over() && job.record.spec.queue == parent
    });
    if has_jobs {
        let allowed = format!("expected a parent without jobs of its own; {parent} has some");
        return Err(vec![Invalid::new("queue.name", spec.name.to_string(), allowed)]);
    }
    Ok(())
}

/// Which users use what is kept only where users are limited, so it is counted anew when that
/// changes.
fn recount_users(state: &mut State) {
    for id in state.capacity.queues.keys() {
        state.capacity.queues[id].users.clear();
    }
    for id in state.jobs.ids() {
        let job = state.jobs.known(id);
        if job.is_over() {
            continue;
        }
        let demand = &state.shapes.get(job.shape).demand;
        let charge = match (&job.record.run, state.plans.plans.get(&id)) {
            (Some(run), _) if !job.is_suspended() => state.capacity.charge_of(run, demand),
            (None, Some(plan)) => state.capacity.charge_on(&plan.record.tasks, demand),
            _ => continue,
        };
        queue::on_path(&mut state.capacity.queues, job.queue, |queue| {
            if !queue.user_limit.is_empty() {
                queue.users.entry(job.user).or_default().add(&charge);
            }
        });
    }
}

/// Puts every queued job into its line anew, with its waiting time: which lines there are
/// depends on whether users are limited, and where they stand on the new quotas.
fn requeue_lines(state: &mut State) {
    let queued: Vec<_> =
        state.jobs.ids().into_iter().filter(|&id| state.jobs.known(id).line.is_some()).collect();
    for id in queued {
        queueing::reenter_line(state, id);
    }
    let lines: Vec<_> = state.waiting.lines().map(|(id, _)| id).collect();
    for line in lines {
        queueing::place_line(state, line);
    }
}
