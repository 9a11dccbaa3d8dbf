//! Back onto the GPUs: every node restores its part before any computes again.

use muster_model::{JobId, Millis, Rung};

use crate::action::JobState;
use crate::life::{launch, move_to, queueing};
use crate::pass::floor;
use crate::pause::{ladder, suspend};
use crate::snapshot::NodeReport;
use crate::state::State;
use crate::state::job::Job;
use crate::state::timer::Timer;

/// A suspended job has its own place again, held and charged: its nodes are asked to put it back.
/// `floor` is how long it then counts against the service floor, if the floor resumed it.
pub(crate) fn begin(state: &mut State, id: JobId, floor: Option<Millis>) {
    queueing::leave_line(state, id);
    suspend::unpin(state, id);
    let now = state.now;
    let policy = state.catalog.policy();
    let slack = policy.launch_timeout + policy.stop_grace;
    let job = state.jobs.known_mut(id);
    let queue = job.queue;
    let (shape, limit) = (job.shape, job.limit);
    let run = job.record.run.as_mut().expect("what is suspended is placed");
    run.until = now + slack + limit.saturating_sub(run.ran);
    run.is_suspended = false;
    run.floor_until = floor.map(|quantum| now + quantum);
    let (until, rate) = (run.until, run.rate);
    run.is_backfill = false;
    for part in &run.nodes {
        state.capacity.nodes[part.node].add_run(id, until);
    }
    if let Some(quantum) = floor {
        floor::use_more(state, state.shapes.get(shape).demand.size());
        state.timers.set(now + quantum, Timer::Quantum(id));
    }
    state.capacity.use_from_now(queue, rate, true);
    move_to(state, id, JobState::Resuming);
    order_back(state, id, true);
}

/// Orders all parts back: from host memory if any may be there, or only to compute again.
pub(crate) fn order_back(state: &mut State, id: JobId, from_host: bool) {
    let (rung, report) = match from_host {
        true => (Rung::Suspend, NodeReport::Suspended),
        false => (Rung::Freeze, NodeReport::Frozen),
    };
    let takes = restore_time(state.jobs.known(id));
    let run = state.jobs.known_mut(id).record.run.as_mut().expect("what is paused is placed");
    for part in run.nodes.iter_mut().filter(|part| part.report != NodeReport::Ended) {
        part.report = report;
    }
    ladder::set_pause(state, id, Rung::Suspend, true, takes);
    ladder::order(state, id, rung, false);
}

/// How long a job says it takes to be back on its GPUs.
pub(crate) fn restore_time(job: &Job) -> Millis {
    let rungs = &job.record.spec.checkpoint.rungs;
    let cost = rungs.iter().find(|cost| cost.rung == Rung::Suspend);
    cost.map_or(Millis::ZERO, |cost| cost.restore)
}

/// A node has undone a rung of its part. When all have, the next order goes to all.
pub(crate) fn undone(state: &mut State, id: JobId, part: usize, rung: Rung) {
    if !ladder::pause_of(state, id).is_some_and(|pause| pause.is_undone) {
        return;
    }
    let run = state.jobs.known_mut(id).record.run.as_mut().expect("what is paused is placed");
    let (from, to) = match rung {
        Rung::Suspend => (NodeReport::Suspended, NodeReport::Frozen),
        Rung::Freeze => (NodeReport::Frozen, NodeReport::Started),
        Rung::Checkpoint | Rung::Requeue => return,
    };
    let is_next = run.live().all(|node| node.report == from || node.report == to);
    let report = &mut run.nodes[part].report;
    if *report != from || !is_next {
        return;
    }
    *report = to;
    advance(state, id);
}

/// Goes on to the next order when all parts that are left have done the one before.
pub(crate) fn advance(state: &mut State, id: JobId) {
    let run = state.jobs.known(id).record.run.as_ref().expect("what is paused is placed");
    if run.live().all(|part| part.report == NodeReport::Frozen) {
        ladder::order(state, id, Rung::Freeze, false);
    } else if run.live().all(|part| part.report == NodeReport::Started) {
        finish(state, id);
    }
}

/// Every part computes again.
fn finish(state: &mut State, id: JobId) {
    ladder::clear_pause(state, id);
    if state.jobs.known(id).record.state != JobState::Resuming {
        ladder::run_again(state, id);
        return;
    }
    launch::run_from_now(state, id);
}
