//! The service floor and pausing: what the floor serves is left alone, and what is paused too long
//! is served by it.

use super::support::*;
use crate::support::*;

fn with_floor() -> Setup {
    nodes(1).policy(|policy| policy.floor = floor(100, hours(4), hours(2)))
}

#[test]
fn a_job_the_floor_serves_is_left_alone_for_its_quantum() {
    let mut world = with_floor().build();
    let first = world.run(stubborn(1, 8));
    let starving = world.submit(gang(1, 8).class("batch").estimate(hours(90), hours(99)).rung(
        Rung::Suspend,
        seconds(20),
        seconds(10),
    ));
    world.advance(hours(5));
    world.finish(first);
    world.confirm(starving);
    world.advance(minutes(30));
    let job = world.submit(urgent(1, 8));
    assert_eq!((world.word(starving), world.plan_of(job)), ("running", None));
    assert_eq!(spared(&mut world, job), Some((starving, Spared::Floor)));
}

#[test]
fn a_paused_job_that_has_waited_too_long_is_served_on_its_own_place() {
    let mut world = with_floor().build();
    let victim = world.run(trainer(1, 8));
    settle_in(&mut world);
    let first = world.submit(urgent(1, 8));
    world.give_way(victim);
    world.confirm(first);
    world.advance(hours(5));
    let shorter = world.submit(urgent(1, 8));
    world.finish(first);
    assert_eq!((world.word(victim), world.word(shorter)), ("resuming", "queued"));
    assert!(world.run_of(victim).floor_until.is_some());
}

#[test]
fn not_even_a_guarantee_takes_from_a_job_in_its_quantum() {
    let setup = with_floor().queue(queue("a").guarantee(quota(8))).queue(queue("b"));
    let mut world = setup.build();
    let first = world.run(stubborn(1, 8).queue("b"));
    let starving = world.submit(trainer(1, 8).queue("b"));
    world.advance(hours(5));
    world.finish(first);
    world.confirm(starving);
    assert!(world.run_of(starving).floor_until.is_some());
    let job = world.submit(urgent(1, 8).queue("a"));
    assert_eq!(world.plan_of(job), None, "the floor is a promise too");
    world.advance(hours(2));
    assert_eq!(world.victims_of(job), [starving], "when that is over the guarantee counts");
}

#[test]
fn a_job_for_which_room_is_made_is_not_claimed_for_as_well() {
    let mut world = with_floor().build();
    let victim = world.run(trainer(1, 8));
    settle_in(&mut world);
    let job = world.submit(urgent(1, 8));
    assert_eq!(world.victims_of(job), [victim]);
    world.advance(seconds(30));
    assert_eq!(world.snapshot().claims, []);
}
