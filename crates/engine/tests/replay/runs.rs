//! Long mixed journals, replayed in every way.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use muster_engine::Engine;
use muster_engine::snapshot::SNAPSHOT_VERSION;
use muster_model::Order;

use super::journal::{Journal, journal, setting};
use super::player::{Recording, fresh, json, play, play_with, revive, same};

const ORDERS: [Order; 6] =
    [Order::Muster, Order::Fifo, Order::Sjf, Order::Fair, Order::Srtf, Order::Las];

/// The steps of a recording from one on, with its end.
fn tail(recording: &Recording, from: usize) -> Recording {
    Recording { steps: recording.steps[from..].to_vec(), last: recording.last.clone() }
}

/// Journals of every policy and many seeds: mistakes are rare, and each seed has found one.
fn journals() -> &'static [(Order, Journal)] {
    static JOURNALS: OnceLock<Vec<(Order, Journal)>> = OnceLock::new();
    JOURNALS.get_or_init(|| {
        let seeds = [3, 42, 100, 101, 103, 104, 107, 113, 116, 121, 141, 142];
        let all = ORDERS.into_iter().flat_map(|order| seeds.map(|seed| (order, seed)));
        all.map(|(order, seed)| (order, journal(seed, order, 600))).collect()
    })
}

#[test]
fn the_journals_are_worth_replaying() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (order, journal) in journals() {
        let recording = play(&mut fresh(&setting(*order)), journal, 0);
        let words = ["launch", "stop", "signal", "rejected", "accepted", "running", "waiting"];
        let modes = ["hard", "soft", "none", "mig"];
        let outcomes = [
            "completed",
            "failed",
            "cancelled",
            "timed-out",
            "node-lost",
            "launch-failed",
            "dependency-failed",
        ];
        for word in words.into_iter().chain(outcomes).chain(modes) {
            let quoted = format!("\"{word}\"");
            let found = recording.steps.iter().filter(|step| step.contains(&quoted)).count();
            *counts.entry(word).or_default() += found;
        }
    }
    for (word, count) in counts {
        assert!(count > 0, "{word} never happens");
    }
}

#[test]
fn a_journal_played_twice_gives_the_same_bytes() {
    for (order, journal) in journals() {
        let setting = setting(*order);
        let one = play(&mut fresh(&setting), journal, 0);
        let other = play(&mut fresh(&setting), journal, 0);
        same(&one, &other, journal, 0, &format!("{order:?}"));
    }
}

#[test]
fn an_engine_that_is_restarted_again_and_again_does_the_same() {
    for (order, journal) in journals() {
        let setting = setting(*order);
        let whole = play(&mut fresh(&setting), journal, 0);
        let restarted = play_with(&mut fresh(&setting), journal, 0, |step, engine| {
            if step.is_multiple_of(3) {
                let snapshot = engine.snapshot();
                *engine = Engine::restore(snapshot, setting.1).expect("a snapshot restores");
            }
        });
        same(&whole, &restarted, journal, 0, &format!("{order:?}"));
    }
}

#[test]
fn a_snapshot_and_the_rest_of_the_journal_give_what_the_whole_gives() {
    for order in ORDERS {
        let journal = journal(5, order, 1000);
        let setting = setting(order);
        let mut snapshots = Vec::new();
        let whole = play_with(&mut fresh(&setting), &journal, 0, |step, engine| {
            if step.is_multiple_of(70) {
                snapshots.push((step + 1, json(&engine.snapshot())));
            }
        });
        for (from, bytes) in snapshots {
            let rest = play(&mut revive(&bytes, setting.1), &journal, from);
            same(&tail(&whole, from), &rest, &journal, from, &format!("{order:?} from {from}"));
        }
    }
}

#[test]
fn a_copy_foresees_what_the_engine_does_and_goes_on_as_it_does() {
    for order in ORDERS {
        let journal = journal(13, order, 600);
        let setting = setting(order);
        let mut copies = Vec::new();
        let whole = play_with(&mut fresh(&setting), &journal, 0, |step, engine| {
            if step.is_multiple_of(60) {
                let mut copy = engine.clone();
                assert_eq!(copy.outlook(20), engine.outlook(20), "{order:?} at {step}");
                copies.push((step + 1, copy));
            }
        });
        for (from, mut copy) in copies {
            let rest = play(&mut copy, &journal, from);
            same(&tail(&whole, from), &rest, &journal, from, &format!("{order:?} from {from}"));
        }
    }
}

#[test]
fn asking_why_along_the_way_changes_nothing() {
    for order in ORDERS {
        let journal = journal(9, order, 500);
        let setting = setting(order);
        let silent = play(&mut fresh(&setting), &journal, 0);
        let asked = play_with(&mut fresh(&setting), &journal, 0, |step, engine| {
            if step.is_multiple_of(5) {
                for job in engine.snapshot().jobs {
                    let why = engine.why(job.id).expect("a job in the snapshot is known");
                    assert_eq!(why.state, job.state);
                    engine.decision(job.id);
                }
            }
        });
        same(&silent, &asked, &journal, 0, &format!("{order:?}"));
    }
}

#[test]
fn a_snapshot_survives_json_and_a_restore_to_the_byte() {
    for (order, journal) in journals() {
        let setting = setting(*order);
        play_with(&mut fresh(&setting), journal, 0, |step, engine| {
            if step.is_multiple_of(60) {
                let bytes = json(&engine.snapshot());
                let revived = revive(&bytes, setting.1);
                assert_eq!(json(&revived.snapshot()), bytes, "{order:?} at step {step}");
                assert_eq!(revived.free_counts(), engine.free_counts());
                assert_eq!(revived.next_wake(), engine.next_wake(), "{order:?} at step {step}");
                assert_eq!(revived.queued(), engine.queued());
            }
        });
    }
}

#[test]
fn the_memo_of_failed_shapes_does_not_change_what_happens() {
    for (order, journal) in journals() {
        let (cluster, tuning) = setting(*order);
        let with = play(&mut fresh(&(cluster.clone(), tuning)), journal, 0);
        let without = muster_engine::Tuning { memo: false, ..tuning };
        let without = play(&mut fresh(&(cluster, without)), journal, 0);
        same(&with, &without, journal, 0, &format!("{order:?} without the memo"));
    }
}

#[test]
fn a_snapshot_of_another_version_is_refused() {
    let setting = setting(Order::Muster);
    let mut snapshot = fresh(&setting).snapshot();
    for version in [0, SNAPSHOT_VERSION + 1, u32::MAX] {
        snapshot.version = version;
        let errors = Engine::restore(snapshot.clone(), setting.1).unwrap_err();
        assert_eq!(errors.len(), 1);
        assert_eq!((errors[0].field.as_str(), &errors[0].value), ("version", &version.to_string()));
        assert!(errors[0].allowed.contains(&format!("expected version {SNAPSHOT_VERSION}")));
    }
}

#[test]
fn a_snapshot_with_a_bad_configuration_is_refused() {
    let setting = setting(Order::Muster);
    let mut snapshot = fresh(&setting).snapshot();
    snapshot.cluster.queues[0].weight = 0;
    let errors = Engine::restore(snapshot, setting.1).unwrap_err();
    assert_eq!(errors[0].field, "queues[0].weight");
}
