//! `muster journal`: looks into the journal of a data directory, also beside a running server, and
//! mends a damaged one.

mod cut;
mod list;
mod play;
mod state;
#[cfg(test)]
mod tests;
mod verify;
mod why;

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use muster_client::Options;
use muster_store::SqliteJournal;

/// Look into the journal: list, verify, replay, and ask about past moments
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  muster journal list --last 20
  muster journal verify --data /var/lib/muster
  muster journal state --at 2026-01-31T08:00:00Z
  muster journal why 12 --at 4711")]
pub(crate) struct Journal {
    /// The data directory [default: $MUSTER_DATA, or that of `muster up`]
    #[arg(long, value_name = "DIR", global = true)]
    data: Option<PathBuf>,

    #[command(subcommand)]
    act: Act,
}

#[derive(Debug, Subcommand)]
enum Act {
    List(list::List),
    Verify(verify::Verify),
    State(state::State),
    Why(why::Why),
    Replay(play::Replay),
    Cut(cut::Cut),
}

impl Journal {
    pub(crate) fn run(&self) -> Result<()> {
        let data = self.folder()?;
        // Whatever is asked, a folder without a journal must not get one by being looked at.
        let journal = SqliteJournal::open_read_only(&data)?;
        match &self.act {
            Act::List(list) => list.run(&journal),
            Act::Verify(verify) => verify.run(&journal),
            Act::State(state) => state.run(&journal),
            Act::Why(why) => why.run(&journal),
            Act::Replay(replay) => replay.run(&journal),
            Act::Cut(cut) => cut.run(&data, journal),
        }
    }

    fn folder(&self) -> Result<PathBuf> {
        let said = Options { data: self.data.clone(), ..Options::default() };
        let options = said.or_environment(|name| std::env::var(name).ok());
        options
            .data
            .or(options.data_default)
            .context("no data directory is known: name it with --data or MUSTER_DATA")
    }
}
