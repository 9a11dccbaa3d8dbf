//! Where added tasks go: on the model and inside the domain of the group as first placed, near
//! it first, in whole segments, on nodes that its constraint lets in.

use muster_model::NodeId;

use crate::action::TaskPlace;
use crate::dense::{DomainId, ModelId};
use crate::elastic::size::Range;
use crate::place::fill::Filler;
use crate::place::{Search, looks};
use crate::state::shape::Shape;
use crate::transaction::Transaction;

/// A group that runs and could have more tasks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Growing<'a> {
    pub(crate) shape: &'a Shape,
    pub(crate) range: Range,
    /// The model of each group.
    pub(crate) models: &'a [ModelId],
    /// A node it is on.
    pub(crate) near: NodeId,
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
        for eligible in looks(self.shape) {
            let search =
                Search { demand, models: self.models, eligible, node_depth: self.node_depth };
            let placed = u32::try_from(tasks.len()).expect("tasks are bounded by validation");
            let mut rest = wanted - placed;
            let mut filler = Filler::new(transaction, &search);
            filler.start_group_at(self.range.group, rank + placed);
            if demand.require == self.node_depth {
                rest -= self.on_its_node(&mut filler, rest);
            } else {
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

    /// All on the one node there is for it.
    fn on_its_node(&self, filler: &mut Filler<'_, '_, '_>, wanted: u32) -> u32 {
        if filler.transaction().capacity().nodes[self.near].counted.is_none() {
            return 0;
        }
        let unit = self.range.block;
        let tasks = (filler.capacity(self.near) / unit * unit).min(wanted);
        filler.put(self.near, tasks);
        tasks
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
        let leaf = capacity.nodes[self.near].leaf;
        let around = (demand.require..=narrowest).rev();
        around.map(|depth| capacity.topology.ancestor(leaf, depth)).collect()
    }
}
