//! The journal: entries in order, each durable before it is acknowledged, and the snapshots that
//! bound a replay. What an entry says is left to those who write and read it: here it is bytes.

mod checksum;
mod damage;
mod memory;

pub(crate) use checksum::checksum;
pub(crate) use damage::Scan;
pub use damage::{Cut, Damage, Place, SnapshotState, Verification, Warning};
pub use memory::MemoryJournal;

use crate::error::{Result, StoreError};

/// The number of an entry: dense, from 1, in order of commit. 0 stands before all entries.
pub type Sequence = u64;

/// The largest entry. The API takes no request near it; it keeps a mistake of ours out of the file.
pub const ENTRY_BYTES_MAX: usize = 64 << 20;

/// The largest snapshot: what SQLite takes in one value, less some room.
pub const SNAPSHOT_BYTES_MAX: usize = 900_000_000;

/// How many snapshots are kept at most: two to start from, and older ones for who asks about the
/// past. Each start reads all of them once.
pub const SNAPSHOTS_KEPT: usize = 4;

/// The latest ones, which never go: the last, and the one before in case the last gets damaged.
pub const SNAPSHOTS_TO_START: usize = 2;

/// Of older snapshots those go first between whose neighbours there are no more entries than this:
/// that is what a question about the past may have to replay.
pub const SNAPSHOT_SPAN_MAX: u64 = 20_000;

/// An entry before it has a number.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewEntry {
    /// The time the entry is about, in milliseconds since 1970.
    pub time_ms: u64,
    /// How the body is to be read.
    pub version: u32,
    /// What happened.
    pub body: Vec<u8>,
}

/// An entry as it is in the journal.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Entry {
    /// Its number.
    pub sequence: Sequence,
    /// The time the entry is about, in milliseconds since 1970.
    pub time_ms: u64,
    /// How the body is to be read.
    pub version: u32,
    /// What happened.
    pub body: Vec<u8>,
}

/// The whole state after an entry.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Snapshot {
    /// The last entry it covers.
    pub sequence: Sequence,
    /// When it was taken, in milliseconds since 1970.
    pub time_ms: u64,
    /// How the body is to be read.
    pub version: u32,
    /// The state.
    pub body: Vec<u8>,
}

/// Which snapshot there is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SnapshotMark {
    /// The last entry it covers.
    pub sequence: Sequence,
    /// When it was taken, in milliseconds since 1970.
    pub time_ms: u64,
}

/// The latest snapshot that can be read, and those that could not.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct LatestSnapshot {
    /// The latest valid one.
    pub snapshot: Option<Snapshot>,
    /// Later ones that are damaged, newest first: the caller should say so loudly.
    pub damaged: Vec<Sequence>,
}

/// A durable list of entries with snapshots beside it. One owner writes.
///
/// ```
/// use muster_store::{Journal, MemoryJournal, NewEntry};
///
/// let mut journal = MemoryJournal::default();
/// let entry = NewEntry { time_ms: 1_000, version: 1, body: b"{}".to_vec() };
/// assert_eq!(journal.append(&[entry.clone(), entry])?, 2);
/// assert_eq!(journal.read(1, 10)?[0].sequence, 2);
/// # Ok::<(), muster_store::StoreError>(())
/// ```
pub trait Journal: Send {
    /// Appends all entries or none, in order. They are durable when this returns, with the number
    /// of the last entry of the journal.
    ///
    /// # Errors
    /// None of the entries is in the journal, except after [`StoreError::InDoubt`] was the cause of
    /// a later refusal: then opening anew shows whether they are.
    fn append(&mut self, entries: &[NewEntry]) -> Result<Sequence>;

    /// At most `limit` entries after `after`, in order and without gaps. A page may be short; the
    /// end is reached when it is empty.
    ///
    /// # Errors
    /// [`StoreError::Pruned`] if entries after `after` are gone; [`StoreError::DamagedEntry`] if
    /// the very next one is bad (a page ends before a bad entry).
    fn read(&self, after: Sequence, limit: usize) -> Result<Vec<Entry>>;

