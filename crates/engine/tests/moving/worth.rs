//! What a move must bring: more than it costs, by what is expected without it.

use super::support::*;
use crate::support::*;

/// A world with nodes reserved for gangs that do not fit, in which half of each node is taken: of
/// the first for long, of the second for so long.
fn expecting(left: Millis) -> (World, JobId) {
    let setup = nodes(2).reservations(2, 8);
    let setup = policy(setup, |moves| moves.margin_ppm = 20_000_000);
    let mut world = setup.build();
    let mover = run_on(&mut world, "n-1", saver(1, 4));
    let length = minutes(11) + left;
    run_on(&mut world, "n-2", big(1, 4).estimate(length, length));
    settle_in(&mut world);
    (world, mover)
}

#[test]
fn nobody_moves_for_a_gang_that_starts_soon_anyway() {
    let (mut world, mover) = expecting(seconds(40));
    let gang = world.submit(big(1, 8));
    assert_eq!((world.word(mover), world.word(gang)), ("running", "queued"));
    assert_eq!(world.claim_of(gang), ["n-2"]);
}

#[test]
fn job_moves_for_a_gang_that_would_wait_for_long() {
    let (mut world, mover) = expecting(minutes(30));
    let gang = world.submit(big(1, 8));
    assert_eq!((world.word(mover), world.word(gang)), ("pausing", "queued"));
}

#[test]
fn gain_must_exceed_the_cost_by_the_margin() {
    let with_margin = |margin_ppm| {
        let setup = policy(nodes(2), |moves| moves.margin_ppm = margin_ppm);
        // It would wait for ten minutes with 8 GPUs, and 4 GPUs lose 30 seconds.
        let spec = saver(1, 4).estimate(minutes(21), minutes(21));
        let (mut world, first, _) = halves(setup, spec);
        let gang = world.submit(big(1, 8));
        world.victims_of(gang) == [first]
    };
    assert!(with_margin(1_000_000));
    assert!(with_margin(30_000_000));
    assert!(!with_margin(50_000_000));
}

#[test]
fn class_of_those_who_move_counts() {
    let of_class = |class: &str| {
        let setup = policy(nodes(2), |moves| moves.margin_ppm = 9_000_000);
        let spec = saver(1, 4).class(class).estimate(minutes(21), minutes(21));
        let (mut world, first, _) = halves(setup, spec);
        let gang = world.submit(big(1, 8));
        world.victims_of(gang) == [first]
    };
    assert!(of_class("batch"));
    assert!(!of_class("inference"));
}

#[test]
fn what_a_move_costs_and_brings_is_noted() {
    let (world, first, gang) = moving_out(nodes(2));
    let pauses = world.pauses_of(first);
    // Four GPUs for thirty seconds; eight GPUs for most of a day.
    assert_eq!((pauses.latest.by, pauses.latest.cost), (gang, 4 * 30_000));
    assert!(pauses.latest.benefit > 100 * pauses.latest.costs);
    assert_eq!(pauses.moved, Some(world.now()));
    assert_eq!(world.snapshot().defragmentation.spent, 4 * 30_000);
}
