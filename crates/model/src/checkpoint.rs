//! The checkpoint contract: which rungs of the pause ladder a job allows and what each costs.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::unit::{Mib, Millis};

/// A way to take GPUs away from a running job, cheapest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Rung {
    /// Stop computing within milliseconds; memory stays on the GPU.
    Freeze,
    /// Move GPU memory to host memory within seconds; the GPU is free.
    Suspend,
    /// Let the application save, then end the attempt.
    Checkpoint,
    /// End the attempt now and restart from the last save.
    Requeue,
}

impl fmt::Display for Rung {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Rung::Freeze => "freeze",
            Rung::Suspend => "suspend",
            Rung::Checkpoint => "checkpoint",
            Rung::Requeue => "requeue",
        })
    }
}

/// What one rung costs a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RungCost {
    /// The rung.
    pub rung: Rung,
    /// Time until the GPUs are released.
    pub save: Millis,
    /// Time from getting GPUs again to computing as before.
    pub restore: Millis,
}

/// How a job may be interrupted without losing work.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Checkpoint {
    /// The rungs the job allows, each with its cost; empty means only its natural end.
    pub rungs: Vec<RungCost>,
    /// How often the application saves by itself.
    pub every: Option<Millis>,
    /// GPU memory of one task's GPU that a suspend moves to host memory; all of it where nothing
    /// is said.
    pub state: Option<Mib>,
}
