//! The states of nodes, by the words of `sinfo`.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The state of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum NodeState {
    /// All of it is in use.
    Allocated,
    /// Some of it is.
    Mixed,
    /// None of it is.
    Idle,
    /// What ran there is being cleared away.
    Completing,
    /// It gets nothing new, and has nothing.
    Drained,
    /// It gets nothing new, and has something yet.
    Draining,
    /// It is out of order.
    Down,
    /// It is held for a job to come.
    Planned,
    /// It is set aside.
    Reserved,
    /// It is set aside for maintenance.
    Maint,
    /// It is not known yet.
    Unknown,
}

impl NodeState {
    /// All of them.
    pub const ALL: [NodeState; 11] = [
        NodeState::Allocated,
        NodeState::Mixed,
        NodeState::Idle,
        NodeState::Completing,
        NodeState::Drained,
        NodeState::Draining,
        NodeState::Down,
        NodeState::Planned,
        NodeState::Reserved,
        NodeState::Maint,
        NodeState::Unknown,
    ];

    /// Whether this is its word, long or short.
    pub fn is_called(self, word: &str) -> bool {
        let (long, short) = self.words();
        word == long || word == short
    }

    /// The long word, and the short one.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            NodeState::Allocated => ("allocated", "alloc"),
            NodeState::Mixed => ("mixed", "mix"),
            NodeState::Idle => ("idle", "idle"),
            NodeState::Completing => ("completing", "comp"),
            NodeState::Drained => ("drained", "drain"),
            NodeState::Draining => ("draining", "drng"),
            NodeState::Down => ("down", "down"),
            NodeState::Planned => ("planned", "plnd"),
            NodeState::Reserved => ("reserved", "resv"),
            NodeState::Maint => ("maint", "maint"),
            NodeState::Unknown => ("unknown", "unk"),
        }
    }

    /// As `sinfo -o %T` shows it, with a star where the node does not answer.
    pub fn long(self, is_silent: bool) -> String {
        format!("{}{}", self.words().0, if is_silent { "*" } else { "" })
    }

    /// As `sinfo -o %t` shows it, with a star where the node does not answer.
    pub fn short(self, is_silent: bool) -> String {
        format!("{}{}", self.words().1, if is_silent { "*" } else { "" })
    }
}

impl fmt::Display for NodeState {
    /// As `scontrol` shows it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.words().0.to_ascii_uppercase())
    }
}
