//! Placement: finds room for a whole gang, or says that there is none.
//!
//! Narrow domains come first, and among equals the one it fills best, so that whole nodes and
//! whole domains stay free for those who need them. The search is exact for gangs of one
//! group: it fails only if no placement by these rules exists.

pub(crate) mod close;
pub(crate) mod domains;
pub(crate) mod fill;
pub(crate) mod gang;
pub(crate) mod gradient;
pub(crate) mod left;
pub(crate) mod model;
pub(crate) mod one_node;
pub(crate) mod pinned;
pub(crate) mod placer;
pub(crate) mod retry;
pub(crate) mod share;
pub(crate) mod spread;

use fixedbitset::FixedBitSet;
use muster_model::NodeId;

use crate::action::TaskPlace;
use crate::dense::{Key, ModelId};
use crate::explain::RiskTerms;
use crate::snapshot::PlaceRecord;
use crate::state::booking::Terms;
use crate::state::demand::{Charge, Demand, GroupDemand};
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
    /// Nodes that fail often and were in question.
    pub(crate) risk: Option<RiskTerms>,
}

impl Placed {
    /// The nodes of it, ascending.
    pub(crate) fn nodes(&self) -> Vec<NodeId> {
        let mut nodes: Vec<NodeId> = self.tasks.iter().map(|(node, _)| *node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// What the gang takes from its queue here.
    pub(crate) fn charge(&self, demand: &Demand) -> Charge {
        let alternative = &demand.alternatives[self.alternative];
        let mut charge = alternative.charge.clone();
        if demand.has_shares() {
            let tasks = self.tasks.iter().map(|(_, task)| task);
            charge.set_shares(demand, &alternative.models, tasks);
        }
        charge
    }
}

/// One look for a place: a demand, the models to use, the nodes to consider.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search<'a> {
    pub(crate) demand: &'a Demand,
    pub(crate) models: &'a [ModelId],
    pub(crate) eligible: Option<&'a FixedBitSet>,
    /// Nodes that this look leaves out, whatever the constraint says.
    pub(crate) avoid: Option<&'a FixedBitSet>,
    /// On what terms it may be on nodes that are booked.
    pub(crate) terms: Terms,
    pub(crate) node_depth: u8,
}

impl Search<'_> {
    /// Whether the constraint lets a node in, the look does not leave it out, and no booking is in
    /// the way.
    pub(crate) fn lets_in(&self, node: &Node) -> bool {
        self.is_eligible(node.id) && self.terms.are_met(&node.spans)
    }

    /// Whether the constraint lets a node in, and the look does not leave it out.
    pub(crate) fn is_eligible(&self, node: NodeId) -> bool {
        self.eligible.is_none_or(|set| set.contains(node.index()))
            && !self.avoid.is_some_and(|set| set.contains(node.index()))
    }

