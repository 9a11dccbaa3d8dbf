//! Stormy weather: random jobs and requests on a small cluster where everything breaks.

use muster_engine::Tuning;
use muster_engine::command::Command;
use muster_model::{
    Class, ClusterSpec, DependencyKind, Estimate, Expression, JobId, JobSpec, Level, MilliGpu,
    Millis, Name, NodeId, NodeLinks, NodeSpec, Order, Policy, Predecessor, QueueSpec, Quota,
    Requeue, Segment, Time,
};

use crate::world::World;

const STEPS: u32 = 600;

pub(crate) fn cluster(order: Order) -> ClusterSpec {
    let gpus = |gpus| Quota { gpus: Some(MilliGpu::whole(gpus)), ..Quota::default() };
    let few_a100 = [(Name::from("A100"), MilliGpu::whole(4))].into();
    let few_a100 = Quota { models: few_a100, ..Quota::default() };
    let queues = vec![
        QueueSpec { limit: gpus(40), ..QueueSpec::new("lab") },
        QueueSpec { guarantee: gpus(16), ..QueueSpec::new("lab/a") },
        QueueSpec { user_limit: gpus(12), ..QueueSpec::new("lab/b") },
        QueueSpec { limit: few_a100, ..QueueSpec::new("default") },
    ];
    let mut policy = Policy { order, limit_max: Millis::hours(1), ..Policy::default() };
    policy.floor.wait = Millis::seconds(90);
    policy.floor.quantum = Millis::minutes(1);
    policy.floor.share_ppm = 200_000;
    policy.remember_ended = Millis::minutes(2);
    let levels = vec![Name::from("zone"), Name::from("rack")];
    ClusterSpec { levels, queues, policy, ..ClusterSpec::default() }
}

pub(crate) fn node(index: u32) -> NodeSpec {
    let model = if index.is_multiple_of(3) { "A100" } else { "H100" };
    let mut spec = NodeSpec::new(&format!("n{index}"), model, 8);
    let (zone, rack) = (index / 4, index / 2);
    spec.domains = vec![Name::from(&*format!("z{zone}")), Name::from(&*format!("r{rack}"))];
    if index.is_multiple_of(2) {
        spec.labels.insert(Name::from("disk"), Name::from("fast"));
    } else {
        spec.links = NodeLinks::pairs(8);
    }
    spec
}

pub(crate) fn random_job(world: &mut World) -> JobSpec {
    let chance = &mut world.chance;
    let tasks = *chance.pick(&[1, 1, 2, 2, 3, 4, 4]);
    let gpus = *chance.pick(&[0, 1, 2, 4, 8, 8]);
    let mut job = JobSpec::gang(chance.pick::<&str>(&["train", "tune", "serve"]), tasks, gpus);
    job.user = Name::from(*chance.pick(&["user-a", "user-b", "user-c"]));
    job.queue = (*chance.pick(&["lab/a", "lab/b", "default"])).into();
    job.class = chance.pick(&Class::defaults()).name.clone();
    let task = &mut job.groups[0].task;
    task.nvlink = gpus > 1 && chance.percent(20);
    task.exclusive = chance.percent(5);
    if chance.percent(30) && gpus > 0 {
        task.models = vec![Name::from("A100"), Name::from("H100")];
    }
    job.topology.require = match chance.below(8) {
        0 => Some(Level::Named(Name::from("rack"))),
        1 => Some(Level::Named(Name::from("zone"))),
        2 => Some(Level::Node),
        _ => None,
    };
    if tasks == 4 && job.topology.require.is_none() && chance.percent(50) {
        job.topology.segment = Some(Segment { tasks: 2, level: Level::from("rack") });
    }
    if chance.percent(40) {
        let block = job.topology.segment.as_ref().map_or(1, |segment| segment.tasks);
        let more = u32::try_from(chance.below(6)).expect("small") * block;
        job.groups[0].tasks.max += more;
    }
    if chance.percent(10) {
        let fast = Expression::Is(Name::from("disk"), vec![Name::from("fast")]);
        job.constraint.require = Some(Box::new(fast));
    }
    if chance.percent(15) {
        job = job.array(0..1 + u32::try_from(chance.below(4)).expect("small"));
        if chance.percent(50) {
            job = job.throttle(1);
        }
    }
    if chance.percent(40) {
        job = job.limit(Millis(10_000 + chance.below(100_000)));
        if chance.percent(30) {
            job = job.warning(10, Millis(5_000));
        }
    }
    job.hold = chance.percent(5);
    let (when_lost, when_failed) = (chance.percent(70), chance.percent(30));
    job.requeue = Requeue { when_lost, when_failed, most: 3 };
    if chance.percent(8) {
        job = job.singleton();
    }
    if chance.percent(8) {
        job = job.begin(Time(world.now.0 + world.chance.below(60_000)));
    }
    if world.chance.percent(10) && !world.jobs.is_empty() {
        let kinds = [
            DependencyKind::After,
            DependencyKind::AfterOk,
            DependencyKind::AfterAny,
            DependencyKind::AfterNotOk,
        ];
        let other = *world.chance.pick(&world.jobs.clone());
        let kind = *world.chance.pick(&kinds);
        let delay = Millis(world.chance.below(3) * 10_000);
        let one = Predecessor { delay, ..Predecessor::new(other, kind) };
        job = match world.chance.percent(60) {
            true => job.after(other, kind),
            false => job.after_any_of([one, Predecessor::new(other, DependencyKind::AfterAny)]),
        };
    }
    job
}

