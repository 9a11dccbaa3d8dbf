//! Users and teams, and which queues a team's jobs go to.

use serde::{Deserialize, Serialize};

use crate::name::{Name, QueueName};

/// A group of users that shares a queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Team {
    /// Its name.
    pub name: Name,
    /// Where its jobs go unless they say otherwise.
    pub queue: QueueName,
    /// Who belongs to it.
    #[serde(default)]
    pub members: Vec<Name>,
}
