//! What a snapshot holds of moves: the places that jobs are on their way to, and what moves may
//! still cost.

use muster_model::{JobId, NodeId, Time};
use serde::{Deserialize, Serialize};

use super::PlaceRecord;
use crate::action::TaskPlace;

/// A running job on its way to another place, all of which is held for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The job.
    pub job: JobId,
    /// Whom it makes room for.
    pub by: JobId,
    /// Since when.
    pub made: Time,
    /// Where its tasks will be.
    pub tasks: Vec<(NodeId, TaskPlace)>,
    /// The place it will get.
    pub chosen: PlaceRecord,
}

/// The books of defragmentation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefragmentationRecord {
    /// GPU-milliseconds that moves have cost, less what the budget has allowed since.
    pub spent: u64,
    /// As of when.
    pub at: Time,
    /// Whether something has changed since moves were last looked for.
    pub is_due: bool,
    /// Moves are not looked for before.
    pub after: Time,
    /// Queued jobs of which it was told which moves would start them, by number.
    pub told: Vec<JobId>,
}
