//! Crowded worlds: few nodes and many jobs that can be paused, so that everyone gives way to
//! someone all the time, while everything goes wrong.

use muster_engine::command::Exit;
use muster_model::{
    Checkpoint, ClusterSpec, Estimate, Floor, IdleRule, JobSpec, Level, Mib, Millis, Name,
    NodeSpec, Order, Pausing, Policy, QueueSpec, Quota, Requeue, Rung, RungCost, TaskCount,
    TaskGroup, TaskShape, Timing, TopologyWish, WhenIdle,
};
use muster_sim::{Faults, Plan};
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;

use crate::jobs;
use crate::scatter;
use crate::scenario::{Scenario, Submission};

/// One to four nodes and dozens of jobs.
pub(crate) fn scenarios(seed: u64) -> impl Strategy<Value = Scenario> {
    let harshness = prop_oneof![1 => Just(0u32), 2 => Just(150), 2 => Just(400), 1 => Just(1000)];
    let jobs = prop::collection::vec(submissions(), 20..50);
    (clusters(), nodes(), jobs, harshness).prop_map(move |(cluster, nodes, jobs, harshness)| {
        Scenario { cluster, nodes, jobs, faults: Faults::HARSH.scaled(harshness), seed }
    })
}

/// A rule that lends what is idle.
fn lent() -> IdleRule {
    IdleRule { after: Millis::hours(1), below_milli: 50, then: WhenIdle::Lend }
}

/// Two queues with something guaranteed, one of them with a child that may borrow, and a third.
fn clusters() -> impl Strategy<Value = ClusterSpec> {
    let guarantees = (0..9u64, 0..9u64, 0..5u64);
    let limit = weighted(0.2, 6..20u64);
    (guarantees, limit, policies()).prop_map(|((of_a, of_b, of_child), limit, policy)| {
        let limit = limit.map_or(Quota::default(), |gpus| Quota::of_gpus(gpus.max(of_a)));
        let queues = [
            QueueSpec::new("a").guarantee(Quota::of_gpus(of_a)).limit(limit),
            QueueSpec::new("b").guarantee(Quota::of_gpus(of_b + of_child)),
            QueueSpec::new("b/x").guarantee(Quota::of_gpus(of_child)),
            QueueSpec::new("b/y").idle(lent()),
            QueueSpec::new("c").user_limit(Quota::of_gpus(8)),
        ];
        ClusterSpec::default().levels(["rack"]).queues(queues).policy(policy)
    })
}

fn policies() -> impl Strategy<Value = Policy> {
    let shares = prop_oneof![2 => Just(0), 1 => Just(250_000)];
    let orders =
        prop_oneof![3 => Just(Order::Muster), 1 => Just(Order::Srtf), 1 => Just(Order::Las)];
    let policies = (orders, shares, pausings(), scatter::moves());
    policies.prop_map(|(order, share_ppm, pausing, moves)| Policy {
        order,
        las_limits: vec![Millis::hours(1), Millis::hours(6)],
        defragmentation: moves,
        floor: Floor { share_ppm, wait: Millis::hours(2), quantum: Millis::minutes(20) },
        limit_max: Millis::hours(8),
        pausing,
        ..Policy::default()
    })
}

fn pausings() -> impl Strategy<Value = Pausing> {
    let rest = prop_oneof![Just(50_000u32), Just(300_000), Just(1_000_000)];
    (1..6u64, 1..10u64, rest, 1..6u64, 2..40u32).prop_map(
        |(run_min, interval, overhead_ppm, reclaim, saving)| Pausing {
            run_min: Millis::minutes(run_min),
            interval: Millis::minutes(interval),
            overhead_ppm,
            reclaim: Millis::minutes(reclaim),
            gpus_saving_max: saving,
            ..Pausing::default()
        },
    )
}

fn nodes() -> impl Strategy<Value = Vec<NodeSpec>> {
    let node = (prop_oneof![1 => Just(4u32), 3 => Just(8)], 0..2u32, any::<bool>(), memory());
    prop::collection::vec(node, 1..=4).prop_map(|nodes| {
        let numbered = nodes.into_iter().enumerate();
        numbered
            .map(|(number, (gpus, rack, scarce, memory))| {
                let name = format!("n{number}");
                let node = NodeSpec::new(&name, "H100", gpus).suspend_memory(memory);
                let node = node.domains([format!("r{rack}").as_str()]);
                if scarce { node.cpus(u64::from(gpus) * 4) } else { node }
            })
            .collect()
    })
}

