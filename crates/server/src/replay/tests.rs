//! The past of journals in memory: found by entry and by moment, refused where it is gone.

use std::sync::Arc;

use muster_api::{At, Moment, Program};
use muster_model::{ClusterSpec, JobId, JobSpec, NodeSpec, Time};
use muster_store::{Journal, MemoryJournal, NewEntry, Snapshot};

use super::{Playing, ReplayError, replay, state_at};
use crate::control::CONTROL_VERSION;
use crate::entry::{ENTRY_VERSION, Entry};

/// Entry `n` is of `n` seconds.
fn journal(jobs: u64) -> MemoryJournal {
    let cluster = Box::new(ClusterSpec::default());
    let spec = Box::new(NodeSpec::new("node-1", "H100", 8));
    let (address, instance) = ("10.0.0.1".to_owned(), "agent".to_owned());
    let mut entries = vec![
        Entry::Configured { cluster, by: "start".to_owned() },
        Entry::Announced { spec, address, running: Vec::new(), instance, number: 1 },
    ];
    for _ in 0..jobs {
        let (spec, program) =
            (Arc::new(JobSpec::gang("train", 1, 8)), Arc::new(Program::default()));
        entries.push(Entry::Submitted { spec, program, key: None, anywhere: false });
    }
    let row = |(number, entry): (u64, &Entry)| NewEntry {
        time_ms: number * 1000,
        version: ENTRY_VERSION,
        body: entry.encode(),
    };
    let rows: Vec<NewEntry> = (1..).zip(&entries).map(row).collect();
    let mut journal = MemoryJournal::default();
    journal.append(&rows).expect("memory takes all");
    journal
}

/// Saves the state after an entry, as the server would.
fn save(journal: &mut MemoryJournal, sequence: u64) {
    let mut playing = Playing::from(None).expect("nothing is always a beginning");
    playing.until(&journal.clone(), sequence, |_, _, _| {}).expect("it can be played");
    let body = playing.control.expect("there are entries").snapshot().encode();
    let time_ms = sequence * 1000 + 500;
    let snapshot = Snapshot { sequence, time_ms, version: CONTROL_VERSION, body };
    journal.snapshot_save(&snapshot).expect("memory takes all");
}

fn moment(time_ms: u64) -> At {
    At::Moment(Moment(Time(time_ms)))
}

/// How many jobs there were.
fn jobs(journal: &MemoryJournal, at: At) -> Result<usize, String> {
    let past = state_at(journal, at).map_err(|error| error.to_string())?;
    Ok((1..100).filter(|job| past.control.job(JobId(*job)).is_some()).count())
}

#[test]
fn past_is_found_by_entry_and_by_moment() {
    let journal = journal(3);
    let told = [At::Entry(1), At::Entry(3), At::Entry(5), moment(1000), moment(3999), moment(4000)];
    assert_eq!(told.map(|at| jobs(&journal, at)), [0, 1, 3, 0, 1, 2].map(Ok));
    assert_eq!(jobs(&journal, moment(u64::MAX)), Ok(3), "after the last nothing has happened");
}

#[test]
fn snapshots_shorten_the_way_and_change_nothing() {
    let mut journal = journal(3);
    let before = state_at(&journal, At::Entry(5)).expect("it is there").control.snapshot();
    save(&mut journal, 4);
    let past = state_at(&journal, At::Entry(5)).expect("it is there");
    assert_eq!((past.replayed, past.control.snapshot()), (1, before));
}

#[test]
fn what_was_not_or_is_no_longer_there_is_told_apart() {
    let mut journal = journal(3);
    let refusal = |journal: &MemoryJournal, at| match state_at(journal, at) {
        Err(error) => (error.to_string(), error.hint().is_some()),
        Ok(past) => panic!("nothing should be found: {past:?}"),
    };
    let (words, has_hint) = refusal(&journal, At::Entry(6));
    assert!(words.contains("no entry 6") && words.contains("ends at entry 5") && has_hint);
    for early in [At::Entry(0), moment(999)] {
        let (words, has_hint) = refusal(&journal, early);
        assert!(words.contains("before the beginning") && has_hint, "{words}");
    }
    save(&mut journal, 3);
    save(&mut journal, 4);
    assert_eq!(journal.prune(5).expect("memory forgets all"), 3);
    for gone in [At::Entry(1), At::Entry(2), moment(3499)] {
        let (words, has_hint) = refusal(&journal, gone);
        assert!(words.contains("from entry 3") && has_hint, "{words}");
    }
    assert_eq!(jobs(&journal, At::Entry(3)), Ok(1), "what a snapshot says is known");
    assert_eq!(jobs(&journal, moment(3500)), Ok(1));
    let empty = MemoryJournal::default();
    assert!(matches!(state_at(&empty, moment(1)), Err(ReplayError::Empty)));
}

#[test]
fn replay_finds_the_same_state_as_every_snapshot() {
    let mut journal = journal(3);
    let whole = replay(&journal, |_, _| {}).expect("it can be played");
    assert_eq!((whole.from, whole.last, whole.launches), (0, 5, 1));
    assert_eq!(whole.kinds.get("submitted"), Some(&3));
    assert!(whole.same.is_empty(), "there was nothing to compare with");
    save(&mut journal, 3);
    save(&mut journal, 5);
    let compared = replay(&journal, |_, _| {}).expect("it can be played");
    assert_eq!((compared.same.as_slice(), &compared.hash), (&[3, 5][..], &whole.hash));
    journal.prune(5).expect("memory forgets all");
    let mut steps = Vec::new();
    let rest = replay(&journal, |done, all| steps.push((done, all))).expect("it can be played");
    assert_eq!((rest.from, rest.same.as_slice(), &rest.hash), (3, &[5][..], &whole.hash));
    assert_eq!(steps, [(1, 2), (2, 2)]);
}

#[test]
fn replay_names_the_snapshot_that_says_something_else() {
    let mut journal = journal(3);
    save(&mut journal, 4);
    let mut snapshot = journal.snapshot_latest().expect("it is there").snapshot.expect("so is it");
    snapshot.sequence = 3;
    journal.snapshot_save(&snapshot).expect("memory takes all");
    let error = replay(&journal, |_, _| {}).expect_err("there was a job more");
    let ReplayError::Differs { sequence, parts } = &error else { panic!("{error}") };
    assert_eq!(*sequence, 3);
    assert!(parts.contains("engine") && parts.contains("jobs"), "{parts}");
}
