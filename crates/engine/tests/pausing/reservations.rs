//! Reservations: the first gang that does not fit has nodes kept for it, which are lent while it
//! waits, and nobody keeps GPUs from those who go first.

use super::support::*;
use crate::support::*;

/// Two nodes, the first free in about half an hour and the second in about two, and a gang that
/// needs both.
fn waiting_gang() -> (World, JobId, JobId) {
    let mut world = nodes(2).reservations(4, 16).build();
    let soon = world.run(gang(1, 8).class("standard").estimate(minutes(30), minutes(31)));
    world.run(gang(1, 8).class("standard").estimate(hours(2), minutes(121)));
    let gang = world.submit(gang(2, 8).class("standard").estimate(hours(1), hours(2)));
    (world, soon, gang)
}

/// For whom nodes are reserved.
fn reserved(world: &World) -> Vec<JobId> {
    world.snapshot().claims.iter().map(|claim| claim.job).collect()
}

#[test]
fn gang_has_its_nodes_reserved_and_is_told_which_and_when() {
    let (mut world, _, gang) = waiting_gang();
    assert_eq!(reserved(&world), [gang]);
    let reasons = world.reasons(gang);
    let told = reasons.iter().find_map(|reason| match reason {
        Reason::Reserved { nodes, start, .. } => Some((*nodes, *start)),
        _ => None,
    });
    let (nodes, start) = told.expect("it is told");
    assert_eq!(nodes, 2);
    assert!(start > world.now() + hours(2) && start < world.now() + minutes(150), "{start:?}");
}

#[test]
fn reserved_gpus_are_lent_to_jobs_that_end_in_time_and_to_nobody_behind_who_does_not() {
    let (mut world, soon, gang) = waiting_gang();
    world.advance(minutes(30));
    world.finish(soon);
    let long = world.submit(stubborn(1, 8).class("standard"));
    let short = world.submit(gang_of_minutes(20));
    assert_eq!((world.word(long), world.word(short)), ("queued", "launching"));
    assert_eq!(reserved(&world), [gang]);
}

#[test]
fn reserved_gpus_are_lent_to_jobs_that_give_way_and_are_called_in() {
    let (mut world, soon, gang) = waiting_gang();
    world.advance(minutes(30));
    world.finish(soon);
    let filler = world.submit(filler(1, 8));
    world.confirm(filler);
    assert_eq!(reserved(&world), [gang]);
    let second = world.jobs_in(JobState::Running).into_iter().find(|job| *job != filler);
    world.finish(second.expect("the second node is still taken"));
    assert_eq!(world.victims_of(gang), [filler]);
}

#[test]
fn nothing_is_reserved_for_a_gang_behind_one_that_waits_for_the_same_gpus() {
    let (mut world, _, gang) = waiting_gang();
    let ahead = world.submit(stubborn(1, 8).class("express"));
    assert_eq!(reserved(&world), [], "what is kept for {gang} would be kept from {ahead}");
    world.cancel(ahead);
    world.advance(minutes(10));
    world.submit(stubborn(1, 8));
    assert_eq!(reserved(&world), [gang], "that one has gone, and who comes now is behind");
}

#[test]
fn gang_stands_back_and_the_freed_gpus_go_to_the_one_ahead() {
    let (mut world, soon, gang) = waiting_gang();
    let ahead = world.submit(stubborn(1, 8).class("express"));
    world.finish(soon);
    assert_eq!((world.word(ahead), world.word(gang)), ("launching", "queued"));
    assert_eq!(world.nodes_of(ahead), ["n-1"]);
}

#[test]
fn whoever_waits_for_other_models_keeps_nobody_back() {
    let setup = cluster().nodes("n", 2, "H100x8").nodes("a", 1, "A100x8").reservations(4, 16);
    let mut world = setup.doubted().build();
    for _ in 0..3 {
        world.run(gang(1, 8).estimate(hours(1), hours(2)));
    }
    let wide = world.submit(gang(2, 8).models(["H100"]).estimate(hours(1), hours(2)));
    world.submit(gang(1, 8).models(["A100"]).class("express"));
    world.advance(minutes(2));
    assert_eq!(reserved(&world), [wide]);
}

fn gang_of_minutes(count: u64) -> JobSpec {
    gang(1, 8).class("standard").estimate(minutes(count), minutes(count + 1))
}

#[test]
fn nothing_is_reserved_where_all_who_run_can_be_paused() {
    // Those far enough behind it would have given way; the others go first.
    let saver = || stubborn(1, 8).class("standard").rung(Rung::Checkpoint, minutes(1), minutes(1));
    let mut world = nodes(2).reservations(4, 16).build();
    world.run(saver().estimate(minutes(30), minutes(31)));
    world.run(saver().estimate(hours(2), minutes(121)));
    let large = || gang(2, 8).class("standard").estimate(hours(1), hours(2));
    world.submit(large());
    assert_eq!(reserved(&world), []);
    let setup = nodes(2).reservations(4, 16).without_pausing();
    let mut world = setup.build();
    world.run(saver().estimate(minutes(30), minutes(31)));
    world.run(saver().estimate(hours(2), minutes(121)));
    let gang = world.submit(large());
    assert_eq!(reserved(&world), [gang], "where nobody is paused it is the only way");
}
