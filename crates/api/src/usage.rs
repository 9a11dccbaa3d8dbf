//! What attempts use of their nodes: as agents measure it, and as the accounting tells it.

mod funnel;
mod idle;
mod report;

use muster_engine::command::Running;
use serde::{Deserialize, Serialize};

pub use funnel::{Funnel, Lost, Stages, Unallocated};
pub use idle::{IdleJob, IdlePreview};
pub use report::{
    AttemptUsage, Bucket, JobUsage, Offender, UsageBucket, UsageBy, UsagePoint, UsageReport,
    UsageRow, WasteKind, WasteReport,
};

/// What an attempt used on a node in a span of time. While the span goes on it is told again with
/// a later end, in place of what was told before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsageSpan {
    /// The attempt.
    pub of: Running,
    /// The beginning, in milliseconds since 1970.
    pub from_ms: u64,
    /// The end so far.
    pub to_ms: u64,
    /// Thousandths of GPUs it held at the end.
    pub gpus_milli: u64,
    /// GPU-milliseconds it held.
    pub held_gpu_ms: u64,
    /// GPU-milliseconds of those in which the GPU was busy, where that was measured throughout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active_gpu_ms: Option<u64>,
}
