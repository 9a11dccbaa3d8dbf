//! A lower class never goes ahead of a higher one of the same kind.

use muster_checker::Promise::Tier;
use muster_engine::snapshot::ClaimRecord;
use muster_model::{Class, ClusterSpec, JobId, JobSpec, Name, NodeId, Time};

use crate::act::{ALL, job, node};
use crate::stage::{Stage, Verdict, broken, kept};

fn of_class(class: &str) -> JobSpec {
    let mut spec = job(1, 8);
    spec.class = Name::from(class);
    spec
}

/// Two jobs wait and one of them is started on the only node; the verdict on that.
fn started(stage: &mut Stage, first: JobId, node: NodeId) -> Verdict {
    stage.wake = Some(stage.now);
    kept(stage.try_compare());
    stage.start(first, &[(node, &[(0, ALL)])]);
    stage.wake = None;
    stage.try_compare()
}

fn two(lower: JobSpec, higher: JobSpec) -> (Stage, NodeId, JobId, JobId) {
    let mut stage = Stage::new();
    let node = stage.join(node("n0", "z", "r"));
    let (lower, higher) = (stage.submit(lower), stage.submit(higher));
    (stage, node, lower, higher)
}

#[test]
fn the_higher_class_goes_first() {
    let (mut stage, node, _, higher) = two(of_class("batch"), of_class("express"));
    kept(started(&mut stage, higher, node));
}

#[test]
fn a_lower_class_that_goes_first_is_seen() {
    let (mut stage, node, lower, _) = two(of_class("batch"), of_class("express"));
    let verdict = started(&mut stage, lower, node);
    broken(verdict, Tier, "job 1 was started and job 2 of a higher class waits");
}

#[test]
fn both_may_start_in_one_step_in_any_order() {
    let (mut stage, node_a, lower, higher) = two(of_class("batch"), of_class("express"));
    let node_b = stage.join(node("n1", "z", "r"));
    stage.wake = Some(stage.now);
    kept(stage.try_compare());
    let mut actions = stage.start_of(lower, &[(node_a, &[(0, ALL)])]);
    actions.extend(stage.start_of(higher, &[(node_b, &[(0, ALL)])]));
    stage.play(&muster_engine::command::Command::Tick, &actions);
    kept(stage.try_compare());
}

#[test]
fn jobs_of_one_class_may_start_in_any_order() {
    let (mut stage, node, lower, _) = two(of_class("batch"), of_class("batch"));
    kept(started(&mut stage, lower, node));
}

#[test]
fn jobs_that_differ_in_more_than_class_are_not_compared() {
    let other_user = |spec: &mut JobSpec| spec.user = Name::from("user-b");
    let smaller = |spec: &mut JobSpec| spec.groups[0].tasks.max = 2;
    let picky = |spec: &mut JobSpec| spec.groups[0].task.models = vec![Name::from("H100")];
    let changes: [fn(&mut JobSpec); 3] = [other_user, smaller, picky];
    for change in changes {
        let mut higher = of_class("express");
        change(&mut higher);
        let (mut stage, node, lower, _) = two(of_class("batch"), higher);
        kept(started(&mut stage, lower, node));
    }
}

#[test]
fn a_start_by_the_floor_may_pass_a_higher_class() {
    let (mut stage, node, lower, _) = two(of_class("batch"), of_class("express"));
    stage.wake = Some(stage.now);
    kept(stage.try_compare());
    stage.start(lower, &[(node, &[(0, ALL)])]);
    stage.job_record(lower).run.as_mut().unwrap().floor_until = Some(Time(9_000_000));
    stage.wake = None;
    kept(stage.try_compare());
}

#[test]
fn nothing_is_judged_while_nodes_are_held_for_someone() {
    let (mut stage, node_a, lower, higher) = two(of_class("batch"), of_class("express"));
    let node_b = stage.join(node("n1", "z", "r"));
    let claim = ClaimRecord { job: higher, nodes: vec![node_b], since: stage.now, reserved: None };
    stage.snapshot.claims.push(claim);
    kept(started(&mut stage, lower, node_a));
}

#[test]
fn a_higher_class_without_guarantee_may_be_passed_by_one_with() {
    let filler = Class { guaranteed: false, ..Class::defaults()[2].clone() };
    let mut classes = Class::defaults();
    classes[2] = filler;
    let mut stage = Stage::with(ClusterSpec { classes, ..ClusterSpec::default() });
    let node = stage.join(node("n0", "z", "r"));
    let (lower, _) = (stage.submit(of_class("batch")), stage.submit(of_class("express")));
    kept(started(&mut stage, lower, node));
}
