//! `muster journal verify`: reads everything and says whether it is whole, and what to do if not.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Result, bail};
use clap::Args;
use muster_server::Entry;
use muster_store::{Damage, Journal, Place, SqliteJournal, Verification};

use crate::cli::print;
use muster_model::quantity::separated;

/// Entries that are looked at together.
const PAGE: usize = 1000;

/// Read all entries and snapshots, and say whether they are whole
#[derive(Debug, Args)]
pub(super) struct Verify {}

/// Entries by their version, and the first that this release cannot read.
#[derive(Debug, Default)]
pub(super) struct Versions {
    pub(super) counts: BTreeMap<u32, u64>,
    pub(super) unreadable: Option<String>,
}

impl Verify {
    pub(super) fn run(&self, journal: &SqliteJournal) -> Result<()> {
        let found = journal.verify()?;
        let versions = versions(journal, &found)?;
        print::text(&report(&found, &versions))?;
        if let Some(damage) = found.damage {
            bail!("{}\nhint: {}", words(damage), remedy(damage, &found));
        }
        if let Some(unreadable) = versions.unreadable {
            bail!("{unreadable}");
        }
        Ok(())
    }
}

/// Looks at what entries say, as far as they are whole.
fn versions(journal: &SqliteJournal, found: &Verification) -> Result<Versions> {
    let mut versions = Versions::default();
    let mut after = found.first.unwrap_or(1).saturating_sub(1);
    let end = found.damage.map_or(found.last_valid.unwrap_or(0), |damage| damage.sequence - 1);
    while after < end {
        let page = journal.read(after, PAGE)?;
        let Some(last) = page.last() else { break };
        after = last.sequence;
        for row in page {
            *versions.counts.entry(row.version).or_default() += 1;
            if let Err(error) = Entry::decode(row.sequence, row.version, &row.body) {
                versions.unreadable.get_or_insert(error.to_string());
            }
        }
    }
    Ok(versions)
}

/// What was found, in a few lines.
pub(super) fn report(found: &Verification, versions: &Versions) -> String {
    let mut text = String::new();
    let mut say = |name: &str, value: String| {
        writeln!(text, "{name:<11}{value}").expect("a string takes all text");
    };
    match (found.first, found.last_valid) {
        (Some(first), Some(last)) => {
            let damaged = match found.altered {
                0 => String::new(),
                altered => format!(", and {} damaged", separated(altered)),
            };
            let whole = separated(found.valid);
            say("entries", format!("{whole} whole, from {first} to {last}{damaged}"));
        }
        _ => say("entries", format!("none whole, {} damaged", separated(found.altered))),
    }
    let counts =
        versions.counts.iter().map(|(version, many)| format!("{version} ({})", separated(*many)));
    let counts: Vec<String> = counts.collect();
    say("versions", if counts.is_empty() { "-".to_owned() } else { counts.join(", ") });
    let state = |is_valid| if is_valid { "" } else { " (damaged)" };
    let marks = found.snapshots.iter();
    let marks: Vec<String> =
        marks.map(|mark| format!("{}{}", mark.sequence, state(mark.is_valid))).collect();
    let none = marks.is_empty();
    let marks = marks.join(", ");
    say("snapshots", if none { "none".to_owned() } else { format!("after entries {marks}") });
    text
}

/// What is wrong.
pub(super) fn words(damage: Damage) -> String {
    let Damage { sequence, what, place } = damage;
    match place {
        Place::Tail => format!("entry {sequence} is {what}, and nothing whole follows it"),
        Place::Middle => format!("entry {sequence} is {what}, and what follows it is whole"),
    }
}

/// What to do about it, and what that costs.
pub(super) fn remedy(damage: Damage, found: &Verification) -> String {
    let Damage { sequence, place, .. } = damage;
    let covers = |mark: &&muster_store::SnapshotState| mark.is_valid && mark.sequence >= sequence;
    let covered = found.snapshots.iter().find(covers);
    match (place, covered) {
        (Place::Tail, _) => {
            "restore the data directory from a backup if those entries matter; otherwise the next \
             start of the server sets them aside, as `muster journal cut` does"
                .to_owned()
        }
        (Place::Middle, Some(mark)) => format!(
            "`muster journal cut` sets aside what came before the snapshot after entry {}; nothing \
             is lost but the way there",
            mark.sequence
        ),
        (Place::Middle, None) => format!(
            "restore the data directory from a backup; without one, `muster journal cut` sets \
             aside entry {sequence} and all after it, and the cluster goes on from before it"
        ),
    }
}
