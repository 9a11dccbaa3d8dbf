//! An overloaded cluster does what it is there for, and every promise holds in it.

use muster_engine::snapshot::JobRecord;
use muster_model::{Millis, TaskGroup};
use muster_sim::Watch;

use super::{Backlog, Churn};
use crate::bench::layout::{Layout, Load, START};
use crate::bench::world::World;

/// Small enough for the judge to count everything anew after every step.
const GPUS: u32 = 256;
const WAITING: u64 = 768;
const BACKLOG: Backlog = Backlog { jobs: 0, gpus: WAITING };

fn overloaded(seed: u64) -> (Layout, World) {
    let layout = Layout::with_load(GPUS, Load::Overload);
    let mut world = World::untimed(layout, seed);
    world.keep_script();
    (layout, world)
}

#[test]
fn every_promise_holds_in_an_overloaded_cluster() {
    let (layout, world) = overloaded(1);
    let mut churn = Churn::begin(world, layout, 1, BACKLOG).unwrap();
    let counts = churn.run(150, "churning").unwrap().counts;
    assert!(counts.pauses > 0 && counts.resumes > 0, "{counts:?}");
    let mut watch = Watch::new(layout.cluster()).unwrap();
    for join in layout.joins() {
        watch.step(START, join).unwrap();
    }
    let script = churn.world.take_script();
    for (now, command) in script {
        watch.step(now, command).unwrap_or_else(|broken| panic!("{broken}"));
    }
}

#[test]
fn jobs_are_paused_in_every_way_and_guarantees_reclaim() {
    let (layout, world) = overloaded(2);
    let mut churn = Churn::begin(world, layout, 2, BACKLOG).unwrap();
    let churned = churn.run(1_000, "churning").unwrap();
    let counts = churned.counts;
    assert!(counts.requeues > 0 && counts.pauses > counts.requeues, "{counts:?}");
    assert!(counts.reclaims > 0 && counts.plans > counts.reclaims, "{counts:?}");
    assert!(counts.resumes > 0 && counts.saves > 0, "{counts:?}");
    assert!(counts.milli_waiting >= WAITING * 1_000, "{counts:?}");
}

#[test]
fn what_is_held_and_what_is_waited_for_add_up_to_all_jobs() {
    let (layout, world) = overloaded(3);
    let mut churn = Churn::begin(world, layout, 3, BACKLOG).unwrap();
    churn.run(200, "churning").unwrap();
    churn.world.pass_time(Millis::hours(1)).unwrap();
    let snapshot = churn.world.engine().snapshot();
    let milli = |holds: bool| -> u64 {
        let is_held = |job: &JobRecord| job.run.as_ref().is_some_and(|run| !run.is_suspended);
        let jobs = snapshot.jobs.iter().filter(|job| job.ended.is_none() && is_held(job) == holds);
        let gpus = |group: &TaskGroup| u64::from(group.tasks.min * group.task.gpus);
        jobs.flat_map(|job| &job.spec.groups).map(|group| gpus(group) * 1_000).sum()
    };
    let counts = churn.world.counts();
    assert_eq!((counts.milli_busy, counts.milli_waiting), (milli(true), milli(false)));
    assert!(counts.milli_busy > 0);
}
