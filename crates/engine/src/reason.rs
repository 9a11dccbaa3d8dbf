//! All the ways to say "not now": what blocks a job, what would unblock it, what retries it.

mod words;

pub(crate) use words::gpu_hours;

use muster_model::{DependencyKind, JobId, Level, MilliGpu, Millis, Name, QueueName, Time};
use serde::{Deserialize, Serialize};

use crate::explain::Paused;

/// One fact that keeps a job from starting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Someone holds it.
    Held,
    /// Another job has not got far enough.
    Dependency {
        /// The other job or array.
        on: JobId,
        /// What it has to reach.
        kind: DependencyKind,
        /// How many others would do as well.
        #[serde(default)]
        others: u32,
    },
    /// An earlier job of the same user and name is not over.
    Singleton {
        /// That job.
        behind: JobId,
    },
    /// Its earliest start is in the future.
    BeginTime {
        /// The earliest start.
        at: Time,
    },
    /// The booking it runs in has not started, or is over.
    Unopened {
        /// The booking.
        booking: Name,
        /// When it starts; nothing where there is none of that name any more.
        opens: Option<Time>,
    },
    /// Its array runs as many elements as it may.
    Throttle {
        /// At most so many.
        most: u32,
    },
    /// It pauses after failed launches, or after an attempt that failed.
    Pause {
        /// Until then.
        until: Time,
        /// Launches refused in a row; 0 where it ran and failed.
        failures: u32,
    },
    /// Its queue, or one above it, is at a limit.
    QueueLimit {
        /// The queue at its limit.
        queue: QueueName,
        /// Of what.
        resource: Resource,
        /// The limit.
        limit: u64,
        /// In use.
        used: u64,
        /// Wanted by the job.
        wanted: u64,
    },
    /// Its user is at a limit within a queue.
    UserLimit {
        /// The user.
        user: Name,
        /// The queue that limits its users.
        queue: QueueName,
        /// Of what.
        resource: Resource,
        /// The limit.
        limit: u64,
        /// In use.
        used: u64,
        /// Wanted by the job.
        wanted: u64,
    },
    /// Even with nothing else running, the nodes there are now cannot hold it.
    Impossible {
        /// Tasks it has.
        tasks: u32,
        /// Tasks that the usable nodes could hold if they were empty.
        most: u32,
        /// Usable nodes that match its model and constraint.
        nodes: u32,
    },
    /// Too few GPUs are free.
    Gpus {
        /// GPUs it needs.
        wanted: u64,
        /// GPUs free on nodes that match.
        free: u64,
    },
    /// Enough GPUs are free, but in pieces smaller than its tasks.
    Fragments {
        /// Tasks it has.
        tasks: u32,
        /// Tasks that fit where GPUs are free.
        fit: u32,
        /// GPUs free on nodes that match.
        free: u64,
    },
    /// Too few parts of GPUs that are large enough and shared the right way are free.
    Share {
        /// How much of a GPU each of its tasks needs.
        wanted: MilliGpu,
        /// The largest piece that is free and could be shared so.
        largest: MilliGpu,
        /// The node that has it.
        node: Option<Name>,
        /// Tasks it has.
        tasks: u32,
        /// Tasks for which there are parts.
        fit: u32,
    },
    /// GPUs would do, but CPUs or memory beside them are taken.
    HostResources {
        /// Tasks it has.
        tasks: u32,
        /// Tasks that fit with their CPUs and memory.
        fit: u32,
        /// Tasks that would fit by GPUs alone; 0 for tasks without GPUs.
        fit_by_gpus: u32,
    },
    /// No single domain of the level it requires has room for all of it.
    Level {
        /// The level it requires.
        level: Level,
        /// Tasks it has.
        tasks: u32,
        /// Tasks that fit into the best domain.
        fit: u32,
        /// That domain, from the widest level down.
        domain: Vec<Name>,
    },
    /// It fits, but the room is held for a job that has waited too long.
    Claimed {
        /// That job.
        by: JobId,
    },
    /// It would fit, but on nodes that are set aside before it would have ended.
    Booked {
        /// The booking.
        booking: Name,
        /// Whether it is for nobody: a maintenance.
        is_for_nobody: bool,
        /// Some of the nodes, by name.
        nodes: Vec<Name>,
        /// How many more.
        more: u32,
        /// From when on; nothing where that has come.
        from: Option<Time>,
        /// Until when, where that is known.
        until: Option<Time>,
    },
    /// Under this policy nobody passes the job at the head.
    Behind {
        /// That job.
        head: JobId,
    },
    /// Nodes are kept for it, where it will fit soonest.
    Reserved {
        /// The narrowest domain that holds them, from the widest level down.
        domain: Vec<Name>,
        /// How many.
        nodes: u32,
        /// When they will be free, for four of five such cases.
        start: Time,
        /// Half of the time between the median and the ninth decile of that.
        give_or_take: Millis,
    },
    /// Room is being made for it: others are giving way.
    Making {
        /// Those who give way, by number.
        victims: Vec<JobId>,
        /// Elastic jobs that give tasks back, by number.
        givers: Vec<JobId>,
        /// When they will have, at the latest.
        due: Time,
    },
    /// It was paused for another job.
    Paused(Paused),
    /// It is suspended, and its own GPUs are not free.
    Occupied {
        /// Who has them, by number; nobody where they are not to be had for other reasons.
        by: Vec<JobId>,
    },
    /// A running job that could make room for it is not paused.
    Spared {
        /// That job.
        job: JobId,
        /// Why not.
        why: Spared,
    },
    /// It would start at once if others moved elsewhere, which the policy does not let them do.
    Movable(Movable),
    /// It fits; the step that is due next starts it.
    Next,
}

