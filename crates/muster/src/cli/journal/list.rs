//! `muster journal list`: entries, one a line.

use anyhow::{Result, bail};
use clap::Args;
use muster_api::Moment;
use muster_model::Time;
use muster_server::Entry;
use muster_store::{Entry as Row, Journal, SqliteJournal};

use crate::cli::print;

/// Entries that are read and printed at a time.
const PAGE: usize = 1000;

/// Entries that are listed unless more are asked for.
const LAST: u64 = 50;

/// List entries: their number, time, kind and what they say
#[derive(Debug, Args)]
pub(super) struct List {
    /// From this entry on
    #[arg(long, value_name = "ENTRY", conflicts_with = "last")]
    from: Option<u64>,

    /// Up to this entry
    #[arg(long, value_name = "ENTRY", conflicts_with = "last")]
    to: Option<u64>,

    /// The last so many [default: 50, unless --from or --to is given]
    #[arg(long, value_name = "N")]
    last: Option<u64>,

    /// Print one JSON object a line, with all that the entry says
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) fn run(&self, journal: &SqliteJournal) -> Result<()> {
        let (first, to) = self.span(journal)?;
        let mut after = first.saturating_sub(1);
        while after < to {
            let wanted = usize::try_from(to - after).unwrap_or(usize::MAX).min(PAGE);
            let page = journal.read(after, wanted)?;
            let Some(last) = page.last() else { break };
            after = last.sequence;
            let lines = page.iter().map(|row| if self.json { json(row) } else { line(row) });
            print::text(&lines.collect::<String>())?;
        }
        Ok(())
    }

    /// The first and the last entry that are wanted.
    fn span(&self, journal: &SqliteJournal) -> Result<(u64, u64)> {
        let end = journal.last()?;
        let Some(begin) = journal.first()? else { return Ok((1, 0)) };
        let from = match (self.from, self.to, self.last) {
            (Some(from), ..) => from,
            (None, Some(_), _) => begin,
            (None, None, last) => (end + 1).saturating_sub(last.unwrap_or(LAST)).max(begin),
        };
        if from < begin || from > end {
            bail!("there is no entry {from}: the journal has entries {begin} to {end}");
        }
        let to = self.to.unwrap_or(end);
        if to < from {
            bail!("entry {to} comes before entry {from}");
        }
        Ok((from, to.min(end)))
    }
}

/// An entry for people. One that this release cannot read says so in its place.
pub(super) fn line(row: &Row) -> String {
    let (kind, line) = match Entry::decode(row.sequence, row.version, &row.body) {
        Ok(entry) => (entry.kind(), entry.line()),
        Err(error) => {
            let words = error.to_string();
            ("unreadable", words.lines().next().unwrap_or_default().to_owned())
        }
    };
    let time = Moment(Time(row.time_ms)).to_string();
    format!("{:>8}  {time}  {kind:<13}  {line}\n", row.sequence)
}

fn json(row: &Row) -> String {
    let body: serde_json::Value = serde_json::from_slice(&row.body).unwrap_or_default();
    let kind = Entry::decode(row.sequence, row.version, &row.body).map(|entry| entry.kind());
    let line = serde_json::json!({
        "sequence": row.sequence,
        "at": Moment(Time(row.time_ms)),
        "version": row.version,
        "kind": kind.unwrap_or("unreadable"),
        "entry": body,
    });
    format!("{line}\n")
}
