//! `muster config`: looks at the configuration files of servers and agents.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use muster_agent::Settings;
use muster_api::Secret;
use muster_api::settings::{self, Mistake};
use muster_server::config::ServerFile;

use crate::cli::print;

/// What the reference begins with.
const HEAD: &str = include_str!("config/reference.md");

/// Look at configuration files
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  muster config check /etc/muster/muster.toml
  muster config check --agent /etc/muster/agent.toml
  muster config show > muster.toml")]
pub(crate) struct Config {
    #[command(subcommand)]
    act: Act,
}

#[derive(Debug, Subcommand)]
enum Act {
    /// Say everything that is wrong with a configuration file
    Check {
        /// The file
        file: PathBuf,
        /// It is the file of an agent, not of a server
        #[arg(long)]
        agent: bool,
    },
    /// Print a configuration with every setting, also those that the file leaves out
    Show {
        /// The file; without one, the defaults
        file: Option<PathBuf>,
        /// Of an agent, not of a server
        #[arg(long)]
        agent: bool,
    },
    /// Print the reference of all settings, as Markdown
    Reference,
}

impl Config {
    pub(crate) fn run(&self) -> Result<()> {
        match &self.act {
            Act::Check { file, agent: true } => {
                read(file, Settings::read)?;
                print::text(&format!("{} is well formed\n", file.display()))
            }
            Act::Check { file, agent: false } => {
                let cluster = read(file, ServerFile::read)?.cluster;
                print::text(&format!(
                    "{} is well formed: {} queues, {} classes, {} GPU models\n",
                    file.display(),
                    cluster.queues.len(),
                    cluster.classes.len(),
                    cluster.gpu_models.len()
                ))
            }
            Act::Show { file, agent } => print::text(&show(file.as_deref(), *agent)?),
            Act::Reference => print::text(&reference()),
        }
    }
}

/// Reads a configuration file, or says all that is wrong with it.
pub(crate) fn read<T>(
    path: &Path,
    read: impl FnOnce(&str) -> Result<T, Vec<Mistake>>,
) -> Result<T> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    read(&text).map_err(|mistakes| {
        let lines: Vec<String> = mistakes.iter().map(Mistake::to_string).collect();
        anyhow::anyhow!("{} cannot be used:\n{}", path.display(), lines.join("\n"))
    })
}

fn show(file: Option<&Path>, is_agent: bool) -> Result<String> {
    let text = match (file, is_agent) {
        (Some(file), false) => settings::write(&read(file, ServerFile::read)?),
        (None, false) => settings::write(&ServerFile::default()),
        (Some(file), true) => {
            // What is printed may end up anywhere.
            let mut agent = read(file, Settings::read)?;
            (agent.token, agent.join) = (Secret::default(), Secret::default());
            settings::write(&agent)
        }
        (None, true) => settings::write(&Settings::default()),
    };
    text.context("cannot write the settings as TOML")
}

/// The reference of all settings.
fn reference() -> String {
    format!(
        "{HEAD}\n# The file of a server\n\n`muster.toml`, for `muster server --config \
         muster.toml`.\n{}\n# The file of an agent\n\n`agent.toml`, for `muster agent --config \
         agent.toml`.\n{}",
        settings::reference::<ServerFile>(),
        settings::reference::<Settings>()
    )
}

#[cfg(test)]
mod tests {
    use muster_agent::Settings;
    use muster_server::config::ServerFile;

    use super::{reference, show};

    #[test]
    fn committed_reference_is_the_one_of_the_types() {
        let committed = include_str!("../../../docs/configuration.md");
        let hint = "run `muster config reference > docs/configuration.md`";
        assert_eq!(committed, reference(), "{hint}");
    }

    #[test]
    fn files_that_are_shown_are_read_again() {
        let server = show(None, false).expect("the defaults can be written");
        assert_eq!(ServerFile::read(&server), Ok(ServerFile::default()));
        let agent = show(None, true).expect("the defaults can be written");
        assert_eq!(Settings::read(&agent), Ok(Settings::default()));
    }

    #[test]
    fn tokens_of_an_agent_are_not_shown() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("agent.toml");
        std::fs::write(&file, "token = \"the-secret\"\njoin = \"the-secret\"\nname = \"node-1\"\n")
            .unwrap();
        let shown = show(Some(&file), true).unwrap();
        assert!(shown.contains("name = \"node-1\"") && !shown.contains("the-secret"), "{shown}");
    }

    #[test]
    fn file_of_an_agent_that_is_shipped_says_the_defaults() {
        let shipped = include_str!("../../../packaging/agent.toml");
        assert_eq!(Settings::read(shipped), Ok(Settings::default()));
    }
}
