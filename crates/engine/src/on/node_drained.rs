//! An operator keeps new work off a node, or lets it on again.

use muster_model::NodeId;

use crate::on::{Refusals, known_node};
use crate::plan::claim;
use crate::state::State;

pub(crate) fn set(state: &mut State, id: NodeId, drained: bool) -> Result<(), Refusals> {
    known_node(state, id)?;
    state.capacity.nodes[id].drained = drained;
    state.capacity.changed(id);
    if drained {
        claim::forget_node(state, id);
    }
    Ok(())
}
