//! Reasons in the words people read.

use std::fmt;

use muster_model::count::{are, several};
use muster_model::{DependencyKind, JobId, Level, Name};

use crate::reason::{Movable, Reason, Resource, Spared};

impl fmt::Display for Resource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.noun(false))
    }
}

impl Resource {
    fn noun(&self, is_one: bool) -> String {
        let s = if is_one { "" } else { "s" };
        match self {
            Resource::Gpus => format!("GPU{s}"),
            Resource::GpusOf(model) => format!("{model} GPU{s}"),
            Resource::Cpus => format!("CPU{s}"),
            Resource::Memory => "MiB of memory".to_owned(),
        }
    }

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
            Reason::Dependency { on, kind, others } => {
                let what = match kind {
                    DependencyKind::After => "to start",
                    DependencyKind::AfterOk => "to succeed",
                    DependencyKind::AfterAny => "to end",
                    DependencyKind::AfterNotOk => "to fail",
                };
                write!(formatter, "waits for job {on} {what}")?;
                match others {
                    0 => Ok(()),
                    1 => formatter.write_str(", or for another one"),
                    _ => write!(formatter, ", or for one of {others} others"),
                }
            }
            Reason::Singleton { behind } => {
                write!(formatter, "waits for job {behind} of the same user and name")
            }
            Reason::BeginTime { at } => write!(formatter, "may not start before {}", at.0),
            Reason::Unopened { booking, opens: Some(opens) } => {
                write!(formatter, "waits for booking {booking}, which opens at {}", opens.0)
            }
            Reason::Unopened { booking, opens: None } => {
                write!(formatter, "waits for booking {booking}, which is over or was taken back")
            }
            Reason::Throttle { most } => {
                let elements = several(*most, "element");
                write!(formatter, "its array runs {elements}, as many as it may")
            }
            Reason::Pause { until, failures: 0 } => {
                write!(formatter, "pauses until {} after a failed attempt", until.0)
            }
            Reason::Pause { until, failures: 1 } => {
                write!(formatter, "pauses until {} after a failed launch", until.0)
            }
            Reason::Pause { until, failures } => write!(
                formatter,
                "pauses until {} after {failures} failed launches in a row",
                until.0
            ),
            Reason::QueueLimit { queue, resource, limit, used, wanted } => write!(
                formatter,
                "queue {queue} uses {} of its {}; {}",
                resource.amount(*used),
                whole(resource, *limit),
                more(resource, *wanted)
            ),
            Reason::UserLimit { user, queue, resource, limit, used, wanted } => write!(
                formatter,
                "{user} uses {} of {} allowed per user in queue {queue}; {}",
                resource.amount(*used),
                whole(resource, *limit),
                more(resource, *wanted)
            ),
            Reason::Impossible { nodes: 0, .. } => formatter.write_str(
                "no node in service matches it; any that would is drained, lost or not there",
            ),
            Reason::Impossible { tasks, most, nodes } => {
                match nodes {
                    1 => formatter.write_str("the only matching node could ")?,
                    _ => write!(formatter, "the {nodes} matching nodes could ")?,
                }
                match tasks {
                    1 => formatter.write_str("not hold its task even if empty"),
                    _ => write!(formatter, "hold {most} of its {tasks} tasks even if empty"),
                }
            }
            Reason::Gpus { wanted, free } => {
                let (wanted, are) = (several(*wanted, "GPU"), are(*free));
                write!(formatter, "needs {wanted}; {free} {are} free")
            }
            Reason::Fragments { tasks, fit, free } => {
                let (gpus, are) = (several(*free, "GPU"), are(*free));
                write!(formatter, "{gpus} {are} free but in pieces: ")?;
                match tasks {
                    1 => formatter.write_str("its task does not fit"),
                    _ => write!(formatter, "{fit} of its {tasks} tasks fit"),
                }
            }
            Reason::Share { wanted, tasks, fit, .. } if *fit > 0 => write!(
                formatter,
                "parts of GPUs are free for {fit} of its {tasks} tasks of {wanted} of a GPU each"
            ),
            Reason::Share { wanted, largest, node: Some(node), .. } if largest < wanted => write!(
                formatter,
                "needs {wanted} of a GPU; the largest free piece is {largest} on node {node}"
            ),
            Reason::Share { wanted, node: Some(_), .. } => write!(
                formatter,
                "needs {wanted} of a GPU; what is free of GPUs is not where its slices can be"
            ),
            Reason::Share { wanted, node: None, .. } => write!(
                formatter,
                "needs {wanted} of a GPU; none is free that could be shared as it asks"
            ),
            Reason::HostResources { tasks, fit, fit_by_gpus } => match (*tasks, *fit_by_gpus) {
                (1, 0) => formatter.write_str("CPUs and memory for its task are not free"),
                (_, 0) => {
                    write!(formatter, "CPUs and memory are free for {fit} of its {tasks} tasks")
                }
                (1, _) => formatter
                    .write_str("GPUs for its task are free, CPUs and memory beside them are not"),
                (_, by_gpus) => write!(
                    formatter,
                    "GPUs for {} are free, CPUs and memory beside them for {fit} of {tasks}",
                    several(by_gpus, "task")
                ),
            },
            Reason::Level { .. } => level(self, formatter),
            Reason::Booked { .. } => booked(self, formatter),
            Reason::Claimed { by } => {
                write!(formatter, "the room it would fit in is held for job {by}")
            }
            Reason::Behind { head } => write!(formatter, "job {head} is ahead and blocks"),
            Reason::Reserved { domain, nodes, start, give_or_take } => {
                let domain: Vec<&str> = domain.iter().map(Name::as_str).collect();
                let place = if domain.is_empty() {
                    String::new()
                } else {
                    format!(" in {}", domain.join("/"))
                };
                let nodes = several(*nodes, "node");
                write!(
                    formatter,
                    "has {nodes}{place} reserved from {} give or take {give_or_take}",
                    start.0
                )
            }
            Reason::Making { victims, givers, .. } => {
                let gives = |jobs: &[JobId]| if jobs.len() == 1 { "gives" } else { "give" };
                formatter.write_str("room is being made: ")?;
                if !givers.is_empty() {
                    write!(formatter, "{} {} tasks back", jobs(givers), gives(givers))?;
                }
                if !givers.is_empty() && !victims.is_empty() {
                    formatter.write_str(", ")?;
                }
                if givers.is_empty() && victims.is_empty() {
                    // What they gave up went to another first, who gets the same from others.
                    formatter.write_str("others give way on its nodes")?;
                }
                if !victims.is_empty() {
                    write!(formatter, "{} {} way", jobs(victims), gives(victims))?;
                }
                Ok(())
            }
            Reason::Paused(paused) => write!(formatter, "{paused}"),
            Reason::Occupied { by } if by.is_empty() => {
                formatter.write_str("its own GPUs are not to be had now")
            }
            Reason::Occupied { by } => write!(formatter, "its own GPUs are used by {}", jobs(by)),
            Reason::Spared { job, why } => write!(formatter, "job {job} is not paused: {why}"),
            Reason::Movable(movable) => write!(formatter, "{movable}"),
            Reason::Next => formatter.write_str("fits; starts with the next step"),
        }
    }
}

