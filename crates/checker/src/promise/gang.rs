//! Promise: a gang starts whole, and lets go whole.
//!
//! The launches of an attempt come in one step and cover every task of every group once (of an
//! elastic group its fewest tasks), or there is none. A job runs only when every node of the
//! attempt has confirmed, and then at once. One refusal ends the launch everywhere. What begins
//! to stop is told so on every node in sight, again when one comes back. A job holds its whole
//! placement until every node has ended it, and not longer.

use std::collections::BTreeMap;

use muster_engine::action::JobState;
use muster_engine::snapshot::Sight;
use muster_model::NodeId;

use crate::shadow::{Job, Run, Shadow, Start};
use crate::step::Step;
use crate::violation::{Findings, Promise};

/// Judges whether a start covers the gang.
pub(crate) fn launched(job: &Job, start: &Start, found: &mut Findings) {
    let id = job.id;
    let mut nodes: BTreeMap<NodeId, u32> = BTreeMap::new();
    for (node, tasks) in &start.places {
        *nodes.entry(*node).or_default() += 1;
        if tasks.is_empty() {
            found.add(Promise::Gang, format!("job {id} has no task in its launch on node {node}"));
        }
    }
    for (node, launches) in nodes.into_iter().filter(|(_, launches)| *launches > 1) {
        let detail = format!("job {id} has {launches} launches on node {node} in one step");
        found.add(Promise::Gang, detail);
    }
    let mut placed: BTreeMap<(u16, u32), u32> = BTreeMap::new();
    for (_, task) in start.tasks() {
        *placed.entry((task.group, task.rank)).or_default() += 1;
    }
    for (index, group) in (0_u16..).zip(&job.spec.groups) {
        for rank in 0..group.tasks.min {
            match placed.remove(&(index, rank)) {
                Some(1) => {}
                Some(times) => {
                    let detail = format!("task {index}.{rank} of job {id} is placed {times} times");
                    found.add(Promise::Gang, detail);
                }
                None => {
                    let detail = format!("task {index}.{rank} of job {id} is left out");
                    found.add(Promise::Gang, detail);
                }
            }
        }
    }
    for (group, rank) in placed.into_keys() {
        found.add(Promise::Gang, format!("job {id} has no task {group}.{rank} to place"));
    }
}

/// Judges a new state against what the nodes have said.
pub(crate) fn moved(job: &Job, state: JobState, found: &mut Findings) {
    let Some(run) = &job.run else { return };
    let id = job.id;
    match state {
        JobState::Running => {
            for (node, part) in &run.parts {
                if !part.report.is_confirmation() {
                    let detail = format!("job {id} runs, and node {node} has not confirmed it");
                    found.add(Promise::Gang, detail);
                }
            }
        }
        JobState::Waiting | JobState::Queued | JobState::Ended(_) if job.is_active() => {
            for node in live_nodes(run) {
                let detail = format!("job {id} lets go while it may still run on node {node}");
                found.add(Promise::Gang, detail);
            }
        }
        _ => {}
    }
}

/// Judges what a step left of the gangs it touched.
pub(crate) fn after_step(shadow: &Shadow, step: &Step<'_>, found: &mut Findings) {
    for id in &step.touched {
        if let Some(job) = shadow.jobs.get(id).filter(|_| !shadow.has_ended_leases) {
            keeps_up(job, found);
        }
    }
    for id in &step.stopping {
        if let Some(job) = shadow.jobs.get(id) {
            told_everywhere(shadow, job, found);
        }
    }
    let Some((id, attempt)) = step.refused else { return };
    let refused = shadow.jobs.get(&id).filter(|job| job.attempt == attempt);
    let goes_on = |job: &&Job| matches!(job.state, Some(JobState::Launching | JobState::Running));
    if let Some(job) = refused.filter(goes_on) {
        let state = job.state_word();
        found.add(Promise::Gang, format!("job {id} is still {state} after a node refused it"));
    }
}

/// Judges all gangs when the engine has nothing left to do.
pub(crate) fn at_rest(shadow: &Shadow, found: &mut Findings) {
    for job in shadow.jobs.values() {
        keeps_up(job, found);
    }
}

/// Whether the state follows what the nodes have said.
fn keeps_up(job: &Job, found: &mut Findings) {
    let Some(run) = job.run.as_ref().filter(|_| job.is_active()) else { return };
    let (id, state) = (job.id, job.state_word());
    if run.is_over() {
        let detail = format!("job {id} is still {state}, and every node has ended it");
        found.add(Promise::Gang, detail);
    } else if job.state == Some(JobState::Launching)
        && run.parts.values().all(|part| part.report.is_confirmation())
    {
        let detail = format!("job {id} is still {state}, and every node has confirmed it");
        found.add(Promise::Gang, detail);
    }
}

fn told_everywhere(shadow: &Shadow, job: &Job, found: &mut Findings) {
    let Some(run) = job.run.as_ref().filter(|_| job.state == Some(JobState::Stopping)) else {
        return;
    };
    for node in live_nodes(run) {
        let in_sight = shadow.nodes.get(&node).is_some_and(|node| node.sight == Sight::Seen);
        if in_sight && !run.parts[&node].is_stopped {
            let detail = format!("job {} is stopping, and node {node} was not told", job.id);
            found.add(Promise::Gang, detail);
        }
    }
}

fn live_nodes(run: &Run) -> impl Iterator<Item = NodeId> {
    run.parts.iter().filter(|(_, part)| !part.report.is_end()).map(|(node, _)| *node)
}
