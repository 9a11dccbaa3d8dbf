//! What becomes of jobs that hold GPUs and compute next to nothing.

use serde::{Deserialize, Serialize};

use crate::unit::Millis;

/// When a job counts as idle, and what follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct IdleRule {
    /// For so long its GPUs have been busy for less than the part below, on all its nodes.
    pub after: Millis,
    /// The part, in thousandths.
    #[serde(default = "below")]
    #[cfg_attr(feature = "schema", schema(default = below))]
    pub below_milli: u32,
    /// What follows.
    #[serde(default)]
    pub then: WhenIdle,
}

/// What follows when a job is idle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum WhenIdle {
    /// It is flagged and its owner is told.
    #[default]
    Flag,
    /// Its GPUs are lent as well: it gives way to anyone who needs them, fillers included, by the
    /// rungs of its own contract.
    Lend,
    /// It is asked to end, and waits until its owner releases it.
    Pause,
}

fn below() -> u32 {
    50
}
