//! Sight of nodes is lost: nothing new goes there, and what runs there is taken to be alive
//! until their lease ends. Nodes lost together are one event: each gang is lost once.

use std::collections::BTreeSet;

use muster_model::{Invalid, JobId, NodeId, Time};

use crate::life::report;
use crate::on::{Refusals, known_node};
use crate::plan::claim;
use crate::snapshot::{NodeReport, Sight};
use crate::state::State;

/// Sight of one node or of several at once is lost.
pub(crate) fn lost(state: &mut State, nodes: &[NodeId], lease_ends: Time) -> Result<(), Refusals> {
    if nodes.is_empty() {
        return Err(vec![Invalid::new("nodes", "none", "expected at least one node")]);
    }
    for &node in nodes {
        known_node(state, node)?;
    }
    let mut gone = Vec::new();
    for &node in nodes {
        if !lose_sight(state, node, lease_ends) {
            continue;
        }
        if lease_ends > state.now {
            state.leases.run(node, lease_ends, &mut state.timers);
        } else {
            gone.push(node);
        }
    }
    leases_ended(state, &gone);
    Ok(())
}

/// Notes that a node is out of sight; whether that is news.
fn lose_sight(state: &mut State, id: NodeId, lease_ends: Time) -> bool {
    let node = &mut state.capacity.nodes[id];
    match node.sight {
        // Nothing of ours is there any more, so there is nothing to wait for.
        Sight::Gone => return false,
        // A lease never gets shorter by hearing of the loss again.
        Sight::Unknown { lease_ends: before } if before >= lease_ends => return false,
        Sight::Unknown { lease_ends: before } => {
            state.leases.call_off(id, before, &mut state.timers);
        }
        Sight::Seen => {}
    }
    node.sight = Sight::Unknown { lease_ends };
    state.capacity.changed(id);
    claim::forget_node(state, id);
    true
}

/// The leases of nodes have ended together: nothing of ours runs there any more.
pub(crate) fn leases_ended(state: &mut State, nodes: &[NodeId]) {
    let mut jobs: BTreeSet<JobId> = BTreeSet::new();
    for &id in nodes {
        state.capacity.nodes[id].sight = Sight::Gone;
        state.capacity.note_failure(id);
        jobs.extend(state.capacity.nodes[id].jobs());
    }
    for job in jobs {
        let parts = parts_gone(state, job);
        if !parts.is_empty() {
            report::lost(state, job, &parts);
        }
    }
}

/// The parts of a job's attempt that went with their nodes and are not known to have ended.
fn parts_gone(state: &State, id: JobId) -> Vec<usize> {
    let Some(run) = &state.jobs.known(id).record.run else { return Vec::new() };
    let is_gone = |node: NodeId| state.capacity.nodes[node].sight == Sight::Gone;
    let parts = run.nodes.iter().enumerate();
    parts
        .filter(|(_, part)| part.report != NodeReport::Ended && is_gone(part.node))
        .map(|(index, _)| index)
        .collect()
}
