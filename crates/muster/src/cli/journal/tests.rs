//! What people read of a journal, and what is done about a damaged one.

use std::collections::BTreeMap;
use std::sync::Arc;

use insta::assert_snapshot;
use muster_api::{At, Program};
use muster_engine::command::{Command, Exit, Refusal};
use muster_model::{Attempt, JobId, JobSpec, Name, NodeId, NodeSpec, Time};
use muster_server::Entry;
use muster_server::replay::{Replayed, state_at};
use muster_store::{
    Cut, Damage, Entry as Row, Fault, Journal, MemoryJournal, NewEntry, Place, SnapshotState,
    Verification,
};

use super::cut::Plan;
use super::{cut, list, play, state, verify};

fn entries() -> Vec<Entry> {
    let submitted = |name: &str, key: Option<&str>| Entry::Submitted {
        spec: Arc::new(JobSpec::gang(name, 1, 8)),
        program: Arc::new(Program::default()),
        key: key.map(ToOwned::to_owned),
        anywhere: false,
    };
    let (node, job, attempt) = (NodeId(0), JobId(1), Attempt(1));
    vec![
        Entry::Configured { cluster: Box::default(), by: "start".to_owned() },
        Entry::Announced {
            spec: Box::new(NodeSpec::new("node-1", "H100", 8)),
            address: "10.0.0.1".to_owned(),
            running: Vec::new(),
            instance: "agent".to_owned(),
            number: 1,
        },
        submitted("train", Some("k-1")),
        submitted("second", None),
        Entry::Told(Command::Started { node, job, attempt }),
        Entry::Explained {
            command: Command::Refused {
                node,
                job: JobId(2),
                attempt,
                refusal: Refusal::Node(Name::from("device-busy")),
            },
            detail: "GPU 3 is used by another process".to_owned(),
        },
        Entry::Told(Command::NodeLost { node, lease_ends: Time(1_700_000_060_000) }),
        Entry::Told(Command::Tick),
        Entry::Told(Command::Ended { node, job, attempt, exit: Exit::Code(1) }),
    ]
}

fn rows(entries: &[Entry]) -> Vec<NewEntry> {
    let row = |(number, entry): (u64, &Entry)| NewEntry {
        time_ms: 1_700_000_000_000 + number * 250,
        version: 1,
        body: entry.encode(),
    };
    (0..).zip(entries).map(row).collect()
}

#[test]
fn entries_are_listed_one_a_line() {
    let rows = (1..).zip(rows(&entries()));
    let mut text: String = rows
        .map(|(sequence, NewEntry { time_ms, version, body })| {
            list::line(&Row { sequence, time_ms, version, body })
        })
        .collect();
    let later = Row { sequence: 10, time_ms: 1_700_000_009_000, version: 9, body: Vec::new() };
    text.push_str(&list::line(&later));
    assert_snapshot!(text);
}

#[test]
fn past_state_is_shown_with_queues_nodes_and_jobs() {
    let mut journal = MemoryJournal::default();
    journal.append(&rows(&entries()[..5])).expect("memory takes all");
    let past = state_at(&journal, At::Entry(5)).expect("it is there");
    assert_snapshot!(state::Shown::of(past, false).text(Some(100)));
}

/// A journal in order, with snapshots.
fn whole() -> Verification {
    let mark = |sequence, is_valid| SnapshotState { sequence, is_valid };
    Verification {
        valid: 4_812,
        altered: 0,
        first: Some(1),
        last_valid: Some(4_812),
        snapshots: vec![mark(2_000, true), mark(4_000, true)],
        damage: None,
    }
}

fn versions() -> verify::Versions {
    verify::Versions { counts: BTreeMap::from([(1, 4_812)]), unreadable: None }
}

#[test]
fn journal_in_order_is_told_in_three_lines() {
    assert_snapshot!(verify::report(&whole(), &versions()));
}

#[test]
fn damage_is_told_with_what_to_do() {
    let mut text = String::new();
    let cases = [
        (4_812, Fault::Altered, Place::Tail),
        (3_000, Fault::Missing, Place::Middle),
        (4_500, Fault::Altered, Place::Middle),
    ];
    for (sequence, what, place) in cases {
        let damage = Damage { sequence, what, place };
        let found = Verification { altered: 1, damage: Some(damage), ..whole() };
        text.push_str(&verify::report(&found, &versions()));
        let (words, remedy) = (verify::words(damage), verify::remedy(damage, &found));
        text.push_str(&format!("error: {words}\nhint: {remedy}\n\n"));
    }
    assert_snapshot!(text);
}

#[test]
fn damage_is_mended_and_whole_entries_go_only_where_they_are_named() {
    let damage = Damage { sequence: 7, what: Fault::Altered, place: Place::Middle };
    let damaged = Verification { damage: Some(damage), ..whole() };
    let plan = |found: &Verification, at| cut::plan(found, at).map_err(|error| error.to_string());
    assert_eq!(plan(&damaged, None), Ok(Plan::Mend(7)));
    assert_eq!(plan(&damaged, Some(7)), Ok(Plan::Mend(7)));
    assert_eq!(plan(&damaged, Some(5)), Ok(Plan::Back(5)));
    assert_eq!(plan(&whole(), Some(5)), Ok(Plan::Back(5)));
    assert!(plan(&whole(), None).is_err());
}

#[test]
fn what_was_cut_is_told_with_what_it_costs() {
    let covered = Cut { covered_by: Some(4_000), set_aside: 4_000, lost: 0, last: 4_812 };
    let tail = Cut { covered_by: None, set_aside: 1, lost: 0, last: 4_811 };
    let back = Cut { covered_by: None, set_aside: 1_013, lost: 1_012, last: 3_799 };
    assert_snapshot!([covered, tail, back].map(cut::report).join("\n"));
}

#[test]
fn replay_is_told_with_its_counts_and_its_hash() {
    let found = Replayed {
        from: 2_000,
        last: 4_812,
        kinds: BTreeMap::from([("submitted", 1_406), ("ended", 1_400), ("tick", 6)]),
        launches: 1_402,
        ended: 1_400,
        same: vec![4_000],
        hash: "af13".repeat(16),
    };
    assert_snapshot!(play::report(&found));
    let alone = Replayed { from: 0, same: Vec::new(), ..found };
    assert!(play::report(&alone).contains("with nothing"));
}
