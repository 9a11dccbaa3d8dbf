//! Why a job got the place it got: its terms in the order, the place, and the next best.

use muster_model::{JobId, NodeId};

use crate::explain::{Decision, Place};
use crate::repair::advise;
use crate::snapshot::PlaceRecord;
use crate::state::State;

/// The latest decision on a job; `None` for one that was never placed.
pub(crate) fn decision(state: &State, id: JobId) -> Option<Decision> {
    let job = state.jobs.get(id)?;
    let record = &job.record;
    let decision = record.decision.as_ref()?;
    let nodes = record.run.iter().flat_map(|run| &run.nodes).map(|run| run.node).collect();
    Some(Decision {
        job: id,
        attempt: decision.attempt,
        at: decision.at,
        order: decision.order.clone(),
        chosen: place(state, decision.chosen, nodes),
        runner_up: decision.runner_up.map(|record| place(state, record, Vec::new())),
        repair: decision.repair.as_deref().cloned(),
        risk: decision.risk.as_deref().cloned(),
        advice: advise::advice(state, job),
    })
}

fn place(state: &State, record: PlaceRecord, nodes: Vec<NodeId>) -> Place {
    let node = &state.capacity.nodes[record.node];
    let topology = &state.capacity.topology;
    let is_node = record.depth == state.catalog.node_depth();
    let mut domain = topology.path(topology.ancestor(node.leaf, record.depth));
    if is_node {
        domain.push(node.spec.name.clone());
    }
    Place { domain, nodes, left: record.left }
}
