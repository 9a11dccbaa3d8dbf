//! All of the journal, played again and held against what was saved on the way.

use std::collections::BTreeMap;

use muster_engine::action::Action;
use muster_store::{Journal, Snapshot};

use super::{Playing, ReplayError};
use crate::control::ControlSnapshot;

/// What playing the whole journal showed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    /// The entry of the snapshot it began with, 0 for the very beginning.
    pub from: u64,
    /// The last entry.
    pub last: u64,
    /// Entries by their kind.
    pub kinds: BTreeMap<&'static str, u64>,
    /// Launches of a part of an attempt on a node that the engine decided on.
    pub launches: u64,
    /// Jobs that ended.
    pub ended: u64,
    /// The entries of snapshots that were the same.
    pub same: Vec<u64>,
    /// A hash of the state after the last entry.
    pub hash: String,
}

/// Plays the journal from its beginning, or the oldest snapshot where the beginning is gone, and
/// compares with every later snapshot. `progress` is told how many entries of how many are done.
///
/// # Errors
/// [`ReplayError::Differs`] at the first snapshot that says something else.
pub fn replay(
    journal: &dyn Journal,
    mut progress: impl FnMut(u64, u64),
) -> Result<Replayed, ReplayError> {
    let last = journal.last()?;
    if last == 0 {
        return Err(ReplayError::Empty);
    }
    let mut marks = snapshots(journal, last)?;
    let first = match journal.first()? == Some(1) {
        true => None,
        false if marks.is_empty() => return Err(ReplayError::Empty),
        false => journal.snapshot_at_or_before(marks.remove(0))?,
    };
    let from = first.as_ref().map_or(0, |snapshot| snapshot.sequence);
    let mut playing = Playing::from(first)?;
    let mut found = Replayed { from, last, ..Replayed::default() };
    for stop in marks.iter().copied().chain([last]) {
        let Replayed { kinds, launches, ended, .. } = &mut found;
        playing.until(journal, stop, |row, entry, applied| {
            *kinds.entry(entry.kind()).or_default() += 1;
            for action in &applied.actions {
                *launches += u64::from(matches!(action, Action::Launch { .. }));
                *ended += u64::from(is_end(action));
            }
            progress(row.sequence - from, last - from);
        })?;
        let saved = journal.snapshot_at_or_before(stop)?;
        if let Some(saved) = saved.filter(|saved| saved.sequence == stop && stop > from) {
            compare(&playing, &saved)?;
            found.same.push(stop);
        }
    }
    found.same.dedup();
    let control = playing.control.ok_or(ReplayError::Empty)?;
    found.hash = blake3::hash(&control.snapshot().encode()).to_hex().to_string();
    Ok(found)
}

fn is_end(action: &Action) -> bool {
    let Action::Moved { state, .. } = action else { return false };
    matches!(state, muster_engine::action::JobState::Ended(_))
}

fn compare(playing: &Playing, saved: &Snapshot) -> Result<(), ReplayError> {
    let state = ControlSnapshot::decode(saved.version, &saved.body)?;
    let control = playing.control.as_ref().ok_or(ReplayError::Empty)?;
    let parts = control.snapshot().parts_unlike(&state);
    if parts.is_empty() {
        return Ok(());
    }
    Err(ReplayError::Differs { sequence: saved.sequence, parts: parts.join(", ") })
}

/// The entries of all valid snapshots up to `last`, oldest first.
fn snapshots(journal: &dyn Journal, last: u64) -> Result<Vec<u64>, ReplayError> {
    let mut marks = Vec::new();
    let mut at = Some(last);
    // Ends: each is before the one found last.
    while let Some(before) = at {
        let Some(snapshot) = journal.snapshot_at_or_before(before)? else { break };
        marks.push(snapshot.sequence);
        at = snapshot.sequence.checked_sub(1);
    }
    marks.reverse();
    Ok(marks)
}
