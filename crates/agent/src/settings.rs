//! The settings of an agent.

use std::path::PathBuf;

use muster_api::Secret;
use muster_api::settings::{self, Mistake};
use muster_model::{Invalid, Mib, Millis};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What an agent is told when it starts. Everything but the server's address has a default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Where the server is, such as `https://muster.example:7070`.
    pub server: String,
    /// The token that the agent shows to the server.
    pub token: Secret,
    /// The token that a new node comes in with. What it is exchanged for is kept in the agent's
    /// folder, so it is needed once.
    pub join: Secret,
    /// A file with the certificates to trust instead of those of the system.
    #[schema(value_type = Option<String>)]
    pub ca: Option<PathBuf>,
    /// The node's name; the machine's where nothing is said.
    pub name: Option<String>,
    /// Where other nodes reach this one; its name where nothing is said.
    pub address: Option<String>,
    /// The folder in which the agent keeps its state.
    #[schema(value_type = String)]
    pub data: PathBuf,
    /// The GPUs: `auto` for those that are there, `none`, or declared ones such as `H100x8`, which
    /// tasks can ask for and which need not exist.
    pub gpus: String,
    /// CPUs offered to tasks; all of them where nothing is said.
    pub cpus: Option<u64>,
    /// Memory offered to tasks; all of it where nothing is said.
    pub memory: Option<Mib>,
    /// The domains the node is in, widest first.
    pub domains: Vec<String>,
    /// The pool it belongs to.
    pub pool: Option<String>,
    /// Its labels.
    pub labels: std::collections::BTreeMap<String, String>,
    /// Run all tasks as the agent itself, whoever submitted them.
    pub run_as_agent: bool,
    /// Let tasks run as root if their job names that account.
    pub allow_root: bool,
    /// The most open files of a task.
    pub open_files: Option<u64>,
    /// The folder below which each job has one of its own that outlives its attempts; best on
    /// storage that all nodes share.
    #[schema(value_type = Option<String>)]
    pub checkpoints: Option<PathBuf>,
    /// Programs that are run around attempts.
    pub hooks: Hooks,
    /// The program that launches tasks; this one where nothing is said.
    #[schema(value_type = Option<String>)]
    pub launcher: Option<PathBuf>,
    /// The most that ended tasks may have written and left in the agent's folder; the oldest go
    /// first.
    pub kept_output: Mib,
    /// End all tasks when the agent is shut down; else they run on, and an agent that starts again
    /// finds them.
    pub stop_tasks: bool,
    /// Launch nothing: tasks only seem to run, each for so long.
    pub simulate: Option<Millis>,
}

/// Programs of the operator. Each is given the job's number, attempt and account in its
/// environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Hooks {
    /// Run before the first task of an attempt; if it fails, the node refuses the attempt.
    #[schema(value_type = Option<String>)]
    pub prolog: Option<PathBuf>,
    /// Run after the last task of an attempt; if it fails, that is only logged.
    #[schema(value_type = Option<String>)]
    pub epilog: Option<PathBuf>,
    /// Run before the prolog; if it fails, the node is not well and refuses the attempt.
    #[schema(value_type = Option<String>)]
    pub health: Option<PathBuf>,
    /// How long each may take.
    pub within: Millis,
}

impl Settings {
    /// Reads a settings file, or says everything that is wrong with it.
    pub fn read(text: &str) -> Result<Settings, Vec<Mistake>> {
        settings::read(text, Settings::mistakes)
    }

    fn mistakes(&self) -> Vec<Invalid> {
        let mut wrong = Vec::new();
        let is_address = ["http://", "https://"].iter().any(|start| self.server.starts_with(start));
        if !self.server.is_empty() && !is_address {
            let allowed = "expected an address such as https://muster.example:7070";
            wrong.push(Invalid::new("server", format!("`{}`", self.server), allowed));
        }
        if self.hooks.within == Millis::ZERO {
            wrong.push(Invalid::new("hooks.within", "0s", "expected more than nothing"));
        }
        wrong
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            server: String::new(),
            token: Secret::default(),
            join: Secret::default(),
            ca: None,
            name: None,
            address: None,
            data: PathBuf::from("/var/lib/muster-agent"),
            gpus: "auto".to_owned(),
            cpus: None,
            memory: None,
            domains: Vec::new(),
            pool: None,
            labels: std::collections::BTreeMap::new(),
            run_as_agent: false,
            allow_root: false,
            open_files: None,
            checkpoints: None,
            hooks: Hooks::default(),
            launcher: None,
            kept_output: Mib::gib(1),
            stop_tasks: false,
            simulate: None,
        }
    }
}

impl Default for Hooks {
    fn default() -> Hooks {
        Hooks { prolog: None, epilog: None, health: None, within: Millis::minutes(1) }
    }
}
