//! The accounts of random lives, held against a naive count of who held what in every span between
//! two entries: through the real projection and a real history.

mod world;

use std::collections::BTreeMap;

use muster_model::{Checkpoint, IdleRule, QueueSpec, Rung, RungCost, WhenIdle};
use muster_store::history::{Amounts, Before, Ledger, LedgerBy, LedgerFilter, LedgerQuestion};
use muster_store::{History, SqliteHistory};

use super::*;
use crate::history;
use world::{Moment, World};

/// Seeds of a normal test run.
const SEEDS: std::ops::Range<u64> = 0..24;

const DAY_MS: u64 = 86_400_000;

/// Sums by key.
fn by_key(ledger: &Ledger) -> BTreeMap<String, Amounts> {
    let mut sums: BTreeMap<String, Amounts> = BTreeMap::new();
    for row in &ledger.rows {
        *sums.entry(row.key.clone()).or_default() += &row.amounts;
    }
    sums
}

fn total(ledger: &Ledger) -> Amounts {
    let mut sum = Amounts::default();
    ledger.rows.iter().for_each(|row| sum += &row.amounts);
    sum
}

/// What the moments say was held, by something, in GPU-milliseconds.
fn counted(
    moments: &[Moment],
    (from_ms, to_ms): (u64, u64),
    key: impl Fn(u64, u32) -> String,
) -> BTreeMap<String, u64> {
    let mut sums = BTreeMap::new();
    for moment in moments {
        let (from_ms, to_ms) = (moment.from_ms.max(from_ms), moment.to_ms.min(to_ms));
        let passed = to_ms.saturating_sub(from_ms);
        for ((job, node), milli) in moment.held.iter().filter(|_| passed > 0) {
            *sums.entry(key(*job, *node)).or_default() += milli * passed / 1000;
        }
    }
    sums
}

/// What a job on a node counts for.
type Key<'a> = &'a dyn Fn(u64, u32) -> String;