fn some_job(world: &mut World) -> JobId {
    let known = world.jobs.clone();
    let recent = &known[known.len().saturating_sub(12)..];
    if recent.is_empty() { JobId(1) } else { *world.chance.pick(recent) }
}

fn some_node(world: &mut World) -> NodeId {
    let known: Vec<NodeId> = world.nodes.keys().copied().collect();
    *world.chance.pick(&known)
}

fn disturb(world: &mut World) {
    let (job, node) = (some_job(world), some_node(world));
    let gpu = u32::try_from(world.chance.below(8)).expect("small");
    let command = match world.chance.below(14) {
        0 | 1 => Command::Cancel { job },
        2 => Command::Hold { job },
        3 | 4 => Command::Release { job },
        5 => Command::Requeue { job },
        6 => {
            let median = Millis(1_000 + world.chance.below(100_000));
            let estimate = Estimate { median, p90: Millis(median.0 * 3) };
            Command::Estimated { job, estimate }
        }
        7 => Command::NodeDrained { node },
        8 | 9 => Command::NodeResumed { node },
        10 => Command::GpuUnhealthy { node, gpu },
        11 => Command::GpuHealthy { node, gpu },
        12 => {
            let mut queue = QueueSpec::new("lab/b");
            let limit = MilliGpu::whole(4 + world.chance.below(30));
            queue.limit.gpus = Some(limit);
            queue.user_limit.gpus = world.chance.percent(50).then_some(MilliGpu::whole(8));
            Command::QueueSet { queue }
        }
        _ => Command::Tick,
    };
    world.tell(command);
}

fn storm(order: Order, starts_per_step: u32, seed: u64) {
    println!("storm with seed {seed}, {order:?}, {starts_per_step} starts per step");
    let tuning = Tuning { starts_per_step, ..Tuning::default() };
    let mut world = World::new(cluster(order), tuning, seed);
    for index in 0..6 {
        world.tell(Command::NodeJoined { spec: node(index), running: Vec::new() });
    }
    for step in 0..STEPS {
        match world.chance.below(20) {
            0..6 => {
                let spec = random_job(&mut world);
                world.tell(Command::Submit { spec: spec.into() });
            }
            6..8 => disturb(&mut world),
            8 if world.chance.percent(40) => {
                let node = some_node(&mut world);
                if world.nodes[&node].lost_until.is_none() {
                    world.lose(node);
                }
            }
            8 | 9 => {
                let node = some_node(&mut world);
                world.appear(node);
            }
            10 => {
                let job = some_job(&mut world);
                world.checker.ask(&mut world.engine, job);
            }
            _ => pass_time(&mut world),
        }
        if step == STEPS / 2 {
            world.tell(Command::NodeJoined { spec: node(6), running: Vec::new() });
        }
    }
    world.checker.settle(&mut world.engine, world.now);
}

/// Goes on to what happens next: a report, something due, or a random moment before.
pub(crate) fn pass_time(world: &mut World) {
    let due = [world.next_mail(), world.engine.next_wake()].into_iter().flatten().min();
    let some_time = Time(world.now.0 + world.chance.below(30_000));
    world.now = due.unwrap_or(some_time).min(some_time).max(world.now);
    if !world.deliver() {
        world.tell(Command::Tick);
    }
}

#[test]
fn the_default_policy_keeps_its_promises_in_a_storm() {
    for seed in 0..16 {
        storm(Order::Muster, 32, seed);
    }
}

#[test]
fn a_pass_cut_short_at_every_start_keeps_its_promises_in_a_storm() {
    for seed in 100..108 {
        storm(Order::Muster, 1, seed);
    }
}

#[test]
fn the_other_orders_keep_their_promises_in_a_storm() {
    for (seed, order) in [Order::Fifo, Order::Sjf, Order::Fair, Order::Srtf, Order::Las]
        .into_iter()
        .cycle()
        .enumerate()
        .take(20)
    {
        storm(order, 4, 200 + seed as u64);
    }
}
