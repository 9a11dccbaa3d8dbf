//! What every history answers about what was held, owned and measured.

use muster_store::History;
use muster_store::history::{
    Amounts, AttemptOver, AttemptRow, Before, CapacityRow, Cause, Change, GONE, HeldPlace,
    HoldingRow, Ledger, LedgerBy, LedgerFilter, LedgerQuestion, SampleRow, SavedRow, ScatteredRow,
};

use super::history::{job, reader};
use super::retention::{ended, forget, forget_by};

const HOUR_MS: u64 = 3_600_000;
const DAY_MS: u64 = 86_400_000;

/// A job holds so many thousandths of GPUs of one node from a time on.
pub(crate) fn held(job_id: u64, at_ms: u64, gpus: u64) -> Change {
    let place = HeldPlace { node: "node-1".to_owned(), model: "H100".to_owned(), gpus };
    Change::Holding(HoldingRow { job_id, attempt: 1, at_ms, places: vec![place] })
}

pub(crate) fn sample(
    job_id: u64,
    (from_ms, to_ms): (u64, u64),
    held_gpu_ms: u64,
    active_gpu_ms: Option<u64>,
) -> Change {
    let (attempt, node) = (1, "node-1".to_owned());
    Change::Sample(SampleRow {
        job_id,
        attempt,
        node,
        from_ms,
        to_ms,
        held_gpu_ms,
        active_gpu_ms,
        ..SampleRow::default()
    })
}

fn owned(at_ms: u64, unusable: u64, why: &str) -> Change {
    let (node, model, why) = ("node-1".to_owned(), "H100".to_owned(), why.to_owned());
    Change::Capacity(CapacityRow { node, at_ms, gpus: 8, model, unusable, why })
}

fn attempt(job_id: u64, lost: Option<Cause>) -> Change {
    Change::Attempt(AttemptRow { job_id, attempt: 1, lost, ..AttemptRow::default() })
}

fn ask(history: &dyn History, by: LedgerBy, from_ms: u64, to_ms: u64) -> Ledger {
    let gone_ms = DAY_MS;
    let question = LedgerQuestion { from_ms, to_ms, by, gone_ms, ..LedgerQuestion::default() };
    reader(history).ledger(&question).unwrap()
}

fn keys(ledger: &Ledger) -> Vec<(&str, u64)> {
    ledger.rows.iter().map(|row| (row.key.as_str(), row.amounts.allocated)).collect()
}

fn total(ledger: &Ledger) -> Amounts {
    let mut sum = Amounts::default();
    ledger.rows.iter().for_each(|row| sum += &row.amounts);
    sum
}

pub(crate) fn sums_are_by_whatever_was_asked(history: &mut dyn History) {
    let changes = [
        Change::Job(job(1, "user-a", "running")),
        Change::Job(job(2, "user-a", "running")),
        Change::Job(job(3, "user-b", "running")),
        held(1, 0, 1000),
        held(2, 0, 3000),
        held(3, 100, 250),
        sample(1, (0, 100), 100, Some(60)),
        sample(2, (0, 100), 300, None),
    ];
    history.record(1, &changes).unwrap();
    let by = |by| ask(history, by, 0, 200);
    assert_eq!(keys(&by(LedgerBy::User)), [("user-a", 800), ("user-b", 25)]);
    assert_eq!(keys(&by(LedgerBy::Queue)), [("even", 600), ("odd", 225)]);
    assert_eq!(keys(&by(LedgerBy::Job)), [("1", 200), ("2", 600), ("3", 25)]);
    assert_eq!(keys(&by(LedgerBy::Team)), [("team-a", 825)]);
    assert_eq!(keys(&by(LedgerBy::Model)), [("H100", 825)]);
    assert_eq!(keys(&by(LedgerBy::Node)), [("node-1", 825)]);
    let sum = total(&by(LedgerBy::Class));
    assert_eq!((sum.measured, sum.active), (100, 60), "the rest was not measured");
    let user = LedgerFilter { user: Some("user-b".to_owned()), ..LedgerFilter::default() };
    let question = LedgerQuestion { to_ms: 200, filter: user, ..LedgerQuestion::default() };
    assert_eq!(keys(&reader(history).ledger(&question).unwrap()), [("team-a", 25)]);
}

