//! Defragmentation as data: whether running jobs are moved to make room in one piece, and at most
//! at what cost.

use serde::{Deserialize, Serialize};

use crate::unit::Millis;

/// Whether jobs are moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DefragmentationMode {
    /// Never.
    Off,
    /// It is told which moves would be made, and none is.
    Preview,
    /// They are.
    #[default]
    On,
}

/// When running jobs are moved elsewhere for a gang that fits by count and not by shape. Only
/// what may be paused is moved, so nothing is while pausing is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Defragmentation {
    /// Whether it is done.
    pub mode: DefragmentationMode,
    /// Moves cost at most this part of all GPU time, in parts per million. What one hour allows
    /// can be spent at once.
    pub budget_ppm: u32,
    /// The gain must exceed the cost by this part, in parts per million: moves can go wrong.
    pub margin_ppm: u32,
    /// A job is moved at most once in this time.
    pub interval: Millis,
    /// A job that loses more time by a move than this is not moved.
    pub loss_max: Millis,
}

impl Default for Defragmentation {
    fn default() -> Self {
        Defragmentation {
            mode: DefragmentationMode::On,
            budget_ppm: 5_000,
            margin_ppm: 500_000,
            interval: Millis::hours(4),
            loss_max: Millis::minutes(2),
        }
    }
}
