//! A pause is weighed for all it makes room for: a gang that is not worth pausing for one small job
//! is for many of them.

use super::support::*;
use crate::support::*;

/// A gang on four nodes, with an hour left or so, that can save within a minute.
fn with_gang() -> (World, JobId) {
    let spec = gang(4, 8).class("batch").estimate(hours(3), hours(4));
    one_running(nodes(4), spec.rung(Rung::Checkpoint, minutes(1), minutes(1)))
}

/// A job of one GPU and half an hour.
fn small() -> JobSpec {
    gang(1, 1).class("batch").estimate(minutes(30), minutes(40))
}

/// How many small jobs have to wait until the gang gives way to them.
fn needed(spec: impl Fn() -> JobSpec) -> Option<usize> {
    let (mut world, gang) = with_gang();
    (1..=40).find(|_| {
        world.submit(spec());
        world.word(gang) == "pausing"
    })
}

#[test]
fn gang_is_not_paused_for_one_small_job() {
    let (mut world, gang) = with_gang();
    let job = world.submit(small());
    assert_eq!((world.word(gang), world.plan_of(job)), ("running", None));
    let (spared, why) = spared(&mut world, job).expect("it is told");
    assert_eq!(spared, gang);
    assert!(matches!(why, Spared::Cost { cost, benefit } if cost > benefit), "{why:?}");
}

#[test]
fn gang_is_paused_for_as_many_as_make_up_for_it() {
    // 32 GPUs are late by half an hour and two minutes; each small job saves nearly three hours.
    let jobs = needed(small).expect("so many are worth it");
    assert!((4..=10).contains(&jobs), "{jobs}");
    let shorter = needed(|| small().estimate(minutes(15), minutes(20))).expect("fewer are");
    assert!(shorter < jobs, "{shorter} of fifteen minutes against {jobs} of thirty");
}

#[test]
fn all_of_them_start_when_the_gang_has_given_way() {
    let (mut world, gang) = with_gang();
    let jobs: Vec<JobId> = (0..12).map(|_| world.submit(small())).collect();
    world.give_way(gang);
    assert_eq!(jobs.iter().filter(|job| world.word(**job) == "launching").count(), 12);
    assert_eq!(world.word(gang), "queued", "it waits for its turn");
}

#[test]
fn those_who_rank_too_near_to_the_gang_are_not_counted() {
    // Each has more GPU-time left than half of what the gang has.
    let long = || gang(1, 1).class("batch").estimate(hours(60), hours(90));
    assert_eq!(needed(long), None);
}

#[test]
fn those_of_a_better_class_are_counted_whatever_their_rank() {
    // Each would have passed the gang by its class. One is not worth it: 8 GPUs wait three hours
    // less, 32 of an eighth of the weight are late by eight.
    let better = || gang(1, 8).class("express").estimate(hours(8), hours(9));
    assert_eq!(needed(better), Some(2));
}

#[test]
fn no_more_are_counted_than_find_room() {
    // A job on one node of eight GPUs makes room for one of eight, however many wait.
    let spec = gang(1, 8).class("batch").estimate(hours(1), hours(2));
    let spec = spec.rung(Rung::Checkpoint, minutes(1), minutes(1));
    let (mut world, running) = one_running(nodes(1), spec);
    let half = || gang(1, 8).class("batch").estimate(minutes(20), minutes(70));
    for _ in 0..20 {
        world.submit(half());
    }
    let alone = world.word(running);
    let (mut world, running) = one_running(
        nodes(1),
        gang(1, 8).class("batch").estimate(hours(1), hours(2)).rung(
            Rung::Checkpoint,
            minutes(1),
            minutes(1),
        ),
    );
    world.submit(half());
    assert_eq!(world.word(running), alone, "twenty of its size count as one");
}