pub(crate) fn what_is_partly_in_counts_in_part(history: &mut dyn History) {
    let changes = [
        Change::Job(job(1, "user-a", "running")),
        held(1, 1_000, 8000),
        held(1, 2_000, 0),
        sample(1, (1_000, 2_000), 8_000, Some(4_000)),
    ];
    history.record(1, &changes).unwrap();
    let sum = |from_ms, to_ms| {
        let sum = total(&ask(history, LedgerBy::User, from_ms, to_ms));
        (sum.allocated, sum.active)
    };
    assert_eq!(sum(0, 1_000), (0, 0));
    assert_eq!(sum(0, 1_500), (4_000, 2_000));
    assert_eq!(sum(1_250, 1_500), (2_000, 1_000));
    assert_eq!(sum(1_750, u64::MAX >> 1), (2_000, 1_000));
    assert_eq!(sum(2_000, 3_000), (0, 0));
}

pub(crate) fn saying_the_same_again_changes_nothing(history: &mut dyn History) {
    let changes = [
        Change::Job(job(1, "user-a", "running")),
        held(1, 100, 2000),
        owned(0, 0, "up"),
        sample(1, (100, 150), 100, Some(50)),
        sample(1, (100, 200), 200, Some(100)),
    ];
    let mut answers = Vec::new();
    for sequence in 1..4 {
        history.record(sequence, &changes).unwrap();
        history.record(sequence, &[held(1, 140 + sequence, 2000), owned(50, 0, "up")]).unwrap();
        answers.push(ask(history, LedgerBy::Job, 0, 1_000));
    }
    assert_eq!(total(&answers[0]).allocated, 1_800);
    assert_eq!((total(&answers[0]).active, answers[0].owned[0].owned), (100, 8_000));
    assert!(answers.windows(2).all(|two| two[0] == two[1]), "{answers:?}");
}

pub(crate) fn a_job_that_changes_its_size_has_a_span_for_each(history: &mut dyn History) {
    let changes = [
        Change::Job(job(1, "user-a", "running")),
        held(1, 0, 2000),
        held(1, 100, 4000),
        held(1, 150, 0),
        held(1, 200, 1000),
        held(1, 200, 3000),
    ];
    history.record(1, &changes).unwrap();
    assert_eq!(total(&ask(history, LedgerBy::Job, 0, 150)).allocated, 200 + 200);
    assert_eq!(total(&ask(history, LedgerBy::Job, 150, 300)).allocated, 300);
}

pub(crate) fn work_after_the_last_save_is_lost(history: &mut dyn History) {
    let mut changes = vec![];
    for id in 1..=3 {
        changes.extend([
            Change::Job(job(id, "user-a", "running")),
            attempt(id, None),
            held(id, 0, 1000),
            sample(id, (0, 100), 100, Some(50)),
        ]);
    }
    changes.push(Change::Saved(SavedRow { job_id: 1, attempt: 1, at_ms: 60 }));
    history.record(1, &changes).unwrap();
    let sum = || total(&ask(history, LedgerBy::Job, 0, 100));
    assert_eq!((sum().active, sum().useful()), (150, 150), "all may still be of use");
    let over = |job_id, lost| AttemptOver { job_id, attempt: 1, lost, ..AttemptOver::default() };
    let changes = [
        Change::Over(over(1, Some(Cause::Failed))),
        attempt(2, Some(Cause::Cancelled)),
        // What is known of an end is not forgotten by hearing of it again.
        Change::Over(over(1, None)),
    ];
    history.record(2, &changes).unwrap();
    let sum = total(&ask(history, LedgerBy::Job, 0, 100));
    assert_eq!((sum.failed, sum.cancelled, sum.useful()), (20, 50, 80));
}

