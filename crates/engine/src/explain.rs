//! Answers to "why": why a job waits, what would start it, and why it got the place it got.
//! All of it comes from the functions that decide, run on trial.

pub(crate) mod alternatives;
pub(crate) mod booked;
pub(crate) mod decision;
pub(crate) mod foresee;
pub(crate) mod known;
pub(crate) mod measure;
pub(crate) mod pausing;
pub(crate) mod scattered;
pub(crate) mod size;
pub(crate) mod why;

use std::fmt;

use muster_model::{Attempt, JobId, Level, MilliGpu, Millis, Name, NodeId, QueueName, Rung, Time};
use serde::{Deserialize, Serialize};

use crate::action::JobState;
use crate::reason::{Reason, gpu_hours};

/// Why a job is where it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Why {
    /// The job.
    pub job: JobId,
    /// Its state.
    pub state: JobState,
    /// What keeps it from starting; never empty while it waits.
    pub reasons: Vec<Reason>,
    /// When it will probably start, from the predicted ends of what runs, and with everyone who
    /// waits getting their turn: what [`Outlook`] tells of it.
    pub estimated_start: Option<Time>,
    /// When it will have started at the latest, if nothing breaks; the floor's promise.
    pub latest_start: Option<Time>,
    /// What would start it now, or sooner.
    pub alternatives: Vec<Alternative>,
    /// How large it is, if it runs and is elastic.
    pub size: Option<Size>,
}

/// What comes next, as far as it can be foreseen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outlook {
    /// When what runs will have ended, by job.
    pub ends: Vec<Ending>,
    /// Who waits for room: the best ranked in their order, then others that will pass them.
    pub next: Vec<Coming>,
    /// How many more wait for room.
    pub more: usize,
}

/// The end of a job that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// The job.
    pub job: JobId,
    /// When it will probably have ended.
    pub expected: Time,
    /// When its limit ends it, if it has one.
    pub latest: Option<Time>,
    /// It uses GPUs that are held for another and gives way when that one is to start.
    pub gives_way: bool,
}

/// The start of a job that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coming {
    /// The job.
    pub job: JobId,
    /// The first of what keeps it from starting.
    pub reason: Option<Reason>,
    /// When it will probably start, if that can be foreseen: what [`Why`] tells of it.
    pub expected: Option<Time>,
    /// When it will have started at the latest, if nothing breaks.
    pub latest: Option<Time>,
    /// How long it will probably run.
    pub runs: Millis,
    /// Where it would probably be.
    pub nodes: Vec<NodeId>,
    /// Nodes that are held for it.
    pub held: Vec<NodeId>,
    /// They are held because it has waited too long, not because a gang is to start.
    pub is_starving: bool,
    /// Since when they are held.
    pub held_since: Option<Time>,
    /// Who is ahead of it and still waits when it starts: it is backfilled into a gap that is of
    /// no use to that one. The first of them, if there are several.
    pub passes: Option<JobId>,
}

/// What would become of a job if it were submitted now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Foreseen {
    /// When it would probably start: now if nothing keeps it.
    pub starts: Option<Time>,
    /// Where it would probably be.
    pub nodes: Vec<NodeId>,
    /// What would be told of it.
    pub why: Why,
}

/// A job that waits while as many GPUs are free as it needs, and lie apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scattered {
    /// The job.
    pub job: JobId,
    /// What it would have of them, by model.
    pub gpus: Vec<(Name, u64)>,
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
    /// What of it is on GPUs that are reserved for another.
    pub lent: Option<Lent>,
    /// What keeps it from being larger.
    pub not_larger: NotLarger,
}

