//! A journal that lives as long as the process, for tests of those who use one. It keeps the same
//! rules as the durable ones and passes the same suite.

use super::{
    Entry, Journal, LatestSnapshot, NewEntry, SNAPSHOTS_TO_START, Scan, Sequence, Snapshot,
    SnapshotMark, SnapshotState, Verification, check_entries, check_snapshot, surplus,
};
use crate::error::{Result, StoreError};

/// A journal in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryJournal {
    entries: Vec<Entry>,
    /// How many entries have been pruned: they were the first ones.
    pruned: Sequence,
    /// Oldest first.
    snapshots: Vec<Snapshot>,
}

impl MemoryJournal {
    fn marks(&self) -> Vec<Sequence> {
        self.snapshots.iter().map(|kept| kept.sequence).collect()
    }
}

impl Journal for MemoryJournal {
    fn append(&mut self, entries: &[NewEntry]) -> Result<Sequence> {
        check_entries(entries)?;
        let mut sequence = self.last()?;
        for NewEntry { time_ms, version, body } in entries.iter().cloned() {
            sequence += 1;
            self.entries.push(Entry { sequence, time_ms, version, body });
        }
        Ok(sequence)
    }

    fn read(&self, after: Sequence, limit: usize) -> Result<Vec<Entry>> {
        if after < self.pruned {
            return Err(StoreError::Pruned { after, first: self.pruned + 1 });
        }
        let kept = self.entries.iter().filter(|entry| entry.sequence > after);
        Ok(kept.take(limit).cloned().collect())
    }

    fn first(&self) -> Result<Option<Sequence>> {
        Ok(self.entries.first().map(|entry| entry.sequence))
    }

    fn last(&self) -> Result<Sequence> {
        Ok(self.entries.last().map_or(self.pruned, |entry| entry.sequence))
    }

    fn snapshot_save(&mut self, snapshot: &Snapshot) -> Result<()> {
        check_snapshot(snapshot, self.last()?)?;
        self.snapshots.retain(|kept| kept.sequence != snapshot.sequence);
        self.snapshots.push(snapshot.clone());
        self.snapshots.sort_by_key(|kept| kept.sequence);
        self.snapshots.retain(|kept| kept.sequence >= self.pruned);
        while let Some(gone) = surplus(&self.marks()) {
            self.snapshots.retain(|kept| kept.sequence != gone);
        }
        Ok(())
    }

    fn snapshots(&self) -> Result<Vec<SnapshotMark>> {
        let mark =
            |kept: &Snapshot| SnapshotMark { sequence: kept.sequence, time_ms: kept.time_ms };
        Ok(self.snapshots.iter().map(mark).collect())
    }

    fn snapshot_latest(&self) -> Result<LatestSnapshot> {
        let snapshot = self.snapshots.last().cloned();
        Ok(LatestSnapshot { snapshot, damaged: Vec::new() })
    }

    fn snapshot_at_or_before(&self, sequence: Sequence) -> Result<Option<Snapshot>> {
        Ok(self.snapshots.iter().rev().find(|kept| kept.sequence <= sequence).cloned())
    }

    fn prune(&mut self, up_to: Sequence) -> Result<Sequence> {
        let older = self.snapshots.len().checked_sub(SNAPSHOTS_TO_START);
        if let Some(older) = older.map(|index| self.snapshots[index].sequence) {
            self.pruned = self.pruned.max(up_to.min(older));
            self.entries.retain(|entry| entry.sequence > self.pruned);
            self.snapshots.retain(|kept| kept.sequence >= self.pruned);
        }
        Ok(self.pruned)
    }

    fn verify(&self) -> Result<Verification> {
        let mut scan = Scan::default();
        for entry in &self.entries {
            scan.take(entry.sequence, true);
        }
        let marks = self.marks().into_iter();
        Ok(scan.finish(marks.map(|sequence| SnapshotState { sequence, is_valid: true }).collect()))
    }
}
