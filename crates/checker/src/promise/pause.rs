//! Promise: a pause harms nobody more than it must.
//!
//! A gang is frozen on every node before any is asked to suspend it, suspended on every node
//! before its GPUs are anyone else's, restored on every node before any computes again, and
//! computes on every node before it is said to run. An order carries a number that only grows; it
//! is repeated only for a node that has come back. Nobody is asked to save where as many GPUs save
//! as may at once. What suspended jobs and those on their way
//! have in host memory fits where it is. Between two pauses by class or rank a job computes long
//! enough that the first cost it no more than the policy allows. Nobody is suspended for someone
//! who is, in however many steps, suspended for it.

use std::collections::BTreeMap;

use muster_engine::action::JobState;
use muster_engine::command::Command;
use muster_engine::explain::{Cause, Paused};
use muster_engine::snapshot::Snapshot;
use muster_model::{JobId, Millis, NodeId, Rung};

use crate::promise::baseline;
use crate::shadow::{Job, Part, Report, Run, Shadow};
use crate::violation::{Findings, Promise};

/// One order to a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    pub(crate) node: NodeId,
    pub(crate) job: JobId,
    pub(crate) number: u32,
    pub(crate) rung: Rung,
    pub(crate) is_down: bool,
}

/// Judges an order before it is taken in.
pub(crate) fn ordered(shadow: &Shadow, command: &Command, order: Order, found: &mut Findings) {
    let Order { node, job: id, number, rung, is_down } = order;
    let Some(job) = shadow.jobs.get(&id) else { return };
    let Some(run) = job.run.as_ref().filter(|run| run.parts.contains_key(&node)) else {
        let detail = format!("node {node} is ordered to pause or resume job {id}, not on it");
        found.add(Promise::Pause, detail);
        return;
    };
    let is_back = matches!(command, Command::NodeReturned { .. } | Command::NodeJoined { .. });
    let is_repeated = run.parts[&node].order >= number;
    if is_repeated && !is_back {
        let detail = format!("order {number} for job {id} on node {node} is not new");
        found.add(Promise::Pause, detail);
    }
    let unready = match (rung, is_down) {
        (Rung::Suspend, true) => unlike(run, &[Report::Frozen, Report::Suspended]),
        (Rung::Freeze, false) if run.is_suspending => first_live(run),
        (Rung::Freeze, false) => like(run, Report::Suspended),
        _ => None,
    };
    if rung == Rung::Checkpoint && is_down && !is_back {
        saving(shadow, id, node, found);
    }
    if let Some(other) = unready {
        let what = if is_down { "suspend" } else { "let compute" };
        let detail =
            format!("node {node} is asked to {what} job {id}, and node {other} is not so far");
        found.add(Promise::Pause, detail);
    }
}

/// Judges that a job is asked to save beside others who were asked and have not yet.
fn saving(shadow: &Shadow, id: JobId, node: NodeId, found: &mut Findings) {
    let Some(place) = shadow.nodes.get(&node) else { return };
    let is_near = |node: &NodeId| {
        shadow.nodes.get(node).is_some_and(|other| other.spec.domains == place.spec.domains)
    };
    let saves = |job: &&Job| {
        let ordered = job.run.as_ref().and_then(|run| run.ordered);
        let is_asked = ordered == Some((Rung::Checkpoint, true));
        job.id != id && is_asked && job.state == Some(JobState::Pausing)
    };
    let parts = shadow.jobs.values().filter(saves).flat_map(|job| &job.run);
    let parts = parts.flat_map(|run| &run.parts).filter(|(node, _)| is_near(node));
    let gpus = |part: &Part| part.tasks.iter().map(|task| task.gpus.count()).sum::<u32>();
    let others: u32 = parts.map(|(_, part)| gpus(part)).sum();
    let most = shadow.cluster.policy.pausing.gpus_saving_max;
    if others >= most {
        let detail =
            format!("job {id} is asked to save on node {node} beside {others} GPUs of {most}");
        found.add(Promise::Pause, detail);
    }
}

/// Judges a new state against what the nodes have said.
pub(crate) fn moved(job: &Job, state: JobState, found: &mut Findings) {
    let Some(run) = &job.run else { return };
    let unready = match (job.state, state) {
        (_, JobState::Paused) => unlike(run, &[Report::Suspended]),
        (Some(JobState::Pausing | JobState::Resuming), JobState::Running) => {
            unlike(run, &[Report::Started])
        }
        _ => None,
    };
    if let Some(node) = unready {
        let id = job.id;
        let detail = format!("job {id} is told to be {state:?}, and node {node} is not so far");
        found.add(Promise::Pause, detail);
    }
}

fn live(run: &Run) -> impl Iterator<Item = (NodeId, Report)> {
    let parts = run.parts.iter().filter(|(_, part)| !part.report.is_end());
    parts.map(|(node, part)| (*node, part.report))
}

fn first_live(run: &Run) -> Option<NodeId> {
    live(run).map(|(node, _)| node).next()
}

fn like(run: &Run, report: Report) -> Option<NodeId> {
    live(run).find(|(_, other)| *other == report).map(|(node, _)| node)
}

