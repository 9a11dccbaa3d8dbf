//! The virtual cluster answers as a real one would, and no job is left behind.

use muster_engine::command::{Command, Exit};
use muster_model::{JobSpec, Millis};

use super::World;
use crate::bench::jobs::{Jobs, Plan};
use crate::bench::layout::Layout;

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