    /// How many tasks of a group a node can take now.
    pub(crate) fn capacity(&self, node: &Node, group: &GroupDemand, unit: u32) -> u32 {
        if self.lets_in(node) { node.capacity(group, unit) } else { 0 }
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
    let terms = transaction.capacity().terms(shape);
    place_by(transaction, shape, alternatives, node_depth, terms)
}

/// The same on other terms than those of a start just now.
pub(crate) fn place_by(
    transaction: &mut Transaction<'_>,
    shape: &Shape,
    alternatives: u64,
    node_depth: u8,
    terms: Terms,
) -> Option<Placed> {
    if let Some(pin) = &shape.pin {
        return pinned::place(transaction, &shape.demand, pin, terms);
    }
    let demand = &shape.demand;
    let risky = transaction.capacity().risky(demand);
    let any = Search { demand, models: &[], eligible: None, avoid: None, terms, node_depth };
    if risky.is_none()
        && let Some(placed) = model::place(transaction, shape, alternatives, &any)
    {
        return Some(placed);
    }
    for (index, alternative) in demand.alternatives.iter().enumerate() {
        if alternatives >> index & 1 == 0 {
            continue;
        }
        let models = &alternative.models;
        for (avoid, eligible) in all_looks(shape, risky.as_ref()) {
            let search = Search { demand, models, eligible, avoid, terms, node_depth };
            if let Some(mut placed) = gang::place(transaction, &search) {
                placed.alternative = index;
                placed.risk = risky.as_ref().map(|risky| risk(risky, &placed.tasks));
                return Some(placed);
            }
        }
    }
    None
}

/// Places a shape on some of the nodes only, as far as its constraint lets them in; `claimed` for
/// nodes that are claimed, which are counted apart.
pub(crate) fn place_on(
    transaction: &mut Transaction<'_>,
    shape: &Shape,
    alternatives: u64,
    node_depth: u8,
    (nodes, claimed): (FixedBitSet, bool),
) -> Option<Placed> {
    let nodes = let_in(shape, nodes);
    let demand = &shape.demand;
    let terms = transaction.capacity().terms(shape);
    for (index, alternative) in demand.alternatives.iter().enumerate() {
        if alternatives >> index & 1 == 0 {
            continue;
        }
        let models = transaction.capacity().counted_as(&alternative.models, claimed);
        let eligible = Some(&nodes);
        let search = Search { demand, models: &models, eligible, avoid: None, terms, node_depth };
        if let Some(mut placed) = gang::place(transaction, &search) {
            placed.alternative = index;
            return Some(placed);
        }
    }
    None
}

/// Those of some nodes that the constraint of a shape lets in.
pub(crate) fn let_in(shape: &Shape, mut nodes: FixedBitSet) -> FixedBitSet {
    if let Some((_, set)) = shape.eligible.last() {
        nodes.intersect_with(set);
    }
    nodes
}

/// Places a shape elsewhere than on some nodes, by one of the given alternatives (as bits).
pub(crate) fn place_off(
    transaction: &mut Transaction<'_>,
    shape: &Shape,
    (alternatives, node_depth, terms): (u64, u8, Terms),
    off: &FixedBitSet,
) -> Option<Placed> {
    let demand = &shape.demand;
    let careful = transaction.capacity().risky(demand).map(|mut risky| {
        risky.grow(off.len());
        risky.union_with(off);
        risky
    });
    for (index, alternative) in demand.alternatives.iter().enumerate() {
        if alternatives >> index & 1 == 0 {
            continue;
        }
        let models = &alternative.models;
        for avoid in careful.iter().chain([off]) {
            for eligible in looks(shape) {
                let avoid = Some(avoid);
                let search = Search { demand, models, eligible, avoid, terms, node_depth };
                if let Some(mut placed) = gang::place(transaction, &search) {
                    placed.alternative = index;
                    return Some(placed);
                }
            }
        }
    }
    None
}

/// What became of the nodes that fail often.
pub(crate) fn risk(risky: &FixedBitSet, tasks: &[(NodeId, TaskPlace)]) -> RiskTerms {
    let is_risky = |node: &NodeId| risky.contains(node.index());
    let mut used: Vec<NodeId> = tasks.iter().map(|(node, _)| *node).filter(is_risky).collect();
    used.sort_unstable();
    used.dedup();
    let nodes = risky.ones().map(NodeId::from_index);
    let avoided = nodes.filter(|node| used.binary_search(node).is_err()).collect();
    RiskTerms { avoided, used }
}

/// The looks at nodes: without those that fail often before with them, and in each the pickiest
/// look of the constraint first.
fn all_looks<'a>(
    shape: &'a Shape,
    risky: Option<&'a FixedBitSet>,
) -> impl Iterator<Item = (Option<&'a FixedBitSet>, Option<&'a FixedBitSet>)> {
    let careful = risky.map(Some);
    let avoid = careful.into_iter().chain([None]);
    avoid.flat_map(move |avoid| looks(shape).map(move |eligible| (avoid, eligible)))
}

/// The sets of nodes to look at, pickiest first; one look at all without a constraint.
pub(crate) fn looks(shape: &Shape) -> impl Iterator<Item = Option<&FixedBitSet>> {
    let all = shape.eligible.is_empty().then_some(None);
    all.into_iter().chain(shape.eligible.iter().map(|(_, set)| Some(set)))
}