fn unlike(run: &Run, reports: &[Report]) -> Option<NodeId> {
    live(run).find(|(_, report)| !reports.contains(report)).map(|(node, _)| node)
}

/// Judges what is in host memory.
pub(crate) fn compared(shadow: &Shadow, snapshot: &Snapshot, found: &mut Findings) {
    let mut used: BTreeMap<NodeId, u64> = BTreeMap::new();
    for job in shadow.jobs.values() {
        let Some(run) = job.run.as_ref().filter(|run| run.in_host && !run.is_over()) else {
            continue;
        };
        for (node, part) in &run.parts {
            let Some(room) = shadow.nodes.get(node) else { continue };
            let models = &shadow.cluster.gpu_models;
            let model =
                models.iter().find(|model| Some(&model.name) == room.spec.gpu_model.as_ref());
            let whole = model.map_or(0, |model| model.memory.0);
            let of_gpu = job.spec.checkpoint.state.map_or(whole, |state| state.0.min(whole));
            for task in &part.tasks {
                let group = job.spec.groups.get(usize::from(task.group));
                let own = group.map_or(0, |group| group.task.memory.0);
                *used.entry(*node).or_default() += own + u64::from(task.gpus.count()) * of_gpu;
            }
        }
    }
    for (node, used) in used {
        let most = shadow.nodes[&node].spec.suspend_memory.0;
        if used > most {
            let detail = format!("node {node} has {used} of {most} MiB of suspended work");
            found.add(Promise::Pause, detail);
        }
    }
    circles(snapshot, found);
}

/// Follows who was paused for whom; those who run again have got over it.
fn circles(snapshot: &Snapshot, found: &mut Findings) {
    let open = |id: JobId| -> Option<&Paused> {
        let at = snapshot.jobs.binary_search_by_key(&id, |job| job.id).ok()?;
        let job = &snapshot.jobs[at];
        // Who was ended and waits for another attempt may well take from others in turn.
        let is_out = matches!(job.state, JobState::Paused | JobState::Resuming);
        let pauses = job.pauses.as_ref().filter(|pauses| pauses.is_open && is_out)?;
        Some(&pauses.latest)
    };
    for job in &snapshot.jobs {
        let mut next = open(job.id).map(|paused| paused.by);
        for _ in 0..=snapshot.jobs.len() {
            match next {
                None => break,
                Some(by) if by == job.id => {
                    let detail = format!("job {} is suspended for one suspended for it", job.id);
                    found.add(Promise::Pause, detail);
                    break;
                }
                Some(by) => next = open(by).map(|paused| paused.by),
            }
        }
    }
}

/// What is remembered of a job's latest pause.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Latest {
    /// How many there were with it: a dearer rung after a refusal is still the same.
    count: u32,
    /// What those before it cost, at the least.
    before: Millis,
    /// What it cost at the least.
    cost: Millis,
}

/// What is remembered of the latest pause of every job.
pub(crate) type Pauses = BTreeMap<JobId, Latest>;

/// Judges a pause that has just been decided, by the engine's own word on its cause.
pub(crate) fn begun(
    shadow: &Shadow,
    id: JobId,
    snapshot: &Snapshot,
    pauses: &mut Pauses,
    found: &mut Findings,
) {
    let at = snapshot.jobs.binary_search_by_key(&id, |job| job.id);
    let record = at.ok().and_then(|at| snapshot.jobs[at].pauses.as_ref());
    let (Some(job), Some(record)) = (shadow.jobs.get(&id), record) else { return };
    let computed = shadow.computed(job);
    let is_filler = shadow.class(&job.spec).is_some_and(|class| class.filler);
    let is_idle = record.latest.cause == Cause::Idle;
    if is_idle && !shadow.lends_idle(job) {
        let detail = format!("job {id} is paused as idle, and nobody said that it is and is lent");
        found.add(Promise::Taken, detail);
    }
    let is_chosen = record.latest.cause != Cause::Guarantee && !is_idle && !is_filler;
    let policy = &shadow.cluster.policy.pausing;
    let before = pauses.get(&id).copied();
    if let Some(before) = before.filter(|before| is_chosen && before.count < record.count) {
        let part = u128::from(computed.0) * u128::from(policy.overhead_ppm) / 1_000_000;
        let cost = before.before + before.cost;
        if part < u128::from(cost.0) {
            let cause = record.latest.cause;
            let detail = format!(
                "job {id} is paused by {cause:?} after {computed}, and it cost it {cost} before"
            );
            found.add(Promise::Pause, detail);
        }
    }
    if before.is_none_or(|before| before.count < record.count) {
        baseline::begun(id, snapshot, found);
    }
    let rung = record.latest.rung;
    let costs = job.spec.checkpoint.rungs.iter().find(|cost| cost.rung == rung);
    let cost = costs.map_or(Millis::ZERO, |cost| match rung {
        Rung::Suspend => cost.save + cost.restore,
        _ => cost.restore,
    });
    let count = record.count;
    let latest = match before {
        Some(same) if same.count == count => Latest { cost: same.cost.max(cost), ..same },
        Some(Latest { before, cost: latest, .. }) => {
            Latest { count, before: before + latest, cost }
        }
        None => Latest { count, before: Millis::ZERO, cost },
    };
    pauses.insert(id, latest);
}
