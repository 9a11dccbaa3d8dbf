//! The past, played again: the state after any entry that the journal still leads to.
//!
//! It works on a journal that is open for reading, beside the server that writes to it.

mod check;
#[cfg(test)]
mod tests;

use muster_api::{At, Moment};
use muster_model::{Invalid, Time};
use muster_store::{Entry as Row, Journal, Snapshot, StoreError};
use thiserror::Error;

use crate::control::{Applied, Control, ControlSnapshot, SnapshotError};
use crate::entry::{Entry, EntryError};

pub use check::{Replayed, replay};

/// Entries that are read from the journal at a time.
pub(crate) const PAGE: usize = 1000;

/// The cluster as it was.
#[derive(Debug)]
pub struct PastState {
    /// The state.
    pub control: Control,
    /// The last entry that had taken effect.
    pub sequence: u64,
    /// Entries that were played to get there.
    pub replayed: u64,
}

/// Why the past cannot be shown.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// The files.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A snapshot.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// An entry.
    #[error(transparent)]
    Entry(#[from] EntryError),
    /// The configuration the journal begins with.
    #[error("the journal begins with a configuration that is not acceptable: {}", first(.0))]
    Configuration(Vec<Invalid>),
    /// It has not happened.
    #[error("there is no entry {sequence}: the journal ends at entry {last}")]
    NotYet {
        /// The entry that was asked for.
        sequence: u64,
        /// The last there is.
        last: u64,
    },
    /// There was nothing yet.
    #[error("{at} is before the beginning: entry 1 is of {begun}")]
    BeforeAll {
        /// What was asked for.
        at: At,
        /// The time of the first entry.
        begun: Moment,
    },
    /// The entries are gone.
    #[error(
        "what led to {at} is no longer kept: the journal can be played again from entry {from}"
    )]
    Forgotten {
        /// What was asked for.
        at: At,
        /// The earliest entry whose state can be shown.
        from: u64,
    },
    /// The journal has no entries.
    #[error("the journal is empty")]
    Empty,
    /// The job did not exist, or no longer did.
    #[error("there was no job {job} after entry {sequence}")]
    NoJob {
        /// The job, as it was asked for.
        job: String,
        /// When.
        sequence: u64,
    },
    /// What was played is not what was saved.
    #[error(
        "played again up to entry {sequence}, the state is not the one that was saved there: \
         {parts} differ"
    )]
    Differs {
        /// The entry of the snapshot.
        sequence: u64,
        /// Which parts of the state.
        parts: String,
    },
}

impl ReplayError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            ReplayError::NotYet { .. } => "`muster journal list` shows the last entries".to_owned(),
            ReplayError::BeforeAll { begun, .. } => format!("ask for {begun} or later"),
            ReplayError::Forgotten { from, .. } => {
                format!(
                    "ask for entry {from} or later; what became of older jobs is in the history"
                )
            }
            ReplayError::Empty => {
                "check the data directory, or start a server on it once".to_owned()
            }
            ReplayError::NoJob { .. } => {
                "it came later, or had ended long before; `muster journal list` shows when"
                    .to_owned()
            }
            ReplayError::Differs { .. } => {
                "another release wrote this journal, or the engine is at fault: keep a copy of the \
                 data directory, and report it with the output of `muster --version`"
                    .to_owned()
            }
            _ => return None,
        })
    }
}

fn first(errors: &[Invalid]) -> String {
    errors.first().map(ToString::to_string).unwrap_or_default()
}

/// The state after an entry, or at a moment.
pub fn state_at(journal: &dyn Journal, at: At) -> Result<PastState, ReplayError> {
    let sequence = find(journal, at)?;
    let snapshot = journal.snapshot_at_or_before(sequence)?;
    let from = snapshot.as_ref().map_or(0, |snapshot| snapshot.sequence);
    let is_whole = snapshot.is_some() || journal.first()? == Some(1);
    if !is_whole {
        return Err(ReplayError::Forgotten { at, from: earliest(journal)? });
    }
    let mut playing = Playing::from(snapshot)?;
    playing.until(journal, sequence, |_, _, _| {})?;
    let control = playing.control.ok_or(ReplayError::Empty)?;
    Ok(PastState { control, sequence, replayed: sequence - from })
}

