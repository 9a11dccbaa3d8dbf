//! What a job runs: the command and the surroundings its tasks find themselves in.

mod container;
mod validate;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::signal::Reach;

pub use container::{Container, Mount};

/// The program of a job. The engine never sees it: it decides where tasks run, not what they do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Program {
    /// The command and its arguments, run without a shell.
    pub command: Vec<String>,
    /// A script instead of, or in front of, the command: its text is made a file, which is run
    /// with the command as arguments.
    pub script: Option<String>,
    /// Variables added to the task's environment.
    pub environment: BTreeMap<String, String>,
    /// The folder tasks start in; the home of the user where nothing is said.
    pub directory: Option<String>,
    /// Where standard output goes, with `%j` for the job, `%t` for the task and so on; kept by
    /// the agent where nothing is said.
    pub output: Option<String>,
    /// Where standard error goes; to standard output where nothing is said.
    pub error: Option<String>,
    /// Add to output files instead of emptying them.
    pub append: bool,
    /// Where standard input comes from; nothing where nothing is said.
    pub input: Option<String>,
    /// The mask for new files, as in `umask`.
    pub umask: Option<u32>,
    /// The account the tasks run as; the submitter's.
    pub account: Option<Account>,
    /// A container image, run by a runtime that is installed on the node.
    pub image: Option<String>,
    /// What is special about its container.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<Box<Container>>,
    /// How the program is asked to save.
    pub save: Option<Save>,
    /// Which of the job's places run it.
    #[serde(skip_serializing_if = "Runs::is_everywhere")]
    pub runs: Runs,
    /// Which of its processes hear the signals before its end, and the one that asks to save.
    #[serde(skip_serializing_if = "Reach::is_all")]
    pub signals: Reach,
    /// What was asked for in Slurm's words, where it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slurm: Option<Box<SlurmRequest>>,
}

/// Which of a job's places run its program. The others are held for it until it ends: whoever the
/// job belongs to starts further programs in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Runs {
    /// All of them.
    #[default]
    Everywhere,
    /// The first, and the job ends with it.
    First,
    /// None: the job is held until its owner ends it.
    Nowhere,
}

/// A job that was submitted in Slurm's words. They are kept: whoever shows the job to a person, or
/// tells it what Slurm would have told, goes by them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SlurmRequest {
    /// The options with their defaults filled in, as a command line.
    pub words: Vec<String>,
    /// The partition it went to.
    pub partition: String,
    /// The account it is counted for.
    pub account: String,
    /// Its quality of service.
    pub qos: String,
    /// The machine it was submitted on.
    pub host: String,
    /// The folder it was submitted in.
    pub directory: String,
    /// The name of the cluster.
    pub cluster: String,
    /// The script with its folder and its arguments; nothing for a command given with `--wrap`.
    pub command: String,
    /// The command line, as it was written.
    pub line: String,
}

/// The account of the submitter, as the machine they submitted on knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Account {
    /// The login name; a node that does not know it refuses the task.
    pub name: String,
}

/// How a program is asked to save its work, and how it says that it has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Save {
    /// The signal that asks for it.
    pub signal: u8,
    /// How long it may take before it is taken to have failed, in milliseconds.
    pub within_ms: u64,
}

impl Runs {
    /// Whether every place runs the program.
    pub fn is_everywhere(&self) -> bool {
        *self == Runs::Everywhere
    }

    /// Whether the place with this rank is held without a program.
    pub fn holds(self, rank: u32) -> bool {
        match self {
            Runs::Everywhere => false,
            Runs::First => rank > 0,
            Runs::Nowhere => true,
        }
    }
}
