//! What every journal does.

use muster_store::journal::ENTRY_BYTES_MAX;
use muster_store::{Journal, LatestSnapshot, NewEntry, Place, Sequence, StoreError};

use crate::support::{entries, entry, snapshot};

/// Prunes as far as it goes.
fn prune(journal: &mut dyn Journal, up_to: Sequence) -> Sequence {
    let mut reached = journal.prune(up_to).unwrap();
    // Ends: every call either gets further or does not.
    loop {
        let next = journal.prune(up_to).unwrap();
        if next == reached {
            return reached;
        }
        reached = next;
    }
}

pub(crate) fn numbers_are_dense_and_batches_are_whole(journal: &mut dyn Journal) {
    assert_eq!((journal.first().unwrap(), journal.last().unwrap()), (None, 0));
    assert_eq!(journal.append(&[]).unwrap(), 0);
    assert_eq!(journal.append(&entries(1, 1)).unwrap(), 1);
    assert_eq!(journal.append(&entries(2, 5)).unwrap(), 5);
    assert_eq!(journal.append(&[]).unwrap(), 5);
    assert_eq!((journal.first().unwrap(), journal.last().unwrap()), (Some(1), 5));
    let all: Vec<_> = (1..=5).map(entry).collect();
    assert_eq!(journal.read(0, usize::MAX).unwrap(), all);
}

pub(crate) fn pages_follow_each_other_without_gaps(journal: &mut dyn Journal) {
    journal.append(&entries(1, 25)).unwrap();
    let mut read = Vec::new();
    loop {
        let page = journal.read(read.last().copied().unwrap_or(0), 10).unwrap();
        assert!(page.len() <= 10);
        if page.is_empty() {
            break;
        }
        read.extend(page.iter().map(|entry| entry.sequence));
    }
    assert_eq!(read, (1..=25).collect::<Vec<_>>());
    assert_eq!(journal.read(25, 10).unwrap(), []);
    assert_eq!(journal.read(Sequence::MAX, 10).unwrap(), []);
    assert_eq!(journal.read(3, 0).unwrap(), []);
}

pub(crate) fn a_batch_with_something_unfit_leaves_nothing(journal: &mut dyn Journal) {
    journal.append(&entries(1, 2)).unwrap();
    let mut batch = entries(3, 5);
    batch[1].time_ms = u64::MAX;
    let refused = journal.append(&batch).unwrap_err();
    assert!(matches!(refused, StoreError::OutOfRange { value: u64::MAX, .. }), "{refused}");
    let large = NewEntry { time_ms: 1, version: 1, body: vec![0; ENTRY_BYTES_MAX + 1] };
    let refused = journal.append(&[entries(3, 3).remove(0), large]).unwrap_err();
    assert!(matches!(refused, StoreError::TooLarge { .. }), "{refused}");
    assert_eq!(journal.last().unwrap(), 2);
    assert_eq!(journal.append(&entries(3, 3)).unwrap(), 3);
    assert_eq!(journal.read(2, 10).unwrap(), [entry(3)]);
}

/// The entries of the snapshots that are kept.
fn marks(journal: &dyn Journal) -> Vec<Sequence> {
    let marks = journal.snapshots().unwrap();
    for mark in &marks {
        assert_eq!(mark.time_ms, snapshot(mark.sequence).time_ms);
    }
    marks.iter().map(|mark| mark.sequence).collect()
}

pub(crate) fn the_latest_snapshots_are_kept(journal: &mut dyn Journal) {
    assert_eq!(journal.snapshot_latest().unwrap(), LatestSnapshot::default());
    assert_eq!(journal.snapshots().unwrap(), []);
    journal.append(&entries(1, 9)).unwrap();
    for sequence in [2, 4, 6, 7, 5, 3] {
        journal.snapshot_save(&snapshot(sequence)).unwrap();
    }
    let found = journal.snapshot_latest().unwrap();
    assert_eq!(found, LatestSnapshot { snapshot: Some(snapshot(7)), damaged: vec![] });
    let kept = marks(journal);
    assert_eq!((kept.len(), &kept[2..]), (4, &[6, 7][..]), "the latest two never go");
    let all_valid = journal.verify().unwrap().snapshots.iter().all(|mark| mark.is_valid);
    assert!(all_valid);

    let mut again = snapshot(7);
    again.body = b"taken once more".to_vec();
    journal.snapshot_save(&again).unwrap();
    assert_eq!(journal.snapshot_latest().unwrap().snapshot, Some(again));
    assert_eq!(marks(journal), kept);
}

pub(crate) fn older_snapshots_are_thinned_out_and_those_far_apart_stay(journal: &mut dyn Journal) {
    journal.append(&entries(1, 60_000)).unwrap();
    for sequence in [100, 200, 300, 400, 500] {
        journal.snapshot_save(&snapshot(sequence)).unwrap();
    }
    assert_eq!(marks(journal), [100, 300, 400, 500], "the oldest stays while others are near");
    for sequence in [15_000, 30_000] {
        journal.snapshot_save(&snapshot(sequence)).unwrap();
    }
    assert_eq!(marks(journal), [100, 500, 15_000, 30_000]);
    journal.snapshot_save(&snapshot(60_000)).unwrap();
    assert_eq!(marks(journal), [100, 15_000, 30_000, 60_000]);
    journal.snapshot_save(&snapshot(59_000)).unwrap();
    assert_eq!(marks(journal), [15_000, 30_000, 59_000, 60_000], "all are far apart");
    assert_eq!(prune(journal, 30_000), 30_000);
    assert_eq!(marks(journal), [30_000, 59_000, 60_000], "what leads nowhere goes too");
    assert_eq!(journal.verify().unwrap().damage, None);
}

