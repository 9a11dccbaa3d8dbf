//! How an elastic job gets on with more or fewer tasks: its speed at some sizes, and what it
//! costs to change from one to another.

use serde::{Deserialize, Serialize};

use crate::unit::Millis;

/// What a user knows of how their job scales.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Scaling {
    /// Its speed at some sizes, by ascending size; only their ratios matter. What is not given
    /// is learned from reports.
    pub speeds: Vec<SpeedPoint>,
    /// How long it stands still while its size changes.
    pub resize: Millis,
}

/// The speed of a job at one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SpeedPoint {
    /// Tasks of the group whose number changes.
    pub tasks: u32,
    /// Steps per 1000 seconds, or anything else that is in proportion.
    pub speed: u32,
}

impl Default for Scaling {
    fn default() -> Self {
        Scaling { speeds: Vec::new(), resize: Millis::seconds(30) }
    }
}
