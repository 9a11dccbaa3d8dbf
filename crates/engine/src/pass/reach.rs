//! How far the room that was made could reach: a quick answer for one failed shape after the
//! other, true for all that freed nodes could help and for few others.

use std::collections::BTreeSet;

use muster_model::NodeId;

use crate::state::capacity::Capacity;
use crate::state::demand::Least;
use crate::state::front::Probe;

/// The most that freed nodes and the domains around them offer, each figure by itself.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    /// On any one freed node.
    most: Least,
    /// `tasks[depth][gpus]`: tasks of so many GPUs in a domain of that depth around one.
    tasks: Vec<Vec<u64>>,
}

impl Reach {
    pub(crate) fn new(capacity: &Capacity, freed: &[NodeId]) -> Reach {
        let mut reach = Reach::default();
        let mut seen = BTreeSet::new();
        for &id in freed {
            let node = &capacity.nodes[id];
            let Some(offer) = node.offer() else { continue };
            reach.most.widen(&offer);
            let mut here = Some(node.leaf);
            while let Some(id) = here {
                if !seen.insert((id, node.model)) {
                    break;
                }
                let domain = &capacity.topology.domains[id];
                reach.widen(usize::from(domain.depth), domain.free(node.model));
                here = domain.parent;
            }
        }
        reach
    }

    fn widen(&mut self, depth: usize, free: &crate::state::domain::Free) {
        if self.tasks.len() <= depth {
            self.tasks.resize(depth + 1, Vec::new());
        }
        let tasks = &mut self.tasks[depth];
        for gpus in 0..free.span() {
            if tasks.len() <= gpus as usize {
                tasks.push(0);
            }
            let here = free.tasks(gpus, 1);
            tasks[gpus as usize] = tasks[gpus as usize].max(here);
        }
    }

    /// Whether a freed node could help a shape. A single node is as deep as it gets; for it,
    /// what the node offers is all there is to say.
    pub(crate) fn covers(&self, probe: &Probe) -> bool {
        if !self.most.covers(&probe.least) {
            return false;
        }
        let Some(tasks) = self.tasks.get(usize::from(probe.depth)) else { return true };
        let here = tasks.get(probe.least.gpus as usize).copied().unwrap_or(0);
        here >= u64::from(probe.tasks)
    }
}
