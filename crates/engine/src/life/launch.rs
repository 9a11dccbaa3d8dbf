//! Launching: a placed gang's nodes are asked to run it; it runs when all have confirmed.

use muster_model::{Attempt, JobId, Millis, NodeId, Time};

use crate::action::{Action, JobState, TaskPlace};
use crate::elastic::work;
use crate::explain::{OrderTerms, RepairTerms};
use crate::life::{end, move_to, queueing};
use crate::pass::floor;
use crate::pause::{exposure, ladder};
use crate::place::Placed;
use crate::plan::expect;
use crate::repair;
use crate::snapshot::{DecisionRecord, NodeReport, NodeRun, RunRecord};
use crate::state::State;
use crate::state::timer::Timer;

/// Starts an attempt at a place that is held and charged. `floor` is how long the attempt
/// counts against the service floor, if the floor placed it.
pub(crate) fn launch(
    state: &mut State,
    id: JobId,
    placed: Placed,
    (order, repair): (OrderTerms, Option<RepairTerms>),
    floor: Option<Millis>,
) {
    queueing::leave_line(state, id);
    repair::forget(state, id);
    state.plans.is_elsewhere(id);
    let now = state.now;
    let policy = state.catalog.policy();
    let (timeout, grace) = (policy.launch_timeout, policy.stop_grace);
    let job = state.jobs.known_mut(id);
    let demand = &state.shapes.get(job.shape).demand;
    let rate = state.capacity.dominant(&placed.charge(demand));
    let gpus = demand.size();
    let until = now + timeout + job.limit + grace;
    let attempt = Attempt(job.record.attempt.0 + 1);
    let nodes = by_node(placed.tasks);
    for run in &nodes {
        state.capacity.nodes[run.node].add_run(id, until);
        let tasks = run.tasks.clone();
        state.actions.push(Action::Launch { node: run.node, job: id, attempt, tasks });
    }
    job.record.attempt = attempt;
    job.record.exit = None;
    job.record.decision = Some(Box::new(DecisionRecord {
        attempt,
        at: now,
        order,
        chosen: placed.chosen,
        runner_up: placed.runner_up,
        repair: repair.map(Box::new),
        risk: placed.risk.map(Box::new),
        moved: None,
    }));
    job.record.run = Some(Box::new(RunRecord {
        nodes,
        placed: now,
        started: None,
        limit_at: None,
        until,
        then: None,
        floor_until: floor.map(|quantum| now + quantum),
        rate,
        warned: false,
        elastic: job.record.spec.elastic_group().map(|_| Box::default()),
        ran: Millis::ZERO,
        saved: None,
        pause: None,
        is_suspended: false,
        orders: 0,
        expected: None,
        is_backfill: false,
        refused: Vec::new(),
        missed_save: false,
        idle: None,
        exposure: None,
    }));
    job.recount_reports();
    let queue = job.queue;
    if let Some(quantum) = floor {
        floor::use_more(state, gpus);
        state.timers.set(now + quantum, Timer::Quantum(id));
    }
    state.timers.set(now + timeout, Timer::Unconfirmed(id));
    state.capacity.use_from_now(queue, rate, true);
    expect::note(state, id);
    move_to(state, id, JobState::Launching);
}

/// Every node has confirmed: the attempt runs.
pub(crate) fn begin(state: &mut State, id: JobId) {
    let timeout = state.catalog.policy().launch_timeout;
    let job = state.jobs.known_mut(id);
    job.record.launch_failures = 0;
    let run = job.record.run.as_ref().expect("a launching job has a run");
    state.timers.clear(run.placed + timeout, Timer::Unconfirmed(id));
    end::mark_started(state, id);
    run_from_now(state, id);
}

/// All parts compute: what is left of the limit counts from now.
pub(crate) fn run_from_now(state: &mut State, id: JobId) {
    let now = state.now;
    let job = state.jobs.known_mut(id);
    let run = job.record.run.as_mut().expect("what runs is placed");
    let limit_at = now + job.limit.saturating_sub(run.ran);
    run.started = Some(now);
    // Who goes on after a pause is given the time anew to compute something.
    run.idle = None;
    let is_elastic = run.elastic.is_some();
    end_at(state, id, limit_at);
    work::go_on(state.jobs.known_mut(id), now);
    ladder::close(state, id);
    move_to(state, id, JobState::Running);
    expect::note(state, id);
    exposure::look(state, id);
    state.pass_due |= is_elastic;
}

/// An attempt that runs is warned of its limit and ended at it.
pub(crate) fn end_at(state: &mut State, id: JobId, limit_at: Time) {
    let grace = state.catalog.policy().stop_grace;
    let run = state.jobs.known_mut(id).record.run.as_mut().expect("what runs is placed");
    run.limit_at = Some(limit_at);
    run.until = limit_at + grace;
    for node in &run.nodes {
        expect_until(&mut state.capacity.nodes[node.node].runs, id, run.until);
    }
    set_limit_timers(state, id);
}

/// Sets the timers of the limit of an attempt that runs, and of the warning it has not had.
pub(crate) fn set_limit_timers(state: &mut State, id: JobId) {
    let record = &state.jobs.known(id).record;
    let run = record.run.as_ref().expect("what runs is placed");
    let limit_at = run.limit_at.expect("what runs has a limit");
    state.timers.set(limit_at, Timer::Limit(id));
    if let Some(warning) = record.spec.timing.warning.filter(|_| !run.warned) {
        state.timers.set(warn_at(limit_at, warning.before), Timer::Warn(id));
    }
}

/// When a job is warned of its limit.
pub(crate) fn warn_at(limit_at: Time, before: Millis) -> Time {
    Time(limit_at.0.saturating_sub(before.0))
}

/// Notes the latest time a job can still be on a node.
pub(crate) fn expect_until(runs: &mut [(JobId, Time)], id: JobId, until: Time) {
    if let Some(run) = runs.iter_mut().find(|(job, _)| *job == id) {
        run.1 = until;
    }
}

/// Tasks by node, in the order the nodes first appear.
fn by_node(tasks: Vec<(NodeId, TaskPlace)>) -> Vec<NodeRun> {
    let mut runs: Vec<NodeRun> = Vec::new();
    let mut index: rustc_hash::FxHashMap<NodeId, usize> = rustc_hash::FxHashMap::default();
    for (node, task) in tasks {
        let is_last = runs.last().is_some_and(|run| run.node == node);
        let known = if is_last { Some(runs.len() - 1) } else { index.get(&node).copied() };
        match known {
            Some(at) => runs[at].tasks.push(task),
            None => {
                index.insert(node, runs.len());
                runs.push(NodeRun { node, tasks: vec![task], report: NodeReport::Asked });
            }
        }
    }
    runs
}
