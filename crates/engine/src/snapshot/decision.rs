//! What a snapshot holds of why an attempt got its place.

use muster_model::{Attempt, NodeId, Time};
use serde::{Deserialize, Serialize};

use crate::explain::{OrderTerms, Paused, RepairTerms, RiskTerms};

/// Why an attempt got its place, without the names that can be looked up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionRecord {
    /// The attempt.
    pub attempt: Attempt,
    /// When.
    pub at: Time,
    /// Its terms in the order.
    pub order: OrderTerms,
    /// The place it got.
    pub chosen: PlaceRecord,
    /// The next best.
    pub runner_up: Option<PlaceRecord>,
    /// What it has of its old place, for an attempt that followed the loss of a node at once.
    pub repair: Option<Box<RepairTerms>>,
    /// Nodes that fail often and were in question, for a large gang.
    pub risk: Option<Box<RiskTerms>>,
    /// Why it was moved here, for an attempt that followed a move.
    pub moved: Option<Box<Paused>>,
}

/// A domain by one of its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceRecord {
    /// A node in it.
    pub node: NodeId,
    /// Its depth in the topology: 0 is the whole cluster, the node comes after the last level.
    pub depth: u8,
    /// Tasks more that it could have held.
    pub left: u32,
}