/// Tasks on GPUs that are reserved for a gang: they go when it needs them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lent {
    /// How many.
    pub tasks: u32,
    /// The narrowest domain that holds them, from the widest level down.
    pub domain: Vec<Name>,
    /// The gang.
    pub by: JobId,
    /// When it will probably need them.
    pub until: Time,
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
    /// A smaller part of a GPU for each task.
    Share(MilliGpu),
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
    /// For an attempt that followed the loss of a node at once: what it has of its old place.
    pub repair: Option<RepairTerms>,
    /// For a large gang: nodes that fail often and were in question.
    pub risk: Option<RiskTerms>,
    /// For an attempt that followed a move: for whom, and at what cost.
    pub moved: Option<Paused>,
    /// What failures seen so far mean for it, while it holds its nodes.
    pub advice: Option<Advice>,
}

/// What a gang that lost a node has of its old place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepairTerms {
    /// Tasks that have the node and GPUs they had.
    pub stayed: u32,
    /// Tasks that are elsewhere now.
    pub moved: u32,
    /// The nodes it lost.
    pub lost: Vec<NodeId>,
}

/// Nodes that fail far more often than others, when a large gang was placed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RiskTerms {
    /// Those it was kept off.
    pub avoided: Vec<NodeId>,
    /// Those it is on, because it did not fit otherwise.
    pub used: Vec<NodeId>,
}

/// What the failures of nodes seen so far mean for a gang.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Advice {
    /// The mean time until one of its nodes fails.
    pub mttf: Millis,
    /// How often it should save; unknown where it does not say what a save costs.
    pub save_every: Option<Millis>,
    /// Spare nodes that would be enough in 99 of 100 cases; for large gangs only.
    pub spares: Option<u32>,
}

/// Why and how a job was paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paused {
    /// The job that got its GPUs.
    pub by: JobId,
    /// By which right.
    pub cause: Cause,
    /// How.
    pub rung: Rung,
    /// When that was decided.
    pub at: Time,
    /// What pausing costs it: GPU-milliseconds of saving, restoring and work done twice.
    pub cost: u64,
    /// What all pauses for that job cost, with the delay of those who were paused, in
    /// GPU-milliseconds of that job's class.
    pub costs: u64,
    /// What they bring, in the same measure: waiting saved and idle GPUs used.
    pub benefit: u64,
}

/// By which right a job takes the GPUs of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// Its queue is guaranteed them, and they were lent.
    Guarantee,
    /// Its class goes first.
    Class,
    /// It ranks far enough before the other by the policy: under the default, it has far less
    /// service left to get.
    Rank,
    /// They are reserved for it, and were lent until it needs them.
    Reservation,
    /// It had waited too long.
    Floor,
    /// The other computed next to nothing, and the rule of its queue lends what is idle.
    Idle,
    /// It fits nowhere else in one piece, and the other runs on elsewhere at once.
    Move {
        /// So much sooner it starts.
        sooner: Millis,
    },
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

impl fmt::Display for Paused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let right = match self.cause {
            Cause::Guarantee => "whose queue is guaranteed the GPUs",
            Cause::Class => "whose class goes first",
            Cause::Rank => "which ranks far enough before it",
            Cause::Reservation => "for which the GPUs were reserved",
            Cause::Floor => "which had waited too long",
            Cause::Idle => "which has use for what was idle",
            Cause::Move { sooner } => {
                let (by, cost) = (self.by, gpu_hours(self.cost));
                let sooner = roughly(sooner);
                return write!(
                    formatter,
                    "moved for job {by}: cost {cost}; job {by} starts {sooner} earlier"
                );
            }
        };
        write!(
            formatter,
            "paused by {} for job {}, {right}: cost {}, benefit {}",
            self.rung,
            self.by,
            gpu_hours(self.cost),
            gpu_hours(self.benefit)
        )
    }
}

/// A span that nobody knows better than to the minute; to the second below ten minutes.
pub(crate) fn roughly(span: Millis) -> Millis {
    let unit = if span < Millis::minutes(10) { Millis::seconds(1) } else { Millis::minutes(1) };
    Millis(span.0.div_ceil(unit.0) * unit.0)
}
