//! Plays a journal and keeps what came of it as bytes.

use muster_engine::snapshot::Snapshot;
use muster_engine::{Engine, Tuning};
use muster_model::ClusterSpec;

use super::journal::Journal;

/// What came of a journal, as JSON: the actions of every step and when the engine wants to be
/// woken then, and the state at the end.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Recording {
    pub(super) steps: Vec<String>,
    pub(super) last: String,
}

pub(super) fn json(snapshot: &Snapshot) -> String {
    serde_json::to_string(snapshot).expect("a snapshot can be written")
}

/// An engine that has just been switched on.
pub(super) fn fresh((cluster, tuning): &(ClusterSpec, Tuning)) -> Engine {
    Engine::with_tuning(cluster.clone(), *tuning).expect("the setting is valid")
}

/// Plays a journal, or a part of it, to its end.
pub(super) fn play(engine: &mut Engine, journal: &Journal, from: usize) -> Recording {
    play_with(engine, journal, from, |_, _| {})
}

/// The same, with something done after every step.
pub(super) fn play_with(
    engine: &mut Engine,
    journal: &Journal,
    from: usize,
    mut after: impl FnMut(usize, &mut Engine),
) -> Recording {
    let mut steps = Vec::new();
    for (index, (now, command)) in journal.iter().enumerate().skip(from) {
        let actions = engine.step(*now, command.clone());
        let done = (actions, engine.next_wake());
        steps.push(serde_json::to_string(&done).expect("actions can be written"));
        after(index, engine);
    }
    Recording { steps, last: json(&engine.snapshot()) }
}

/// An engine that goes on from the bytes of a snapshot, as after a crash.
pub(super) fn revive(bytes: &str, tuning: Tuning) -> Engine {
    let snapshot: Snapshot = serde_json::from_str(bytes).expect("a snapshot can be read");
    Engine::restore(snapshot, tuning).expect("an engine's snapshot restores")
}

/// Asserts that two recordings are the same, and says at which command they part.
pub(super) fn same(one: &Recording, other: &Recording, journal: &Journal, from: usize, what: &str) {
    let differs = one.steps.iter().zip(&other.steps).position(|(one, other)| one != other);
    if let Some(step) = differs {
        panic!(
            "{what}: step {} parts ({:?})\n  one: {}\n  other: {}",
            from + step,
            journal[from + step],
            one.steps[step],
            other.steps[step]
        );
    }
    assert_eq!(one.steps.len(), other.steps.len(), "{what}");
    let differs = one.last.bytes().zip(other.last.bytes()).position(|(one, other)| one != other);
    if let Some(at) = differs {
        let around = |text: &str| text[at.saturating_sub(200)..text.len().min(at + 100)].to_owned();
        let (one, other) = (around(&one.last), around(&other.last));
        panic!("{what}: the states at the end part\n  one: {one}\n  other: {other}");
    }
    assert_eq!(one.last.len(), other.last.len(), "{what}: one state says more");
}
