//! What people should know about a request that was accepted.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Recorded;
use crate::error::Origin;
use crate::script::{Because, IgnoredLine};

/// Something that is not as it may seem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Note {
    /// An option without effect.
    Recorded {
        /// Which one.
        option: Recorded,
        /// Where it was written.
        origin: Origin,
        /// Why that is all right.
        reason: String,
    },
    /// A line without effect.
    Ignored(IgnoredLine),
    /// Fewer tasks than nodes: as many nodes as tasks are used, as on Slurm.
    NodesLowered {
        /// How many nodes were asked for.
        asked: u32,
        /// How many tasks there are.
        tasks: u32,
    },
    /// The number of nodes is not given, but something is counted by nodes: all tasks go to one.
    OneNode,
    /// A range of nodes: the fewest are used.
    FewestNodes {
        /// So many.
        min: u32,
        /// Of so many.
        max: u32,
    },
    /// The name has letters that a name may not have here.
    NameChanged {
        /// As it was given.
        given: String,
        /// As it is now.
        used: String,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Recorded { option, origin, reason } => {
                write!(formatter, "{origin}: --{} has no effect: {reason}", option.option)
            }
            Note::Ignored(line) => {
                let because = match line.because {
                    Because::AfterCommand => "it stands behind the first command",
                    Because::Indented => "it does not begin in the first column",
                    Because::LowerCase => "it is not written in capitals",
                    Because::OtherSystem => "it is meant for another system",
                };
                write!(formatter, "line {}: `{}` has no effect: {because}", line.line, line.text)
            }
            Note::NodesLowered { asked, tasks } => {
                write!(formatter, "{asked} nodes were asked for {tasks} tasks: {tasks} are used")
            }
            Note::OneNode => formatter.write_str(
                "the number of nodes is not given, but something is counted by nodes: all tasks go \
                 to one",
            ),
            Note::FewestNodes { min, max } => {
                write!(formatter, "of {min} to {max} nodes {min} are used")
            }
            Note::NameChanged { given, used } => {
                write!(formatter, "the name `{given}` has become {used}")
            }
        }
    }
}
