//! All the ways to say "not now": what blocks a job, what would unblock it, what retries it.

use std::fmt;

use muster_model::{DependencyKind, JobId, Level, Name, QueueName, Time};
use serde::{Deserialize, Serialize};

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
    /// It fits, but the room is held for a job that others give tasks up for.
    HeldFor {
        /// That job.
        by: JobId,
    },
    /// Room is being made for it: elastic jobs give tasks up.
    Yielding {
        /// The first of them.
        by: JobId,
        /// How many others.
        others: u32,
    },
    /// Under this policy nobody passes the job at the head.
    Behind {
        /// That job.
        head: JobId,
    },
    /// It fits; the step that is due next starts it.
    Next,
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
            Reason::Throttle { .. } => "throttle",
            Reason::Pause { .. } => "pause",
            Reason::QueueLimit { .. } => "queue-limit",
            Reason::UserLimit { .. } => "user-limit",
            Reason::Impossible { .. } => "impossible",
            Reason::Gpus { .. } => "gpus",
            Reason::Fragments { .. } => "fragments",
            Reason::HostResources { .. } => "host-resources",
            Reason::Level { .. } => "level",
            Reason::Claimed { .. } => "claimed",
            Reason::HeldFor { .. } => "held-for",
            Reason::Yielding { .. } => "yielding",
            Reason::Behind { .. } => "behind",
            Reason::Next => "next",
        }
    }

    /// What has to happen before trying again can help.
    pub fn retry(&self) -> Retry {
        match self {
            Reason::Held => Retry::Request,
            Reason::Dependency { .. } | Reason::Singleton { .. } | Reason::Throttle { .. } => {
                Retry::OtherJob
            }
            Reason::BeginTime { .. } | Reason::Pause { .. } => Retry::Time,
            Reason::Impossible { .. } => Retry::Nodes,
            Reason::Next => Retry::NextStep,
            Reason::QueueLimit { .. }
            | Reason::UserLimit { .. }
            | Reason::Gpus { .. }
            | Reason::Fragments { .. }
            | Reason::HostResources { .. }
            | Reason::Level { .. }
            | Reason::Claimed { .. }
            | Reason::HeldFor { .. }
            | Reason::Yielding { .. }
            | Reason::Behind { .. } => Retry::Capacity,
        }
    }
}

impl fmt::Display for Resource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Resource::Gpus => formatter.write_str("GPUs"),
            Resource::GpusOf(model) => write!(formatter, "{model} GPUs"),
            Resource::Cpus => formatter.write_str("CPUs"),
            Resource::Memory => formatter.write_str("MiB of memory"),
        }
    }
}

impl Resource {
    /// An amount of this resource as people read it.
    pub fn amount(&self, value: u64) -> String {
        match self {
            Resource::Memory => format!("{value}"),
            _ if value.is_multiple_of(1000) => format!("{}", value / 1000),
            _ => format!("{}.{:03}", value / 1000, value % 1000),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Held => formatter.write_str("held until released"),
            Reason::Dependency { on, kind } => {
                let what = match kind {
                    DependencyKind::After => "to start",
                    DependencyKind::AfterOk => "to succeed",
                    DependencyKind::AfterAny => "to end",
                    DependencyKind::AfterNotOk => "to fail",
                };
                write!(formatter, "waits for job {on} {what}")
            }
            Reason::Singleton { behind } => {
                write!(formatter, "waits for job {behind} of the same user and name")
            }
            Reason::BeginTime { at } => write!(formatter, "may not start before {}", at.0),
            Reason::Throttle { most } => {
                write!(formatter, "its array runs {most} elements, as many as it may")
            }
            Reason::Pause { until, failures: 0 } => {
                write!(formatter, "pauses until {} after a failed attempt", until.0)
            }
            Reason::Pause { until, failures } => write!(
                formatter,
                "pauses until {} after {failures} failed launches in a row",
                until.0
            ),
            Reason::QueueLimit { queue, resource, limit, used, wanted } => write!(
                formatter,
                "queue {queue} uses {} of its {} {resource}; {} more are wanted",
                resource.amount(*used),
                resource.amount(*limit),
                resource.amount(*wanted)
            ),
            Reason::UserLimit { user, queue, resource, limit, used, wanted } => write!(
                formatter,
                "{user} uses {} of {} {resource} allowed per user in queue {queue}; {} more are \
                 wanted",
                resource.amount(*used),
                resource.amount(*limit),
                resource.amount(*wanted)
            ),
            Reason::Impossible { tasks, most, nodes } => write!(
                formatter,
                "the {nodes} matching nodes could hold {most} of its {tasks} tasks even if empty"
            ),
            Reason::Gpus { wanted, free } => {
                write!(formatter, "needs {wanted} GPUs; {free} are free")
            }
            Reason::Fragments { tasks, fit, free } => write!(
                formatter,
                "{free} GPUs are free but in pieces: {fit} of its {tasks} tasks fit"
            ),
            Reason::HostResources { tasks, fit, fit_by_gpus: 0 } => {
                write!(formatter, "CPUs and memory are free for {fit} of its {tasks} tasks")
            }
            Reason::HostResources { tasks, fit, fit_by_gpus } => write!(
                formatter,
                "GPUs for {fit_by_gpus} tasks are free, CPUs and memory beside them for {fit} of \
                 {tasks}"
            ),
            Reason::Level { level, tasks, fit, domain } => {
                let level = match level {
                    Level::Named(name) => name.as_str(),
                    Level::Node => "node",
                };
                let domain: Vec<&str> = domain.iter().map(Name::as_str).collect();
                write!(
                    formatter,
                    "no {level} has room for {tasks} tasks together; the best, {}, has room for \
                     {fit}",
                    domain.join("/")
                )
            }
            Reason::Claimed { by } => {
                write!(formatter, "the room it would fit in is held for starving job {by}")
            }
            Reason::HeldFor { by } => {
                write!(formatter, "the room it would fit in is held for job {by}")
            }
            Reason::Yielding { by, others: 0 } => {
                write!(formatter, "room is being made for it: job {by} gives tasks up")
            }
            Reason::Yielding { by, others } => {
                let word = if *others == 1 { "other" } else { "others" };
                write!(
                    formatter,
                    "room is being made for it: job {by} and {others} {word} give tasks up"
                )
            }
            Reason::Behind { head } => write!(formatter, "job {head} is ahead and blocks"),
            Reason::Next => formatter.write_str("fits; starts with the next step"),
        }
    }
}
