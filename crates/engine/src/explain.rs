//! Answers to "why": why a job waits, what would start it, and why it got the place it got.
//! All of it comes from the functions that decide, run on trial.

pub(crate) mod alternatives;
pub(crate) mod decision;
pub(crate) mod measure;
pub(crate) mod size;
pub(crate) mod why;

use muster_model::{Attempt, JobId, Level, Name, NodeId, QueueName, Time};
use serde::{Deserialize, Serialize};

use crate::action::JobState;
use crate::reason::Reason;

/// Why a job is where it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Why {
    /// The job.
    pub job: JobId,
    /// Its state.
    pub state: JobState,
    /// What keeps it from starting; never empty while it waits.
    pub reasons: Vec<Reason>,
    /// When it will probably start, from the predicted ends of what runs.
    pub estimated_start: Option<Time>,
    /// When it will have started at the latest, if nothing breaks; the floor's promise.
    pub latest_start: Option<Time>,
    /// What would start it now, or sooner.
    pub alternatives: Vec<Alternative>,
    /// How large it is, if it runs and is elastic.
    pub size: Option<Size>,
}

/// The size of a running elastic job, and why it is no larger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// Tasks that its elastic group has, those on their way in or out included.
    pub tasks: u32,
    /// The fewest it runs with.
    pub fewest: u32,
    /// The most it can use.
    pub most: u32,
    /// What keeps it from being larger.
    pub not_larger: NotLarger,
}

/// Why an elastic job is no larger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NotLarger {
    /// It has all it can use.
    AtMost,
    /// Its nodes are being asked to have so many tasks.
    Changing {
        /// Tasks it will have.
        to: u32,
    },
    /// Part of it has ended by itself.
    Ending,
    /// Its size changed a short while ago.
    Changed {
        /// When it may grow again.
        until: Time,
    },
    /// The policy lets nothing grow.
    Off,
    /// So many wait that nobody grows.
    ManyWait,
    /// Someone waits who could use what it would take.
    Wanted {
        /// The first of them.
        by: JobId,
    },
    /// It would gain less than the resize costs.
    NotWorthIt,
    /// There is no room for more of it where it is.
    NoRoom,
    /// A limit is in the way.
    Limit {
        /// The queue it belongs to.
        queue: QueueName,
    },
    /// It grows when the next pass comes to it.
    Next,
}

/// A change that would start a job, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alternative {
    /// The change.
    pub change: Change,
    /// When it would start with the change.
    pub starts: Time,
}

/// A change to a job, its queue or its surroundings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// Fewer tasks, and so GPUs, in its first group.
    Smaller {
        /// Tasks.
        tasks: u32,
        /// GPUs of the whole job then.
        gpus: u64,
    },
    /// Another GPU model.
    Model(Name),
    /// Without the level it requires.
    WithoutLevel(Level),
    /// Without the constraint on nodes.
    WithoutConstraint,
    /// With more quota in a queue.
    MoreQuota {
        /// The queue.
        queue: QueueName,
        /// Milli-GPUs more.
        gpus: u64,
    },
    /// As it is, when another job has ended.
    WhenEnds(JobId),
}

/// Why a job got the place it got.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// The job.
    pub job: JobId,
    /// The attempt that was placed.
    pub attempt: Attempt,
    /// When.
    pub at: Time,
    /// Its standing when it was chosen.
    pub order: OrderTerms,
    /// The place it got.
    pub chosen: Place,
    /// The next best place of the same level, if there was one.
    pub runner_up: Option<Place>,
}

/// The terms that put a job where it was in the order. Doublings are in thousandths.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderTerms {
    /// Placed by the service floor, ahead of all tiers.
    pub floor: bool,
    /// Within its queue's guarantee.
    pub guaranteed: bool,
    /// Value of its class.
    pub class: u32,
    /// log2 of its service rank.
    pub rank: i32,
    /// The user's weight.
    pub weight: i32,
    /// Its queue's fair-share term.
    pub fair_share: i32,
    /// Deadline urgency.
    pub urgency: i32,
    /// What it was ordered by: rank - weight - fair share - urgency.
    pub key: i32,
}

/// A place for a gang.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The narrowest domain that holds all of it, from the widest level down, and the node if
    /// it is one node.
    pub domain: Vec<Name>,
    /// Nodes used.
    pub nodes: Vec<NodeId>,
    /// Tasks more that the domain could have held: small means a tight fit.
    pub left: u32,
}
