//! How busy an attempt kept each of its GPUs.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::moment::Moment;

/// How busy one attempt kept its GPUs, each by itself and over time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JobActivity {
    /// The attempt; 0 where there was none yet.
    pub attempt: u32,
    /// The beginning.
    #[schema(value_type = String)]
    pub from: Moment,
    /// The end, so far.
    #[schema(value_type = String)]
    pub to: Moment,
    /// How long each step is.
    pub step_ms: u64,
    /// GPUs, those least busy first and those that nobody measured last.
    pub gpus: Vec<GpuActivity>,
    /// How many there are besides, all of them at least as busy or not measured.
    pub more: u64,
}

/// How busy an attempt kept one GPU.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GpuActivity {
    /// The node.
    pub node: String,
    /// Its number there.
    pub gpu: u32,
    /// Which tasks had it, by group and rank.
    pub tasks: Vec<TaskNumber>,
    /// Thousandths of the time in which it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub busy: Option<u32>,
    /// The same for each step; null for one in which it was not measured.
    pub steps: Vec<Option<u32>>,
}

/// A task of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
pub struct TaskNumber {
    /// Its group.
    pub group: u16,
    /// Its rank within the group.
    pub rank: u32,
}
