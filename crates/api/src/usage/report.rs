//! What the accounting answers: by whom, of one job, and where GPU time is wasted.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Funnel;
use crate::moment::Moment;

/// What usage is summed up by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum UsageBy {
    /// The team a job is accounted to.
    #[default]
    Team,
    /// Who submitted it.
    User,
    /// The job, by its number.
    Job,
    /// The class it was submitted under.
    Class,
    /// The model of the GPUs.
    Model,
    /// Where it was queued.
    Queue,
    /// The node.
    Node,
}

impl fmt::Display for UsageBy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            UsageBy::Team => "team",
            UsageBy::User => "user",
            UsageBy::Job => "job",
            UsageBy::Class => "class",
            UsageBy::Model => "model",
            UsageBy::Queue => "queue",
            UsageBy::Node => "node",
        })
    }
}

/// How finely usage is told over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Bucket {
    /// By hours.
    Hour,
    /// By days, in UTC.
    Day,
}

/// What was used in a span of time, and by whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UsageReport {
    /// The beginning. Earlier than asked for where jobs of that day have been forgotten: what is
    /// left of those is known by whole days.
    #[schema(value_type = String)]
    pub since: Moment,
    /// The end; later than asked for by the same rule, and never later than now.
    #[schema(value_type = String)]
    pub until: Moment,
    /// What the rows are summed up by.
    pub by: UsageBy,
    /// What prices are in; absent where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// All of it.
    pub total: Funnel,
    /// Most allocated first.
    pub rows: Vec<UsageRow>,
    /// How many rows were left out, being beyond the limit.
    #[serde(default)]
    pub more: u64,
    /// What those come to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<Funnel>,
    /// The same over time, where that was asked for: oldest first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buckets: Option<Vec<UsageBucket>>,
}

/// What one of them used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UsageRow {
    /// The team, user, job, class, model, queue or node. Empty for jobs that have none, and by job
    /// for all that have been forgotten.
    pub key: String,
    /// More about it: of a job, its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What it used.
    pub funnel: Funnel,
}

/// What was used in an hour or a day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UsageBucket {
    /// When it began.
    #[schema(value_type = String)]
    pub at: Moment,
    /// By whom; absent for all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// What was used.
    pub funnel: Funnel,
}

/// What one job used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JobUsage {
    /// What prices are in; absent where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// All its attempts together.
    pub funnel: Funnel,
    /// Each of them, oldest first.
    pub attempts: Vec<AttemptUsage>,
    /// What it held and what of that computed, over its life in equal steps.
    pub series: Vec<UsagePoint>,
}

/// What one attempt used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AttemptUsage {
    /// Its number.
    pub attempt: u32,
    /// When its nodes were asked to launch it.
    #[schema(value_type = String)]
    pub launched: Moment,
    /// When all of them had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub started: Option<Moment>,
    /// When its work was last known to be saved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub saved: Option<Moment>,
    /// When it was over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub ended: Option<Moment>,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// Why it was not the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What it used.
    pub funnel: Funnel,
}

/// What was held and computed in a span of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UsagePoint {
    /// The beginning.
    #[schema(value_type = String)]
    pub from: Moment,
    /// The end.
    #[schema(value_type = String)]
    pub to: Moment,
    /// GPU-milliseconds held.
    pub held_gpu_ms: u64,
    /// GPU-milliseconds of those that were measured.
    pub measured_gpu_ms: u64,
    /// GPU-milliseconds that computed; absent if nothing was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active_gpu_ms: Option<u64>,
}

/// Where GPU time was paid for and not of use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WasteReport {
    /// The beginning.
    #[schema(value_type = String)]
    pub since: Moment,
    /// The end.
    #[schema(value_type = String)]
    pub until: Moment,
    /// What prices are in; absent where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// The whole cluster.
    pub funnel: Funnel,
    /// Where most of it went, worst first.
    pub offenders: Vec<Offender>,
}

/// One cause of waste.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Offender {
    /// What kind of waste.
    pub kind: WasteKind,
    /// The job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job: Option<u64>,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Who submitted it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The team it is accounted to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// GPU-milliseconds that were wasted.
    pub gpu_ms: u64,
    /// What they cost, in millionths of the currency; absent where a price is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub money: Option<u64>,
    /// What happened, for people.
    pub text: String,
}

/// A kind of waste.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WasteKind {
    /// A job held GPUs and hardly computed.
    IdleJob,
    /// A job computed on its GPUs less than half of the time.
    LowActivity,
    /// Attempts failed after their last save.
    FailedAttempts,
    /// Work was given up for others, after its last save.
    Pauses,
    /// Launching, saving and restoring took their time.
    Overhead,
    /// As many GPUs were free as a job needed that waited, and lay apart.
    Fragmentation,
}
