//! Where added tasks go: on the model and inside the domain of the group as first placed, near
//! it first, in whole segments, on nodes that its constraint lets in.

use fixedbitset::FixedBitSet;
use muster_model::NodeId;

use crate::action::TaskPlace;
use crate::dense::{DomainId, ModelId};
use crate::elastic::size::Range;
use crate::place::fill::Filler;
use crate::place::{Search, let_in, looks};
use crate::state::booking::Terms;
use crate::state::shape::Shape;
use crate::transaction::Transaction;

/// At most so many of a job's own nodes are looked at before all others around it.
pub(crate) const OWN_NODES_MAX: usize = 64;

/// A group that runs and could have more tasks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Growing<'a> {
    pub(crate) shape: &'a Shape,
    pub(crate) range: Range,
    /// The model of each group.
    pub(crate) models: &'a [ModelId],
    /// The first of the nodes it is on.
    pub(crate) own: &'a [NodeId],
    /// Reserved nodes that it was lent; it then grows onto these alone.
    pub(crate) lent: Option<&'a FixedBitSet>,
    pub(crate) node_depth: u8,
}

impl Growing<'_> {
    /// Places up to `wanted` tasks more, of the ranks from `rank` on, and returns them. What is
    /// placed is held by the transaction, and is a whole number of segments.
    pub(crate) fn place(
        &self,
        transaction: &mut Transaction<'_>,
        rank: u32,
        wanted: u32,
    ) -> Vec<(NodeId, TaskPlace)> {
        let mut tasks = Vec::new();
        let demand = &self.shape.demand;
        let terms = transaction.capacity().terms(self.shape);
        let lent = self.lent.map(|nodes| let_in(self.shape, nodes.clone()));
        let looks = match &lent {
            Some(nodes) => vec![Some(nodes)],
            None => looks(self.shape).collect(),
        };
        let models = transaction.capacity().counted_as(self.models, lent.is_some());
        for eligible in looks {
            let search = Search {
                demand,
                models: &models,
                eligible,
                avoid: None,
                terms,
                node_depth: self.node_depth,
            };
            let placed = u32::try_from(tasks.len()).expect("tasks are bounded by validation");
            let mut rest = wanted - placed;
            let mut filler = Filler::new(transaction, &search);
            filler.start_group_at(self.range.group, rank + placed);
            if self.fills_its_own_nodes() {
                rest -= self.on_its_nodes(&mut filler, terms, rest);
            }
            if demand.require != self.node_depth {
                for domain in self.domains(filler.transaction()) {
                    if rest > 0 {
                        rest -= filler.fill(domain, rest);
                    }
                }
            }
            tasks.extend(filler.into_tasks());
            if rest == 0 {
                break;
            }
        }
        tasks
    }

    /// Whether its own nodes come first: not if it spreads, nor where a segment is wider than a
    /// node and has to find room as a whole.
    fn fills_its_own_nodes(&self) -> bool {
        let demand = &self.shape.demand;
        let is_narrow = demand.segment.is_none_or(|(_, depth)| depth == self.node_depth);
        is_narrow && (!demand.spread || demand.require == self.node_depth)
    }

    /// As many as fit on the nodes it is on.
    fn on_its_nodes(&self, filler: &mut Filler<'_, '_, '_>, terms: Terms, wanted: u32) -> u32 {
        let model = self.models[self.range.group];
        let mut rest = wanted;
        for &id in self.own {
            let node = &filler.transaction().capacity().nodes[id];
            let is_counted = match self.lent {
                Some(nodes) => nodes.contains(id.index()) && node.spare.is_some(),
                None => node.counted.is_some(),
            };
            let may_be_there = is_counted && terms.are_met(&node.spans);
            if rest > 0 && may_be_there && node.model == model {
                let tasks = filler.capacity(id).min(rest);
                filler.put(id, tasks);
                rest -= tasks;
            }
        }
        wanted - rest
    }

    /// The domains around it, the narrowest first: none narrower than a segment's, and none
    /// wider than it requires.
    fn domains(&self, transaction: &Transaction<'_>) -> Vec<DomainId> {
        let capacity = transaction.capacity();
        let demand = &self.shape.demand;
        let lowest = self.node_depth - 1;
        let narrowest = demand.segment.map_or(lowest, |(_, depth)| depth.min(lowest));
        // Spreading asks for many nodes, so there is nothing to gain from a narrow domain.
        let narrowest = if demand.spread { demand.require } else { narrowest.max(demand.require) };
        let leaf = capacity.nodes[self.own[0]].leaf;
        let around = (demand.require..=narrowest).rev();
        around.map(|depth| capacity.topology.ancestor(leaf, depth)).collect()
    }
}
