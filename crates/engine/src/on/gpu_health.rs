//! A GPU reports errors, or is well again. What runs on it goes on; nothing new comes.

use muster_model::{GpuSet, Invalid, NodeId};

use crate::on::{Refusals, known_node};
use crate::plan::claim;
use crate::state::State;

pub(crate) fn set(
    state: &mut State,
    id: NodeId,
    gpu: u32,
    is_healthy: bool,
) -> Result<(), Refusals> {
    known_node(state, id)?;
    let node = &mut state.capacity.nodes[id];
    if gpu >= node.spec.gpus {
        let allowed =
            format!("expected a GPU of node {}, which has {}", node.spec.name, node.spec.gpus);
        return Err(vec![Invalid::new("gpu", gpu.to_string(), allowed)]);
    }
    let one = GpuSet::one(gpu);
    let has_failed = !is_healthy && !node.unhealthy.contains(one);
    node.unhealthy = if is_healthy { node.unhealthy.minus(one) } else { node.unhealthy.or(one) };
    state.capacity.topology.version += 1;
    state.capacity.changed(id);
    if has_failed {
        state.capacity.note_failure(id);
    }
    if !is_healthy {
        claim::forget_node(state, id);
    }
    Ok(())
}