fn check(world: &World, past: &dyn History, window: (u64, u64)) {
    let (from_ms, to_ms) = window;
    let team = |job: u64, _: u32| world.teams[&job].clone();
    let model = |_: u64, node: u32| if node < 2 { "H100" } else { "A100" }.to_owned();
    let keys: [(LedgerBy, Key<'_>); 4] = [
        (LedgerBy::Job, &|job, _| job.to_string()),
        (LedgerBy::Team, &team),
        (LedgerBy::Model, &model),
        (LedgerBy::Node, &|_, node| format!("n{node}")),
    ];
    let mut totals = Vec::new();
    for (by, key) in keys {
        let answer = world.ask(past, by, window);
        let sums = by_key(&answer);
        let allocated: BTreeMap<String, u64> =
            sums.iter().map(|(key, sum)| (key.clone(), sum.allocated)).collect();
        let expected = counted(&world.moments, window, key);
        assert_eq!(allocated, expected, "{by:?} in {window:?}");
        for sum in sums.values() {
            assert!(sum.active <= sum.measured && sum.measured <= sum.allocated, "{sum:?}");
            assert!(sum.failed + sum.paused + sum.cancelled <= sum.active, "{sum:?}");
            assert!(sum.overhead <= sum.allocated, "{sum:?}");
        }
        totals.push(total(&answer));
    }
    assert!(totals.windows(2).all(|two| two[0] == two[1]), "{totals:?}");
    let answer = world.ask(past, LedgerBy::Node, window);
    let held = by_key(&answer);
    let mut owned: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for row in &answer.owned {
        let sum = owned.entry(row.node.clone().expect("it is by node")).or_default();
        *sum = (sum.0 + row.owned, sum.1 + row.unusable);
    }
    let mut expected: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for moment in &world.moments {
        let passed = moment.to_ms.min(to_ms).saturating_sub(moment.from_ms.max(from_ms));
        for (node, (gpus, unusable)) in moment.nodes.iter().filter(|_| passed > 0) {
            let sum = expected.entry(format!("n{node}")).or_default();
            *sum = (sum.0 + gpus * passed, sum.1 + unusable * passed / 1000);
        }
    }
    assert_eq!(owned, expected, "what is owned in {window:?}");
    for (node, (paid, unusable)) in owned {
        let allocated = held.get(&node).map_or(0, |sum| sum.allocated);
        assert!(allocated + unusable <= paid, "{node}: {allocated} and {unusable} of {paid}");
    }
}

/// What stood free in pieces is what the moments say, by job and in all.
fn check_apart(world: &World, past: &dyn History, (from_ms, to_ms): (u64, u64)) -> u64 {
    let mut expected: BTreeMap<(u64, String), u64> = BTreeMap::new();
    for moment in &world.moments {
        let passed = moment.to_ms.min(to_ms).saturating_sub(moment.from_ms.max(from_ms));
        for (key, milli) in moment.apart.iter().filter(|_| passed > 0) {
            *expected.entry(key.clone()).or_default() += milli * passed / 1000;
        }
    }
    let told = world.ask(past, LedgerBy::Job, (from_ms, to_ms)).apart;
    let told = told.into_iter().map(|row| {
        let (id, _) = row.job.expect("no job is forgotten yet");
        ((id, row.model), row.gpu_ms)
    });
    assert_eq!(told.collect::<BTreeMap<_, _>>(), expected, "apart from {from_ms} to {to_ms}");
    let all = world.ask(past, LedgerBy::Team, (from_ms, to_ms)).apart;
    let sum: u64 = all.iter().map(|row| row.gpu_ms).sum();
    assert_eq!(sum, expected.values().sum::<u64>());
    sum
}

fn adds_up(world: &World, past: &dyn History, (from_ms, to_ms): (u64, u64), cut_ms: u64) {
    let sum = |window| total(&world.ask(past, LedgerBy::Team, window));
    let mut parts = sum((from_ms, cut_ms));
    parts += &sum((cut_ms, to_ms));
    assert_eq!(parts, sum((from_ms, to_ms)), "cut at {cut_ms}");
}

/// Everything that a life came to, so that all of them together can be seen to be worth something.
fn live(seed: u64) -> (Amounts, u64, u64) {
    let mut world = World::new(seed);
    for _ in 0..160 {
        world.happen();
    }
    world.flush();
    let (begin, end) = (5 * DAY_MS, world.scene.now.0);
    let span = (end - begin) / 1000;
    let mut windows = vec![(begin, end)];
    for _ in 0..4 {
        let [one, other] = [0, 0].map(|_| begin + world.chance.below(span) * 1000);
        windows.push((one.min(other), one.max(other) + 1000));
    }
    for window in &windows {
        check(&world, &world.past, *window);
        check_apart(&world, &world.past, *window);
        let cut = window.0 + world.chance.below(window.1 - window.0);
        adds_up(&world, &world.past, *window, cut);
    }
    let apart = check_apart(&world, &world.past, (begin, end));
    let by = [LedgerBy::Team, LedgerBy::User, LedgerBy::Class, LedgerBy::Model, LedgerBy::Node];
    let days = (begin / DAY_MS..end.div_ceil(DAY_MS)).map(|day| (day * DAY_MS, (day + 1) * DAY_MS));
    let days: Vec<(u64, u64)> = days.collect();
    let asked = |world: &World| -> Vec<Ledger> {
        let all = days.iter().flat_map(|day| by.map(|by| world.ask(&world.past, by, *day)));
        all.collect()
    };
    let before = asked(&world);
    let old = Before::all(end / DAY_MS * DAY_MS);
    // Ends: every call but the last forgets something.
    while world.past.forget_before(old, 0).expect("it forgets").is_more {}
    assert_eq!(asked(&world), before, "forgetting changes no total of a day");
    let all = world.ask(&world.past, LedgerBy::Model, (begin, end));
    (total(&all), all.owned.iter().map(|row| row.unusable).sum(), apart)
}

#[test]
fn accounts_agree_with_a_naive_count_whatever_happens_and_survive_forgetting() {
    let (mut sum, mut unusable, mut apart) = (Amounts::default(), 0, 0);
    for seed in SEEDS {
        let told = std::panic::catch_unwind(|| live(seed));
        let (amounts, more, pieces) = told.unwrap_or_else(|_| panic!("seed {seed}"));
        sum += &amounts;
        unusable += more;
        apart += pieces;
    }
    let seen = [sum.active, sum.useful(), sum.failed, sum.paused, sum.cancelled, sum.overhead];
    assert!(seen.iter().all(|amount| *amount > 0) && unusable > 0, "all of it happens: {sum:?}");
    assert!(apart > 0, "GPUs lie apart at times");
    assert!(sum.measured < sum.allocated && sum.active < sum.measured, "{sum:?}");
}

#[test]
fn the_same_entries_give_the_same_accounts() {
    let mut world = World::new(7);
    for _ in 0..120 {
        world.happen();
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut again = SqliteHistory::open(folder.path()).expect("the history opens");
    let mut control = Control::new(world::cluster()).expect("the cluster is valid");
    for (sequence, (now, entry)) in (1..).zip(&world.scene.told) {
        let applied = control.apply(*now, entry);
        let changes = history::changes(&control, (sequence, *now), entry, &applied);
        // What was recorded and is told again after a crash changes nothing.
        again.record(sequence, &changes).expect("it can be recorded");
        again.record(sequence, &changes).expect("it can be recorded again");
    }
    let now = world.scene.now;
    let standing = history::standing(&control, now);
    let settled = again.settle(now.0, &standing.holdings, &standing.capacity, &standing.apart);
    settled.expect("there is nothing to settle");
    let window = (0, now.0 + 1000);
    for by in [LedgerBy::Job, LedgerBy::Node] {
        let (mut one, mut other) =
            (world.ask(&world.past, by, window), world.ask(&again, by, window));
        for ledger in [&mut one, &mut other] {
            // Samples are told by agents, not by entries.
            for row in &mut ledger.rows {
                let Amounts { allocated, overhead, .. } = row.amounts;
                row.amounts = Amounts { allocated, overhead, ..Amounts::default() };
            }
        }
        assert_eq!(one, other);
    }
}

#[test]
fn who_comes_back_from_a_checkpoint_restores_until_it_says_that_it_computes() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut past = SqliteHistory::open(folder.path()).expect("the history opens");
    let mut cluster = ClusterSpec::default();
    let rule = IdleRule { after: Millis::minutes(5), below_milli: 50, then: WhenIdle::Lend };
    cluster.queues = vec![QueueSpec::new("default").idle(rule)];
    cluster.policy.pausing.run_min = Millis(0);
    cluster.policy.pausing.overhead_ppm = 1_000_000;
    let mut control = Control::new(cluster).expect("the cluster is valid");
    let (node, job, other) = (NodeId(0), JobId(1), JobId(2));
    let submit = |spec: JobSpec| {
        let (spec, program) = (Arc::new(spec), Arc::new(Program::default()));
        Entry::Submitted { spec, program, key: None, anywhere: false }
    };
    let second = Millis::seconds(1);
    let rungs = vec![RungCost { rung: Rung::Checkpoint, save: second, restore: second }];
    let checkpoint = Checkpoint { rungs, ..Checkpoint::default() };
    let told = |command| Entry::Told(command);
    let ended = |job, exit| told(Command::Ended { node, job, attempt: Attempt(1), exit });
    let started = |job, attempt| told(Command::Started { node, job, attempt: Attempt(attempt) });
    let progress = |attempt| {
        told(Command::Progress { job, attempt: Attempt(attempt), rate: 1, done_ppm: None })
    };
    let spec = Box::new(NodeSpec::new("n0", "H100", 8));
    let (address, instance) = ("10.0.0.1".to_owned(), "agent".to_owned());
    let story = [
        (0, Entry::Announced { spec, address, running: Vec::new(), instance, number: 0 }),
        (1, submit(JobSpec { checkpoint, ..gang(1) })),
        (1, started(job, 1)),
        (2, progress(1)),
        (900, told(Command::Idle { job, attempt: Attempt(1), is_idle: true })),
        (900, submit(gang(1))),
        (910, told(Command::Saved { job, attempt: Attempt(1) })),
        (920, ended(job, Exit::Stopped)),
        (920, started(other, 1)),
        (1000, ended(other, Exit::Code(0))),
        (1005, started(job, 2)),
        // A word of the attempt before, which was held up on its way, says nothing of this one.
        (1010, progress(1)),
        (1060, progress(2)),
        (1100, progress(2)),
    ];
    for (sequence, (at, entry)) in (1..).zip(story) {
        let now = Time(at * 1000);
        let applied = control.apply(now, &entry);
        assert!(!matches!(applied.answer, Answer::Rejected(_)), "{entry:?}: {applied:?}");
        let changes = history::changes(&control, (sequence, now), &entry, &applied);
        past.record(sequence, &changes).expect("it can be recorded");
        past.record(sequence, &changes).expect("and again");
    }
    let known = control.job(job).expect("it is known");
    assert_eq!((known.attempt, known.state), (Attempt(2), JobState::Running));
    let filter = LedgerFilter { job: Some(job.0), ..LedgerFilter::default() };
    let by = LedgerBy::Attempt;
    let question = LedgerQuestion { to_ms: 1_100_000, by, filter, ..LedgerQuestion::default() };
    let answer = past.reader().and_then(|past| past.ledger(&question)).expect("it answers");
    let overhead: Vec<u64> = answer.rows.iter().map(|row| row.amounts.overhead / 8000).collect();
    assert_eq!(overhead, [10, 60], "saving, then launching and restoring");
}
