//! How often nodes fail: a count that fades, per node and for all of them together.
//!
//! All counts fade by the same half-life, so which nodes stand out against the rest changes only
//! when one fails. What changes with time alone is whether a node's failures still weigh enough
//! to be held against it.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;
use muster_model::{Millis, NodeId, Time};

use crate::dense::Dense;
use crate::fixed;
use crate::snapshot::HazardRecord;
use crate::state::node::Node;

/// One failure, as counts hold it: enough bits that fading does not round away what counts.
pub(crate) const FAILURE: u64 = 1 << 16;

/// A node's failures are held against it while they count for more than this: one never does,
/// two do for a while.
const LEAST: u64 = FAILURE * 3 / 2;

/// A node stands out when it fails so many times as often as the mean of all.
const TIMES_THE_MEAN: u128 = 5;

/// Failures of all nodes, and which nodes may stand out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hazards {
    /// Of all nodes together.
    pub(crate) whole: HazardRecord,
    /// When the first node joined: since then failures are counted.
    pub(crate) since: Time,
    /// Nodes that have failed more than once, by when that no longer counts.
    suspects: BTreeSet<(Time, NodeId)>,
}

impl Hazards {
    /// A node has failed.
    pub(crate) fn note(&mut self, node: &mut Node, now: Time, half_life: Millis) {
        self.suspects.remove(&(counts_until(node.hazard, half_life), node.id));
        add(&mut node.hazard, now, half_life);
        add(&mut self.whole, now, half_life);
        self.suspect(node, half_life);
        // What no longer counts goes; a set that only grew would outgrow the cluster's lemons.
        self.suspects = self.suspects.split_off(&(now, NodeId(0)));
    }

    /// Looks at a node anew, as after a restore.
    pub(crate) fn suspect(&mut self, node: &Node, half_life: Millis) {
        if node.hazard.level > LEAST {
            self.suspects.insert((counts_until(node.hazard, half_life), node.id));
        }
    }

    /// Whether no node has failed more than once, so that none can stand out.
    pub(crate) fn has_no_suspects(&self) -> bool {
        self.suspects.is_empty()
    }

    /// The nodes that fail far more often than the mean, if there are any.
    pub(crate) fn risky(
        &self,
        nodes: &Dense<NodeId, Node>,
        now: Time,
        half_life: Millis,
    ) -> Option<FixedBitSet> {
        let mut risky = None;
        let whole = u128::from(level(self.whole, now, half_life));
        for &(_, id) in self.suspects.range((now, NodeId(u32::MAX))..) {
            let here = u128::from(level(nodes[id].hazard, now, half_life));
            if here * nodes.len() as u128 > TIMES_THE_MEAN * whole {
                let set = || FixedBitSet::with_capacity(nodes.len());
                risky.get_or_insert_with(set).insert(id.index());
            }
        }
        risky
    }
}

/// What a count has faded to.
pub(crate) fn level(hazard: HazardRecord, now: Time, half_life: Millis) -> u64 {
    let factor = fixed::decay(now.since(hazard.at).0, half_life.0);
    let level = fixed::scale(u128::from(hazard.level), factor);
    u64::try_from(level).expect("a count that fades does not grow")
}

fn add(hazard: &mut HazardRecord, now: Time, half_life: Millis) {
    let level = level(*hazard, now, half_life).saturating_add(FAILURE);
    *hazard = HazardRecord { level, at: now };
}

/// When a count will have faded to what is not held against a node.
fn counts_until(hazard: HazardRecord, half_life: Millis) -> Time {
    let doublings = fixed::log2(u128::from(hazard.level)) - fixed::log2(u128::from(LEAST));
    let doublings = u64::try_from(doublings).unwrap_or(0);
    let span = u128::from(half_life.0) * u128::from(doublings) / 1000;
    hazard.at + Millis(u64::try_from(span).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests;
