//! From the files of a data directory to a running driver: the latest snapshot, then the entries
//! after it.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use muster_model::{ClusterSpec, Invalid, Time};
use muster_store::{History, Journal, SqliteAccess, SqliteHistory, SqliteJournal, StoreError};
use thiserror::Error;

use super::archive::{Archive, Keeping};
use super::forget::Forgetting;
use super::{Driver, Running, spawn};
use crate::clock::Clock;
use crate::control::Control;
use crate::entry::{ENTRY_VERSION, Entry};
use crate::foresight::Foresight;
use crate::history;
use crate::replay::{PAGE, Playing, ReplayError};
use crate::shared::Shared;
use crate::upkeep::Upkeep;

/// A driver that runs, and what was found on the way.
#[derive(Debug)]
pub struct Start {
    /// The hold on it.
    pub driver: Driver,
    /// The thread.
    pub running: Running,
    /// Tokens and the audit, which lie beside the journal.
    pub access: SqliteAccess,
    /// What an operator should read.
    pub warnings: Vec<String>,
    /// Entries that were replayed.
    pub replayed: u64,
    /// Where the time went.
    pub times: StartTimes,
}

/// How long the parts of a start took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StartTimes {
    /// Opening the files, and looking whether they are whole.
    pub files: Duration,
    /// From the snapshot to the state.
    pub snapshot: Duration,
    /// The entries after it.
    pub replay: Duration,
}

/// Why a server cannot start.
#[derive(Debug, Error)]
pub enum StartError {
    /// The files.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The snapshot, and the entries after it.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The configuration.
    #[error("the configuration is not acceptable:\n{}", lines(.0))]
    Configuration(Vec<Invalid>),
    /// The system.
    #[error("cannot start a thread: {0}")]
    System(#[from] std::io::Error),
}

fn lines(errors: &[Invalid]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Starts from a data directory; one without a journal begins with this configuration.
pub fn start(directory: &Path, cluster: ClusterSpec, upkeep: Upkeep) -> Result<Start, StartError> {
    let begun = Instant::now();
    let opened = SqliteJournal::open(directory)?;
    let mut warnings: Vec<String> = opened.warnings.iter().map(ToString::to_string).collect();
    let mut journal = opened.journal;
    let mut past = SqliteHistory::open(directory)?;
    if journal.last()? == 0 {
        Control::new(cluster.clone()).map_err(StartError::Configuration)?;
        let entry = Entry::Configured { cluster: Box::new(cluster), by: "start".to_owned() };
        let time_ms = Clock::start(Time(0)).now().0;
        let row = muster_store::NewEntry { time_ms, version: ENTRY_VERSION, body: entry.encode() };
        journal.append(&[row])?;
    }
    let (watermark, last) = (past.watermark()?, journal.last()?);
    if watermark > last {
        warnings.push(format!(
            "the history knows of entries up to {watermark}, the journal ends at {last}: entries \
             that were acknowledged are lost, and numbers of jobs may be given again; restore \
             both files from one backup if there is one"
        ));
        past.rewind(last)?;
    }
    let files = begun.elapsed();
    let restored = restore(&journal, &mut past)?;
    let Restored { control, sequence, from, replayed, snapshot } = restored;
    let replay = begun.elapsed().saturating_sub(files + snapshot);
    let times = StartTimes { files, snapshot, replay };
    let standing = history::standing(&control, control.now());
    past.settle(control.now().0, &standing.holdings, &standing.capacity, &standing.apart)?;
    let clock = Clock::start(control.now());
    let foresight = Arc::new(Foresight::read(&SqliteHistory::open_read_only(directory)?)?);
    let shared = Arc::new(Shared::new(control, sequence, Arc::clone(&foresight)));
    let access = journal.access()?;
    let forgetting = Forgetting::new(upkeep, clock);
    let meters = Arc::clone(shared.meters());
    meters.saved(from.0, from.1);
    let keeping = Keeping { history: Box::new(past), forgetting, foresight, meters };
    let archive = Archive::start(keeping, journal.checkpointer()?, from)?;
    let (driver, running) = spawn(Box::new(journal), archive, shared, clock, upkeep.retention)?;
    Ok(Start { driver, running, access, warnings, replayed, times })
}

struct Restored {
    control: Control,
    /// The last entry there is.
    sequence: u64,
    /// The entry and time of the snapshot.
    from: (u64, Time),
    replayed: u64,
    /// How long the snapshot took.
    snapshot: Duration,
}

fn restore(journal: &SqliteJournal, past: &mut SqliteHistory) -> Result<Restored, ReplayError> {
    let begun = Instant::now();
    let latest = journal.snapshot_latest()?.snapshot;
    let from = latest.as_ref().map_or((0, Time(0)), |at| (at.sequence, Time(at.time_ms)));
    let mut playing = Playing::from(latest)?;
    let snapshot = begun.elapsed();
    let known = past.watermark()?;
    loop {
        let page = journal.read(playing.sequence, PAGE)?;
        let Some(last) = page.last().map(|row| row.sequence) else { break };
        let mut changes = Vec::new();
        for row in &page {
            let entry = Entry::decode(row.sequence, row.version, &row.body)?;
            let now = Time(row.time_ms);
            let applied = playing.play(now, &entry)?;
            let control = playing.control.as_ref().expect("playing an entry makes a state");
            if row.sequence > known {
                let at = (row.sequence, now);
                changes.extend(history::changes(control, at, &entry, &applied));
            }
        }
        if last > known {
            past.record(last, &changes)?;
        }
        playing.sequence = last;
    }
    let Playing { control, sequence } = playing;
    let control = control.ok_or(ReplayError::Empty)?;
    Ok(Restored { control, sequence, from, replayed: sequence - from.0, snapshot })
}
