//! A share: part of one GPU, by fraction, memory or MIG profile, isolated as far as asked.

use serde::{Deserialize, Serialize};

use crate::name::Name;
use crate::unit::{Mib, MilliGpu};

/// Part of one GPU for one task.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// How much.
    pub size: ShareSize,
    /// How strictly neighbours are kept apart.
    #[serde(default)]
    pub isolation: Isolation,
}

/// How much of a GPU a share takes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShareSize {
    /// A fraction, or a range the engine may close to fit (`0.25..0.5`).
    Fraction {
        /// The least that will do.
        least: MilliGpu,
        /// The most that is useful.
        most: MilliGpu,
    },
    /// So much GPU memory, with compute in proportion.
    Memory(Mib),
    /// A MIG profile by name.
    Mig(Name),
}

/// How strictly the tasks on one GPU are kept apart.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Isolation {
    /// By hardware (MIG).
    Hard,
    /// By enforced limits on memory and compute (MPS).
    #[default]
    Soft,
    /// Not at all (time-slicing).
    None,
}
