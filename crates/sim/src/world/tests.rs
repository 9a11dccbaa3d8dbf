//! What a virtual cluster does with the engine's actions, without chance and with one kind of
//! mischance at a time.

use muster_engine::action::Outcome;
use muster_engine::command::{Command, Exit};
use muster_model::{ClusterSpec, JobSpec, Millis, NodeSpec};

use super::{Faults, Plan, World};
use crate::log::json;

const HOUR: Millis = Millis::hours(1);

/// A cluster of two nodes with eight GPUs each.
fn world(seed: u64, faults: Faults) -> World {
    let mut world = World::new(ClusterSpec::default(), seed, faults).expect("it is valid");
    for name in ["n1", "n2"] {
        world.join(NodeSpec::new(name, "H100", 8)).expect("promises hold");
    }
    world
}

fn submit(world: &mut World, spec: JobSpec, plan: Plan) -> muster_model::JobId {
    world.submit(spec, plan).expect("promises hold").expect("the job is accepted")
}

fn run(world: &mut World) {
    world.run_until_idle().unwrap_or_else(|error| panic!("seed {}: {error}", world.seed()));
}

#[test]
fn job_runs_for_its_true_duration_and_ends_as_planned() {
    let mut world = world(1, Faults::NONE);
    let good = submit(&mut world, JobSpec::gang("good", 2, 8), Plan::success(HOUR));
    let bad = submit(&mut world, JobSpec::gang("bad", 1, 8), Plan::failure(HOUR, 3));
    let began = world.now();
    run(&mut world);
    assert_eq!(world.outcomes()[&good], Outcome::Completed);
    assert_eq!(world.outcomes()[&bad], Outcome::Failed(Exit::Code(3)));
    assert!(world.now().since(began) >= Millis::hours(2), "the second waits for the first");
}

#[test]
fn job_that_is_cancelled_stops_within_its_grace() {
    let mut world = world(2, Faults::NONE);
    let job = submit(&mut world, JobSpec::gang("long", 1, 8), Plan::success(Millis::days(2)));
    world.run_for(HOUR).expect("promises hold");
    world.ask(&Command::Cancel { job }).expect("promises hold");
    world.run_for(Millis::minutes(1)).expect("promises hold");
    assert_eq!(world.outcomes()[&job], Outcome::Cancelled);
}

#[test]
fn job_that_outlives_its_limit_is_warned_and_stopped() {
    let mut world = world(3, Faults::NONE);
    let spec = JobSpec::gang("long", 1, 8).limit(HOUR).warning(10, Millis::minutes(5));
    let job = submit(&mut world, spec, Plan::success(Millis::hours(9)));
    run(&mut world);
    assert_eq!(world.signals(), [(job, 10)]);
    assert_eq!(world.outcomes()[&job], Outcome::TimedOut);
}

#[test]
fn job_on_a_node_that_is_cut_off_ends_all_the_same() {
    let mut world = world(4, Faults { cut_off: 400, ..Faults::HARSH.scaled(0) });
    let plan = Plan::success(Millis::minutes(20));
    let job = submit(&mut world, JobSpec::gang("train", 2, 8), plan);
    world.run_for(Millis::hours(2)).expect("promises hold");
    assert_eq!(world.drain().expect("promises hold"), []);
    assert!(world.outcomes().contains_key(&job));
}

#[test]
fn launch_that_hangs_is_given_up_and_tried_again() {
    let mut world = world(5, Faults { hang: 500, ..Faults::NONE });
    let job = submit(&mut world, JobSpec::gang("train", 2, 8), Plan::success(HOUR));
    run(&mut world);
    assert_eq!(world.outcomes()[&job], Outcome::Completed);
    let launches = json(&world.log()).matches("\"launch\"").count();
    assert!(launches > 2, "the first attempt hung, so there was another: {launches} launches");
}

#[test]
fn reports_late_twice_and_of_long_ago_change_no_outcome() {
    let faults = Faults { late: 500, twice: 500, replay: 900, ..Faults::HARSH.scaled(0) };
    let mut world = world(6, faults);
    let jobs: Vec<_> = (0..12u64)
        .map(|minutes| {
            let plan = Plan::success(Millis::minutes(5 + minutes));
            submit(&mut world, JobSpec::gang("small", 1, 4), plan)
        })
        .collect();
    world.run_for(Millis::hours(4)).expect("promises hold");
    world.drain().expect("promises hold");
    assert!(jobs.iter().all(|job| world.outcomes()[job] == Outcome::Completed));
}

#[test]
fn same_seed_gives_the_same_run_and_another_seed_another() {
    let play = |seed| {
        let mut world = world(seed, Faults::HARSH);
        for _ in 0..6 {
            submit(&mut world, JobSpec::gang("small", 1, 4), Plan::success(HOUR));
        }
        world.run_for(Millis::hours(3)).expect("promises hold");
        json(&world.log())
    };
    assert_eq!(play(7), play(7));
    assert_ne!(play(7), play(8));
}
