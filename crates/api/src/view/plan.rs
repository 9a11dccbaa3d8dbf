//! What runs next, as far as it can be foreseen.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::BookingView;
use crate::moment::Moment;

/// The plan at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlanView {
    /// The moment.
    #[schema(value_type = String)]
    pub at: Moment,
    /// Jobs that hold GPUs, those that end first before the others.
    pub running: Vec<PlannedEnd>,
    /// Jobs that wait for room: the best ranked in their order, then others that will pass them.
    pub next: Vec<PlannedStart>,
    /// How many more wait for room.
    pub waiting: u64,
    /// Nodes that are set aside.
    pub bookings: Vec<BookingView>,
}

/// Who a job in the plan is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlannedJob {
    /// Its number.
    pub job: u64,
    /// Its name.
    pub name: String,
    /// Whose it is.
    pub user: String,
    /// The team it is accounted to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// Its queue.
    pub queue: String,
    /// Its class.
    pub class: String,
    /// Thousandths of GPUs it has, or needs at least.
    pub gpus_milli: u64,
}

/// A job that runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlannedEnd {
    /// The job.
    #[serde(flatten)]
    pub of: PlannedJob,
    /// Its nodes.
    pub nodes: Vec<String>,
    /// When it started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub started: Option<Moment>,
    /// When it will probably have ended.
    #[schema(value_type = String)]
    pub ends_expected: Moment,
    /// When its limit ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub ends_latest: Option<Moment>,
    /// It uses GPUs that are held for another and gives way when that one is to start.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gives_way: bool,
}

/// A job that waits for room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlannedStart {
    /// The job.
    #[serde(flatten)]
    pub of: PlannedJob,
    /// When it was submitted.
    #[schema(value_type = String)]
    pub submitted: Moment,
    /// When it will probably start, if that can be foreseen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub starts_expected: Option<Moment>,
    /// When it will have started at the latest, if nothing breaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub starts_latest: Option<Moment>,
    /// How long it will probably run, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs_ms: Option<u64>,
    /// Where it would probably be.
    pub nodes: Vec<String>,
    /// Nodes that are held for it.
    pub reserved_nodes: Vec<String>,
    /// They are held because it has waited too long.
    pub is_starving: bool,
    /// Since when they are held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub held_since: Option<Moment>,
    /// It is backfilled: it starts in a gap while this one, which is ahead of it, still waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passes: Option<u64>,
    /// What keeps it, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
