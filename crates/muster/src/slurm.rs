//! Slurm's commands. The binary answers by their names, so that a link is all it takes.

mod allocate;
mod check;
mod choose;
mod container;
mod facts;
mod import;
mod install;
mod nodes;
mod people;
mod sacct;
mod sacctmgr;
mod salloc;
mod sbatch;
mod scancel;
mod scontrol;
mod session;
mod sinfo;
mod sprio;
mod squeue;
mod sreport;
mod srun;
mod sshare;

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use muster_slurm::tool::{Given, Tool};

/// The names it answers by.
pub(crate) const COMMANDS: [&str; 12] = muster_slurm::command::NAMES;

/// What a command ends with when something is wrong that Slurm has no words for.
const FAILED: u8 = 1;

/// What the commands call themselves: tools look at the number to know which columns there are.
pub(crate) const VERSION: &str = concat!("slurm 22.05.8 (muster ", env!("CARGO_PKG_VERSION"), ")");

/// A command ends here: what it says on standard error, and its exit code.
#[derive(Debug)]
pub(crate) struct Stop {
    /// The lines, as they are printed; nothing where all has been said.
    said: String,
    code: u8,
}

impl Stop {
    /// With these very words.
    fn plain(said: impl Into<String>, code: u8) -> Stop {
        Stop { said: said.into(), code }
    }

    /// What it says, for those who list several.
    fn words(&self) -> String {
        let plain = |line: &str| {
            let rest = line.strip_prefix("sbatch: ").unwrap_or(line);
            rest.strip_prefix("error: ").unwrap_or(rest).to_owned()
        };
        self.said.lines().map(plain).collect::<Vec<_>>().join("\n")
    }

    /// With an error in Slurm's form: each line is one.
    fn error(command: &str, what: impl std::fmt::Display) -> Stop {
        let what = what.to_string();
        let lines: Vec<String> = what
            .lines()
            .map(|line| match line.strip_prefix("hint: ") {
                Some(hint) => format!("{command}: hint: {hint}"),
                None => format!("{command}: error: {line}"),
            })
            .collect();
        Stop { said: lines.join("\n"), code: FAILED }
    }
}

/// What a command comes to.
pub(crate) type Ended = Result<u8, Stop>;

/// Prints, and is done.
fn say(text: &str) -> Ended {
    let printed = crate::cli::print::text(text);
    printed.map_err(|error| Stop::plain(format!("{error:#}"), FAILED))?;
    Ok(0)
}

/// What `--help`, `--usage` and `--version` print, where one of them was given.
fn asked_about(tool: &Tool, given: &Given) -> Option<String> {
    if given.has("version") {
        return Some(format!("{VERSION}\n"));
    }
    if given.has("usage") {
        return Some(format!("Usage: {}\n", tool.usage));
    }
    given.has("help").then(|| tool.help())
}

/// Runs the command that the binary was called by, if it is one of Slurm's.
pub(crate) fn called(mut words: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let name = words.next()?;
    let name = Path::new(&name).file_name().and_then(OsStr::to_str)?;
    let command = COMMANDS.into_iter().find(|command| *command == name)?;
    Some(finish(command, run(command, words)))
}

fn run(command: &'static str, words: impl Iterator<Item = OsString>) -> Ended {
    let mut read = Vec::new();
    for word in words {
        let word = word.into_string();
        read.push(word.map_err(|_| Stop::error(command, "an argument is not valid UTF-8"))?);
    }
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_all().build().map_err(|error| Stop::error(command, error))?;
    let ended = runtime.block_on(async {
        match command {
            "sbatch" => sbatch::run(read).await,
            "srun" => srun::run(read).await,
            "salloc" => salloc::run(read).await,
            "squeue" => squeue::run(read).await,
            "scancel" => scancel::run(read).await,
            "sacct" => sacct::run(read).await,
            "sinfo" => sinfo::run(read).await,
            "sprio" => sprio::run(read).await,
            "sshare" => sshare::run(read).await,
            "sacctmgr" => sacctmgr::run(read).await,
            "sreport" => sreport::run(read).await,
            _ => scontrol::run(read).await,
        }
    });
    // A thread may still look up a name; nobody waits for it.
    runtime.shutdown_background();
    ended
}

fn finish(command: &str, ended: Ended) -> ExitCode {
    match ended {
        Ok(code) => ExitCode::from(code),
        Err(stop) => {
            debug_assert!(!command.is_empty(), "every command has a name");
            if !stop.said.is_empty() {
                eprintln!("{}", stop.said);
            }
            ExitCode::from(stop.code)
        }
    }
}

/// Use Slurm's commands, or get ready for them
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  muster slurm check ~/jobs
  muster slurm install ~/bin
  muster slurm sbatch --gres=gpu:8 train.sh")]
pub(crate) struct Slurm {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Install(install::Install),
    Check(check::Check),
    Import(import::Import),
    /// One of Slurm's commands, such as sbatch
    #[command(external_subcommand)]
    Command(Vec<OsString>),
}

impl Slurm {
    pub(crate) fn run(self) -> Result<ExitCode> {
        match self.what {
            What::Install(install) => install.run().map(|()| ExitCode::SUCCESS),
            What::Check(check) => check.run(),
            What::Import(import) => import.run().map(|()| ExitCode::SUCCESS),
            What::Command(words) => {
                let name = words.first().map(|name| name.to_string_lossy().into_owned());
                let name = name.unwrap_or_default();
                called(words.into_iter()).with_context(|| {
                    let known = COMMANDS.join(", ");
                    format!("`{name}` is no command of Slurm that Muster has: {known}")
                })
            }
        }
    }
}
