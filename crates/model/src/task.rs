//! Tasks: the equal members of a gang, and the groups of a gang whose members differ.

mod build;

use serde::{Deserialize, Serialize};

use crate::name::Name;
use crate::share::Share;
use crate::unit::{Mib, MilliCpu};

/// Tasks of one shape within a job (a learner, its actors; prefill, decode).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TaskGroup {
    /// The group's name within the job.
    pub name: Name,
    /// How many tasks.
    pub tasks: TaskCount,
    /// What each of them needs.
    pub task: TaskShape,
}

/// A fixed number of tasks, or the range an elastic job runs with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TaskCount {
    /// The fewest tasks the job runs with.
    pub min: u32,
    /// The most it can use.
    pub max: u32,
}

impl TaskCount {
    /// Exactly so many.
    pub const fn exactly(tasks: u32) -> Self {
        TaskCount { min: tasks, max: tasks }
    }

    /// Whether the count is a range.
    pub fn is_elastic(self) -> bool {
        self.min != self.max
    }
}

/// What one task needs on its node.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct TaskShape {
    /// Whole GPUs; 0 with a share, or for a task that needs none.
    pub gpus: u32,
    /// Part of one GPU instead of whole ones.
    pub share: Option<Share>,
    /// Acceptable GPU models, best first; empty means any.
    pub models: Vec<Name>,
    /// CPUs.
    pub cpus: MilliCpu,
    /// Memory.
    pub memory: Mib,
    /// The task's GPUs must reach each other over NVLink.
    pub nvlink: bool,
    /// The task has its node to itself.
    pub exclusive: bool,
}
