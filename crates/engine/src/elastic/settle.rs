//! What becomes of a resize: nodes confirm, refuse, say nothing, end or are lost. Whatever
//! happens, the tasks of the highest ranks go first, so that what stays is a legal size.

use muster_model::{JobId, NodeId};

use crate::action::{Action, JobState};
use crate::command::Refusal;
use crate::elastic::size::{self, Range};
use crate::elastic::{giving, index, resize, work};
use crate::life::stop;
use crate::on::refused;
use crate::pause::{exposure, hold};
use crate::plan::{expect, loan};
use crate::snapshot::{NodeReport, NodeRun, ResizeRecord};
use crate::state::State;
use crate::state::timer::Timer;

/// A node has the tasks that the resize of this number asked for.
pub(crate) fn resized(state: &mut State, id: JobId, part: usize, number: u32) {
    let Some((_, resize)) = concerned(state, id, part) else { return };
    let run = state.jobs.known(id).record.run.as_ref().expect("a part belongs to a run");
    let node = run.nodes[part].node;
    if size::of_run(run).resizes == number && resize.waits_for.contains(&node) {
        confirm(state, id, node);
        end_if_confirmed(state, id);
        finish_if_over(state, id);
    }
}

/// A node refused to launch what was to be added there; whether that is what it refused. What
/// was added from there on is taken back, for ranks have no gaps. The node is asked as well: the
/// word may be an old one, and what it has then is known for certain.
pub(crate) fn refused(state: &mut State, id: JobId, part: usize, refusal: &Refusal) -> bool {
    let Some((range, resize)) = concerned(state, id, part) else { return false };
    let (from, to, waits_for) = (resize.from, resize.to, resize.waits_for.clone());
    let run = state.jobs.known(id).record.run.as_ref().expect("a part belongs to a run");
    let part_run = &run.nodes[part];
    if !waits_for.contains(&part_run.node) {
        return false;
    }
    let Some(lowest) = lowest_added(part_run, &range, from, to) else { return true };
    if let Refusal::Node(_) = refusal {
        refused::rest(state, id, part);
    }
    resize::revise(state, id, range.floor(lowest));
    resize::ask_again(state, id);
    true
}

/// Not all nodes have confirmed a growth in time: all of it is taken back, and those that said
/// nothing rest.
pub(crate) fn unresized(state: &mut State, id: JobId) {
    let job = state.jobs.known(id);
    let resize = size::under_way(job).expect("cleared when the resize ended");
    let (from, silent) = (resize.from, resize.waits_for.clone());
    let run = job.record.run.as_ref().expect("a job that is resized is placed");
    let is_silent = |part: &usize| silent.contains(&run.nodes[*part].node);
    let silent: Vec<usize> = (0..run.nodes.len()).filter(is_silent).collect();
    for part in silent {
        refused::rest(state, id, part);
    }
    resize::revise(state, id, from);
    resize::ask_again(state, id);
}

/// Nodes are gone; whether all they had of the job was on its way in or out, so that the job goes
/// on without them.
pub(crate) fn lost(state: &mut State, id: JobId, parts: &[usize]) -> bool {
    if !parts.iter().all(|part| is_dispensable(state, id, *part)) {
        return false;
    }
    let run = state.jobs.known(id).record.run.as_ref().expect("a part belongs to a run");
    let nodes: Vec<NodeId> = parts.iter().map(|&part| run.nodes[part].node).collect();
    let range = size::range(state.jobs.known(id)).expect("only an elastic job is resized");
    let mut is_revised = false;
    for node in nodes {
        let job = state.jobs.known(id);
        let resize = size::under_way(job).expect("it ends when all have been looked at");
        let run = job.record.run.as_ref().expect("a job that is resized is placed");
        let part = run.nodes.iter().find(|part| part.node == node).expect("each is gone once");
        let lowest = lowest_added(part, &range, resize.from, resize.to);
        if let Some(lowest) = lowest {
            resize::revise(state, id, range.floor(lowest));
            is_revised = true;
        }
        confirm(state, id, node);
    }
    if is_revised {
        resize::ask_again(state, id);
    }
    end_if_confirmed(state, id);
    finish_if_over(state, id);
    true
}

/// Whether all that a part has is on its way in or out.
fn is_dispensable(state: &State, id: JobId, part: usize) -> bool {
    let Some((range, resize)) = concerned(state, id, part) else { return false };
    let (from, to) = (resize.from, resize.to);
    let run = state.jobs.known(id).record.run.as_ref().expect("a part belongs to a run");
    let part = &run.nodes[part];
    let is_on_its_way = part.tasks.iter().all(|task| range.is_from(task, from.min(to)));
    // What ran there and was asked to leave only in this step was lost before it was asked.
    let is_too_late = part.report == NodeReport::Started && state.elastic.asked_now.contains(&id);
    is_on_its_way && !is_too_late && resize.waits_for.contains(&part.node)
}

/// The tasks on a node have ended by themselves: there is nothing to wait for there. What was to
/// leave is given back with the rest.
pub(crate) fn ended(state: &mut State, id: JobId, part: usize) {
    if concerned(state, id, part).is_none() {
        return;
    }
    let run = state.jobs.known_mut(id).record.run.as_mut().expect("a part belongs to a run");
    let node = run.nodes[part].node;
    let resize = size::of_run_mut(run).resize.as_mut().expect("a resize is under way");
    resize.waits_for.retain(|other| *other != node);
    end_if_confirmed(state, id);
}

