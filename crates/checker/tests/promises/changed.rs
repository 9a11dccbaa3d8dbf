//! A job is another one only as somebody asks, or as it agreed to.

use muster_checker::Promise::Changed;
use muster_engine::action::Action;
use muster_engine::command::Command;
use muster_model::{JobId, JobSpec, Level, Millis};

use crate::act::job;
use crate::stage::{Stage, Verdict, broken, kept};

const SEEN: &str = "job 1 became another one, and nobody asked for that";

fn amended(id: u64, spec: JobSpec) -> Action {
    Action::Amended { job: JobId(id), spec: spec.into() }
}

/// A job is submitted, so long passes, and it becomes another one by itself.
fn by_itself(spec: JobSpec, passes: Millis, change: fn(&mut JobSpec)) -> Verdict {
    let mut stage = Stage::new();
    let mut other = spec.clone();
    stage.submit(spec);
    stage.wait(passes.0);
    change(&mut other);
    stage.try_tick(&[amended(1, other)])
}

#[test]
fn what_somebody_asks_for_is_done_to_whom_they_ask_it_of() {
    let mut stage = Stage::new();
    stage.submit(job(1, 1));
    stage.submit(job(1, 1));
    let (one, other) = (job(1, 2), job(1, 3));
    let asked = Command::Amend { job: JobId(1), spec: one.clone().into() };
    broken(stage.try_step(&asked, &[amended(1, other)]), Changed, SEEN);
    let told = "job 2 became another one, and nobody asked for that";
    broken(stage.try_step(&asked, &[amended(2, one.clone())]), Changed, told);
    kept(stage.try_step(&asked, &[amended(1, one)]));
}

#[test]
fn a_job_takes_less_time_only_as_far_as_it_said() {
    let hour = || {
        let mut spec = job(1, 1).limit(Millis::hours(1));
        spec.timing.limit_min = Some(Millis::minutes(20));
        spec
    };
    type Change = fn(&mut JobSpec);
    let to_thirty: Change = |spec| spec.timing.limit = Some(Millis::minutes(30));
    kept(by_itself(hour(), Millis::ZERO, to_thirty));
    broken(by_itself(job(1, 1).limit(Millis::hours(1)), Millis::ZERO, to_thirty), Changed, SEEN);
    let wrong: [Change; 3] = [
        |spec| spec.timing.limit = Some(Millis::minutes(10)),
        |spec| spec.timing.limit = Some(Millis::hours(2)),
        |spec| {
            spec.timing.limit = Some(Millis::minutes(30));
            spec.groups = job(1, 2).groups;
        },
    ];
    for change in wrong {
        broken(by_itself(hour(), Millis::ZERO, change), Changed, SEEN);
    }
}

#[test]
fn a_gang_takes_farther_places_only_after_it_has_insisted() {
    let patient = || {
        let mut spec = job(2, 1).require("rack");
        spec.topology.patience = Some(Millis::minutes(10));
        spec
    };
    let widen = |spec: &mut JobSpec| {
        spec.topology.patience = None;
        spec.topology.require = None;
        spec.topology.prefer = Some(Level::from("rack"));
    };
    kept(by_itself(patient(), Millis::minutes(10), widen));
    broken(by_itself(patient(), Millis::minutes(9), widen), Changed, SEEN);
    broken(by_itself(job(2, 1).require("rack"), Millis::hours(1), widen), Changed, SEEN);
}
