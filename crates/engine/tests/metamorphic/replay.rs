//! The same commands give the same bytes: again, without the memo, from a snapshot, and however
//! often someone asks why.

use muster_engine::snapshot::Snapshot;
use muster_engine::{Engine, Tuning};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::Value;

use super::plan::{Plan, config, pausing_plans, plain_plans, plans};
use super::play::{Schedule, happen, play, schedule};
use crate::support::*;

fn bytes<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("what the engine says can be written")
}

/// Feeds a recorded run to another engine and compares all that it does.
fn follow(world: &World, engine: &mut Engine, from: usize, mut ask: impl FnMut(&mut Engine)) {
    for (at, command, actions) in &world.log[from..] {
        let again = engine.step(*at, command.clone());
        assert_eq!(bytes(&again), bytes(actions), "at {} after {command:?}", at.0);
        ask(engine);
    }
    assert_eq!(difference(&engine.snapshot(), &world.snapshot()), None);
    assert_eq!(engine.next_wake(), world.engine.next_wake());
}

/// The first place at which two snapshots differ as they are written, and how.
fn difference(one: &Snapshot, other: &Snapshot) -> Option<String> {
    fn within(path: &str, one: &Value, other: &Value) -> Option<String> {
        let pairs: Vec<(String, &Value, &Value)> = match (one, other) {
            (Value::Object(one), Value::Object(other)) if one.len() == other.len() => {
                one.iter().map(|(key, value)| (key.clone(), value, &other[key])).collect()
            }
            (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
                let pairs = one.iter().zip(other).enumerate();
                pairs.map(|(index, (one, other))| (index.to_string(), one, other)).collect()
            }
            _ => return (one != other).then(|| format!("{path}: {one} against {other}")),
        };
        pairs.into_iter().find_map(|(key, one, other)| within(&format!("{path}/{key}"), one, other))
    }
    let value = |snapshot| serde_json::to_value(snapshot).expect("a snapshot can be written");
    within("", &value(one), &value(other))
}

/// Guards the properties below: plans in which nobody is paused would prove nothing.
#[test]
fn in_plans_with_pausing_jobs_give_way_and_come_back() {
    let mut runner = TestRunner::deterministic();
    let (mut asked, mut back) = (0, 0);
    for _ in 0..60 {
        let plan = pausing_plans().new_tree(&mut runner).expect("plans can be made").current();
        let mut world = play(&plan, plan.setup());
        world.advance(hours(10));
        let moves = world.log.iter().flat_map(|(_, _, actions)| actions);
        for action in moves {
            let Action::Moved { state, .. } = action else { continue };
            asked += usize::from(*state == JobState::Pausing);
            back += usize::from(*state == JobState::Resuming);
        }
    }
    assert!(asked >= 40 && back >= 15, "{asked} were asked and {back} came back");
}

fn fresh(plan: &Plan, tuning: Tuning) -> Engine {
    Engine::with_tuning(plan.setup().spec, tuning).expect("the plan's cluster is valid")
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn running_twice_gives_the_same_bytes(plan in plans()) {
        let world = play(&plan, plan.setup());
        follow(&world, &mut fresh(&plan, Tuning::default()), 0, |_| {});
    }

    #[test]
    fn the_memo_changes_nothing_but_the_time_it_takes(plan in plans()) {
        let world = play(&plan, plan.setup());
        let tuning = Tuning { memo: false, ..Tuning::default() };
        follow(&world, &mut fresh(&plan, tuning), 0, |_| {});
    }

    #[test]
    fn a_snapshot_and_the_tail_equal_the_whole(plan in plans(), cut in 0..1000usize) {
        let world = play(&plan, plan.setup());
        let cut = world.log.len() * cut / 1000;
        let mut engine = fresh(&plan, Tuning::default());
        for (at, command, _) in &world.log[..cut] {
            engine.step(*at, command.clone());
        }
        let written = bytes(&engine.snapshot());
        let read = serde_json::from_str(&written).expect("what was written can be read");
        let mut restored = Engine::restore(read, Tuning::default()).expect("our own snapshot");
        prop_assert_eq!(bytes(&restored.snapshot()), written);
        follow(&world, &mut restored, cut, |_| {});
    }

    #[test]
    fn asking_why_leaves_no_trace(plan in plans()) {
        let world = play(&plan, plan.setup());
        let mut engine = fresh(&plan, Tuning::default());
        let mut turn = 0;
        follow(&world, &mut engine, 0, |engine| {
            turn += 1;
            if turn % 5 != 0 {
                return;
            }
            let before = engine.snapshot();
            let free = engine.free_counts();
            for job in &before.jobs {
                let why = engine.why(job.id).expect("a job in the snapshot is known");
                if matches!(job.state, JobState::Queued | JobState::Waiting) {
                    assert!(!why.reasons.is_empty(), "job {} waits without a reason", job.id);
                }
            }
            assert_eq!(difference(&engine.snapshot(), &before), None);
            assert_eq!(engine.free_counts(), free);
        });
    }

    #[test]
    fn an_old_tick_changes_nothing(plan in plans()) {
        let mut world = play(&plan, plan.setup());
        let before = world.snapshot();
        let actions = world.engine.step(Time(0), Command::Tick);
        let after = world.snapshot();
        prop_assert_eq!(actions, vec![]);
        prop_assert_eq!((after.now, after.jobs), (before.now, before.jobs));
        prop_assert_eq!((after.nodes, after.claims), (before.nodes, before.claims));
    }

    #[test]
    fn pausing_twice_gives_the_same_bytes(plan in pausing_plans()) {
        let world = play(&plan, plan.setup());
        follow(&world, &mut fresh(&plan, Tuning::default()), 0, |_| {});
    }

    #[test]
    fn the_memo_changes_no_pause(plan in pausing_plans()) {
        let world = play(&plan, plan.setup());
        let tuning = Tuning { memo: false, ..Tuning::default() };
        follow(&world, &mut fresh(&plan, tuning), 0, |_| {});
    }

    #[test]
    fn an_engine_restarted_at_every_step_pauses_alike(plan in pausing_plans()) {
        play(&plan, plan.setup().doubted());
    }

    #[test]
    fn asking_why_changes_no_pause(plan in pausing_plans()) {
        let world = play(&plan, plan.setup());
        follow(&world, &mut fresh(&plan, Tuning::default()), 0, |engine| {
            for job in engine.snapshot().jobs {
                let why = engine.why(job.id).expect("a job in the snapshot is known");
                let waits = matches!(
                    job.state,
                    JobState::Queued | JobState::Waiting | JobState::Paused
                );
                assert!(!waits || !why.reasons.is_empty(), "job {} is told nothing", job.id);
            }
        });
    }

    /// Holds where one queue's share cannot change between the steps of one moment: with several
    /// queues, every pass refreshes a share, and more steps are more passes.
    #[test]
    fn the_cap_on_starts_per_step_does_not_change_the_schedule(plan in plain_plans()) {
        let with_cap = |most: u32| -> Schedule {
            let mut world = plan.setup().starts_per_step(most).build();
            for event in &plan.events {
                happen(&mut world, &plan, event);
            }
            let mut schedule = schedule(&world);
            schedule.sort();
            schedule
        };
        prop_assert_eq!(with_cap(1), with_cap(1000));
    }
}