impl fmt::Display for Movable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "moving {} (cost {}) would let it start at once instead of about {}",
            jobs(&self.jobs),
            gpu_hours(self.cost),
            self.otherwise.0
        )
    }
}

/// All of a resource that there is.
fn whole(resource: &Resource, value: u64) -> String {
    let amount = resource.amount(value);
    let noun = resource.noun(amount == "1");
    format!("{amount} {noun}")
}

/// That more of a resource is wanted.
fn more(resource: &Resource, value: u64) -> String {
    let amount = resource.amount(value);
    let are = if amount == "1" { "is" } else { "are" };
    format!("{amount} more {are} wanted")
}

fn level(reason: &Reason, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Reason::Level { level, tasks, fit, domain } = reason else { return Ok(()) };
    let level = match level {
        Level::Named(name) => name.as_str(),
        Level::Node => "node",
    };
    write!(formatter, "no {level} has room for ")?;
    match (*tasks, *fit) {
        (1, _) => formatter.write_str("its task"),
        (_, 0) => write!(formatter, "{tasks} tasks together, nor for one of them"),
        _ => {
            let domain: Vec<&str> = domain.iter().map(Name::as_str).collect();
            let best = domain.join("/");
            write!(formatter, "{tasks} tasks together; the best, {best}, has room for {fit}")
        }
    }
}

