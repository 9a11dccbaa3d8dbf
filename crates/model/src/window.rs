//! Windows: recurring spans of time that change what queues, classes and pools may do.

use serde::{Deserialize, Serialize};

use crate::name::{Name, QueueName};
use crate::queue::Quota;
use crate::unit::Millis;

/// A recurring span in a time zone, with what it changes while it is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Window {
    /// Its name.
    pub name: Name,
    /// When it opens, as a cron expression; the edges resolve it, the engine is told.
    pub opens: String,
    /// The IANA time zone of `opens`.
    pub zone: String,
    /// How long it stays open.
    pub lasts: Millis,
    /// What changes while it is open.
    pub changes: Vec<WindowChange>,
}

/// One thing a window changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum WindowChange {
    /// A class has another value.
    ClassValue(Name, u32),
    /// A queue has another weight.
    QueueWeight(QueueName, u32),
    /// A queue has another limit.
    QueueLimit(QueueName, Quota),
    /// A pool has another number of nodes.
    PoolSize(Name, u32),
}
