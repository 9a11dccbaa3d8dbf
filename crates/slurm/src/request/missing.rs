//! What a request means and the model cannot say yet.

use std::fmt;

use serde::{Deserialize, Serialize};

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
    /// More than one switch, but not any number.
    SeveralSwitches,
    /// A singleton, or something else instead.
    SingletonAmongOthers,
    /// Any of several reservations.
    SeveralReservations,
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
            | Missing::SingletonAmongOthers
            | Missing::SeveralReservations => true,
            Missing::NodeRange | Missing::SeveralSwitches | Missing::KeepUnmet => false,
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
            Missing::SeveralSwitches => "a number of switches: one is preferred instead",
            Missing::SingletonAmongOthers => "a singleton, or another dependency instead",
            Missing::SeveralReservations => "any of several reservations",
            Missing::KeepUnmet => "waiting for what can never be: it ends instead",
        })
    }
}
