//! Placement: finds room for a whole gang, or says that there is none.
//!
//! Narrow domains come first, and among equals the one it fills best, so that whole nodes and
//! whole domains stay free for those who need them. The search is exact for gangs of one
//! group: it fails only if no placement by these rules exists.

pub(crate) mod domains;
pub(crate) mod fill;
pub(crate) mod gang;
pub(crate) mod one_node;
pub(crate) mod retry;
pub(crate) mod spread;

use fixedbitset::FixedBitSet;
use muster_model::NodeId;

use crate::action::TaskPlace;
use crate::dense::ModelId;
use crate::snapshot::PlaceRecord;
use crate::state::demand::{Demand, GroupDemand};
use crate::state::node::Node;
use crate::state::shape::Shape;
use crate::transaction::Transaction;

/// A gang's place, as held in the transaction that found it.
#[derive(Debug)]
pub(crate) struct Placed {
    /// Which of the acceptable combinations of models it is.
    pub(crate) alternative: usize,
    /// Each task with its node, in the order of ranks within each group.
    pub(crate) tasks: Vec<(NodeId, TaskPlace)>,
    /// The domain that was looked for.
    pub(crate) chosen: PlaceRecord,
    /// The next best of the same level.
    pub(crate) runner_up: Option<PlaceRecord>,
}

/// One look for a place: a demand, the models to use, the nodes to consider.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search<'a> {
    pub(crate) demand: &'a Demand,
    pub(crate) models: &'a [ModelId],
    pub(crate) eligible: Option<&'a FixedBitSet>,
    pub(crate) node_depth: u8,
}

impl Search<'_> {
    /// Whether the constraint lets a node in.
    pub(crate) fn lets_in(&self, node: NodeId) -> bool {
        self.eligible.is_none_or(|set| set.contains(node.index()))
    }

    /// How many tasks of a group a node can take now.
    pub(crate) fn capacity(&self, node: &Node, group: &GroupDemand, unit: u32) -> u32 {
        if self.lets_in(node.id) { node.capacity(group, unit) } else { 0 }
    }
}

/// Places a shape by one of the given alternatives (as bits), best first. On success the
/// transaction holds the place; on failure it is as before.
pub(crate) fn place(
    transaction: &mut Transaction<'_>,
    shape: &Shape,
    alternatives: u64,
    node_depth: u8,
) -> Option<Placed> {
    let demand = &shape.demand;
    for (index, alternative) in demand.alternatives.iter().enumerate() {
        if alternatives >> index & 1 == 0 {
            continue;
        }
        for eligible in looks(shape) {
            let search = Search { demand, models: &alternative.models, eligible, node_depth };
            if let Some(mut placed) = gang::place(transaction, &search) {
                placed.alternative = index;
                return Some(placed);
            }
        }
    }
    None
}

/// The sets of nodes to look at, pickiest first; one look at all without a constraint.
pub(crate) fn looks(shape: &Shape) -> impl Iterator<Item = Option<&FixedBitSet>> {
    let all = shape.eligible.is_empty().then_some(None);
    all.into_iter().chain(shape.eligible.iter().map(|(_, set)| Some(set)))
}
