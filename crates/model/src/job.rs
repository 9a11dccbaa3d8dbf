//! A job as it is submitted: a gang of tasks that start together or not at all.

mod build;
mod validate;

use serde::{Deserialize, Serialize};

use crate::checkpoint::Checkpoint;
use crate::constraint::Constraint;
use crate::dependency::Dependency;
use crate::name::{Name, QueueName};
use crate::scaling::Scaling;
use crate::task::TaskGroup;
use crate::timing::Timing;
use crate::topology::TopologyWish;

/// Everything a user says about a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct JobSpec {
    /// Its name; need not be unique.
    pub name: Name,
    /// Who submits it.
    pub user: Name,
    /// The team it is accounted to, where the user has several.
    #[serde(default)]
    pub team: Option<Name>,
    /// The queue that pays for it.
    pub queue: QueueName,
    /// Its class.
    pub class: Name,
    /// Its tasks, in one group or a few.
    pub groups: Vec<TaskGroup>,
    /// Where its tasks should sit relative to each other.
    #[serde(default)]
    pub topology: TopologyWish,
    /// Which nodes it may use.
    #[serde(default)]
    pub constraint: Constraint,
    /// One element per index instead of a single job.
    #[serde(default)]
    pub array: Option<Array>,
    /// What it waits for; all of them.
    #[serde(default)]
    pub after: Vec<Dependency>,
    /// When and for how long.
    #[serde(default)]
    pub timing: Timing,
    /// How it may be interrupted.
    #[serde(default)]
    pub checkpoint: Checkpoint,
    /// How it gets on with more or fewer tasks, if it is elastic.
    #[serde(default)]
    pub scaling: Scaling,
    /// The user's own weight in doublings, -2 to 2; larger goes first among equals.
    #[serde(default)]
    pub weight: i8,
    /// What happens when an attempt is lost.
    #[serde(default)]
    pub requeue: Requeue,
    /// The booking it runs in, and only there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub booking: Option<Name>,
    /// Wait until released.
    #[serde(default)]
    pub hold: bool,
}

impl JobSpec {
    /// The group whose number of tasks may change while the job runs: the first one with a range
    /// whose tasks have whole GPUs. All others keep their fewest tasks.
    pub fn elastic_group(&self) -> Option<usize> {
        self.groups.iter().position(|group| group.tasks.is_elastic() && group.task.gpus > 0)
    }
}

/// The elements of an array job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Array {
    /// The index of each element, ascending, without repeats.
    pub indexes: Vec<u32>,
    /// At most so many elements run at once.
    #[serde(default)]
    pub throttle: Option<u32>,
}

/// When a lost attempt is followed by another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Requeue {
    /// Start again after a node was lost or the attempt was taken away.
    pub when_lost: bool,
    /// Start again after the job itself failed.
    pub when_failed: bool,
    /// At most so many further attempts; then the job ends with the last failure.
    pub most: u32,
}

impl Default for Requeue {
    fn default() -> Self {
        Requeue { when_lost: true, when_failed: false, most: 16 }
    }
}
