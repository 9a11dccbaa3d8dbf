//! Monotonicity: more room or less competition never delays who is first in line.

use muster_engine::snapshot::Snapshot;
use muster_engine::{Engine, Tuning};
use proptest::prelude::*;

use super::plan::{Plan, config, plain_plans};
use super::play::{happen, play};
use crate::support::*;

/// The queued jobs, best first, by what the snapshot says: class, key, share, number.
fn ranked(snapshot: &Snapshot) -> Vec<JobId> {
    let mut queued: Vec<_> = (snapshot.jobs.iter())
        .filter(|job| job.state == JobState::Queued)
        .map(|job| (std::cmp::Reverse(class_value(snapshot, &job.spec.class)), job.key, job.id))
        .collect();
    queued.sort();
    queued.into_iter().map(|(_, _, id)| id).collect()
}

fn class_value(snapshot: &Snapshot, name: &Name) -> u32 {
    let class = snapshot.cluster.classes.iter().find(|class| class.name == *name);
    class.expect("a job's class is configured").value
}

/// Two engines in the state a plan leads to, with whom to end for there to be room.
struct Fork {
    one: Engine,
    other: Engine,
    now: Time,
    waiting: Vec<JobId>,
    ends: Vec<Command>,
}

fn fork(plan: &Plan) -> Option<Fork> {
    let world = play(plan, plan.setup());
    let snapshot = world.snapshot();
    let waiting = ranked(&snapshot);
    let running = snapshot.jobs.iter().find(|job| job.state == JobState::Running)?;
    let (job, attempt, exit) = (running.id, running.attempt, Exit::Code(0));
    let run = running.run.as_ref().expect("a running job is placed");
    let ended = |node| Command::Ended { node, job, attempt, exit };
    let ends = run.nodes.iter().map(|part| ended(part.node)).collect();
    let engine = || Engine::restore(snapshot.clone(), world.tuning).expect("our own snapshot");
    let now = world.now();
    (!waiting.is_empty()).then(|| Fork { one: engine(), other: engine(), now, waiting, ends })
}

/// Feeds commands at one moment, and returns who was launched until the engine is at rest.
fn launched(engine: &mut Engine, now: Time, commands: &[Command]) -> Vec<JobId> {
    let mut launched = Vec::new();
    let mut note = |actions: Vec<Action>| {
        for action in actions {
            if let Action::Moved { job, state: JobState::Launching, .. } = action {
                launched.push(job);
            }
        }
    };
    for command in commands {
        note(engine.step(now, command.clone()));
    }
    while engine.next_wake().is_some_and(|wake| wake <= now) {
        note(engine.step(now, Command::Tick));
    }
    launched
}

/// The same state with one empty node more. Not by a command: that would be an event of its own,
/// at which others could take what the best job needs.
fn with_new_node(engine: &Engine, plan: &Plan, rack: usize) -> Engine {
    let mut snapshot = engine.snapshot();
    let rack = rack % (plan.racks.len() + 1);
    let model = if rack.is_multiple_of(2) { "H100" } else { "A100" };
    let spec = NodeSpec::new("new-1", model, 8).domains([format!("r{rack}").as_str()]);
    let mut node = snapshot.nodes[0].clone();
    node.id = NodeId(u32::try_from(snapshot.nodes.len()).expect("a few nodes"));
    node.spec = spec.label("disk", "fast");
    snapshot.nodes.push(node);
    Engine::restore(snapshot, Tuning::default()).expect("our own snapshot")
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_free_node_more_never_delays_the_best_waiting_job(
        plan in plain_plans(),
        rack in 0..4usize,
    ) {
        let Some(mut fork) = fork(&plan) else { return Ok(()) };
        let best = fork.waiting[0];
        let without = launched(&mut fork.one, fork.now, &fork.ends);
        let mut larger = with_new_node(&fork.other, &plan, rack);
        let with = launched(&mut larger, fork.now, &fork.ends);
        prop_assert!(!without.contains(&best) || with.contains(&best), "job {} is delayed", best);
    }

    #[test]
    fn a_waiting_job_less_never_delays_a_better_one(plan in plain_plans(), nth in 0..64usize) {
        let Some(mut fork) = fork(&plan) else { return Ok(()) };
        let place = nth % fork.waiting.len();
        let gone = fork.waiting[place];
        let better = &fork.waiting[..place];
        let with = launched(&mut fork.one, fork.now, &fork.ends);
        let mut commands = vec![Command::Cancel { job: gone }];
        commands.extend(fork.ends.clone());
        let without = launched(&mut fork.other, fork.now, &commands);
        let of_better = |jobs: &[JobId]| -> Vec<JobId> {
            jobs.iter().copied().filter(|job| better.contains(job)).collect()
        };
        prop_assert_eq!(of_better(&with), of_better(&without));
    }

    #[test]
    fn a_job_that_ends_sooner_never_delays_the_best_waiting_job(plan in plain_plans()) {
        let Some(mut fork) = fork(&plan) else { return Ok(()) };
        let best = fork.waiting[0];
        let first = launched(&mut fork.one, fork.now, &fork.ends);
        let later = fork.now + hours(1);
        let mut second = launched(&mut fork.other, later, &[Command::Tick]);
        second.extend(launched(&mut fork.other, later, &fork.ends));
        prop_assert!(!second.contains(&best) || first.contains(&best), "job {} is delayed", best);
    }

    #[test]
    fn jobs_start_in_the_order_of_their_rank_where_all_are_alike(
        estimates in proptest::collection::vec(1..1000u64, 2..30),
    ) {
        let mut world = cluster().nodes("n", 1, "H100x8").build();
        let taken = world.run(gang(1, 8));
        for &estimate in &estimates {
            world.submit(gang(1, 8).estimate(minutes(estimate), minutes(2 * estimate)));
        }
        let ranked = ranked(&world.snapshot());
        world.forget_starts();
        prop_assert_eq!(world.word(taken), "running");
        prop_assert_eq!(world.run_dry(), ranked);
    }

    #[test]
    fn under_a_blocking_policy_nobody_is_overtaken(
        plan in plain_plans(),
        shortest in any::<bool>(),
    ) {
        let order = if shortest { Order::Sjf } else { Order::Fifo };
        let change = |policy: &mut Policy| {
            (policy.order, policy.remember_ended) = (order, days(30));
        };
        let mut world = plan.setup().policy(change).build();
        for event in &plan.events {
            happen(&mut world, &plan, event);
            // Whoever waits now waits behind nobody who was launched meanwhile.
            let snapshot = world.snapshot();
            let Some(&head) = ranked(&snapshot).first() else { continue };
            let since = world.record(head).ready_since;
            let rank = |job: JobId| {
                let record = world.record(job);
                let spec = &record.spec;
                (std::cmp::Reverse(class_value(&snapshot, &spec.class)), record.key, job)
            };
            let overtook = |&(at, job): &(Time, JobId)| at > since && rank(job) > rank(head);
            prop_assert!(!world.starts.iter().any(overtook), "job {} is overtaken", head);
        }
    }
}
