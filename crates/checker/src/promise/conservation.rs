//! Promise: the engine's state is what its commands and actions say, and its index counts right.
//!
//! Jobs, attempts, placements, nodes and queues of a snapshot are those of the shadow. For every
//! domain at every level and every GPU model, the index counts as many open nodes with so many
//! free GPUs as a recount from the snapshot's nodes and attempts does.

mod free;
mod jobs;
mod nodes;

use muster_engine::action::{Action, JobState};
use muster_engine::command::Command;
use muster_engine::snapshot::{FreeCount, SNAPSHOT_VERSION, Snapshot};
use muster_model::QueueSpec;

use crate::recount::Recount;
use crate::shadow::Shadow;
use crate::step::Step;
use crate::violation::{Findings, Promise};

/// Judges the number a node is given, before it is taken in.
pub(crate) fn answered(shadow: &Shadow, step: &Step<'_>, found: &mut Findings) {
    let joining = match step.command {
        Command::NodeJoined { spec, .. } => Some(&spec.name),
        _ => None,
    };
    let mut is_answered = step.is_rejected;
    for action in step.actions {
        let Action::NodeAccepted { node, name } = action else { continue };
        is_answered = true;
        let before = shadow.node_named(name);
        if joining != Some(name) {
            let detail = format!("node {node} ({name}) was accepted and did not join");
            found.add(Promise::Conservation, detail);
        } else if before.is_some_and(|before| before != *node) {
            let detail = format!("node {name} was accepted as {node} and has another number");
            found.add(Promise::Conservation, detail);
        } else if before.is_none() && shadow.nodes.contains_key(node) {
            let detail = format!("node {name} was given the number {node} of another");
            found.add(Promise::Conservation, detail);
        }
    }
    if let Some(name) = joining.filter(|name| shadow.node_named(name).is_none())
        && !is_answered
    {
        found.add(Promise::Conservation, format!("node {name} joined and got no answer"));
    }
}

/// Judges the engine's account against the shadow.
pub(crate) fn compared(shadow: &Shadow, snapshot: &Snapshot, found: &mut Findings) {
    if snapshot.version != SNAPSHOT_VERSION {
        let detail = format!("the snapshot is of version {}", snapshot.version);
        found.add(Promise::Conservation, detail);
    }
    if snapshot.now != shadow.now {
        let (told, now) = (snapshot.now.0, shadow.now.0);
        found.add(Promise::Conservation, format!("the snapshot is of {told}, and it is {now}"));
    }
    // An engine that has not yet worked off every lease is judged when it has.
    if !shadow.has_ended_leases {
        jobs::compared(shadow, snapshot, found);
        nodes::compared(shadow, snapshot, found);
    }
    configuration(shadow, snapshot, found);
    claims(shadow, snapshot, found);
}

/// Judges the index against a recount of the same account.
pub(crate) fn counted(recount: &Recount<'_>, free_counts: &[FreeCount], found: &mut Findings) {
    for (node, gpus) in &recount.held_twice {
        let detail = format!("the snapshot has GPUs {:#b} of node {node} held twice", gpus.0);
        found.add(Promise::Exclusive, detail);
    }
    free::compared(recount, free_counts, found);
}

fn configuration(shadow: &Shadow, snapshot: &Snapshot, found: &mut Findings) {
    let mut told: Vec<&QueueSpec> = snapshot.cluster.queues.iter().collect();
    told.sort_by(|one, other| one.name.cmp(&other.name));
    if !told.iter().copied().eq(shadow.queues.values()) {
        found.add(Promise::Conservation, "the queues of the snapshot are not those that were set");
    }
    let mut cluster = snapshot.cluster.clone();
    cluster.queues.clone_from(&shadow.cluster.queues);
    if cluster != shadow.cluster {
        found.add(Promise::Conservation, "the configuration in the snapshot has changed");
    }
}

fn claims(shadow: &Shadow, snapshot: &Snapshot, found: &mut Findings) {
    let mut nodes = Vec::new();
    for claim in &snapshot.claims {
        let job = shadow.jobs.get(&claim.job);
        // A suspended job waits for its own place, and may have waited for too long.
        let waits = [Some(JobState::Queued), Some(JobState::Paused)];
        if job.is_none_or(|job| !waits.contains(&job.state)) {
            let detail = format!("nodes are held for job {}, which does not wait", claim.job);
            found.add(Promise::Conservation, detail);
        }
        nodes.extend(&claim.nodes);
    }
    nodes.sort_unstable();
    for pair in nodes.windows(2).filter(|pair| pair[0] == pair[1]) {
        let detail = format!("node {} is held for a starving job twice", pair[0]);
        found.add(Promise::Conservation, detail);
    }
    for node in nodes.iter().filter(|node| !shadow.nodes.contains_key(node)) {
        let detail = format!("unknown node {node} is held for a starving job");
        found.add(Promise::Conservation, detail);
    }
}