/// The last entry that had taken effect then.
fn find(journal: &dyn Journal, at: At) -> Result<u64, ReplayError> {
    let last = journal.last()?;
    let Some(first) = journal.first()? else {
        // All entries are covered by a snapshot, or there never was one.
        let snapshot = journal.snapshot_latest()?.snapshot.ok_or(ReplayError::Empty)?;
        return of_snapshot(&snapshot, at);
    };
    match at {
        At::Entry(sequence) if sequence > last => Err(ReplayError::NotYet { sequence, last }),
        At::Entry(0) => Err(ReplayError::BeforeAll { at, begun: time_of(journal, first)? }),
        At::Entry(sequence) => Ok(sequence),
        At::Moment(moment) => {
            let begun = time_of(journal, first)?;
            if moment >= begun {
                return last_until(journal, moment, (first, last));
            }
            if first == 1 {
                return Err(ReplayError::BeforeAll { at, begun });
            }
            match journal.snapshot_at_or_before(first - 1)? {
                Some(snapshot) => of_snapshot(&snapshot, at),
                None => Err(ReplayError::Forgotten { at, from: earliest(journal)? }),
            }
        }
    }
}

/// Before all entries that are left there is only what a snapshot says.
fn of_snapshot(snapshot: &Snapshot, at: At) -> Result<u64, ReplayError> {
    let from = snapshot.sequence;
    match at {
        At::Entry(sequence) if sequence > from => Err(ReplayError::NotYet { sequence, last: from }),
        At::Entry(sequence) if sequence == from => Ok(from),
        At::Moment(Moment(Time(time))) if time >= snapshot.time_ms => Ok(from),
        _ => Err(ReplayError::Forgotten { at, from }),
    }
}

/// The last entry of a span that is no later than a moment. The first one is not.
fn last_until(
    journal: &dyn Journal,
    moment: Moment,
    (first, last): (u64, u64),
) -> Result<u64, ReplayError> {
    // Entries are in the order of their times. Ends: the span halves each time.
    let (mut known, mut beyond) = (first, last + 1);
    while beyond - known > 1 {
        let middle = known + (beyond - known) / 2;
        if time_of(journal, middle)? <= moment {
            known = middle;
        } else {
            beyond = middle;
        }
    }
    Ok(known)
}

fn time_of(journal: &dyn Journal, sequence: u64) -> Result<Moment, ReplayError> {
    let row = journal.read(sequence - 1, 1)?.pop().ok_or(ReplayError::Empty)?;
    Ok(Moment(Time(row.time_ms)))
}

/// The earliest entry whose state can be shown.
fn earliest(journal: &dyn Journal) -> Result<u64, ReplayError> {
    if journal.first()? == Some(1) {
        return Ok(1);
    }
    let mut found = journal.snapshot_latest()?.snapshot.ok_or(ReplayError::Empty)?.sequence;
    // Ends: each is before the one found last.
    while let Some(older) = journal.snapshot_at_or_before(found.saturating_sub(1))? {
        found = older.sequence;
        if found == 0 {
            break;
        }
    }
    Ok(found)
}

/// A state on its way through the journal.
#[derive(Debug)]
pub(crate) struct Playing {
    /// Absent before the first entry.
    pub(crate) control: Option<Control>,
    /// The last entry that was played.
    pub(crate) sequence: u64,
}

impl Playing {
    /// Begins after a snapshot, or before the first entry.
    pub(crate) fn from(snapshot: Option<Snapshot>) -> Result<Playing, SnapshotError> {
        let Some(snapshot) = snapshot else { return Ok(Playing { control: None, sequence: 0 }) };
        let state = ControlSnapshot::decode(snapshot.version, &snapshot.body)?;
        let control = Some(Control::restore(state)?);
        Ok(Playing { control, sequence: snapshot.sequence })
    }

    /// Plays entries up to `last`; `see` is shown each with what followed.
    pub(crate) fn until(
        &mut self,
        journal: &dyn Journal,
        last: u64,
        mut see: impl FnMut(&Row, &Entry, &Applied),
    ) -> Result<(), ReplayError> {
        while self.sequence < last {
            let wanted = usize::try_from(last - self.sequence).unwrap_or(usize::MAX);
            let page = journal.read(self.sequence, PAGE.min(wanted))?;
            if page.is_empty() {
                break;
            }
            for row in &page {
                let entry = Entry::decode(row.sequence, row.version, &row.body)?;
                let applied = self.play(Time(row.time_ms), &entry)?;
                self.sequence = row.sequence;
                see(row, &entry, &applied);
            }
        }
        Ok(())
    }

    /// Plays one entry.
    pub(crate) fn play(&mut self, now: Time, entry: &Entry) -> Result<Applied, ReplayError> {
        let control = match &mut self.control {
            Some(control) => control,
            none => none.insert(Control::founded(entry).map_err(ReplayError::Configuration)?),
        };
        Ok(control.apply(now, entry))
    }
}
