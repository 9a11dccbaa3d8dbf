//! Scattered worlds: small jobs that can save and end at any time, so that what is free is in
//! pieces, gangs that need whole nodes or racks, and elastic jobs. Here jobs are moved all the
//! time, and what is reserved is lent.

use muster_engine::command::Exit;
use muster_model::{
    Checkpoint, ClusterSpec, Defragmentation, DefragmentationMode, Estimate, Floor, JobSpec, Level,
    Millis, NodeSpec, Pausing, Policy, QueueSpec, Quota, Requeue, Reservations, Rung, RungCost,
    Timing, TopologyWish,
};
use muster_sim::{Faults, Plan};
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;

use crate::scenario::{Scenario, Submission};

/// Three to seven nodes, dozens of small jobs and some gangs.
pub(crate) fn scenarios(seed: u64) -> impl Strategy<Value = Scenario> {
    let harshness = prop_oneof![2 => Just(0u32), 2 => Just(100), 2 => Just(400)];
    let jobs =
        prop::collection::vec(prop_oneof![6 => small(), 2 => gangs(), 1 => stretchy()], 15..40);
    (clusters(), nodes(), jobs, harshness).prop_map(move |(cluster, nodes, jobs, harshness)| {
        Scenario { cluster, nodes, jobs, faults: Faults::HARSH.scaled(harshness), seed }
    })
}

fn clusters() -> impl Strategy<Value = ClusterSpec> {
    let limit = weighted(0.2, 8..24u64);
    (limit, policies()).prop_map(|(limit, policy)| {
        let limit = limit.map_or(Quota::default(), Quota::of_gpus);
        let queues = [QueueSpec::new("a").limit(limit), QueueSpec::new("b")];
        ClusterSpec::default().levels(["rack"]).queues(queues).policy(policy)
    })
}

fn policies() -> impl Strategy<Value = Policy> {
    let shares = prop_oneof![2 => Just(0), 1 => Just(100_000)];
    let reserved = prop_oneof![1 => Just(0u32), 2 => Just(2)];
    (shares, reserved, moves(), 1..6u64).prop_map(|(share_ppm, most, defragmentation, run_min)| {
        Policy {
            floor: Floor { share_ppm, wait: Millis::hours(3), quantum: Millis::minutes(20) },
            reservations: Reservations { most, gpus_min: 8, ..Reservations::default() },
            limit_max: Millis::hours(8),
            pausing: Pausing {
                run_min: Millis::minutes(run_min),
                interval: Millis::minutes(2),
                overhead_ppm: 500_000,
                ..Pausing::default()
            },
            defragmentation,
            ..Policy::default()
        }
    })
}

/// Mostly on, and with far more to spend than usual: the clusters are small.
pub(crate) fn moves() -> impl Strategy<Value = Defragmentation> {
    let modes = prop_oneof![
        1 => Just(DefragmentationMode::Off),
        2 => Just(DefragmentationMode::Preview),
        4 => Just(DefragmentationMode::On),
    ];
    let budget = prop_oneof![1 => Just(5_000u32), 3 => Just(200_000)];
    (modes, budget, 1..30u64, 1..6u64).prop_map(|(mode, budget_ppm, interval, loss)| {
        Defragmentation {
            mode,
            budget_ppm,
            margin_ppm: 100_000,
            interval: Millis::minutes(interval),
            loss_max: Millis::minutes(loss),
        }
    })
}

fn nodes() -> impl Strategy<Value = Vec<NodeSpec>> {
    let node = (prop_oneof![1 => Just(4u32), 7 => Just(8)], 0..2u32, prop::bool::weighted(0.1));
    prop::collection::vec(node, 3..=7).prop_map(|nodes| {
        let numbered = nodes.into_iter().enumerate();
        numbered
            .map(|(number, (gpus, rack, is_old))| {
                let model = if is_old { "A100" } else { "H100" };
                let node = NodeSpec::new(&format!("n{number}"), model, gpus);
                node.domains([format!("r{rack}").as_str()])
            })
            .collect()
    })
}

/// A job of a few GPUs that runs for a while and can be moved.
fn small() -> impl Strategy<Value = Submission> {
    let what = (prop_oneof![6 => Just(1u32), 1 => Just(2)], select(vec![1u32, 1, 2, 2, 3, 4, 6]));
    submissions(what, 100..500, 20..200)
}

/// A gang that needs whole nodes, perhaps of one rack, for longer than the others.
fn gangs() -> impl Strategy<Value = Submission> {
    submissions((select(vec![1u32, 1, 2, 2, 3]), Just(8u32)), 200..1000, 20..90)
}

/// A job that grows, also onto what is reserved for gangs.
fn stretchy() -> impl Strategy<Value = Submission> {
    let small = submissions((1..=2u32, select(vec![1u32, 2, 4])), 200..1000, 20..200);
    (small, 1..=6u32, 0..80u64).prop_map(|(mut submission, more, resize)| {
        let tasks = &mut submission.spec.groups[0].tasks;
        tasks.max = tasks.min + more;
        submission.spec.scaling.resize = Millis::seconds(resize);
        submission
    })
}

fn submissions(
    what: (impl Strategy<Value = u32>, impl Strategy<Value = u32>),
    estimate: std::ops::Range<u64>,
    runs: std::ops::Range<u64>,
) -> impl Strategy<Value = Submission> {
    let who = (0..3u32, select(vec!["a", "b"]), weighted(0.3, Just("rack")));
    let when = (0..240u64, estimate, runs, prop::bool::weighted(0.05));
    (what, who, when, checkpoints(), prop::bool::weighted(0.8)).prop_map(
        |((tasks, gpus), (user, queue, require), when, checkpoint, when_lost)| {
            let (after, estimate, runs, fails) = when;
            let require = require.map(|level| Level::Named(level.into()));
            let median = Millis::minutes(estimate);
            let timing = Timing {
                estimate: Some(Estimate { median, p90: Millis(median.0 * 2) }),
                ..Timing::default()
            };
            let usual = JobSpec::gang("job", tasks, gpus).user(&format!("user-{user}"));
            let spec = JobSpec {
                topology: TopologyWish { require, ..TopologyWish::default() },
                timing,
                checkpoint,
                requeue: Requeue { when_lost, ..Requeue::default() },
                ..usual.queue(queue).class("standard")
            };
            let exit = if fails { Exit::Code(3) } else { Exit::Code(0) };
            let plan = Plan { duration: Millis::minutes(runs), exit };
            Submission { after: Millis::minutes(after), spec, plan }
        },
    )
}

fn checkpoints() -> impl Strategy<Value = Checkpoint> {
    let rung = |rung: Rung, often: f64| {
        weighted(often, (1..40u64, 1..40u64)).prop_map(move |cost| {
            cost.map(|(save, restore)| RungCost {
                rung,
                save: Millis::seconds(save),
                restore: Millis::seconds(restore),
            })
        })
    };
    let every = weighted(0.5, (2..20u64).prop_map(Millis::minutes));
    (rung(Rung::Checkpoint, 0.8), rung(Rung::Requeue, 0.3), every).prop_map(
        |(save, requeue, every)| Checkpoint {
            rungs: [save, requeue].into_iter().flatten().collect(),
            every,
            state: None,
        },
    )
}
