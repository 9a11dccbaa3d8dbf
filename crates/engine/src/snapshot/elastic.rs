//! What a snapshot holds of the sizes of elastic attempts.

use muster_model::{Millis, NodeId, SpeedPoint, Time};
use serde::{Deserialize, Serialize};

/// The sizes of an elastic attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ElasticRun {
    /// When it may grow again, while that is to come.
    pub grow_at: Option<Time>,
    /// Resizes so far: the number of the latest.
    pub resizes: u32,
    /// The resize under way.
    pub resize: Option<ResizeRecord>,
    /// Work done up to `counted`, in run time at its fewest tasks.
    pub worked: Millis,
    /// Since when it computes at the size it has now.
    pub counted: Option<Time>,
    /// The size it had when it grew onto nodes that were reserved for a gang: tasks from this rank
    /// up were only lent to it.
    pub lent_from: Option<u32>,
}

/// A resize under way. Tasks from the lower of the two sizes up are on their way in or out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResizeRecord {
    /// Tasks that run in any case: those it had, or keeps if that is less.
    pub from: u32,
    /// Tasks it will have; every task of a higher rank leaves.
    pub to: u32,
    /// When it was decided.
    pub since: Time,
    /// Nodes that have not confirmed yet, ascending.
    pub waits_for: Vec<NodeId>,
}

/// What reports have taught about a job.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Learned {
    /// Its speed at sizes it has had, by size.
    pub speeds: Vec<SpeedPoint>,
    /// All its work, in run time at its fewest tasks, as of the last word on how much is done.
    pub work: Option<Millis>,
}
