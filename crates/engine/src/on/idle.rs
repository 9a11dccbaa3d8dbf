//! A job's GPUs compute nothing, or compute again: what follows is the rule of its queue.

use muster_model::{IdleRule, JobId, WhenIdle};

use crate::action::JobState;
use crate::on::request;
use crate::pause::exposure;
use crate::state::job::Job;
use crate::state::{State, queue};

pub(crate) fn idle(state: &mut State, id: JobId, is_idle: bool) {
    let job = state.jobs.known(id);
    if job.record.state != JobState::Running {
        return;
    }
    let then = rule(state, job).filter(|_| is_idle).map(|rule| rule.then);
    let run = state.jobs.known_mut(id).record.run.as_mut().expect("a running job is placed");
    if std::mem::replace(&mut run.idle, then) == then {
        return;
    }
    if then == Some(WhenIdle::Pause) {
        // Its owner decides when it goes on: it may not come back by itself and idle again.
        request::hold(state, id);
        request::requeue(state, id);
    } else {
        exposure::look(state, id);
    }
}

/// The rule for a job: of its queue, or of the nearest above it that has one.
pub(crate) fn rule(state: &State, job: &Job) -> Option<IdleRule> {
    let specs = &state.catalog.spec.queues;
    let mut path = queue::path(&state.capacity.queues, job.queue);
    path.find_map(|(id, _)| specs[usize::from(id.0)].idle)
}
