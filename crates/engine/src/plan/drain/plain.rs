//! The plain case of a look for nodes: one group, on single nodes, by when they will probably be
//! empty. Only the soonest are looked at.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use muster_model::{NodeId, Time};

use super::{Drain, Found, Look, Shared, Until};
use crate::dense::DomainId;

impl Look<'_> {
    /// Whether nodes are waited for one by one, by when they have probably ended.
    pub(super) fn is_plain(&self) -> bool {
        let is_segmented = self.demand.segment.is_some_and(|(_, depth)| depth < self.node_depth);
        self.until == Until::Expected && self.demand.groups.len() == 1 && !is_segmented
    }

    /// The same as `inside` for one group on single nodes, without a look at those that are not
    /// needed.
    pub(super) fn soonest_inside(&self, alternative: usize, domain: DomainId) -> Found {
        let model = self.demand.alternatives[alternative].models[0];
        let below = self.capacity.topology.nodes_below(domain);
        let soonest = below.filter_map(|id| {
            let glance = self.capacity.glance(id);
            let is_one = glance.is_usable && !glance.is_claimed && glance.model == model;
            is_one.then(|| Reverse((glance.empty_at.max(self.capacity.now), id)))
        });
        let mut soonest: BinaryHeap<Reverse<(Time, NodeId)>> = soonest.collect();
        let (mut nodes, mut ready) = (Vec::new(), self.capacity.now);
        let mut missing = self.demand.groups[0].tasks;
        while missing > 0 {
            let Some(Reverse((at, id))) = soonest.pop() else { break };
            let node = &self.capacity.nodes[id];
            if !self.counts(node) {
                continue;
            }
            // One that rests is ready later.
            let rested = self.ready(node);
            if rested > at {
                soonest.push(Reverse((rested, id)));
                continue;
            }
            let tasks = self.room(0, node, &Shared::new());
            if tasks > 0 {
                missing = missing.saturating_sub(tasks);
                ready = at;
                nodes.push(id);
            }
        }
        nodes.sort_unstable();
        Found { missing, drain: Drain { ready, nodes } }
    }
}
