//! A resize begins: its nodes are asked for the tasks they shall have. What is added is held and
//! charged from here on; what leaves is given back as its nodes confirm.

use std::collections::BTreeSet;

use muster_model::{JobId, NodeId};

use crate::action::{Action, TaskPlace};
use crate::elastic::size::{self, Range};
use crate::elastic::{index, work};
use crate::life::queueing;
use crate::pause::exposure;
use crate::plan::expect;
use crate::snapshot::{NodeReport, NodeRun, ResizeRecord};
use crate::state::State;
use crate::state::timer::Timer;

/// Begins to add tasks that are held and charged already.
pub(crate) fn grow(state: &mut State, id: JobId, added: &[(NodeId, TaskPlace)]) {
    let range = size::range(state.jobs.known(id)).expect("only an elastic job grows");
    let tasks = u32::try_from(added.len()).expect("tasks are bounded by validation");
    exposure::hide(state, id);
    expect::forget(state, id);
    let job = state.jobs.known_mut(id);
    let from = job.size;
    let run = job.record.run.as_mut().expect("only a running job grows");
    let until = run.until;
    for &(node, task) in added {
        match run.nodes.iter_mut().find(|part| part.node == node) {
            Some(part) => part.tasks.push(task),
            None => {
                run.nodes.push(NodeRun { node, tasks: vec![task], report: NodeReport::Asked });
                state.capacity.nodes[node].add_run(id, until);
            }
        }
    }
    begin(state, id, &range, from, from + tasks);
    let timeout = state.catalog.policy().launch_timeout;
    state.timers.set(state.now + timeout, Timer::Unresized(id));
    usage_changed(state, id, u64::from(tasks) * u64::from(range.gpus), true);
}

/// Begins to let all tasks from a rank up go.
pub(crate) fn shrink(state: &mut State, id: JobId, to: u32) {
    let range = size::range(state.jobs.known(id)).expect("only an elastic job shrinks");
    let now = state.now;
    exposure::hide(state, id);
    expect::forget(state, id);
    let job = state.jobs.known_mut(id);
    let from = job.size;
    assert!(range.min <= to && to < from, "a job shrinks to a legal size that is smaller");
    work::count(job, now);
    begin(state, id, &range, from, to);
}

fn begin(state: &mut State, id: JobId, range: &Range, from: u32, to: u32) {
    assert!(
        to.is_multiple_of(range.block) && to <= range.max,
        "a job has whole segments up to its most"
    );
    let (now, interval) = (state.now, state.catalog.policy().elastic.interval);
    let job = state.jobs.known_mut(id);
    let run = job.record.run.as_mut().expect("only a running job is resized");
    let elastic = size::of_run_mut(run);
    assert!(elastic.resize.is_none(), "one resize of a job at a time");
    if let Some(before) = elastic.grow_at.replace(now + interval) {
        state.timers.clear(before, Timer::Grow(id));
    }
    state.timers.set(now + interval, Timer::Grow(id));
    elastic.resize = Some(ResizeRecord { from, to, since: now, waits_for: Vec::new() });
    job.recount_reports();
    ask(state, id, range, None);
    index::list(state, id);
    expect::note(state, id);
}

/// Nodes could not do what they were asked: the job will have fewer tasks than that. `to` is not
/// below what it had before. `ask_again` once the books say so.
pub(crate) fn revise(state: &mut State, id: JobId, to: u32) {
    let job = state.jobs.known_mut(id);
    let run = job.record.run.as_mut().expect("only a running job is resized");
    let resize = size::of_run_mut(run).resize.as_mut().expect("a resize is under way");
    assert!(resize.from <= to && to < resize.to, "what was added is taken back in part or whole");
    resize.to = to;
    if to == resize.from {
        // Nothing is to be launched any more, so there is nothing that could hang.
        let timeout = state.catalog.policy().launch_timeout;
        state.timers.clear(resize.since + timeout, Timer::Unresized(id));
    }
}

/// Asks all nodes that a revised resize concerns.
pub(crate) fn ask_again(state: &mut State, id: JobId) {
    let job = state.jobs.known_mut(id);
    let range = size::range(job).expect("only an elastic job is resized");
    let run = job.record.run.as_mut().expect("only a running job is resized");
    let resize = size::of_run_mut(run).resize.as_mut().expect("a resize is under way");
    let unconfirmed = std::mem::take(&mut resize.waits_for).into_iter().collect();
    ask(state, id, &range, Some(&unconfirmed));
}

/// Asks every node on which a task comes or goes. The second time, only those in `unconfirmed`
/// have still to say that what was added and stays is there.
fn ask(state: &mut State, id: JobId, range: &Range, unconfirmed: Option<&BTreeSet<NodeId>>) {
    let record = &mut state.jobs.known_mut(id).record;
    let attempt = record.attempt;
    let run = record.run.as_mut().expect("only a running job is resized");
    let elastic = run.elastic.as_mut().expect("an elastic attempt keeps its sizes");
    let resize = elastic.resize.as_mut().expect("a resize is under way");
    let (from, to) = (resize.from, resize.to);
    state.elastic.asked_now.insert(id);
    elastic.resizes += 1;
    // Where it has ended by itself, nothing comes and nothing has to be told to go.
    for part in run.nodes.iter().filter(|part| part.report != NodeReport::Ended) {
        let leaves = part.tasks.iter().any(|task| range.is_from(task, to));
        let comes = match unconfirmed {
            None => part.tasks.iter().any(|task| range.is_from(task, from)),
            Some(unconfirmed) => unconfirmed.contains(&part.node),
        };
        if leaves || comes {
            resize.waits_for.push(part.node);
            let tasks = staying(part, range, to);
            let (node, resize) = (part.node, elastic.resizes);
            state.actions.push(Action::Resize { node, job: id, attempt, resize, tasks });
        }
    }
    resize.waits_for.sort_unstable();
}

/// The tasks of a part that a resize keeps.
pub(crate) fn staying(part: &NodeRun, range: &Range, to: u32) -> Vec<TaskPlace> {
    part.tasks.iter().filter(|task| !range.is_from(task, to)).copied().collect()
}

/// So many GPUs more or fewer are charged to the queue of a job: its usage counts at the new rate
/// and lines are looked at for which that makes a difference.
pub(crate) fn usage_changed(state: &mut State, id: JobId, gpus: u64, was_charged: bool) {
    let job = state.jobs.known_mut(id);
    let (queue, user) = (job.queue, job.user);
    let run = job.record.run.as_mut().expect("only a placed job is charged");
    let charge = state.capacity.charge_of(run, &state.shapes.get(job.shape).demand);
    let rate = state.capacity.dominant(&charge);
    let before = std::mem::replace(&mut run.rate, rate);
    state.capacity.use_from_now(queue, before, false);
    state.capacity.use_from_now(queue, rate, true);
    queueing::queue_used(state, (queue, user), gpus * 1000, was_charged);
}
