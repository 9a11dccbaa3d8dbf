//! Random sequences of operations: the journal in a file, opened anew at any time, gives the same
//! answers as the one in memory.

#![allow(clippy::unwrap_used, reason = "all of it is tests, also what has no attribute")]

mod support;

use muster_store::{Journal, MemoryJournal, NewEntry, Snapshot};
use proptest::prelude::*;
use support::Folder;

#[derive(Clone, Debug)]
enum Step {
    Append(Vec<Vec<u8>>),
    Snapshot { back: u64, body: Vec<u8> },
    Prune { back: u64 },
    Read { back: u64, limit: usize },
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    let body = || prop::collection::vec(any::<u8>(), 0..40);
    prop_oneof![
        4 => prop::collection::vec(body(), 0..6).prop_map(Step::Append),
        2 => (0..12_u64, body()).prop_map(|(back, body)| Step::Snapshot { back, body }),
        2 => (0..12_u64).prop_map(|back| Step::Prune { back }),
        2 => (0..20_u64, 0..8_usize).prop_map(|(back, limit)| Step::Read { back, limit }),
        1 => Just(Step::Reopen),
    ]
}

/// Does one step. What it answers is text, so that errors can be compared too.
fn apply(journal: &mut dyn Journal, step: &Step, number: u64) -> String {
    let last = journal.last().unwrap();
    match step.clone() {
        Step::Append(bodies) => {
            let entry = |body| NewEntry { time_ms: number, version: 1, body };
            let batch: Vec<_> = bodies.into_iter().map(entry).collect();
            format!("{:?}", journal.append(&batch))
        }
        Step::Snapshot { back, body } => {
            // Reaches beyond the end sometimes: that is refused.
            let sequence = (last + 2).saturating_sub(back);
            let snapshot = Snapshot { sequence, time_ms: number, version: 1, body };
            format!("{:?}", journal.snapshot_save(&snapshot))
        }
        Step::Prune { back } => format!("{:?}", journal.prune((last + 2).saturating_sub(back))),
        Step::Read { back, limit } => {
            format!("{:?}", journal.read((last + 2).saturating_sub(back), limit))
        }
        Step::Reopen => String::new(),
    }
}

/// Everything that can be asked.
fn state(journal: &dyn Journal) -> String {
    let after = journal.first().unwrap().map_or(journal.last().unwrap(), |first| first - 1);
    let last = journal.last().unwrap();
    let past: Vec<_> = (0..=last).map(|at| journal.snapshot_at_or_before(at).unwrap()).collect();
    format!(
        "{last} {after} {:?} {:?} {:?} {past:?}",
        journal.read(after, 1_000).unwrap(),
        journal.snapshot_latest().unwrap(),
        journal.verify().unwrap(),
    )
}

/// Fewer cases than usual: each one makes a file and syncs it many times.
fn configuration() -> ProptestConfig {
    ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(configuration())]

    #[test]
    fn the_journal_in_a_file_answers_as_the_one_in_memory(
        steps in prop::collection::vec(step(), 1..30)
    ) {
        let folder = Folder::new();
        let mut model = MemoryJournal::default();
        let mut journal = Some(folder.journal());
        for (number, step) in (1..).zip(&steps) {
            if matches!(step, Step::Reopen) {
                drop(journal.take());
                journal = Some(folder.journal());
            }
            let journal = journal.as_mut().expect("it is open between steps");
            let want = apply(&mut model, step, number);
            prop_assert_eq!(apply(journal, step, number), want, "step {} {:?}", number, step);
            prop_assert_eq!(state(journal), state(&model), "after step {} {:?}", number, step);
        }
    }
}
