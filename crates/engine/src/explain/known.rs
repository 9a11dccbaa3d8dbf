//! Whether the nodes that are known have what a job asks for, whatever state they are in.

use muster_model::JobSpec;

use crate::dense::ModelId;
use crate::state::State;
use crate::state::demand::{Demand, GroupDemand};
use crate::state::node::Node;

/// Whether a node would hold one task of each group of a validated job if it were whole and empty.
/// That is less than it takes to start: a job for which it is not so can only wait for new nodes.
pub(crate) fn has_nodes_for(state: &State, spec: &JobSpec) -> bool {
    if state.capacity.nodes.len() == 0 {
        return true;
    }
    let demand = Demand::new(spec, &state.catalog, &state.capacity);
    let lets_in =
        |node: &Node| spec.constraint.require.as_ref().is_none_or(|it| it.matches(&node.spec));
    // Mostly one of the first few nodes will do.
    let has_one = |(group, model): (&GroupDemand, &ModelId)| {
        let mut nodes = state.capacity.nodes.iter().map(|(_, node)| node);
        nodes.any(|node| node.model == *model && node.capacity_whole(group) > 0 && lets_in(node))
    };
    let mut alternatives = demand.alternatives.iter();
    alternatives.any(|models| demand.groups.iter().zip(&models.models).all(has_one))
}
