//! Random clusters: a few levels, models, nodes, and a small tree of queues.

use muster_model::{
    ClusterSpec, Elastic, Failures, Floor, GpuSet, IdleRule, Mib, Millis, Name, NodeLinks,
    NodeSpec, Order, Pausing, Placer, Policy, QueueName, QueueSpec, Quota, Sharing, WhenIdle,
};
use proptest::prelude::*;

use crate::scatter;

const LEVELS: [&str; 3] = ["zone", "block", "rack"];

/// The models that nodes have and jobs ask for.
pub(crate) const MODELS: [&str; 3] = ["H100", "A100", "V100"];

/// Configurations with one to three levels and up to nine queues.
pub(crate) fn clusters() -> impl Strategy<Value = ClusterSpec> {
    (1..=3usize, prop::collection::vec(trees(), 1..=3), policies()).prop_map(
        |(levels, trees, policy)| {
            let mut queues = Vec::new();
            for (index, (parent, children)) in trees.into_iter().enumerate() {
                let name = format!("q{index}");
                let mut parent = named(parent, &name);
                // What children are guaranteed must be within what their parent is.
                let sum =
                    children.iter().filter_map(|child| child.guarantee.gpus).map(|gpus| gpus.0);
                parent.guarantee = Quota::of_gpus(sum.sum::<u64>() / 1000);
                parent.limit = Quota::default();
                queues.push(parent);
                let children = children.into_iter().enumerate();
                queues.extend(
                    children.map(|(index, child)| named(child, &format!("{name}/c{index}"))),
                );
            }
            let cluster = ClusterSpec::default().levels(LEVELS[3 - levels..].iter().copied());
            cluster.queues(queues).policy(policy)
        },
    )
}

fn named(queue: QueueSpec, name: &str) -> QueueSpec {
    QueueSpec { name: QueueName::from(name), ..queue }
}

fn trees() -> impl Strategy<Value = (QueueSpec, Vec<QueueSpec>)> {
    (queues(), prop::collection::vec(queues(), 0..=2))
}

fn queues() -> impl Strategy<Value = QueueSpec> {
    let limit = prop_oneof![3 => Just(None), 2 => (4..24u64).prop_map(Some)];
    let user_limit = prop_oneof![4 => Just(None), 1 => (2..12u64).prop_map(Some)];
    let then = prop_oneof![Just(WhenIdle::Flag), Just(WhenIdle::Lend), Just(WhenIdle::Pause)];
    let idle = prop::option::weighted(0.5, then);
    let all = (0..4u64, limit, user_limit, 1..4u32, idle);
    all.prop_map(|(guarantee, limit, user_limit, weight, idle)| QueueSpec {
        idle: idle.map(|then| IdleRule { after: Millis::hours(1), below_milli: 50, then }),
        ..QueueSpec::new("q")
            .guarantee(Quota::of_gpus(guarantee))
            .limit(limit.map_or(Quota::default(), Quota::of_gpus))
            .user_limit(user_limit.map_or(Quota::default(), Quota::of_gpus))
            .weight(weight)
    })
}

/// The queues that jobs can go to.
pub(crate) fn leaves(cluster: &ClusterSpec) -> Vec<String> {
    let queues = &cluster.queues;
    let is_parent =
        |name: &QueueName| queues.iter().any(|queue| queue.name.parent().as_ref() == Some(name));
    let leaves = queues.iter().filter(|queue| !is_parent(&queue.name));
    leaves.map(|queue| queue.name.to_string()).collect()
}

