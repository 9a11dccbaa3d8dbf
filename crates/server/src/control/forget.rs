//! Nodes that are gone: since when, and how one is forgotten for good. The engine keeps the numbers
//! of nodes for ever; it gives nothing to one that is gone, so that there is nothing to tell it.

use std::collections::{BTreeMap, BTreeSet};

use muster_engine::Engine;
use muster_engine::snapshot::Sight;
use muster_model::{Name, NodeId, Time};
use serde::{Deserialize, Serialize};

use super::holding::rejected;
use super::worth::Books;
use super::{Applied, Control};

/// Nodes that are not there any more.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Absent {
    /// Since when those are gone that may come back.
    gone: BTreeMap<NodeId, Time>,
    /// Those that nobody expects back.
    forgotten: BTreeSet<NodeId>,
}

impl Absent {
    /// Takes in how a node is.
    pub(super) fn note(&mut self, engine: &Engine, node: NodeId) {
        match engine.node(node).map(|known| known.sight) {
            Some(Sight::Gone) => {
                self.gone.entry(node).or_insert(engine.now());
            }
            _ => {
                self.gone.remove(&node);
            }
        }
    }

    /// It has come back, whatever was said of it.
    pub(super) fn came(&mut self, node: NodeId) {
        self.forgotten.remove(&node);
    }

    pub(super) fn is_forgotten(&self, node: NodeId) -> bool {
        self.forgotten.contains(&node)
    }

    /// Whether a node has been gone for so long that it counts as removed.
    pub(super) fn is_removed(&self, node: NodeId, now: Time, gone_ms: u64) -> bool {
        self.gone.get(&node).is_some_and(|since| now.since(*since).0 >= gone_ms)
    }
}

impl Control {
    /// Forgets a node that is gone: it is listed and paid for no longer. Should it come back, it is
    /// as any other that comes.
    pub(super) fn forget_node(&mut self, node: NodeId) -> Applied {
        let known = self.engine.node(node).filter(|_| !self.absent.is_forgotten(node));
        let Some(record) = known else {
            return rejected("node", node, "expected a node that is known");
        };
        let name: Name = record.spec.name.clone();
        let allowed = match record.sight {
            Sight::Seen => {
                "expected a node that is gone; this one can be seen: stop its agent first"
            }
            Sight::Unknown { .. } => {
                "expected a node that is gone; the lease of this one has not ended yet: wait for it"
            }
            Sight::Gone if !self.engine.jobs_on(node).is_empty() => {
                "expected a node without jobs; this one still holds some: cancel or requeue them"
            }
            Sight::Gone => {
                self.nodes.remove(&name);
                self.impaired.remove(&node);
                self.addresses.remove(&node);
                self.announced.remove(&node);
                self.absent.gone.remove(&node);
                self.absent.forgotten.insert(node);
                let books = Books { worth: [node].into(), ..Books::default() };
                return Applied { books, ..Applied::default() };
            }
        };
        rejected("node", name, allowed)
    }
}
