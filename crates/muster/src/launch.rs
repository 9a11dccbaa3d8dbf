//! `muster launch` and `muster launch-exec`: the two stages of a task's launcher. The agent starts
//! the first, the first starts the second; people never do.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use muster_agent::launch::{first, second};

/// Launch the task of a folder and watch it to its end (for the agent's own use).
#[derive(Debug, Args)]
pub(crate) struct Launch {
    /// The task's folder.
    folder: PathBuf,
}

/// Become the task of a folder (for the launcher's own use).
#[derive(Debug, Args)]
pub(crate) struct LaunchExec {
    /// The task's folder.
    folder: PathBuf,
}

impl Launch {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        first::launch(&self.folder).context("cannot launch")
    }
}

impl LaunchExec {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        second::become_task(&self.folder).context("cannot become the task")
    }
}