fn policies() -> impl Strategy<Value = Policy> {
    let orders = prop_oneof![
        5 => Just(Order::Muster),
        1 => Just(Order::Fifo),
        1 => Just(Order::Sjf),
        2 => Just(Order::Fair),
        2 => Just(Order::Srtf),
        2 => Just(Order::Las),
    ];
    let shares = prop_oneof![Just(0), Just(50_000), Just(250_000)];
    let placers = prop_oneof![
        3 => Just(Placer::Muster), 1 => Just(Placer::BestFit), 1 => Just(Placer::Fgd)
    ];
    let failures = (1..4u32, 1..4u32);
    let elastic =
        (1..15u64, prop_oneof![1 => Just(0u64), 4 => 30..240u64]).prop_map(|(interval, stay)| {
            Elastic { interval: Millis::minutes(interval), stay: Millis::minutes(stay) }
        });
    let restless = (pausings(), elastic, scatter::moves());
    let all = (orders, placers, shares, 1..6u64, 300..=1000u32, failures, restless);
    all.prop_map(|(order, placer, share_ppm, hours, size, failures, restless)| {
        let (pausing, elastic, defragmentation) = restless;
        let (large_nodes, crashes) = failures;
        Policy {
            order,
            las_limits: vec![Millis::hours(hours), Millis::hours(4 * hours)],
            placer,
            pausing,
            defragmentation,
            elastic,
            size_weight_milli: size,
            floor: Floor { share_ppm, wait: Millis::hours(hours), quantum: Millis::minutes(30) },
            limit_max: Millis::hours(12),
            failures: Failures { large_nodes, crashes, ..Failures::default() },
            ..Policy::default()
        }
    })
}

/// Mostly so restless that jobs are paused again and again.
fn pausings() -> impl Strategy<Value = Pausing> {
    let spans = (prop::bool::weighted(0.9), 1..12u64, 1..30u64);
    let rest = (prop_oneof![Just(50_000u32), Just(500_000)], 1..6u64, 1..24u32);
    (spans, rest).prop_map(|((on, run_min, interval), (overhead_ppm, reclaim, saving))| Pausing {
        on,
        run_min: Millis::minutes(run_min),
        interval: Millis::minutes(interval),
        overhead_ppm,
        reclaim: Millis::minutes(reclaim),
        gpus_saving_max: saving,
        // So long that some rest is noticed in worlds as small as these.
        looks_free: 0,
        rest: Millis(u64::from(saving) * 500),
        ..Pausing::default()
    })
}

/// One to twelve nodes, in domains that are named alike in different parents.
pub(crate) fn nodes(levels: usize) -> impl Strategy<Value = Vec<NodeSpec>> {
    prop::collection::vec(node(levels), 1..=12).prop_map(|mut nodes| {
        for (index, node) in nodes.iter_mut().enumerate() {
            node.name = Name::from(format!("n{index}").as_str());
        }
        nodes
    })
}

fn node(levels: usize) -> impl Strategy<Value = NodeSpec> {
    let gpus = prop_oneof![1 => Just(0u32), 1 => Just(1), 2 => Just(2), 3 => Just(4), 6 => Just(8)];
    let domains = prop::collection::vec(0..2u32, levels);
    let labels = (any::<bool>(), any::<bool>());
    let sharing = prop_oneof![
        2 => Just(Sharing::default()),
        2 => Just(Sharing::ALL),
        1 => Just(Sharing::NEVER),
    ];
    let host = (any::<bool>(), prop_oneof![1 => Just(0u64), 2 => 50..300u64, 3 => Just(2000)]);
    (gpus, 0..MODELS.len(), domains, labels, 0..3u32, host, sharing).prop_map(
        |(gpus, model, domains, (fast, spot), wiring, (scarce, suspend), sharing)| {
            let mut node = match gpus {
                0 => NodeSpec::without_gpus("n", 32, Mib::gib(64)),
                _ => NodeSpec::new("n", MODELS[model], gpus),
            };
            node = node.sharing(sharing);
            if scarce {
                node = node.cpus(u64::from(gpus) * 4 + 2).memory(Mib::gib(96));
            }
            if gpus >= 4 && wiring > 0 {
                node.links = halves(gpus, wiring == 2);
            }
            node.domains =
                domains.iter().map(|domain| Name::from(format!("d{domain}").as_str())).collect();
            node = node.suspend_memory(Mib::gib(suspend));
            node = node.label("disk", if fast { "fast" } else { "slow" });
            if spot { node.label("spot", "yes") } else { node }
        },
    )
}

/// Two halves that are linked within, over NVLink or only over a switch.
fn halves(gpus: u32, nvlink: bool) -> NodeLinks {
    let low = GpuSet::first(gpus / 2);
    let halves = vec![low, GpuSet::first(gpus).minus(low)];
    match nvlink {
        true => NodeLinks { nvlink: halves.clone(), numa: halves, ..NodeLinks::default() },
        false => NodeLinks { pcie: halves, ..NodeLinks::default() },
    }
}
