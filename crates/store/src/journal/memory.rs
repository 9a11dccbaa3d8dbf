//! A journal that lives as long as the process, for tests of those who use one. It keeps the same
//! rules as the durable ones and passes the same suite.

use super::{
    Entry, Journal, LatestSnapshot, NewEntry, SNAPSHOTS_KEPT, Scan, Sequence, Snapshot,
    SnapshotState, Verification, check_entries, check_snapshot,
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
        let surplus = self.snapshots.len().saturating_sub(SNAPSHOTS_KEPT);
        self.snapshots.drain(..surplus);
        Ok(())
    }

    fn snapshot_latest(&self) -> Result<LatestSnapshot> {
        let snapshot = self.snapshots.last().cloned();
        Ok(LatestSnapshot { snapshot, damaged: Vec::new() })
    }

    fn snapshot_at_or_before(&self, sequence: Sequence) -> Result<Option<Snapshot>> {
        Ok(self.snapshots.iter().rev().find(|kept| kept.sequence <= sequence).cloned())
    }

    fn prune(&mut self, up_to: Sequence) -> Result<Sequence> {
        if self.snapshots.len() == SNAPSHOTS_KEPT {
            let bound = up_to.min(self.snapshots[0].sequence);
            self.entries.retain(|entry| entry.sequence > bound);
            self.pruned = self.pruned.max(bound);
        }
        Ok(self.pruned)
    }

    fn verify(&self) -> Result<Verification> {
        let mut scan = Scan::default();
        for entry in &self.entries {
            scan.take(entry.sequence, true);
        }
        let sequences = self.snapshots.iter().map(|snapshot| snapshot.sequence);
        Ok(scan
            .finish(sequences.map(|sequence| SnapshotState { sequence, is_valid: true }).collect()))
    }
}