pub(crate) fn the_cluster_owns_its_nodes_until_they_are_long_gone(history: &mut dyn History) {
    let changes = [
        owned(0, 0, "up"),
        owned(DAY_MS, 4_000, "drained"),
        owned(2 * DAY_MS, 8_000, GONE),
        owned(9 * DAY_MS, 0, "up"),
    ];
    history.record(1, &changes).unwrap();
    let owned = |from: u64, to: u64| {
        let answer = ask(history, LedgerBy::Team, from * DAY_MS, to * DAY_MS);
        let sum = answer.owned.first().map(|row| (row.owned, row.unusable));
        sum.map(|(owned, unusable)| (owned / DAY_MS, unusable / DAY_MS)).unwrap_or_default()
    };
    assert_eq!(owned(0, 1), (8, 0));
    assert_eq!(owned(1, 2), (8, 4));
    assert_eq!(owned(2, 3), (8, 8));
    assert_eq!(owned(3, 9), (0, 0), "after a day it counts as removed");
    assert_eq!(owned(0, 10), (32, 12));
}

pub(crate) fn totals_survive_forgetting_and_days_stay_whole(history: &mut dyn History) {
    // A quarter on the first day, half on the second, a quarter on the third.
    let (from_ms, to_ms) = (DAY_MS / 2, 2 * DAY_MS + DAY_MS / 2);
    let changes = [
        ended(1, to_ms),
        attempt(1, Some(Cause::Paused)),
        held(1, from_ms, 1001),
        held(1, to_ms, 0),
        sample(1, (from_ms, to_ms), 2 * DAY_MS, Some(DAY_MS)),
        Change::Job(job(2, "user-b", "running")),
        held(2, 0, 1000),
    ];
    history.record(1, &changes).unwrap();
    let asked = |history: &dyn History| {
        let days = [(0, 1), (1, 2), (2, 3), (0, 3)];
        let by = [LedgerBy::Team, LedgerBy::User, LedgerBy::Node, LedgerBy::Model];
        let answer = |by, (from, to)| ask(history, by, from * DAY_MS, to * DAY_MS);
        by.map(|by| days.map(|days| answer(by, days)))
    };
    let before = asked(history);
    assert_eq!(total(&before[0][0]).paused, DAY_MS / 4);
    assert_eq!(forget(history, to_ms + 1, 0).jobs, 1);
    assert_eq!(asked(history), before);
    let part = ask(history, LedgerBy::Job, DAY_MS + 5, DAY_MS + 10);
    assert_eq!((part.from_ms, part.to_ms), (DAY_MS, 2 * DAY_MS), "it is known by whole days");
    assert_eq!(keys(&part)[1], ("2", DAY_MS));
    assert_eq!(part.rows[0].key, "", "and no longer by job");
}

pub(crate) fn samples_become_one_an_hour_and_one_a_day(history: &mut dyn History) {
    let mut changes = vec![Change::Job(job(1, "user-a", "running")), held(1, 100, 2000)];
    let five = HOUR_MS / 12;
    // Not in step with the hours, and with a pause in between.
    let samples = (0..700).filter(|number| number % 100 != 0).map(|number| {
        let from_ms = 100 + number * five;
        sample(1, (from_ms, from_ms + five), 2 * five, Some(number * 777))
    });
    changes.extend(samples);
    history.record(1, &changes).unwrap();
    let hours = |history: &dyn History| -> Vec<Amounts> {
        let hour = |number: u64| {
            total(&ask(history, LedgerBy::Job, number * HOUR_MS, (number + 1) * HOUR_MS))
        };
        (0..58).map(hour).collect()
    };
    let before = hours(history);
    let all = total(&ask(history, LedgerBy::Job, 0, 3 * DAY_MS));
    let by_hours = Before { samples_ms: 3 * DAY_MS, ..Before::default() };
    let mut fewer = forget_by(history, by_hours, 0).samples;
    assert!((600..650).contains(&fewer), "{fewer} of 693 are gone");
    assert_eq!(hours(history), before);
    fewer += forget(history, 3 * DAY_MS, 0).samples;
    assert!(fewer >= 685, "three days are left of 693, but {fewer} are gone");
    assert_eq!(total(&ask(history, LedgerBy::Job, 0, 3 * DAY_MS)), all);
    assert_eq!(forget(history, 3 * DAY_MS, 0).samples, 0);
}

