//! Fair weather: nothing breaks, so what jobs are told of their latest start must hold.

use muster_engine::Tuning;
use muster_engine::action::JobState;
use muster_engine::command::Command;
use muster_model::{ClusterSpec, Floor, JobId, Millis, Order, QueueSpec};

use crate::storm::{cluster, node, pass_time, random_job};
use crate::world::World;

const STEPS: u32 = 1_000;

/// How many bounds were told, and how many jobs the floor placed.
#[derive(Default)]
struct Seen {
    bounds: u32,
    floors: u32,
}

/// A cluster without limits, where everything is over within half a minute, so that bounds are
/// near enough to be reached.
fn quick() -> ClusterSpec {
    let mut cluster = cluster(Order::Muster);
    cluster.queues = vec![QueueSpec::new("default")];
    cluster.policy.limit_max = Millis::seconds(20);
    cluster.policy.launch_timeout = Millis::seconds(5);
    cluster.policy.stop_grace = Millis::seconds(6);
    cluster.policy.floor =
        Floor { share_ppm: 300_000, wait: Millis::seconds(10), quantum: Millis::seconds(10) };
    cluster
}

fn calm(seed: u64) -> Seen {
    println!("fair weather with seed {seed}");
    let tuning = Tuning { starts_per_step: 4, ..Tuning::default() };
    let mut world = World::new(quick(), tuning, seed);
    world.is_calm = true;
    for index in 0..6 {
        world.tell(Command::NodeJoined { spec: node(index), running: Vec::new() });
    }
    let mut seen = Seen::default();
    for _ in 0..STEPS {
        match world.chance.below(12) {
            0..4 => {
                let mut spec = random_job(&mut world);
                spec.queue = "default".into();
                world.tell(Command::Submit { spec: spec.into() });
            }
            4 => seen.bounds += ask_all(&mut world),
            _ => pass_time(&mut world),
        }
        let snapshot = world.engine.snapshot();
        let runs = snapshot.jobs.iter().filter_map(|job| job.run.as_ref());
        let now = world.now;
        let new = runs.filter(|run| run.placed == now && run.floor_until.is_some());
        seen.floors += u32::from(new.count() > 0);
    }
    seen
}

/// Asks every queued job why it waits.
fn ask_all(world: &mut World) -> u32 {
    let jobs = world.engine.snapshot().jobs;
    let queued: Vec<JobId> =
        jobs.iter().filter(|job| job.state == JobState::Queued).map(|job| job.id).collect();
    let mut bounds = 0;
    for job in queued {
        let why = world.checker.ask(&mut world.engine, job).expect("a queued job is known");
        bounds += u32::from(why.latest_start.is_some());
    }
    bounds
}

#[test]
fn what_jobs_are_told_of_their_latest_start_holds_in_fair_weather() {
    let mut all = Seen::default();
    for seed in 0..5 {
        let seen = calm(seed);
        all.bounds += seen.bounds;
        all.floors += seen.floors;
    }
    // Otherwise the test would say nothing.
    assert!(all.bounds > 100, "only {} bounds were told", all.bounds);
    assert!(all.floors > 20, "the floor placed jobs only {} times", all.floors);
}
