//! What becomes of a move when something comes in between: nothing is lost, and nothing is left.

use super::support::*;
use crate::support::*;
use muster_model::Booking;

/// Nobody is on the way anywhere, and nothing is held.
fn nothing_is_left(world: &World) {
    let snapshot = world.snapshot();
    assert_eq!((snapshot.plans, snapshot.moves), (vec![], vec![]));
}

#[test]
fn job_goes_on_where_it_is_when_it_does_not_save_in_time() {
    let (mut world, first, gang) = moving_out(nodes(2));
    world.advance(minutes(6));
    assert_eq!((world.word(first), world.word(gang)), ("running", "queued"));
    assert_eq!((node_of(&world, first), world.attempt(first).0), ("n-1".into(), 1));
    let moving: Vec<JobId> = moves(&world).into_iter().map(|(job, _)| job).collect();
    assert!(!moving.contains(&first), "it is not asked again");
}

#[test]
fn job_goes_on_where_it_is_when_nobody_needs_its_place_any_more() {
    let (mut world, first, gang) = moving_out(nodes(2));
    world.cancel(gang);
    assert_eq!((world.word(first), world.attempt(first).0), ("running", 1));
    nothing_is_left(&world);
}

#[test]
fn job_that_is_leaving_gets_to_its_new_place_though_nobody_needs_the_old() {
    let (mut world, first, gang) = moving_out(nodes(2));
    world.saved(first);
    world.cancel(gang);
    assert_eq!(moves(&world), [(first, "n-2".into())]);
    world.stopped(first);
    assert_eq!((world.word(first), node_of(&world, first)), ("launching", "n-2".into()));
    nothing_is_left(&world);
}

#[test]
fn trouble_at_the_new_place_ends_the_move() {
    let troubles: [fn(&mut World); 4] = [
        |world| drop(world.lose("n-2", minutes(5))),
        |world| drop(world.drain("n-2")),
        |world| drop(world.break_gpu("n-2", 0)),
        |world| {
            let soon = world.now() + minutes(12);
            world.book(Booking::new("cooling", soon).node("n-2"));
        },
    ];
    for trouble in troubles {
        let (mut world, first, gang) = moving_out(nodes(2));
        trouble(&mut world);
        assert_eq!((world.word(first), world.word(gang)), ("running", "queued"));
        nothing_is_left(&world);
    }
}

#[test]
fn job_that_is_leaving_when_its_new_place_breaks_finds_its_old_one_free() {
    let (mut world, first, gang) = moving_out(nodes(2));
    world.saved(first);
    world.drain("n-2");
    nothing_is_left(&world);
    world.stopped(first);
    assert_eq!((world.word(first), world.word(gang)), ("launching", "queued"));
    assert_eq!(node_of(&world, first), "n-1");
}

#[test]
fn trouble_at_the_old_place_ends_the_move() {
    let (mut world, first, gang) = moving_out(nodes(2));
    world.drain("n-1");
    assert_eq!((world.word(first), world.word(gang)), ("running", "queued"));
    nothing_is_left(&world);
}

#[test]
fn job_that_is_done_before_it_leaves_needs_no_new_place() {
    let (mut world, first, gang) = moving_out(nodes(2));
    world.finish(first);
    assert_eq!((world.word(first), world.word(gang)), ("completed", "launching"));
    nothing_is_left(&world);
    let next = world.submit(gang_of(4));
    assert_eq!(world.word(next), "launching", "its new place is free again");
}

fn gang_of(gpus: u32) -> JobSpec {
    gang(1, gpus).class("batch")
}

#[test]
fn job_that_is_cancelled_on_its_way_needs_no_new_place() {
    let (mut world, first, gang) = moving_out(nodes(2));
    world.saved(first);
    world.cancel(first);
    world.stopped(first);
    assert_eq!((world.word(first), world.word(gang)), ("cancelled", "launching"));
    nothing_is_left(&world);
}

#[test]
fn job_that_is_held_on_its_way_waits_for_its_release() {
    let (mut world, first, gang) = moving_out(nodes(2));
    world.saved(first);
    world.hold(first);
    world.stopped(first);
    assert_eq!((world.word(first), world.word(gang)), ("waiting", "launching"));
    nothing_is_left(&world);
    world.release(first);
    assert_eq!(world.word(first), "launching");
}

#[test]
fn job_that_someone_requeues_on_its_way_starts_at_its_new_place() {
    let (mut world, first, gang) = moving_out(nodes(2));
    world.requeue(first);
    world.stopped(first);
    assert_eq!((world.word(first), world.word(gang)), ("launching", "launching"));
    assert_eq!(node_of(&world, first), "n-2");
}

#[test]
fn job_that_cannot_be_launched_at_its_new_place_waits_like_others() {
    let (mut world, first, gang) = moving_out(nodes(2));
    world.give_way(first);
    world.confirm(gang);
    world.refuse(first, "n-2");
    assert_eq!(world.word(first), "queued");
    world.advance(minutes(1));
    assert_eq!((world.word(first), node_of(&world, first)), ("launching", "n-2".into()));
}

#[test]
fn job_that_has_saved_gets_to_its_new_place_though_another_does_not_save() {
    let (mut world, small, gang) = two_moving_out();
    world.saved(small[0]);
    world.advance(minutes(6));
    assert_eq!((world.word(small[0]), world.word(small[1])), ("stopping", "running"));
    assert_eq!((world.word(gang), world.held_for(gang)), ("queued", String::new()));
    world.stopped(small[0]);
    assert_eq!(world.word(small[0]), "launching");
    assert_ne!(node_of(&world, small[0]), "n-1");
}