    /// The oldest entry there is.
    ///
    /// # Errors
    /// Only those of the database.
    fn first(&self) -> Result<Option<Sequence>>;

    /// The last number that was given, 0 if none was; also when the entry itself has been pruned.
    ///
    /// # Errors
    /// Only those of the database.
    fn last(&self) -> Result<Sequence>;

    /// Saves the state after entry `snapshot.sequence`, replaces one of the same entry, and keeps
    /// at most [`SNAPSHOTS_KEPT`]: the latest two that are valid, and some of the older ones.
    ///
    /// # Errors
    /// [`StoreError::SnapshotAhead`] if there is no such entry yet.
    fn snapshot_save(&mut self, snapshot: &Snapshot) -> Result<()>;

    /// The snapshots that are kept, oldest first, whether they are valid or not.
    ///
    /// # Errors
    /// Only those of the database.
    fn snapshots(&self) -> Result<Vec<SnapshotMark>>;

    /// The latest valid snapshot, and which later ones are damaged.
    ///
    /// # Errors
    /// Only those of the database.
    fn snapshot_latest(&self) -> Result<LatestSnapshot>;

    /// The latest valid snapshot that covers no entry after `sequence`.
    ///
    /// # Errors
    /// Only those of the database.
    fn snapshot_at_or_before(&self, sequence: Sequence) -> Result<Option<Snapshot>>;

    /// Forgets entries up to `up_to` and the snapshots before the last of them, but nothing that
    /// the older of the latest two snapshots needs, and nothing at all before there are two.
    /// Returns the last entry forgotten, 0 if none ever was. A call may stop early so that appends
    /// need not wait: call it again while it gets further.
    ///
    /// # Errors
    /// [`StoreError::DamagedSnapshot`] if the older snapshot could not stand in for the entries.
    fn prune(&mut self, up_to: Sequence) -> Result<Sequence>;

    /// Reads everything and counts it.
    ///
    /// # Errors
    /// [`StoreError::Malformed`] if not even counting is possible. Damage to entries is a result.
    fn verify(&self) -> Result<Verification>;
}

/// The snapshot that is to go next, of those that there are in order; none while they are few.
pub(crate) fn surplus(marks: &[Sequence]) -> Option<Sequence> {
    if marks.len() <= SNAPSHOTS_KEPT {
        return None;
    }
    let older = &marks[..=marks.len() - SNAPSHOTS_TO_START];
    let near = older.windows(3).filter(|three| three[2] - three[0] <= SNAPSHOT_SPAN_MAX);
    let between = near.min_by_key(|three| three[2] - three[0]).map(|three| three[1]);
    between.or(marks.first().copied())
}

/// Refuses what could not be stored, before anything is written.
pub(crate) fn check_entries(entries: &[NewEntry]) -> Result<()> {
    for entry in entries {
        check_size("an entry", entry.body.len(), ENTRY_BYTES_MAX)?;
        check_range("time", entry.time_ms)?;
    }
    Ok(())
}

/// Refuses a snapshot that could not be stored or is of a state nobody has seen.
pub(crate) fn check_snapshot(snapshot: &Snapshot, last: Sequence) -> Result<()> {
    check_size("a snapshot", snapshot.body.len(), SNAPSHOT_BYTES_MAX)?;
    check_range("time", snapshot.time_ms)?;
    if snapshot.sequence > last {
        return Err(StoreError::SnapshotAhead { sequence: snapshot.sequence, last });
    }
    Ok(())
}

fn check_size(what: &'static str, bytes: usize, bytes_max: usize) -> Result<()> {
    if bytes <= bytes_max { Ok(()) } else { Err(StoreError::TooLarge { what, bytes, bytes_max }) }
}

/// Databases have signed numbers only.
pub(crate) fn check_range(what: &'static str, value: u64) -> Result<i64> {
    i64::try_from(value).map_err(|_| StoreError::OutOfRange { what, value })
}
