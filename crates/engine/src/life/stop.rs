//! Stopping: an attempt's nodes are asked to end it; what it holds is given back when all have.

use muster_model::{JobId, Millis, Time};

use crate::action::{Action, JobState, Outcome};
use crate::command::Exit;
use crate::elastic::{giving, index, settle};
use crate::life::{end, late, launch, move_to, queueing};
use crate::pass::floor;
use crate::pause::{exposure, hold, ladder, suspend};
use crate::plan::expect;
use crate::repair::{self, crash};
use crate::snapshot::{NodeReport, RunRecord, Then};
use crate::state::State;
use crate::state::timer::Timer;

/// Asks all nodes to end an attempt; `then` says what follows when they have.
pub(crate) fn stop(state: &mut State, id: JobId, then: Then) {
    // A suspended job waits in line; one that is stopped does not.
    queueing::leave_line(state, id);
    exposure::hide(state, id);
    ladder::clear_pause_timer(state, id);
    crash::forgive(state, id);
    let (now, grace) = (state.now, state.catalog.policy().stop_grace);
    let job = state.jobs.known_mut(id);
    let attempt = job.record.attempt;
    let run = job.record.run.as_mut().expect("only a placed job is stopped");
    assert!(run.then.is_none(), "an attempt is stopped once");
    run.then = Some(then);
    run.until = now + grace;
    for node in &run.nodes {
        if node.report != NodeReport::Ended {
            let node = node.node;
            state.actions.push(Action::Stop { node, job: id, attempt, grace });
        }
        launch::expect_until(&mut state.capacity.nodes[node.node].runs, id, run.until);
    }
    clear_timers(state, id);
    settle::clear_timers(state, id);
    expect::stopping(state, id);
    move_to(state, id, JobState::Stopping);
    settle::abandon(state, id);
    if state.jobs.known(id).unended == 0 {
        finish(state, id);
    }
}

/// Every node has ended the attempt: gives back what it held and goes on to what follows.
pub(crate) fn finish(state: &mut State, id: JobId) {
    clear_timers(state, id);
    settle::clear_timers(state, id);
    exposure::hide(state, id);
    expect::forget(state, id);
    ladder::clear_pause(state, id);
    let job = state.jobs.known(id);
    assert_eq!(job.unended, 0, "capacity is given back when every node has ended its part");
    if job.is_suspended() {
        // What it held was given back when it was suspended. One that ends by itself is in line.
        queueing::leave_line(state, id);
        suspend::unpin(state, id);
        let run = state.jobs.known_mut(id).record.run.take();
        go_on(state, id, *run.expect("a suspended attempt was placed"));
        return;
    }
    let job = state.jobs.known_mut(id);
    let mut run = job.record.run.take().expect("a finished attempt was placed");
    let (queue, user) = (job.queue, job.user);
    let charged = give_back(state, id, &mut run);
    index::list(state, id);
    giving::given(state, id);
    go_on(state, id, *run);
    queueing::queue_used(state, (queue, user), charged, false);
    state.pass_due = true;
}

/// Gives back all that an attempt held, and notes how long it ran; how many milli-GPUs were
/// charged for it, for the lines that have more room now.
pub(crate) fn give_back(state: &mut State, id: JobId, run: &mut RunRecord) -> u64 {
    let now = state.now;
    let job = state.jobs.known_mut(id);
    let ran = run.started.take().map_or(Millis::ZERO, |started| now.since(started));
    run.ran += ran;
    job.record.served += ran;
    let (shape, queue, user) = (job.shape, job.queue, job.user);
    let demand = std::sync::Arc::clone(&state.shapes.get(shape).demand);
    for node in &run.nodes {
        for task in &node.tasks {
            let group = &demand.groups[usize::from(task.group)];
            state.capacity.give_back(node.node, group.held(task));
        }
        state.capacity.nodes[node.node].remove_run(id);
        hold::fill(state, node.node);
        state.capacity.changed(node.node);
    }
    let charge = state.capacity.charge_of(run, &demand);
    state.capacity.refund(queue, user, &charge);
    state.capacity.use_from_now(queue, run.rate, false);
    if let Some(until) = run.floor_until.take() {
        leave_floor(state, id, until, demand.size());
    }
    charge.gpus
}

/// What follows an attempt that is over everywhere.
fn go_on(state: &mut State, id: JobId, run: RunRecord) {
    match run.then.unwrap_or_else(|| Then::End(outcome_of(state, id))) {
        Then::End(outcome) => end::end(state, id, outcome),
        Then::Again if late::end_if_late(state, id) => {}
        Then::Again => {
            let since = repair::keep_place(state, id, run);
            queueing::settle_since(state, id, since);
        }
    }
}

fn outcome_of(state: &State, id: JobId) -> Outcome {
    match state.jobs.known(id).record.exit {
        Some(exit) if !exit.is_success() => Outcome::Failed(exit),
        _ => Outcome::Completed,
    }
}

/// A job the floor placed no longer counts against it.
pub(crate) fn leave_floor(state: &mut State, id: JobId, until: Time, gpus: u64) {
    state.timers.clear(until, Timer::Quantum(id));
    floor::use_less(state, gpus);
    state.pass_due = true;
}

/// Takes back the timers of a launch and of a limit.
pub(crate) fn clear_timers(state: &mut State, id: JobId) {
    let timeout = state.catalog.policy().launch_timeout;
    let record = &state.jobs.known(id).record;
    let Some(run) = &record.run else { return };
    state.timers.clear(run.placed + timeout, Timer::Unconfirmed(id));
    if let Some(limit_at) = run.limit_at {
        state.timers.clear(limit_at, Timer::Limit(id));
        if let Some(warning) = record.spec.timing.warning {
            state.timers.clear(launch::warn_at(limit_at, warning.before), Timer::Warn(id));
        }
    }
}

/// What follows an attempt that was taken away or lost with a node.
pub(crate) fn after_loss(state: &mut State, id: JobId) -> Then {
    let record = &mut state.jobs.known_mut(id).record;
    if !record.spec.requeue.when_lost || record.requeues >= record.spec.requeue.most {
        return Then::End(Outcome::NodeLost);
    }
    record.requeues += 1;
    Then::Again
}

/// What follows an attempt that failed by itself; tries again only after a pause that doubles.
pub(crate) fn after_failure(state: &mut State, id: JobId, exit: Exit) -> Then {
    let record = &mut state.jobs.known_mut(id).record;
    if !record.spec.requeue.when_failed || record.requeues >= record.spec.requeue.most {
        return Then::End(Outcome::Failed(exit));
    }
    record.requeues += 1;
    let crashes = crash::count(state, id);
    let until = state.now + pause(state, crashes.max(1));
    queueing::pause_until(state, id, until);
    Then::Again
}

/// The pause before the n-th try: doubles each time, up to a bound.
pub(crate) fn pause(state: &State, times: u32) -> Millis {
    /// Ten doublings of ten seconds are nearly three hours.
    const DOUBLINGS_MAX: u32 = 10;
    let doublings = times.saturating_sub(1).min(DOUBLINGS_MAX);
    Millis(state.catalog.policy().retry_pause.0.saturating_mul(1 << doublings))
}
