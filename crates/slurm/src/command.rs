//! Slurm's commands by name, and the three of them that share its options.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The names of all commands that Muster answers by.
pub const NAMES: [&str; 12] = [
    "sbatch", "srun", "salloc", "squeue", "scancel", "sacct", "scontrol", "sinfo", "sprio",
    "sshare", "sacctmgr", "sreport",
];

/// A command that asks for resources.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Command {
    /// Submits a script.
    #[default]
    Sbatch,
    /// Runs a step, in an allocation or in one of its own.
    Srun,
    /// Gets an allocation and runs a command beside it.
    Salloc,
}

impl Command {
    /// All of them.
    pub const ALL: [Command; 3] = [Command::Sbatch, Command::Srun, Command::Salloc];

    /// Its name.
    pub const fn word(self) -> &'static str {
        match self {
            Command::Sbatch => "sbatch",
            Command::Srun => "srun",
            Command::Salloc => "salloc",
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}

/// Some of the commands: those that know an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commands(u8);

impl Commands {
    /// All three.
    pub const ALL: Commands = Commands(7);
    /// `sbatch` alone.
    pub const SBATCH: Commands = Commands(1);
    /// `srun` alone.
    pub const SRUN: Commands = Commands(2);
    /// `salloc` alone.
    pub const SALLOC: Commands = Commands(4);

    /// These and those.
    #[must_use]
    pub const fn and(self, other: Commands) -> Commands {
        Commands(self.0 | other.0)
    }

    /// Whether the command is one of them.
    pub const fn contains(self, command: Command) -> bool {
        let bit = match command {
            Command::Sbatch => 1,
            Command::Srun => 2,
            Command::Salloc => 4,
        };
        self.0 & bit != 0
    }
}

impl fmt::Display for Commands {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Command::ALL.into_iter().filter(|&command| self.contains(command));
        let words: Vec<&str> = known.map(Command::word).collect();
        formatter.write_str(&words.join(" and "))
    }
}
