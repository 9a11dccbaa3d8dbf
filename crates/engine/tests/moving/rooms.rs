//! For whom room is made by moving, who moves, and where to.

use super::support::*;
use crate::support::*;

#[test]
fn job_moves_for_one_that_fits_by_count_and_not_by_node() {
    let (mut world, first, gang) = moving_out(nodes(2));
    assert_eq!(world.victims_of(gang), [first]);
    assert_eq!(world.held_for(gang), "n-1:4");
    world.give_way(first);
    assert_eq!((world.word(first), world.word(gang)), ("launching", "launching"));
    assert_eq!((node_of(&world, first), node_of(&world, gang)), ("n-2".into(), "n-1".into()));
    assert_eq!(world.record(first).attempt.0, 2);
    assert_eq!(moves(&world), []);
}

#[test]
fn job_moves_out_of_a_rack_that_a_gang_needs_whole() {
    let mut world = racks_of([2, 2]).build();
    let small = run_on(&mut world, "r1-2", saver(1, 8));
    let large = world.run(big(1, 8));
    assert_eq!(node_of(&world, large), "r1-1");
    world.finish(large);
    let other = run_on(&mut world, "r2-1", big(1, 8));
    settle_in(&mut world);
    let gang = world.submit(big(2, 8).require("rack"));
    assert_eq!(moves(&world), [(small, "r2-2".into())]);
    world.give_way(small);
    assert_eq!(world.layout(gang), "r1-1:1 r1-2:1");
    assert_eq!(node_of(&world, small), "r2-2");
    assert_eq!(world.word(other), "running");
}

#[test]
fn several_jobs_move_for_one_gang() {
    let (mut world, small, gang) = two_moving_out();
    let mut places: Vec<String> = moves(&world).into_iter().map(|(_, node)| node).collect();
    places.sort();
    assert_eq!(places, ["n-2", "n-3"]);
    world.give_way(small[0]);
    assert_eq!((world.word(small[0]), world.word(gang)), ("launching", "queued"));
    world.give_way(small[1]);
    assert_eq!((world.word(small[1]), world.word(gang)), ("launching", "launching"));
}

#[test]
fn gang_on_two_nodes_moves_as_a_whole() {
    let mut world = racks_of([2, 2]).build();
    let pair = world.run(saver(2, 4).require("rack"));
    assert_eq!(world.layout(pair), "r1-1:2");
    world.cancel(pair);
    world.stopped(pair);
    let fill = run_on(&mut world, "r1-1", big(1, 4));
    let pair = world.run(saver(2, 4).require("rack").spread());
    assert_eq!(world.layout(pair), "r1-1:1 r1-2:1");
    world.finish(fill);
    run_on(&mut world, "r2-1", big(1, 4));
    run_on(&mut world, "r2-2", big(1, 4));
    settle_in(&mut world);
    let gang = world.submit(big(2, 8).require("rack"));
    assert_eq!(moves(&world), [(pair, "r2-1 r2-2".into())]);
    world.give_way(pair);
    assert_eq!(
        (world.layout(pair), world.layout(gang)),
        ("r2-1:1 r2-2:1".into(), "r1-1:1 r1-2:1".into())
    );
}

#[test]
fn nobody_moves_where_too_few_gpus_are_free() {
    let (mut world, first, _) = halves(nodes(2), saver(1, 4));
    run_on(&mut world, "n-2", big(1, 1));
    let gang = world.submit(big(1, 8));
    assert_eq!((world.word(first), world.word(gang)), ("running", "queued"));
    assert_eq!(moves(&world), []);
}

#[test]
fn nobody_moves_who_has_nowhere_to_go() {
    let mut world = nodes(3).build();
    let first = run_on(&mut world, "n-1", saver(1, 4));
    run_on(&mut world, "n-2", big(1, 5));
    run_on(&mut world, "n-3", big(1, 5));
    settle_in(&mut world);
    let gang = world.submit(big(1, 8));
    assert_eq!((world.word(first), world.word(gang)), ("running", "queued"));
}

#[test]
fn job_moves_only_to_gpus_of_its_own_model() {
    let setup = moving(cluster().nodes("n", 2, "H100x8").nodes("a", 1, "A100x8"));
    let mut world = setup.build();
    let first = run_on(&mut world, "n-1", saver(1, 4).models(["H100", "A100"]));
    run_on(&mut world, "n-2", big(1, 6));
    settle_in(&mut world);
    let gang = world.submit(big(1, 8).models(["H100"]));
    assert_eq!((world.word(first), world.word(gang)), ("running", "queued"));
}

#[test]
fn job_moves_where_it_fits_tightly_and_leaves_empty_nodes_alone() {
    let mut world = racks_of([2, 3]).build();
    let small = run_on(&mut world, "r1-1", saver(1, 4));
    run_on(&mut world, "r2-2", big(1, 4));
    settle_in(&mut world);
    let gang = world.submit(big(2, 8).require("rack"));
    assert_eq!(world.word(gang), "launching", "{}", world.free());
    let gang = world.submit(big(2, 8).require("rack"));
    assert_eq!(moves(&world), [(small, "r2-2".into())]);
    assert_eq!(world.word(gang), "queued");
}

#[test]
fn fewest_gpus_move() {
    let mut world = nodes(3).build();
    let large = run_on(&mut world, "n-1", saver(1, 4));
    let small = run_on(&mut world, "n-2", saver(1, 2));
    run_on(&mut world, "n-3", big(1, 4));
    settle_in(&mut world);
    let gang = world.submit(big(1, 8));
    assert_eq!(world.victims_of(gang), [small]);
    assert_eq!(world.word(large), "running");
}

#[test]
fn room_is_made_on_nodes_that_are_reserved_for_the_gang() {
    let (mut world, first, second) = halves(nodes(2).reservations(2, 8), saver(1, 4));
    // Without the policy on moves it would have to wait for one of them.
    let gang = world.submit(big(1, 8));
    assert_eq!(world.victims_of(gang), [first]);
    world.give_way(first);
    assert_eq!((world.word(gang), world.word(second)), ("launching", "running"));
    assert_eq!(world.snapshot().claims, []);
}

#[test]
fn pausing_comes_before_moving() {
    let (mut world, first, _) = halves(nodes(2), saver(1, 4));
    let urgent = world.submit(gang(1, 8).class("express").estimate(minutes(10), minutes(12)));
    assert_eq!(world.victims_of(urgent), [first]);
    assert_eq!(moves(&world), []);
}
