//! What a look at the whole journal finds, and how a damaged tail is told from a damaged middle.
//! Moving damaged entries out of the way is left to the store that has them.

use std::fmt;

use super::Sequence;
use crate::error::Fault;

/// What is in a journal.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Verification {
    /// How many entries are valid.
    pub valid: u64,
    /// How many are there and do not match their checksum.
    pub altered: u64,
    /// The oldest entry, valid or not.
    pub first: Option<Sequence>,
    /// The last valid entry.
    pub last_valid: Option<Sequence>,
    /// The snapshots, oldest first.
    pub snapshots: Vec<SnapshotState>,
    /// The first thing that is wrong, if anything is.
    pub damage: Option<Damage>,
}

/// A snapshot and whether it can be used.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SnapshotState {
    /// The last entry it covers, as far as it can be told.
    pub sequence: Sequence,
    /// Whether it matches its checksum.
    pub is_valid: bool,
}

/// The first entry that is bad or missing.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Damage {
    /// Its number.
    pub sequence: Sequence,
    /// What is wrong with it.
    pub what: Fault,
    /// Whether anything valid follows.
    pub place: Place,
}

/// Where damage is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Place {
    /// Nothing valid follows: cut when the journal is opened.
    Tail,
    /// Something valid follows, an entry or a snapshot: the journal refuses to open.
    Middle,
}

/// What opening a journal found and mended. Whoever opens it should say so loudly.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Warning {
    /// The last entries were damaged and have been set aside.
    TailCut {
        /// The last entry that is left, 0 if none is.
        last: Sequence,
        /// How many were set aside.
        set_aside: u64,
    },
    /// A snapshot is damaged; an older one, or the journal alone, is used instead.
    SnapshotDamaged {
        /// The last entry it covered.
        sequence: Sequence,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::TailCut { last, set_aside } => write!(
                formatter,
                "the last {set_aside} entries of the journal were damaged and have been cut; \
                 it now ends at entry {last}. What was cut is in the table `damaged`; if those \
                 entries matter, stop and restore the journal from a backup"
            ),
            Warning::SnapshotDamaged { sequence } => write!(
                formatter,
                "the snapshot at entry {sequence} is damaged and is not used; \
                 starting takes longer, nothing is lost. Look after the disk"
            ),
        }
    }
}

/// What cutting a journal did.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Cut {
    /// The snapshot that stands in for all that was set aside, if one does: then nothing is lost.
    pub covered_by: Option<Sequence>,
    /// How many entries were set aside, in the table `damaged`.
    pub set_aside: u64,
    /// How many of them were valid and will not be replayed.
    pub lost: u64,
    /// The last number the journal has now.
    pub last: Sequence,
}

/// Looks at entries one after the other, in order of their numbers.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    valid: u64,
    altered: u64,
    first: Option<Sequence>,
    last_valid: Option<Sequence>,
    next: Sequence,
    fault: Option<(Sequence, Fault)>,
    valid_after_fault: bool,
}

impl Scan {
    /// Takes in the next entry.
    pub(crate) fn take(&mut self, sequence: Sequence, is_valid: bool) {
        if self.first.is_none() {
            self.first = Some(sequence);
        } else if sequence != self.next {
            self.note(self.next, Fault::Missing);
        }
        self.next = sequence.saturating_add(1);
        if !is_valid {
            self.altered += 1;
            self.note(sequence, Fault::Altered);
            return;
        }
        self.valid += 1;
        self.last_valid = Some(sequence);
        self.valid_after_fault |= self.fault.is_some();
    }

    fn note(&mut self, sequence: Sequence, what: Fault) {
        self.fault.get_or_insert((sequence, what));
    }

    /// The result, given the snapshots in order.
    pub(crate) fn finish(self, snapshots: Vec<SnapshotState>) -> Verification {
        let damage = self.damage(&snapshots);
        let Scan { valid, altered, first, last_valid, .. } = self;
        Verification { valid, altered, first, last_valid, snapshots, damage }
    }

    /// Every entry from the oldest valid snapshot on must be there, or from 1 without a snapshot.
    /// Damage that a valid snapshot covers is not a tail either: what it led to is still known.
    fn damage(&self, snapshots: &[SnapshotState]) -> Option<Damage> {
        let mut covered = snapshots.iter().filter(|mark| mark.is_valid).map(|mark| mark.sequence);
        let oldest = covered.next();
        let latest = covered.next_back().or(oldest).unwrap_or(0);
        let middle = |sequence, what| Some(Damage { sequence, what, place: Place::Middle });

        let wanted = oldest.unwrap_or(0) + 1;
        let is_empty = self.first.is_none() && oldest.is_none() && !snapshots.is_empty();
        if is_empty || self.first.is_some_and(|first| first > wanted) {
            return middle(wanted, Fault::Missing);
        }
        if let Some((sequence, what)) = self.fault {
            if self.valid_after_fault || latest >= sequence {
                return middle(sequence, what);
            }
            return Some(Damage { sequence, what, place: Place::Tail });
        }
        let end = self.last_valid.or(oldest).unwrap_or(0);
        if latest > end { middle(end + 1, Fault::Missing) } else { None }
    }
}
