//! Bookings: nodes set aside from a time on, for some or for nobody. A reservation in advance, a
//! maintenance and a drain are all this.

mod build;
mod validate;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::job::JobSpec;
use crate::name::{Name, QueueName};
use crate::node::NodeSpec;
use crate::unit::Time;

/// Nodes that are set aside for a span of time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Booking {
    /// Its name, by which jobs ask to run in it.
    pub name: Name,
    /// Users whose jobs may run in it.
    #[serde(default)]
    pub users: Vec<Name>,
    /// Queues whose jobs may run in it, with those below them. No users and no queues: nobody,
    /// for maintenance.
    #[serde(default)]
    pub queues: Vec<QueueName>,
    /// The nodes; those that join one of its domains later are part of it too.
    pub places: Vec<BookedPlace>,
    /// From when on.
    pub start: Time,
    /// Until when; without an end, until it is taken back.
    #[serde(default)]
    pub end: Option<Time>,
    /// What becomes of jobs of others that are still there when it starts.
    #[serde(default)]
    pub leftovers: Leftovers,
}

/// Some of the nodes of a booking.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BookedPlace {
    /// All nodes of a domain, by its names from the widest level down; the whole cluster if there
    /// are none.
    Domain(Vec<Name>),
    /// One node.
    Node(Name),
}

/// What becomes of jobs that may not be where they are when a booking starts, because they were
/// there before it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Leftovers {
    /// They are waited for.
    #[default]
    Wait,
    /// Those that start again when they are lost are stopped in time, and start again elsewhere.
    Requeue,
}

impl Booking {
    /// Whether it is for nobody: nothing runs there while it lasts.
    pub fn is_for_nobody(&self) -> bool {
        self.users.is_empty() && self.queues.is_empty()
    }

    /// Whether jobs of a user in a queue may run in it.
    pub fn lets_in(&self, user: &Name, queue: &QueueName) -> bool {
        let is_within = |above: &QueueName| queue == above || queue.is_below(above);
        self.users.contains(user) || self.queues.iter().any(is_within)
    }

    /// Whether a job runs in it: it names it and may use it.
    pub fn is_for(&self, job: &JobSpec) -> bool {
        job.booking.as_ref() == Some(&self.name) && self.lets_in(&job.user, &job.queue)
    }

    /// Whether a node is part of it.
    pub fn covers(&self, node: &NodeSpec) -> bool {
        self.places.iter().any(|place| match place {
            BookedPlace::Domain(path) => node.domains.starts_with(path),
            BookedPlace::Node(name) => node.name == *name,
        })
    }

    /// Whether it lasts at some moment at which another does.
    pub fn meets(&self, other: &Booking) -> bool {
        let ends_after = |one: &Booking, start: Time| one.end.is_none_or(|end| end > start);
        ends_after(self, other.start) && ends_after(other, self.start)
    }
}

impl fmt::Display for BookedPlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookedPlace::Node(name) => write!(formatter, "{name}"),
            BookedPlace::Domain(path) if path.is_empty() => formatter.write_str("all nodes"),
            BookedPlace::Domain(path) => {
                let names: Vec<&str> = path.iter().map(Name::as_str).collect();
                formatter.write_str(&names.join("/"))
            }
        }
    }
}