/// Some jobs in words; of many only how many.
fn jobs(jobs: &[JobId]) -> String {
    /// More than these nobody reads.
    const NAMED_MAX: usize = 4;
    let numbers: Vec<String> = jobs.iter().map(JobId::to_string).collect();
    match numbers.as_slice() {
        [one] => format!("job {one}"),
        some if some.len() <= NAMED_MAX => format!("jobs {}", some.join(", ")),
        many => format!("{} jobs", many.len()),
    }
}

impl fmt::Display for Spared {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spared::Contract => formatter.write_str("its checkpoint contract does not allow it"),
            Spared::JustStarted { until } => {
                write!(formatter, "it has just started and is left alone until {}", until.0)
            }
            Spared::Lately { until } => {
                write!(formatter, "it was paused lately and is left alone until {}", until.0)
            }
            Spared::NearEnd { done_ppm, left } => {
                write!(formatter, "it is {} % complete, {left} are left", done_ppm / 10_000)
            }
            Spared::Unsaved { lost } => {
                write!(formatter, "{lost} of its work are not saved")
            }
            Spared::Rank => formatter.write_str("it does not rank far enough behind"),
            Spared::Guaranteed => formatter.write_str("its queue is guaranteed what it uses"),
            Spared::Floor => formatter.write_str("it had waited too long and has just been served"),
            Spared::Saving => formatter.write_str("too many others save their state just now"),
            Spared::Changing => formatter.write_str("it is starting, pausing or ending"),
            Spared::Cost { cost, benefit } => write!(
                formatter,
                "it would cost {} and bring {}",
                gpu_hours(*cost),
                gpu_hours(*benefit)
            ),
        }
    }
}

/// That nodes are set aside.
fn booked(reason: &Reason, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Reason::Booked { booking, is_for_nobody, nodes, more, from, until } = reason else {
        return Ok(());
    };
    let names: Vec<&str> = nodes.iter().map(Name::as_str).collect();
    let are = if nodes.len() == 1 && *more == 0 { "is" } else { "are" };
    let nodes = if are == "is" { "node" } else { "nodes" };
    write!(formatter, "{nodes} {}", names.join(", "))?;
    if *more > 0 {
        write!(formatter, " and {more} more")?;
    }
    write!(formatter, " {are} set aside")?;
    match (from, until) {
        (Some(from), Some(until)) => write!(formatter, " from {} to {}", from.0, until.0)?,
        (Some(from), None) => write!(formatter, " from {} on", from.0)?,
        (None, Some(until)) => write!(formatter, " until {}", until.0)?,
        (None, None) => {}
    }
    let kind = if *is_for_nobody { "maintenance" } else { "booking" };
    write!(formatter, " for {kind} {booking}")?;
    if from.is_some() { formatter.write_str("; it would not end in time") } else { Ok(()) }
}

/// GPU-milliseconds as people read them.
pub(crate) fn gpu_hours(gpu_millis: u64) -> String {
    const TENTH_HOUR: u64 = 360_000;
    match gpu_millis {
        0..60_000 => format!("{} GPU-s", gpu_millis / 1000),
        60_000..TENTH_HOUR => format!("{} GPU-min", gpu_millis / 60_000),
        _ => {
            let tenths = gpu_millis / TENTH_HOUR;
            format!("{}.{} GPU-h", tenths / 10, tenths % 10)
        }
    }
}
