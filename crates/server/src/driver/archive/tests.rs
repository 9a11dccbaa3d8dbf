//! The thread that writes the history also forgets; and a start never has to replay much.

use std::sync::Arc;
use std::time::Duration;

use muster_model::{ClusterSpec, Time};
use muster_store::history::{Change, JobFilter, JobRow};
use muster_store::{HistoryReader, SqliteHistory, SqliteJournal};

use super::{Archive, Keeping, Recorded, UNSAVED_MAX};
use crate::clock::Clock;
use crate::control::Control;
use crate::driver::forget::Forgetting;
use crate::metrics::Meters;
use crate::shared::Shared;
use crate::upkeep::Upkeep;

/// An archive in a folder.
fn archive(folder: &tempfile::TempDir, upkeep: Upkeep) -> Archive {
    let journal = SqliteJournal::open(folder.path()).expect("a journal").journal;
    let checkpointer = journal.checkpointer().expect("it is open for writing");
    let past = SqliteHistory::open(folder.path()).expect("a history");
    let forgetting = Forgetting::new(upkeep, Clock::start(Time(0)));
    let foresight = Arc::default();
    let meters = Arc::new(Meters::new(&ClusterSpec::default(), 0));
    let keeping = Keeping { history: Box::new(past), forgetting, foresight, meters };
    let archive = Archive::start(keeping, checkpointer, (0, Time(0)));
    archive.expect("a thread can be started")
}

#[test]
fn old_jobs_are_forgotten_on_a_timer_beside_the_work() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let upkeep =
        Upkeep { jobs_least: 1, forget_every: Duration::from_millis(1), ..Upkeep::default() };
    let mut archive = archive(&folder, upkeep);
    let ended = |id| Change::Job(JobRow { id, ended_ms: Some(id), ..JobRow::default() });
    let changes = (1..=5).map(ended).collect();
    archive.record(Recorded { up_to: 1, changes }).expect("it is written");
    let reader = SqliteHistory::open_read_only(folder.path()).expect("it is there");
    let left = || {
        let rows = reader.jobs(&JobFilter::default(), None, 10);
        rows.expect("it can be read").iter().map(|job| job.id).collect::<Vec<_>>()
    };
    // Each time the thread comes by, it looks whether it is time.
    let is_done = (0..10_000).any(|_| archive.settle().is_ok() && left() == [5]);
    assert!(is_done, "the latest is kept, all others are from long ago: {:?}", left());
    archive.close().expect("it ends well");
}

#[test]
fn driver_waits_for_a_snapshot_only_when_too_much_is_unsaved() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut archive = archive(&folder, Upkeep::default());
    let control = Control::new(ClusterSpec::default()).expect("the default is valid");
    let shared = Arc::new(Shared::new(control, 0, Arc::default()));
    archive.consider(&shared, Time(1));
    assert_eq!(archive.finished(true), None, "nothing has happened");
    shared.advance(UNSAVED_MAX);
    assert!(!archive.is_far_behind(UNSAVED_MAX), "there is nothing to wait for yet");
    let recorded = Recorded { up_to: UNSAVED_MAX, changes: Vec::new() };
    archive.record(recorded).expect("it is written");
    archive.consider(&shared, Time(1));
    assert!(archive.is_far_behind(UNSAVED_MAX));
    assert!(!archive.is_far_behind(UNSAVED_MAX - 1));
    let made = archive.finished(true).expect("it is made by then");
    assert_eq!(made.sequence, UNSAVED_MAX);
    shared.advance(UNSAVED_MAX + 1);
    archive.consider(&shared, Time(1));
    assert_eq!(archive.finished(true), None, "the next is not due");
    archive.close().expect("it ends well");
}