/// A node is in sight again: what it was asked may have been lost.
pub(crate) fn remind(state: &mut State, id: JobId, node: NodeId) {
    let job = state.jobs.known(id);
    let Some(asked) = size::under_way(job).filter(|asked| asked.waits_for.contains(&node)) else {
        return;
    };
    let range = size::range(job).expect("only an elastic job is resized");
    let run = job.record.run.as_ref().expect("a job that is resized is placed");
    let part = run.nodes.iter().find(|part| part.node == node).expect("a part is waited for");
    let tasks = resize::staying(part, &range, asked.to);
    let (attempt, resize) = (job.record.attempt, size::of_run(run).resizes);
    state.actions.push(Action::Resize { node, job: id, attempt, resize, tasks });
}

/// The attempt is stopping: its sizes no longer matter.
pub(crate) fn abandon(state: &mut State, id: JobId) {
    let run = state.jobs.known_mut(id).record.run.as_mut().expect("only a placed job stops");
    if let Some(elastic) = &mut run.elastic {
        elastic.resize = None;
        elastic.grow_at = None;
        index::list(state, id);
    }
}

/// The timers of a job's resize and of its next are of no use any more, and what it was lent goes
/// with the rest.
pub(crate) fn clear_timers(state: &mut State, id: JobId) {
    loan::forget(state, id);
    let timeout = state.catalog.policy().launch_timeout;
    let run = state.jobs.known(id).record.run.as_ref();
    let Some(elastic) = run.and_then(|run| run.elastic.as_ref()) else { return };
    if let Some(resize) = &elastic.resize {
        state.timers.clear(resize.since + timeout, Timer::Unresized(id));
    }
    if let Some(at) = elastic.grow_at {
        state.timers.clear(at, Timer::Grow(id));
    }
}

/// The resize under way in a running job, if the part has not ended.
fn concerned(state: &State, id: JobId, part: usize) -> Option<(Range, &ResizeRecord)> {
    let job = state.jobs.known(id);
    let resize = size::under_way(job).filter(|_| job.record.state == JobState::Running)?;
    job.record.run.as_ref()?.nodes.get(part)?;
    Some((size::range(job)?, resize))
}

fn lowest_added(part: &NodeRun, range: &Range, from: u32, to: u32) -> Option<u32> {
    let added = part.tasks.iter().filter(|task| range.is_from(task, from) && task.rank < to);
    added.map(|task| task.rank).min()
}

/// A node that was asked has what it shall have: what left is given back.
fn confirm(state: &mut State, id: JobId, node: NodeId) {
    expect::forget(state, id);
    let job = state.jobs.known_mut(id);
    let range = size::range(job).expect("only an elastic job is resized");
    let demand = std::sync::Arc::clone(&state.shapes.get(job.shape).demand);
    let (queue, user) = (job.queue, job.user);
    let run = job.record.run.as_mut().expect("a job that is resized is placed");
    let resize = size::of_run_mut(run).resize.as_mut().expect("a resize is under way");
    resize.waits_for.retain(|other| *other != node);
    let to = resize.to;
    let model = state.capacity.nodes[node].model;
    let at = run.nodes.iter().position(|part| part.node == node).expect("a part is waited for");
    let part = &mut run.nodes[at];
    let before = part.tasks.len();
    for task in part.tasks.iter().filter(|task| range.is_from(task, to)) {
        state.capacity.give_back(node, demand.groups[range.group].held(task));
    }
    part.tasks.retain(|task| !range.is_from(task, to));
    let left = u32::try_from(before - part.tasks.len()).expect("tasks are bounded by validation");
    if part.report == NodeReport::Asked {
        part.report = NodeReport::Started;
        state.capacity.nodes[node].refusals = 0;
    }
    if part.tasks.is_empty() {
        run.nodes.remove(at);
        state.capacity.nodes[node].remove_run(id);
    }
    job.recount_reports();
    expect::note(state, id);
    if left > 0 {
        let charge = size::charge_of_tasks(&demand, range.group, left, model);
        state.capacity.refund(queue, user, &charge);
        hold::fill(state, node);
        state.capacity.changed(node);
        resize::usage_changed(state, id, charge.gpus / 1000, false);
        state.pass_due = true;
    }
}

/// All the rest may have ended by itself while a node was waited for that is gone now.
fn finish_if_over(state: &mut State, id: JobId) {
    if state.jobs.known(id).unended == 0 {
        stop::finish(state, id);
    }
}

/// Ends the resize once nobody has to confirm it any more.
fn end_if_confirmed(state: &mut State, id: JobId) {
    let (now, timeout) = (state.now, state.catalog.policy().launch_timeout);
    let job = state.jobs.known_mut(id);
    let Some(resize) = size::under_way(job).filter(|resize| resize.waits_for.is_empty()) else {
        return;
    };
    state.timers.clear(resize.since + timeout, Timer::Unresized(id));
    work::count(job, now);
    let run = job.record.run.as_mut().expect("a job that is resized is placed");
    size::of_run_mut(run).resize = None;
    loan::resized(state, id);
    let job = state.jobs.known(id);
    let is_whole = job.unended as usize == job.record.run.as_ref().map_or(0, |run| run.nodes.len());
    index::list(state, id);
    // What has ended by itself in part gives the rest back when it is over.
    if is_whole {
        giving::given(state, id);
        exposure::look(state, id);
    }
    // Room that was made may have been made for someone, and there may be more to grow into.
    state.pass_due = true;
}
