//! `muster journal replay`: plays the whole journal again and compares with what was saved.

use std::fmt::Write as _;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;
use muster_server::replay::{Replayed, replay};
use muster_store::SqliteJournal;

use crate::cli::print;
use muster_model::quantity::separated;

/// How often it is told how far the work is.
const TOLD_EVERY: Duration = Duration::from_secs(1);

/// Play all entries again and check that they lead to what was saved on the way
#[derive(Debug, Args)]
pub(super) struct Replay {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Replay {
    pub(super) fn run(&self, journal: &SqliteJournal) -> Result<()> {
        let is_watched = std::io::stderr().is_terminal();
        let mut told = Instant::now();
        let found = replay(journal, |done, all| {
            if is_watched && told.elapsed() >= TOLD_EVERY {
                told = Instant::now();
                eprintln!("{} of {} entries", separated(done), separated(all));
            }
        })?;
        if self.json { print::json(&data(&found)) } else { print::text(&report(&found)) }
    }
}

fn data(found: &Replayed) -> serde_json::Value {
    let Replayed { from, last, kinds, launches, ended, same, hash } = found;
    serde_json::json!({
        "from": from, "last": last, "entries": kinds, "launches": launches, "ended": ended,
        "snapshots_same": same, "hash": hash,
    })
}

/// What was found, in a few lines.
pub(super) fn report(found: &Replayed) -> String {
    let mut text = String::new();
    let mut say = |name: &str, value: String| {
        writeln!(text, "{name:<11}{value}").expect("a string takes all text");
    };
    let from = match found.from {
        0 => "the beginning".to_owned(),
        from => format!("the snapshot after entry {from}"),
    };
    say("played", format!("{} entries from {from}", separated(found.kinds.values().sum::<u64>())));
    let kinds = found.kinds.iter().map(|(kind, many)| format!("{} {kind}", separated(*many)));
    say("entries", kinds.collect::<Vec<_>>().join(", "));
    let (launches, ended) = (separated(found.launches), separated(found.ended));
    say("decisions", format!("{launches} launches on nodes, {ended} jobs ended"));
    let same = found.same.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    say(
        "compared",
        match found.same.len() {
            0 => "with nothing: no snapshot was saved after that".to_owned(),
            _ => format!("the same as the snapshots after entries {same}"),
        },
    );
    say("state", format!("{} after entry {}", found.hash, found.last));
    text
}