pub(crate) fn a_snapshot_from_before_what_was_pruned_is_not_kept(journal: &mut dyn Journal) {
    journal.append(&entries(1, 9)).unwrap();
    journal.snapshot_save(&snapshot(5)).unwrap();
    journal.snapshot_save(&snapshot(8)).unwrap();
    assert_eq!(prune(journal, 9), 5);
    journal.snapshot_save(&snapshot(3)).unwrap();
    assert_eq!(marks(journal), [5, 8]);
    assert_eq!(journal.verify().unwrap().damage, None);
}

pub(crate) fn snapshots_are_found_by_entry(journal: &mut dyn Journal) {
    journal.append(&entries(1, 9)).unwrap();
    journal.snapshot_save(&snapshot(4)).unwrap();
    journal.snapshot_save(&snapshot(6)).unwrap();
    let at = |sequence| journal.snapshot_at_or_before(sequence).unwrap();
    assert_eq!(at(3), None);
    assert_eq!(at(4), Some(snapshot(4)));
    assert_eq!(at(5), Some(snapshot(4)));
    assert_eq!(at(Sequence::MAX), Some(snapshot(6)));
}

pub(crate) fn a_snapshot_of_the_future_is_refused(journal: &mut dyn Journal) {
    journal.append(&entries(1, 2)).unwrap();
    let refused = journal.snapshot_save(&snapshot(3)).unwrap_err();
    assert!(matches!(refused, StoreError::SnapshotAhead { sequence: 3, last: 2 }), "{refused}");
    journal.snapshot_save(&snapshot(0)).unwrap();
    assert_eq!(journal.snapshot_latest().unwrap().snapshot, Some(snapshot(0)));
}

pub(crate) fn nothing_is_pruned_without_two_snapshots(journal: &mut dyn Journal) {
    journal.append(&entries(1, 5)).unwrap();
    assert_eq!(prune(journal, 5), 0);
    journal.snapshot_save(&snapshot(5)).unwrap();
    assert_eq!(prune(journal, 5), 0);
    assert_eq!(journal.first().unwrap(), Some(1));
}

pub(crate) fn pruning_stops_at_the_older_snapshot(journal: &mut dyn Journal) {
    journal.append(&entries(1, 9)).unwrap();
    journal.snapshot_save(&snapshot(5)).unwrap();
    journal.snapshot_save(&snapshot(8)).unwrap();
    assert_eq!(prune(journal, 3), 3);
    assert_eq!(journal.first().unwrap(), Some(4));
    assert_eq!(prune(journal, 2), 3, "what is gone stays gone");
    assert_eq!(prune(journal, Sequence::MAX), 5);
    let rest: Vec<_> = (6..=9).map(entry).collect();
    assert_eq!(journal.read(5, 100).unwrap(), rest);
    assert_eq!(journal.verify().unwrap().damage, None);
}

pub(crate) fn numbers_go_on_after_everything_is_pruned(journal: &mut dyn Journal) {
    journal.append(&entries(1, 3)).unwrap();
    journal.snapshot_save(&snapshot(2)).unwrap();
    journal.snapshot_save(&snapshot(3)).unwrap();
    prune(journal, 3);
    assert_eq!(journal.last().unwrap(), 3);
    assert_eq!(journal.append(&entries(4, 4)).unwrap(), 4);
    journal.snapshot_save(&snapshot(4)).unwrap();
    assert_eq!(prune(journal, 4), 3);
    assert_eq!(journal.read(3, 10).unwrap(), [entry(4)]);
}

pub(crate) fn what_was_pruned_is_not_read_in_silence(journal: &mut dyn Journal) {
    journal.append(&entries(1, 9)).unwrap();
    journal.snapshot_save(&snapshot(5)).unwrap();
    journal.snapshot_save(&snapshot(6)).unwrap();
    prune(journal, 5);
    let refused = journal.read(4, 10).unwrap_err();
    assert!(matches!(refused, StoreError::Pruned { after: 4, first: 6 }), "{refused}");
    assert_eq!(journal.read(5, 1).unwrap(), [entry(6)]);
}

pub(crate) fn verification_counts_what_is_there(journal: &mut dyn Journal) {
    let empty = journal.verify().unwrap();
    assert_eq!((empty.valid, empty.first, empty.last_valid, empty.damage), (0, None, None, None));
    journal.append(&entries(1, 9)).unwrap();
    journal.snapshot_save(&snapshot(5)).unwrap();
    journal.snapshot_save(&snapshot(9)).unwrap();
    prune(journal, 5);
    let found = journal.verify().unwrap();
    assert_eq!((found.valid, found.altered), (4, 0));
    assert_eq!((found.first, found.last_valid), (Some(6), Some(9)));
    assert_eq!(found.damage.map(|damage| damage.place), None::<Place>);
}
