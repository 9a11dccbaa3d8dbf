//! Everything a launcher needs to know of its task.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use muster_api::step::Listener;
use muster_engine::action::TaskPlace;
use muster_engine::command::Running;
use serde::{Deserialize, Serialize};

/// A task as its launcher finds it in `task.json`. It holds the environment, and with it whatever
/// secrets are there: only the agent's user may read the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskFile {
    /// The attempt.
    pub of: Running,
    /// The rank among all tasks of the job.
    pub rank: u32,
    /// Its place.
    pub place: TaskPlace,
    /// The ranks of all tasks that are launched together with it here.
    pub together: Vec<u32>,
    /// Whether it joins tasks that run already.
    pub is_growth: bool,
    /// Set for a place that is held without a program: the start of the machine it is held in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<String>,
    /// The step it is a task of, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
    /// What Slurm would call it and its node, where it speaks for something that came by Slurm's
    /// commands: `JOB 7 ON node-1`, `STEP 7.0 ON node-1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub called: Option<String>,
    /// Who listens to its streams, where they are not files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listener: Option<Arc<Listener>>,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// All of the environment.
    pub environment: BTreeMap<String, String>,
    /// The folder it starts in.
    pub directory: PathBuf,
    /// Where standard output goes; into the task's folder where nothing is said.
    pub output: Option<PathBuf>,
    /// Where standard error goes; to standard output where nothing is said.
    pub error: Option<PathBuf>,
    /// Where standard input comes from.
    pub input: Option<PathBuf>,
    /// Add to output files instead of emptying them.
    pub append: bool,
    /// The mask for new files.
    pub umask: u32,
    /// Who it runs as; as the agent where nothing is said.
    pub user: Option<UserIds>,
    /// The most open files it may have.
    pub open_files: Option<u64>,
    /// The cgroup it is put into.
    pub cgroup: Option<PathBuf>,
    /// A command that clears away what is left when the task was ended by force.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clearing: Vec<String>,
    /// The file with the end of the lease.
    pub lease: PathBuf,
}

/// A user by number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UserIds {
    /// The user.
    pub uid: u32,
    /// The main group.
    pub gid: u32,
    /// All groups.
    pub groups: Vec<u32>,
}

impl TaskFile {
    /// Whether it has a terminal.
    pub fn has_terminal(&self) -> bool {
        self.rank == 0 && self.listener.as_ref().is_some_and(|it| it.terminal.is_some())
    }
}
