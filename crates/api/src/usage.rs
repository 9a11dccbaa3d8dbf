//! What attempts use of their nodes: as agents measure it, and as the accounting tells it.

mod activity;
mod funnel;
mod idle;
mod report;

use muster_engine::command::Running;
use serde::{Deserialize, Serialize};

pub use activity::{GpuActivity, JobActivity, TaskNumber};
pub use funnel::{Funnel, Lost, Stages, Unallocated};
pub use idle::{IdleJob, IdlePreview};
pub use report::{
    AttemptUsage, Bucket, JobUsage, Offender, UsageBucket, UsageBy, UsagePoint, UsageReport,
    UsageRow, WasteKind, WasteReport,
};

/// What an attempt used on a node in a span of time. While the span goes on it is told again with
/// a later end, in place of what was told before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsageSpan {
    /// The attempt.
    pub of: Running,
    /// The beginning, in milliseconds since 1970.
    pub from_ms: u64,
    /// The end so far.
    pub to_ms: u64,
    /// What it used of each GPU it held in the span.
    pub gpus: Vec<GpuSpan>,
}

/// What an attempt used of one GPU. A share counts by its part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GpuSpan {
    /// Its number on the node.
    pub gpu: u32,
    /// GPU-milliseconds it was held.
    pub held_gpu_ms: u64,
    /// GPU-milliseconds of those in which it was busy, where that was measured throughout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active_gpu_ms: Option<u64>,
}

impl UsageSpan {
    /// GPU-milliseconds held in all.
    pub fn held_gpu_ms(&self) -> u64 {
        self.gpus.iter().fold(0, |sum, gpu| sum.saturating_add(gpu.held_gpu_ms))
    }

    /// GPU-milliseconds of those in which a GPU was busy, where all of them were measured.
    pub fn active_gpu_ms(&self) -> Option<u64> {
        self.gpus.iter().try_fold(0u64, |sum, gpu| Some(sum.saturating_add(gpu.active_gpu_ms?)))
    }
}

/// Thousandths of a time that a part of it is, never more than all; nothing of no time.
///
/// ```
/// use muster_api::usage::thousandths;
///
/// assert_eq!(thousandths(1, 4), Some(250));
/// assert_eq!(thousandths(u64::MAX, u64::MAX - 1), Some(1000));
/// assert_eq!(thousandths(0, 0), None);
/// ```
pub fn thousandths(part: u64, whole: u64) -> Option<u32> {
    let thousandths = (u128::from(part.min(whole)) * 1000).checked_div(u128::from(whole))?;
    Some(u32::try_from(thousandths).expect("at most 1000"))
}