pub(crate) fn settling_closes_what_was_missed(history: &mut dyn History) {
    let changes = [
        Change::Job(job(1, "user-a", "running")),
        Change::Job(job(2, "user-a", "running")),
        held(1, 0, 1000),
        held(2, 0, 1000),
        owned(0, 0, "up"),
    ];
    history.record(1, &changes).unwrap();
    let Change::Holding(still) = held(2, 100, 1000) else { unreachable!("it is a holding") };
    history.settle(100, &[still], &[], &[]).unwrap();
    let answer = ask(history, LedgerBy::Job, 0, 1_000);
    assert_eq!(keys(&answer), [("1", 100), ("2", 1_000)]);
}

pub(crate) fn samples_that_overlap_count_once(history: &mut dyn History) {
    let changes = [
        Change::Job(job(1, "user-a", "running")),
        held(1, 0, 1000),
        sample(1, (0, 80), 80, Some(80)),
        sample(1, (40, 100), 60, Some(0)),
        // The first of these goes on and is told again; the second comes late.
        sample(1, (120, 150), 30, Some(30)),
        sample(1, (100, 140), 40, Some(20)),
        sample(1, (120, 200), 80, Some(80)),
    ];
    history.record(1, &changes).unwrap();
    let sum = |from_ms, to_ms| {
        let sum = total(&ask(history, LedgerBy::Job, from_ms, to_ms));
        (sum.measured, sum.active)
    };
    assert_eq!(sum(0, 100), (100, 80));
    assert_eq!(sum(80, 100), (20, 0));
    assert_eq!(sum(100, 120), (20, 10));
    assert_eq!(sum(100, 200), (100, 90));
}

/// So many thousandths of GPUs stand free in pieces from a time on while a job waits.
fn apart(job_id: u64, at_ms: u64, gpus: u64) -> Change {
    let gpus = vec![("H100".to_owned(), gpus)];
    Change::Scattered(ScatteredRow { job_id, at_ms, gpus })
}

pub(crate) fn what_lies_apart_is_told_by_who_waited_and_survives_forgetting(
    history: &mut dyn History,
) {
    let (from_ms, to_ms) = (DAY_MS / 2, DAY_MS + DAY_MS / 4);
    let changes = [
        ended(1, to_ms),
        apart(1, from_ms, 4000),
        apart(1, from_ms + 10, 4000),
        apart(1, to_ms, 0),
        Change::Job(job(2, "user-b", "queued")),
        apart(2, 0, 1000),
        apart(2, DAY_MS, 2000),
    ];
    history.record(1, &changes).unwrap();
    history.record(2, &changes[5..]).unwrap();
    let by_job = ask(history, LedgerBy::Job, 0, 2 * DAY_MS).apart;
    let told = by_job.iter().map(|row| (row.job.as_ref().map(|(id, _)| *id), row.gpu_ms));
    assert_eq!(told.collect::<Vec<_>>(), [(Some(1), 3 * DAY_MS), (Some(2), 3 * DAY_MS)]);
    let days = |history: &dyn History| {
        [(0, 1), (1, 2), (0, 2)].map(|(from, to)| {
            let answer = ask(history, LedgerBy::Team, from * DAY_MS, to * DAY_MS);
            answer.apart.iter().map(|row| row.gpu_ms).sum::<u64>()
        })
    };
    let before = days(history);
    assert_eq!(before, [3 * DAY_MS, 3 * DAY_MS, 6 * DAY_MS]);
    assert_eq!(forget(history, to_ms + 1, 0).jobs, 1);
    assert_eq!(days(history), before);
    let part = ask(history, LedgerBy::Team, DAY_MS + 5, DAY_MS + 10);
    assert_eq!((part.from_ms, part.to_ms), (DAY_MS, 2 * DAY_MS), "it is known by whole days");
    history.settle(2 * DAY_MS, &[], &[], &[]).unwrap();
    assert_eq!(ask(history, LedgerBy::Team, 2 * DAY_MS, 3 * DAY_MS).apart, [], "nobody waits");
}
