//! The floor makes room for who has waited too long: others give way whatever their rank, and only
//! where nobody may be asked are nodes drained.

use muster_engine::explain::Cause;

use super::support::*;
use crate::support::*;

/// A floor of all GPUs that serves who has waited for four hours, for two.
fn with_floor(count: u32) -> Setup {
    nodes(count).policy(|policy| policy.floor = floor(100, hours(4), hours(2)))
}

/// A gang that ranks behind everything else.
fn last(tasks: u32) -> JobSpec {
    gang(tasks, 8).class("batch").estimate(hours(200), hours(300))
}

/// A job that can save within a minute and ranks before such a gang.
fn saver() -> JobSpec {
    gang(1, 8).class("batch").estimate(hours(20), hours(24)).rung(
        Rung::Checkpoint,
        minutes(1),
        minutes(1),
    )
}

#[test]
fn those_in_the_way_of_a_starving_gang_give_way_though_they_rank_before_it() {
    let mut world = with_floor(2).build();
    let running = [(); 2].map(|()| world.run(saver()));
    let gang = world.submit(last(2));
    world.advance(minutes(239));
    assert_eq!(world.victims_of(gang), []);
    world.advance(minutes(1));
    assert_eq!(world.victims_of(gang), running);
    assert_eq!(world.pauses_of(running[0]).latest.cause, Cause::Floor);
    let told = world.pauses_of(running[0]).latest.to_string();
    assert!(told.contains("which had waited too long"), "{told}");
    for job in running {
        world.give_way(job);
    }
    world.confirm(gang);
    assert_eq!(world.run_of(gang).floor_until, Some(world.now() + hours(2)));
    assert_eq!(world.snapshot().claims, [], "no node is drained");
}

#[test]
fn whoever_was_served_is_left_alone_for_its_quantum_and_no_longer() {
    let mut world = with_floor(1).build();
    let running = world.run(saver());
    let gang = world.submit(last(1).rung(Rung::Checkpoint, minutes(1), minutes(1)));
    world.advance(hours(4));
    world.give_way(running);
    world.confirm(gang);
    world.advance(minutes(119));
    assert_eq!(world.victims_of(running), []);
    world.advance(minutes(1));
    assert_eq!(world.victims_of(running), [gang], "by rank, the other goes first again");
}

#[test]
fn nodes_are_drained_where_someone_may_not_be_asked() {
    let mut world = with_floor(2).build();
    world.run(stubborn(1, 8));
    world.run(saver());
    let gang = world.submit(last(2));
    world.advance(hours(4));
    assert_eq!(world.victims_of(gang), [], "one of them cannot be paused");
    assert_eq!(world.snapshot().claims.len(), 1);
}

#[test]
fn those_on_draining_nodes_give_way_as_soon_as_they_may() {
    let mut world = with_floor(2).build();
    let early = [(); 2].map(|()| world.run(saver()));
    let gang = world.submit(last(2));
    world.advance(minutes(235));
    world.finish(early[0]);
    world.run(saver());
    world.advance(minutes(5));
    assert_eq!(world.victims_of(gang), [], "one of them has just begun");
    assert_eq!(world.snapshot().claims.len(), 1);
    world.advance(minutes(6));
    assert_eq!(world.victims_of(gang).len(), 2, "it has run for ten minutes");
}

#[test]
fn those_of_a_better_class_and_those_in_their_guarantee_are_left_alone() {
    let mut world = with_floor(1).build();
    world.run(saver().class("express"));
    let gang = world.submit(last(1));
    world.advance(hours(9));
    assert_eq!(world.victims_of(gang), []);
    let mut world = with_floor(1).queue(queue("a").guarantee(quota(8))).queue(queue("b")).build();
    world.run(saver().queue("a"));
    let gang = world.submit(last(1).queue("b"));
    world.advance(hours(9));
    assert_eq!(world.victims_of(gang), []);
}

#[test]
fn nobody_loses_work_so_that_another_of_its_class_has_a_turn() {
    let mut world = with_floor(1).build();
    let running = world.run(filler(1, 8));
    let other = world.submit(filler(1, 8));
    world.advance(hours(9));
    assert_eq!((world.word(running), world.victims_of(other)), ("running", vec![]));
}

#[test]
fn after_a_plan_that_came_to_nothing_nodes_are_drained() {
    let mut world = with_floor(1).build();
    let running = world.run(saver());
    let gang = world.submit(last(1));
    world.advance(hours(4));
    assert_eq!(world.victims_of(gang), [running]);
    world.cannot(running, "n-1", Rung::Checkpoint);
    assert_eq!((world.word(running), world.plan_of(gang)), ("running", None));
    assert_eq!(world.snapshot().claims.iter().map(|claim| claim.job).collect::<Vec<_>>(), [gang]);
    world.advance(hours(1));
    assert_eq!(world.plan_of(gang), None, "it is not put off by one plan after the other");
    world.finish(running);
    assert_eq!(world.word(gang), "launching");
    assert!(world.run_of(gang).floor_until.is_some());
}

#[test]
fn what_is_being_made_free_counts_against_the_floor() {
    // A floor of eight GPUs of sixteen: one gang at a time.
    let setup = nodes(2).policy(|policy| policy.floor = floor(50, hours(4), hours(2)));
    let mut world = setup.build();
    let running = [(); 2].map(|()| world.run(saver()));
    let gangs = [(); 2].map(|()| world.submit(last(1)));
    world.advance(hours(4));
    let victims = world.victims_of(gangs[0]);
    assert_eq!((victims.len(), world.victims_of(gangs[1]).len()), (1, 0));
    world.give_way(victims[0]);
    world.confirm(gangs[0]);
    assert_eq!(world.victims_of(gangs[1]), []);
    world.advance(hours(2));
    assert_eq!(world.victims_of(gangs[1]).len(), 1, "the first has had its turn");
    assert!(running.contains(&victims[0]));
}

#[test]
fn gang_that_does_not_starve_stands_back_with_what_is_reserved_for_it() {
    let setup = with_floor(2).reservations(4, 16);
    let mut world = setup.build();
    world.run(stubborn(1, 8).estimate(hours(90), hours(99)));
    let second = world.run(saver().estimate(hours(80), hours(90)));
    let starving = world.submit(last(1));
    world.advance(hours(3));
    let large = world.submit(gang(2, 8).class("batch").estimate(hours(1), hours(2)));
    let claims = |world: &World| world.snapshot().claims.iter().map(|c| c.job).collect::<Vec<_>>();
    assert_eq!(claims(&world), [large]);
    world.advance(hours(1));
    assert_eq!(world.victims_of(starving), [second]);
    world.give_way(second);
    assert_eq!(world.word(starving), "launching");
}