/// Moves of running jobs that would start a queued one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Movable {
    /// Those who would move, by number.
    pub jobs: Vec<JobId>,
    /// What that costs them, in GPU-milliseconds.
    pub cost: u64,
    /// When it will probably start otherwise.
    pub otherwise: Time,
}

/// Why a running job is not paused for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spared {
    /// Its checkpoint contract does not allow it, or not in time.
    Contract,
    /// It has run for too short a time.
    JustStarted {
        /// Until then.
        until: Time,
    },
    /// It was paused a short time ago, and pausing may cost it only so much.
    Lately {
        /// Until then.
        until: Time,
    },
    /// It is as good as done.
    NearEnd {
        /// What part is done, in parts per million.
        done_ppm: u32,
        /// What is left, by its median.
        left: Millis,
    },
    /// Too much work would be done twice.
    Unsaved {
        /// Run time since it last saved.
        lost: Millis,
    },
    /// It does not rank far enough behind.
    Rank,
    /// Its queue is guaranteed what it uses.
    Guaranteed,
    /// The service floor has just served it.
    Floor,
    /// Too many others are saving their state just now.
    Saving,
    /// It is starting, pausing or ending.
    Changing,
    /// Pausing would cost more than it brings, in GPU-milliseconds of the class that waits.
    Cost {
        /// What it would cost.
        cost: u64,
        /// What it would bring.
        benefit: u64,
    },
}

/// What a limit counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resource {
    /// GPUs of all models, in milli-GPU.
    Gpus,
    /// GPUs of one model, in milli-GPU.
    GpusOf(Name),
    /// CPUs, in milli-CPU.
    Cpus,
    /// Memory, in MiB.
    Memory,
}

/// Which kind of event can make a blocked job worth trying again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Retry {
    /// A user or operator acts.
    Request,
    /// Another job starts or ends.
    OtherJob,
    /// Time passes.
    Time,
    /// Capacity is freed or added.
    Capacity,
    /// Nodes join, return or are repaired.
    Nodes,
    /// The step that is due next.
    NextStep,
}

impl Reason {
    /// A short stable word for tables and metrics.
    pub fn code(&self) -> &'static str {
        match self {
            Reason::Held => "held",
            Reason::Dependency { .. } => "dependency",
            Reason::Singleton { .. } => "singleton",
            Reason::BeginTime { .. } => "begin-time",
            Reason::Unopened { .. } => "unopened",
            Reason::Throttle { .. } => "throttle",
            Reason::Pause { .. } => "pause",
            Reason::QueueLimit { .. } => "queue-limit",
            Reason::UserLimit { .. } => "user-limit",
            Reason::Impossible { .. } => "impossible",
            Reason::Gpus { .. } => "gpus",
            Reason::Fragments { .. } => "fragments",
            Reason::Share { .. } => "share",
            Reason::HostResources { .. } => "host-resources",
            Reason::Level { .. } => "level",
            Reason::Claimed { .. } => "claimed",
            Reason::Booked { .. } => "booked",
            Reason::Behind { .. } => "behind",
            Reason::Reserved { .. } => "reserved",
            Reason::Making { .. } => "making",
            Reason::Paused(_) => "paused",
            Reason::Occupied { .. } => "occupied",
            Reason::Spared { .. } => "spared",
            Reason::Movable(_) => "movable",
            Reason::Next => "next",
        }
    }

    /// What has to happen before trying again can help.
    pub fn retry(&self) -> Retry {
        match self {
            Reason::Held | Reason::Movable(_) => Retry::Request,
            Reason::Dependency { .. }
            | Reason::Singleton { .. }
            | Reason::Throttle { .. }
            | Reason::Making { .. } => Retry::OtherJob,
            Reason::BeginTime { .. }
            | Reason::Unopened { .. }
            | Reason::Booked { .. }
            | Reason::Pause { .. } => Retry::Time,
            Reason::Impossible { .. } => Retry::Nodes,
            Reason::Next => Retry::NextStep,
            Reason::QueueLimit { .. }
            | Reason::UserLimit { .. }
            | Reason::Gpus { .. }
            | Reason::Fragments { .. }
            | Reason::Share { .. }
            | Reason::HostResources { .. }
            | Reason::Level { .. }
            | Reason::Claimed { .. }
            | Reason::Reserved { .. }
            | Reason::Paused(_)
            | Reason::Occupied { .. }
            | Reason::Spared { .. }
            | Reason::Behind { .. } => Retry::Capacity,
        }
    }
}
