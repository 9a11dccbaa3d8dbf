//! `muster launch` and `muster launch-exec`: the two stages of a task's launcher. The agent starts
//! the first, the first starts the second; people never do. `muster launch-say` adds a line to what
//! a task has written.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use muster_agent::launch::{first, last_words, second};

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

/// Add a line to what the task of a folder has written (for the agent's own use).
#[derive(Debug, Args)]
pub(crate) struct LaunchSay {
    /// The task's folder.
    folder: PathBuf,
}

/// What the agent or a launcher asks for, told without reading the whole command line: nothing if
/// it is anything else, which the usual way then judges.
pub(crate) fn asked(mut arguments: impl Iterator<Item = OsString>) -> Option<anyhow::Result<()>> {
    let (command, folder) = (arguments.next()?, PathBuf::from(arguments.next()?));
    if arguments.next().is_some() || folder.as_os_str().as_encoded_bytes().starts_with(b"-") {
        return None;
    }
    match command.to_str()? {
        "launch" => Some(Launch { folder }.run()),
        "launch-exec" => Some(LaunchExec { folder }.run()),
        "launch-say" => Some(LaunchSay { folder }.run()),
        _ => None,
    }
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

impl LaunchSay {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        last_words::say(&self.folder).context("cannot say why it ends")
    }
}

#[cfg(test)]
mod tests {
    use super::asked;

    fn ask(arguments: &[&str]) -> Option<anyhow::Result<()>> {
        asked(arguments.iter().map(Into::into))
    }

    #[test]
    fn only_a_launch_of_a_folder_takes_the_short_way() {
        let launched = ask(&["launch", "/no/such/folder"]).expect("it takes the short way");
        assert!(launched.is_err(), "there is no such folder");
        for other in [&["launch"][..], &["launch", "--help"], &["jobs", "x"], &["launch", "a", "b"]]
        {
            assert!(ask(other).is_none(), "{other:?}");
        }
    }
}
