//! Someone changes what they asked for.
//!
//! A job that holds nothing may become any other of the same owner and array: it leaves all that
//! was made of what it was, and enters anew with the waiting time it has. One that nodes have
//! keeps its place and may only be given another time, and other words about requeueing. A whole
//! array may be given another throttle, whatever its elements are at.

use std::sync::Arc;

use muster_model::{Dependency, Invalid, JobId, JobSpec, Time};

use crate::action::{Action, JobState};
use crate::elastic::index;
use crate::life::{arrays, depend, late, launch, queueing, stop};
use crate::on::{Refusals, request, submit};
use crate::pause::{exposure, moved};
use crate::plan::{claim, expect};
use crate::repair;
use crate::state::State;
use crate::state::timer::Timer;

pub(crate) fn amend(state: &mut State, target: JobId, spec: &Arc<JobSpec>) -> Result<(), Refusals> {
    let jobs = request::live(state, target)?;
    spec.validate_against(&state.catalog)?;
    let mut errors = Vec::new();
    for &id in &jobs {
        let was = &state.jobs.known(id).record.spec;
        errors.extend(submit::unknown_references(state, spec, Some(was)));
        errors.extend(refused(state, target, id, spec));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    if let Some(array) = &spec.array {
        arrays::set_throttle(state, target, array.throttle);
    }
    for id in jobs {
        let job = state.jobs.known(id);
        match (job.is_over(), job.is_placed()) {
            // Through a dependency, by what became of an earlier element.
            (true, _) => {}
            (false, true) => retime(state, id, spec),
            (false, false) => change(state, id, spec),
        }
    }
    Ok(())
}

/// Why a job cannot become this one.
fn refused(state: &State, target: JobId, id: JobId, spec: &JobSpec) -> Option<Invalid> {
    let job = state.jobs.known(id);
    let was = &job.record.spec;
    let refuse = |field: &str, value: String, allowed: &str| {
        Some(Invalid::new(field, value, allowed.to_owned()))
    };
    if spec.user != was.user {
        return refuse("user", spec.user.to_string(), "expected the user who submitted the job");
    }
    if indexes(spec) != indexes(was) {
        return refuse("array", "another array".to_owned(), "expected the array that there is");
    }
    let array = job.record.element.map(|(array, _)| array);
    if spec.array != was.array && array != Some(target) {
        let allowed = "expected it of the whole array, not of one element";
        return refuse("array.throttle", "another throttle".to_owned(), allowed);
    }
    // Nobody may come to wait for himself, through whomever.
    let mut others = spec.after.iter().flat_map(Dependency::predecessors);
    let later = others.find(|one| one.job >= id || Some(one.job) == array);
    if let Some(later) = later.filter(|_| spec.after != was.after) {
        return refuse("after", later.to_string(), "expected jobs that were submitted before it");
    }
    if job.is_placed() && !is_only_retimed(was, spec) {
        let allowed =
            "it has started, so that only its limit, deadline, warning and requeue can change";
        return refuse("job", id.to_string(), allowed);
    }
    None
}

fn indexes(spec: &JobSpec) -> Option<&[u32]> {
    spec.array.as_ref().map(|array| array.indexes.as_slice())
}

fn is_only_retimed(was: &JobSpec, spec: &JobSpec) -> bool {
    let mut like = was.clone();
    like.timing.clone_from(&spec.timing);
    like.timing.begin = was.timing.begin;
    like.requeue = spec.requeue;
    like.array.clone_from(&spec.array);
    like == *spec
}

/// A job that holds nothing becomes another.
fn change(state: &mut State, id: JobId, spec: &Arc<JobSpec>) {
    queueing::leave_line(state, id);
    moved::give_up(state, id);
    index::someone_left(state);
    repair::forget(state, id);
    late::forget(state, id);
    queueing::unlist(state, id);
    depend::unregister(state, id);
    let job = state.jobs.known(id);
    let (was, before) = (Arc::clone(&job.record.spec), job.shape);
    let index = job.record.element.map(|(_, index)| index);
    let mut record = job.record.clone();
    record.spec = Arc::clone(spec);
    if spec.after != was.after {
        record.unmet = depend::resolved(state, spec, index);
    }
    if spec.timing.estimate != was.timing.estimate {
        record.estimate = spec.timing.estimate;
    }
    let admitted = job.admitted;
    let mut job = state.resolve(record);
    job.admitted = admitted;
    state.jobs.add(job);
    state.actions.push(Action::Amended { job: id, spec: Arc::clone(spec) });
    state.release_shape(before);
    queueing::list(state, id);
    if spec.timing.begin != was.timing.begin {
        queueing::pause_until(state, id, spec.timing.begin.unwrap_or(Time(0)));
    }
    late::watch(state, id);
    depend::look(state, id);
    if state.jobs.known(id).is_over() || late::end_if_late(state, id) {
        return;
    }
    depend::register(state, id);
    let since = state.jobs.known(id).record.ready_since;
    queueing::settle_since(state, id, since);
}

/// A job that nodes have is given another time.
fn retime(state: &mut State, id: JobId, spec: &Arc<JobSpec>) {
    late::forget(state, id);
    stop::clear_timers(state, id);
    let limit = state.limit(spec);
    let job = state.jobs.known_mut(id);
    let is_longer = limit > job.limit;
    job.limit = limit;
    job.record.spec = Arc::clone(spec);
    state.actions.push(Action::Amended { job: id, spec: Arc::clone(spec) });
    late::watch(state, id);
    queueing::reshape(state, id);
    if is_longer {
        let run = state.jobs.known(id).record.run.as_ref().expect("it is placed");
        let nodes = run.nodes.iter().map(|part| part.node.index()).collect();
        claim::forget_on(state, &nodes);
    }
    set_timers(state, id);
    expect::note(state, id);
    if state.jobs.known(id).record.state == JobState::Running {
        exposure::look(state, id);
    }
    state.pass_due = true;
}

/// Sets what was cleared, by the limit that counts now.
fn set_timers(state: &mut State, id: JobId) {
    let policy = state.catalog.policy();
    let (timeout, grace) = (policy.launch_timeout, policy.stop_grace);
    let now = state.now;
    let job = state.jobs.known_mut(id);
    let (life, limit) = (job.record.state, job.limit);
    let run = job.record.run.as_mut().expect("it is placed");
    match life {
        JobState::Launching => {
            run.until = run.placed + timeout + limit + grace;
            state.timers.set(run.placed + timeout, Timer::Unconfirmed(id));
            for part in &run.nodes {
                launch::expect_until(&mut state.capacity.nodes[part.node].runs, id, run.until);
            }
        }
        JobState::Running | JobState::Pausing => {
            let started = run.started.expect("what runs has started");
            let limit_at = (started + limit.saturating_sub(run.ran)).max(now);
            launch::end_at(state, id, limit_at);
        }
        _ => {}
    }
}

/// A gang has insisted on near places for long enough: from now on they are only preferred.
pub(crate) fn widen(state: &mut State, id: JobId) {
    let mut spec = JobSpec::clone(&state.jobs.known(id).record.spec);
    let wish = &mut spec.topology;
    wish.patience = None;
    wish.prefer = wish.require.take().or(wish.prefer.take());
    change(state, id, &Arc::new(spec));
}
