//! A port for every gang of several tasks, on the node of its first task, that no other gang of
//! that node has.

use std::collections::{BTreeMap, BTreeSet};

use muster_model::NodeId;
use serde::{Deserialize, Serialize};

/// The ports that are given out. They lie below those that systems hand out by themselves.
const FIRST: u16 = 29_500;
const LAST: u16 = 31_499;

/// Ports in use on each node, and the one that was given last: a port that was just given back
/// may still linger in the system, so the next one is tried first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ports {
    nodes: BTreeMap<NodeId, Given>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Given {
    used: BTreeSet<u16>,
    last: u16,
}

impl Ports {
    /// A port on this node.
    pub(crate) fn take(&mut self, node: NodeId) -> Option<(NodeId, u16)> {
        let given = self.nodes.entry(node).or_default();
        let start = if (FIRST..LAST).contains(&given.last) { given.last + 1 } else { FIRST };
        let port = (start..=LAST).chain(FIRST..start).find(|port| !given.used.contains(port))?;
        given.used.insert(port);
        given.last = port;
        Some((node, port))
    }

    /// A gang has left.
    pub(crate) fn give_back(&mut self, (node, port): (NodeId, u16)) {
        if let Some(given) = self.nodes.get_mut(&node) {
            given.used.remove(&port);
        }
    }
}
