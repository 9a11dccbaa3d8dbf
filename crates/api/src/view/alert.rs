//! Alerts as people see them, and as they are told to webhooks and commands.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::moment::Moment;

/// What an alert is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AlertKind {
    /// A job holds GPUs and does not use them.
    IdleAllocation,
    /// A job uses its GPUs little.
    LowActivity,
    /// A job waits although so many GPUs are free, or while nodes are held for it.
    StuckGang,
    /// The latest start that a job was promised is near.
    FloorNear,
    /// A node cannot be seen, or some of its GPUs report errors.
    UnhealthyNode,
    /// A team or a queue has used more than it should.
    Budget,
}

impl AlertKind {
    /// All kinds.
    pub const ALL: [AlertKind; 6] = [
        AlertKind::IdleAllocation,
        AlertKind::LowActivity,
        AlertKind::StuckGang,
        AlertKind::FloorNear,
        AlertKind::UnhealthyNode,
        AlertKind::Budget,
    ];

    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            AlertKind::IdleAllocation => "idle-allocation",
            AlertKind::LowActivity => "low-activity",
            AlertKind::StuckGang => "stuck-gang",
            AlertKind::FloorNear => "floor-near",
            AlertKind::UnhealthyNode => "unhealthy-node",
            AlertKind::Budget => "budget",
        }
    }
}

impl fmt::Display for AlertKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}

/// Whether it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AlertState {
    /// It is so.
    Firing,
    /// It was so.
    Resolved,
}

/// Something that asks for attention, or did lately.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AlertView {
    /// The name of the alert that was asked for in the settings.
    pub alert: String,
    /// What it is about.
    pub kind: AlertKind,
    /// Whether it is over.
    pub state: AlertState,
    /// Whom it is about: `job 17`, `node n-3`, `team vision`.
    pub subject: String,
    /// What is the matter.
    pub text: String,
    /// Since when it is so.
    #[schema(value_type = String)]
    pub since: Moment,
    /// When it had been so for long enough.
    #[schema(value_type = String)]
    pub fired: Moment,
    /// When it was over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub resolved: Option<Moment>,
    /// The job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job: Option<u64>,
    /// The node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// Whose it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// The queue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue: Option<String>,
    /// When its webhook or command was told last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub told: Option<Moment>,
    /// Why it could not be told when that was last tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

impl fmt::Display for AlertState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            AlertState::Firing => "firing",
            AlertState::Resolved => "resolved",
        })
    }
}
