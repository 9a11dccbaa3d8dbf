//! What a request means and the model cannot say yet.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::values::JobReference;

/// Something that is left out of a job of the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Missing {
    /// Several parts of GPUs for one task.
    SeveralShares,
    /// These nodes, and others besides.
    NodesAmongOthers,
    /// Features of nodes that are looked at together: the same for all, or some for some.
    FeaturesTogether,
    /// So many nodes as there are, in a range, and the same number until the end.
    NodeRange,
    /// A limit that is cut so that the job starts sooner.
    ShorterLimit,
    /// A job that is ended, or never started, for its deadline.
    DeadlineEnds,
    /// A wait for few switches that ends.
    SwitchWait,
    /// More than one switch, but not any number.
    SeveralSwitches,
    /// Any of several dependencies.
    AnyDependency,
    /// One element of an array that others wait for.
    DependencyOnElement(JobReference),
    /// Elements that wait for each other by their index.
    DependencyByIndex,
    /// A time after the start of another job.
    DependencyDelay(JobReference),
    /// Any of several reservations.
    SeveralReservations,
    /// A job that gives up when it cannot start at once.
    Immediate,
    /// A job whose unmet dependency leaves it waiting instead of ending it.
    KeepUnmet,
}

impl Missing {
    /// Whether the job would not be the one that was asked for. What is not wrong is near enough
    /// to run.
    pub const fn is_wrong(&self) -> bool {
        match self {
            Missing::SeveralShares
            | Missing::NodesAmongOthers
            | Missing::FeaturesTogether
            | Missing::AnyDependency
            | Missing::DependencyOnElement(_)
            | Missing::DependencyByIndex
            | Missing::DependencyDelay(_)
            | Missing::SeveralReservations => true,
            Missing::NodeRange
            | Missing::ShorterLimit
            | Missing::DeadlineEnds
            | Missing::SwitchWait
            | Missing::SeveralSwitches
            | Missing::Immediate
            | Missing::KeepUnmet => false,
        }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Missing::SeveralShares => "several parts of GPUs for one task",
            Missing::NodesAmongOthers => "certain nodes and others besides",
            Missing::FeaturesTogether => "features of several nodes together",
            Missing::NodeRange => "a range of nodes: the fewest are taken",
            Missing::ShorterLimit => "a shorter limit for an earlier start: the full one is kept",
            Missing::DeadlineEnds => "an end at the deadline: the job becomes urgent instead",
            Missing::SwitchWait => {
                "an end of the wait for few switches: they are preferred instead"
            }
            Missing::SeveralSwitches => "a number of switches: one is preferred instead",
            Missing::AnyDependency => "any of several dependencies",
            Missing::DependencyOnElement(job) => {
                return write!(formatter, "a dependency on the element {job}");
            }
            Missing::DependencyByIndex => "a dependency of each element on that of its index",
            Missing::DependencyDelay(job) => {
                return write!(formatter, "a time after the start of {job}");
            }
            Missing::SeveralReservations => "any of several reservations",
            Missing::Immediate => "giving up when it cannot start at once: it waits instead",
            Missing::KeepUnmet => "waiting for what can never be: it ends instead",
        })
    }
}
