//! A share: part of one GPU, by fraction, memory or MIG profile, isolated as far as asked.

use serde::{Deserialize, Serialize};

use crate::name::Name;
use crate::unit::{Mib, MilliGpu};

/// Part of one GPU for one task.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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

impl Isolation {
    /// All of them, the strictest first.
    pub const ALL: [Isolation; 3] = [Isolation::Hard, Isolation::Soft, Isolation::None];

    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Isolation::Hard => "hard",
            Isolation::Soft => "soft",
            Isolation::None => "none",
        }
    }
}

/// The ways in which a node's agent can share out its GPUs.
///
/// Cutting a card by MIG changes its settings, which not every node allows, so it is off unless
/// the node says otherwise. The other two need nothing but a process beside the tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Sharing {
    /// It can cut its GPUs by MIG.
    pub hard: bool,
    /// It can run MPS.
    pub soft: bool,
    /// It lets tasks take turns.
    pub none: bool,
}

impl Sharing {
    /// Every way there is.
    pub const ALL: Sharing = Sharing { hard: true, soft: true, none: true };

    /// No way at all: whole GPUs only.
    pub const NEVER: Sharing = Sharing { hard: false, soft: false, none: false };

    /// Whether GPUs can be shared with this isolation.
    pub const fn allows(self, isolation: Isolation) -> bool {
        match isolation {
            Isolation::Hard => self.hard,
            Isolation::Soft => self.soft,
            Isolation::None => self.none,
        }
    }
}

impl Default for Sharing {
    fn default() -> Self {
        Sharing { hard: false, soft: true, none: true }
    }
}
