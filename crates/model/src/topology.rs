//! Topology: the levels of the cluster's tree, and what a gang wishes of them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::name::Name;
use crate::unit::Millis;

/// How people write the lowest level; no configured level may have this name.
pub const NODE_LEVEL: &str = "node";

/// A level at which tasks may be asked to sit together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// A level of the cluster's tree by its configured name (`rack`).
    Named(Name),
    /// One node.
    Node,
}

impl From<&str> for Level {
    /// The level of that name; `node` is the node itself.
    fn from(text: &str) -> Self {
        if text == NODE_LEVEL { Level::Node } else { Level::Named(Name::from(text)) }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Level::Named(name) => write!(formatter, "{name}"),
            Level::Node => formatter.write_str(NODE_LEVEL),
        }
    }
}

/// What a gang asks of the places of its tasks.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct TopologyWish {
    /// All tasks inside one domain of this level, or the gang waits.
    pub require: Option<Level>,
    /// How long that is insisted on while the gang could start; after that it is preferred.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patience: Option<Millis>,
    /// As near as this is near enough: one domain of this level where possible, else wider.
    pub prefer: Option<Level>,
    /// Blocks of tasks that must each share a domain.
    pub segment: Option<Segment>,
    /// Put tasks on as many nodes as possible instead of as few.
    pub spread: bool,
    /// Each task on a node of its own, or the gang waits; other jobs may be there.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub apart: bool,
}

/// Blocks of `tasks` consecutive tasks, each block inside one domain of `level`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Segment {
    /// Tasks in one block.
    pub tasks: u32,
    /// The level each block shares.
    pub level: Level,
}
