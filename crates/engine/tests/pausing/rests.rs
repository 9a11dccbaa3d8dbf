//! Rest after searches in vain: free at first, then longer each time.

use muster_engine::snapshot::RestRecord;

use super::support::*;
use crate::support::*;

/// Two jobs that are never paused, for their queue is guaranteed their GPUs, and one that looks
/// for someone after the first of them may be paused by all else, and half a minute before the
/// second.
fn looking_in_vain(looks_free: u32) -> (World, JobId) {
    let setup = nodes(2).queue(queue("a")).queue(queue("b").guarantee(quota(16)));
    let setup = setup.policy(|policy| {
        policy.pausing.looks_free = looks_free;
        policy.pausing.rest = minutes(1);
    });
    let mut world = setup.build();
    world.run(trainer(1, 8).queue("b"));
    world.advance(minutes(1));
    world.run(trainer(1, 8).queue("b"));
    world.advance(seconds(570));
    let job = world.submit(urgent(1, 8).queue("a"));
    assert_eq!(world.plan_of(job), None);
    (world, job)
}

fn rest_of(world: &World, job: JobId) -> RestRecord {
    let rests = world.snapshot().rests;
    *rests.iter().find(|rest| rest.job == job).expect("it has looked")
}

#[test]
fn whoever_has_looked_at_much_rests_until_it_has_paid_for_it() {
    let (mut world, job) = looking_in_vain(0);
    let begun = world.now();
    let first = rest_of(&world, job);
    assert_eq!((first.looked, first.until), (3, begun + minutes(3)), "two nodes and a job");
    world.advance(minutes(2));
    assert_eq!(rest_of(&world, job).looked, 3, "another may be paused by now, but it rests");
    world.advance(minutes(1));
    let second = rest_of(&world, job);
    assert_eq!((second.looked, second.times), (7, 2), "it has rested and looks at both");
    assert_eq!(second.until, world.now() + minutes(8), "twice as long for each of four");
}

#[test]
fn the_first_looks_are_free() {
    let (mut world, job) = looking_in_vain(3);
    let first = rest_of(&world, job);
    assert_eq!((first.looked, first.times), (3, 0));
    world.advance(minutes(1));
    let second = rest_of(&world, job);
    assert_eq!((second.looked, second.times), (7, 1), "it looks as soon as another may be paused");
    assert!(second.until > world.now());
}

#[test]
fn a_rest_ends_with_the_wait() {
    let (mut world, job) = looking_in_vain(0);
    world.cancel(job);
    assert_eq!(world.snapshot().rests, []);
}