fn memory() -> impl Strategy<Value = Mib> {
    prop_oneof![1 => Just(0u64), 2 => 80..400u64, 3 => Just(2000)].prop_map(Mib::gib)
}

fn submissions() -> impl Strategy<Value = Submission> {
    let who = (
        0..3u32,
        select(vec!["a", "b/x", "b/y", "c"]),
        select(vec!["express", "standard", "standard", "batch", "batch", "preemptible"]),
    );
    let what = (groups(), weighted(0.15, Just("rack")), -1..=1i8);
    let when = ((0..150u64).prop_map(Millis::minutes), timings(), plans());
    (who, what, when, checkpoints(), requeues(), jobs::bookings()).prop_map(
        |(who, what, when, checkpoint, requeue, booking)| {
            let (user, queue, class) = who;
            let (groups, require, weight) = what;
            let (after, timing, plan) = when;
            let usual = JobSpec::new("job", &format!("user-{user}"), queue).class(class);
            let require = require.map(|level| Level::Named(level.into()));
            let topology = TopologyWish { require, ..TopologyWish::default() };
            let spec =
                JobSpec { groups, topology, timing, checkpoint, weight, requeue, booking, ..usual };
            Submission { after, spec, plan }
        },
    )
}

fn groups() -> impl Strategy<Value = Vec<TaskGroup>> {
    let tasks = prop_oneof![4 => Just(1u32), 2 => Just(2), 1 => Just(3)];
    let gpus = select(vec![1u32, 1, 2, 2, 4, 8]);
    (tasks, gpus, prop::bool::weighted(0.08)).prop_map(|(tasks, gpus, exclusive)| {
        let task = TaskShape { exclusive, ..TaskShape::gpus(gpus) };
        vec![TaskGroup { name: Name::from("main"), tasks: TaskCount::exactly(tasks), task }]
    })
}

/// What jobs say of themselves is often far off, in both directions.
fn timings() -> impl Strategy<Value = Timing> {
    let median = prop_oneof![1 => 1..20u64, 1 => 30..300u64, 2 => 600..6000u64];
    let estimate = weighted(0.9, (median, 0..60u64));
    let limit = weighted(0.3, 20..300u64);
    (estimate, limit).prop_map(|(estimate, limit)| Timing {
        estimate: estimate.map(|(median, more)| Estimate {
            median: Millis::minutes(median),
            p90: Millis::minutes(median + more),
        }),
        limit: limit.map(Millis::minutes),
        ..Timing::default()
    })
}

fn plans() -> impl Strategy<Value = Plan> {
    let exit = prop_oneof![9 => Just(Exit::Code(0)), 1 => Just(Exit::Code(3))];
    let minutes = prop_oneof![1 => 1..20u64, 3 => 30..200u64];
    (minutes, exit).prop_map(|(minutes, exit)| Plan { duration: Millis::minutes(minutes), exit })
}

fn checkpoints() -> impl Strategy<Value = Checkpoint> {
    let seconds = || (1..90u64, 1..60u64);
    let rung = |rung: Rung, often: f64| {
        weighted(often, seconds()).prop_map(move |cost| {
            cost.map(|(save, restore)| RungCost {
                rung,
                save: Millis::seconds(save),
                restore: Millis::seconds(restore),
            })
        })
    };
    let rungs = (rung(Rung::Suspend, 0.8), rung(Rung::Checkpoint, 0.4), rung(Rung::Requeue, 0.4));
    let every = weighted(0.5, (2..30u64).prop_map(Millis::minutes));
    let state = weighted(0.5, (1..40u64).prop_map(Mib::gib));
    (rungs, every, state).prop_map(|((suspend, save, requeue), every, state)| Checkpoint {
        rungs: [suspend, save, requeue].into_iter().flatten().collect(),
        every,
        state,
    })
}

fn requeues() -> impl Strategy<Value = Requeue> {
    (prop::bool::weighted(0.8), prop::bool::weighted(0.2), 1..5u32)
        .prop_map(|(when_lost, when_failed, most)| Requeue { when_lost, when_failed, most })
}
