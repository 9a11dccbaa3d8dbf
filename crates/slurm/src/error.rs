//! Everything that can be wrong with a submission, and where it was written.

use std::fmt;

use muster_model::Invalid;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::command::{Command, Commands};

/// Where an option was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// Among the arguments of the command.
    CommandLine,
    /// In a variable of the environment, by its name.
    Environment(String),
    /// In the script, on this line; the first is 1.
    Script(usize),
    /// Nowhere in particular: the options together.
    Request,
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::CommandLine => formatter.write_str("command line"),
            Origin::Environment(name) => write!(formatter, "{name}"),
            Origin::Script(line) => write!(formatter, "line {line}"),
            Origin::Request => formatter.write_str("request"),
        }
    }
}

/// A submission that is refused: where and why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{origin}: {why}")]
pub struct Refused {
    /// Where it was written.
    pub origin: Origin,
    /// What is wrong.
    pub why: Refusal,
}

impl Refused {
    /// A refusal of what stands there.
    pub fn new(origin: Origin, why: Refusal) -> Refused {
        Refused { origin, why }
    }
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// A value that cannot be read or is out of range.
    #[error(transparent)]
    Value(#[from] Invalid),
    /// No command has such an option.
    #[error("{command} has no option {option}{}", hint(.meant))]
    Unknown {
        /// The command that was called.
        command: Command,
        /// The option as it was written.
        option: String,
        /// What was probably meant.
        meant: Option<String>,
    },
    /// Another command has it.
    #[error("{option} is an option of {known}, not of {command}")]
    OfOthers {
        /// The command that was called.
        command: Command,
        /// The option.
        option: String,
        /// Those that have it.
        known: Commands,
    },
    /// The beginning of several options.
    #[error("{option} may be {}\nhint: write more of its letters", .candidates.join(" or "))]
    Ambiguous {
        /// As it was written.
        option: String,
        /// What it may be.
        candidates: Vec<String>,
    },
    /// An option without the value it needs.
    #[error("{option} needs a value")]
    ValueMissing {
        /// The option.
        option: String,
    },
    /// An option with a value it does not take.
    #[error("{option} takes no value, but has `{value}`")]
    ValueUnexpected {
        /// The option.
        option: String,
        /// What was given.
        value: String,
    },
    /// An option that would change where or how the job runs in a way that Muster does not know.
    #[error("{option} is not supported\nhint: {advice}")]
    Unsupported {
        /// The option.
        option: String,
        /// What to do instead.
        advice: String,
    },
    /// Options that contradict each other.
    #[error("{} do not go together: {why}", .options.join(" and "))]
    Conflict {
        /// The options, as they are written.
        options: Vec<String>,
        /// What is wrong with them.
        why: String,
    },
    /// Something that is no script for `sbatch`.
    #[error("{what}\nhint: {advice}")]
    NoScript {
        /// What is wrong.
        what: &'static str,
        /// What to do.
        advice: &'static str,
    },
    /// A word in a directive that belongs to no option.
    #[error("`{word}` is no option and no value of one\nhint: quote values with spaces")]
    StrayWord {
        /// The word.
        word: String,
    },
    /// A quotation in a directive that does not end on its line.
    #[error("a quotation with {quote} does not end")]
    OpenQuote {
        /// The character that opens it.
        quote: char,
    },
}

fn hint(meant: &Option<String>) -> String {
    meant.as_ref().map(|meant| format!("\nhint: did you mean {meant}?")).unwrap_or_default()
}
