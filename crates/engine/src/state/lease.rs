//! Leases of nodes that are out of sight. Those that end at one moment are one event, so that a
//! lost rack costs one step and every gang on it is lost once.

use std::collections::{BTreeMap, BTreeSet};

use muster_model::{NodeId, Time};

use crate::state::timer::{Timer, Timers};

/// The nodes out of sight by when their leases end. Built from what is known of the nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Leases {
    ends: BTreeMap<Time, BTreeSet<NodeId>>,
}

impl Leases {
    /// A node's lease runs until a time.
    pub(crate) fn run(&mut self, node: NodeId, until: Time, timers: &mut Timers) {
        self.ends.entry(until).or_default().insert(node);
        timers.set(until, Timer::Leases);
    }

    /// A node's lease that was to end at a time does not end then.
    pub(crate) fn call_off(&mut self, node: NodeId, until: Time, timers: &mut Timers) {
        let Some(nodes) = self.ends.get_mut(&until) else { return };
        nodes.remove(&node);
        if nodes.is_empty() {
            self.ends.remove(&until);
            timers.clear(until, Timer::Leases);
        }
    }

    /// The nodes whose leases end first, taken out.
    pub(crate) fn take_first(&mut self) -> Vec<NodeId> {
        let first = self.ends.pop_first();
        first.into_iter().flat_map(|(_, nodes)| nodes).collect()
    }
}
