//! The virtual cluster answers as a real one would, and no job is left behind.

use muster_engine::command::{Command, Exit};
use muster_model::{JobSpec, Mib, Millis, QueueSpec, Quota, Rung};

use super::World;
use crate::bench::jobs::{Jobs, Plan};
use crate::bench::layout::{Layout, Load};

fn plan(duration: Millis) -> Plan {
    Plan { duration, exit: Exit::Code(0) }
}

fn job(gpus: u32) -> JobSpec {
    JobSpec::gang("train", 1, gpus).queue("division-0/team-1")
}

#[test]
fn a_job_is_launched_confirmed_and_over_after_its_duration() {
    let mut world = World::new(Layout::new(8), 1);
    let begin = world.now();
    let job = world.submit(job(8), plan(Millis::hours(2))).unwrap();
    assert_eq!((world.counts().placements, world.gpus_of(job)), (1, 8));
    while world.gpus_of(job) > 0 {
        assert!(world.go_on().unwrap());
    }
    let took = world.now().since(begin);
    assert!((Millis::hours(2)..Millis::minutes(121)).contains(&took), "{took:?}");
}

#[test]
fn a_job_that_outlives_its_limit_is_stopped_and_its_own_end_is_not_reported() {
    let mut world = World::new(Layout::new(8), 1);
    world.keep_script();
    let spec = job(1).limit(Millis::minutes(10));
    let job = world.submit(spec, plan(Millis::minutes(11))).unwrap();
    while world.gpus_of(job) > 0 {
        assert!(world.go_on().unwrap());
    }
    world.pass_time(Millis::hours(1)).unwrap();
    let ends = world.take_script().into_iter().filter_map(|(_, command)| match command {
        Command::Ended { exit, .. } => Some(exit),
        _ => None,
    });
    assert_eq!(ends.collect::<Vec<_>>(), [Exit::Stopped]);
}

#[test]
fn a_refused_submission_is_an_error() {
    let mut world = World::new(Layout::new(8), 1);
    let error = world.submit(job(1).queue("nowhere"), plan(Millis::hours(1))).unwrap_err();
    assert!(error.to_string().contains("refused"), "{error}");
}

#[test]
fn every_step_is_timed_once() {
    let mut world = World::new(Layout::new(8), 1);
    world.keep_script();
    world.submit(job(1), plan(Millis::hours(1))).unwrap();
    world.pass_time(Millis::hours(3)).unwrap();
    let steps = world.take_meter().steps();
    assert_eq!(steps, world.take_script().len());
    assert!(steps >= 3, "submitted, started, ended: {steps}");
    assert_eq!(world.take_meter().steps(), 0);
}

#[test]
fn two_runs_of_one_seed_decide_the_same() {
    let run = |seed| {
        let layout = Layout::new(64);
        let (mut world, mut jobs) = (World::new(layout, seed), Jobs::new(layout, seed));
        for _ in 0..50 {
            let (spec, plan) = jobs.next(world.now());
            world.submit(spec, plan).unwrap();
        }
        world.pass_time(Millis::hours(8)).unwrap();
        (world.decisions(), world.counts().placements)
    };
    assert_eq!(run(3), run(3));
    assert_ne!(run(3).0, run(4).0);
}

/// A job on a node that is lent, and for how long the owner of the node then has it.
fn lent(job: JobSpec, owner: Millis) -> (World, Millis) {
    // The first node has no host memory for suspended work.
    let layout = Layout::with_load(16, Load::Overload);
    let queues = [QueueSpec::new("owner").guarantee(Quota::of_gpus(16)), QueueSpec::new("lender")];
    let mut world = World::around(layout.engine_of(layout.cluster_of(queues)), 1);
    let keep = JobSpec::gang("keep", 1, 8).queue("owner");
    world.submit(keep, plan(Millis::days(9))).unwrap();
    let begin = world.now();
    let job = world.submit(job.queue("lender"), plan(Millis::hours(4))).unwrap();
    world.pass_time(Millis::hours(1)).unwrap();
    world.submit(JobSpec::gang("claim", 1, 8).queue("owner"), plan(owner)).unwrap();
    while world.live.contains_key(&job) {
        assert!(world.go_on().unwrap());
    }
    let took = world.now().since(begin);
    (world, took)
}

#[test]
fn a_suspended_job_has_left_to_do_what_it_had_left_before() {
    let job = JobSpec::gang("train", 1, 8)
        .rung(Rung::Suspend, Millis::seconds(9), Millis::seconds(9))
        .gpu_state(Mib::gib(16));
    let (world, took) = lent(job, Millis::hours(2));
    assert_eq!((world.counts().resumes, world.counts().requeues), (1, 0));
    assert!((Millis::hours(6)..Millis::minutes(362)).contains(&took), "{took:?}");
}

#[test]
fn a_job_that_was_ended_for_another_goes_on_from_its_latest_save() {
    let job = JobSpec::gang("train", 1, 8)
        .rung(Rung::Requeue, Millis::ZERO, Millis::ZERO)
        .saves_every(Millis::minutes(40));
    let (world, took) = lent(job, Millis::hours(2));
    let counts = world.counts();
    assert_eq!((counts.resumes, counts.requeues, counts.pauses, counts.plans), (0, 1, 1, 1));
    assert!((Millis::minutes(380)..Millis::minutes(382)).contains(&took), "{took:?}");
}
