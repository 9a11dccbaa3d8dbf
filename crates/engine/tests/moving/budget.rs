//! All moves together cost no more than a part of the GPU time.

use super::support::*;
use crate::support::*;

/// Two nodes on which moves may cost so many parts per million of the GPU time, two jobs that can
/// move and a gang: 16 GPUs, and a move costs 120 GPU-seconds.
fn with_budget(budget_ppm: u32) -> (World, JobId, JobId) {
    let setup = policy(nodes(2), |moves| moves.budget_ppm = budget_ppm);
    let (mut world, first, _) = halves(setup, saver(1, 4));
    let gang = world.submit(big(1, 8));
    (world, first, gang)
}

#[test]
fn hour_of_the_budget_can_be_spent_at_once() {
    // 16 GPUs for an hour are 57,600 GPU-seconds.
    let (world, first, gang) = with_budget(2_084);
    assert_eq!(world.victims_of(gang), [first]);
}

#[test]
fn move_beyond_an_hour_of_the_budget_is_never_made() {
    let (mut world, first, gang) = with_budget(2_083);
    world.advance(hours(5));
    assert_eq!((world.word(first), world.word(gang)), ("running", "queued"));
}

#[test]
fn without_a_budget_nothing_moves() {
    let (world, first, gang) = with_budget(0);
    assert_eq!((world.word(first), world.word(gang)), ("running", "queued"));
}

#[test]
fn what_was_spent_is_allowed_again_with_time() {
    // Enough for one move at once, and for another 40 minutes later.
    let setup = nodes(4).policy(|policy| policy.defragmentation.budget_ppm = 1_600);
    let mut world = setup.build();
    let movers: Vec<JobId> =
        ["n-3", "n-4"].map(|node| run_on(&mut world, node, saver(1, 4))).into();
    for node in ["n-1", "n-2"] {
        run_on(&mut world, node, big(1, 4));
    }
    settle_in(&mut world);
    let first = world.submit(big(1, 8));
    assert_eq!(world.victims_of(first), [movers[0]]);
    let second = world.submit(big(1, 8));
    let begun = world.now();
    world.give_way(movers[0]);
    assert_eq!(world.word(first), "launching");
    world.confirm(first);
    world.confirm(movers[0]);
    while world.victims_of(second).is_empty() {
        assert!(world.now().since(begun) < hours(1), "the second move comes within the hour");
        world.advance(minutes(1));
    }
    assert_eq!(world.victims_of(second), [movers[1]]);
    // 240 GPU-seconds are 55 more than an hour allows, at 184 an hour.
    let waited = world.now().since(begun);
    assert!(minutes(18) < waited && waited < minutes(22), "{waited}");
}
