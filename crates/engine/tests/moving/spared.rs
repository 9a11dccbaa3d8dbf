//! Who is never moved.

use muster_model::Requeue;

use super::support::*;
use crate::support::*;

/// Whether the first of two jobs that each have half a node moves for one that needs a whole one.
fn moves_away(setup: Setup, spec: JobSpec) -> bool {
    let (mut world, first, second) = halves(setup, spec);
    let gang = world.submit(big(1, 8));
    let is_moved = world.victims_of(gang) == [first];
    assert!(is_moved || world.victims_of(gang).is_empty());
    assert_eq!(world.word(second), "running");
    is_moved
}

#[test]
fn job_that_can_save_or_may_be_started_again_moves() {
    assert!(moves_away(nodes(2), saver(1, 4)));
    let fresh = big(1, 4).rung(Rung::Requeue, Millis::ZERO, seconds(5)).saves_every(minutes(11));
    assert!(moves_away(nodes(2), fresh));
}

#[test]
fn job_that_cannot_be_paused_stays() {
    assert!(!moves_away(nodes(2), big(1, 4)));
}

#[test]
fn job_that_can_only_be_suspended_stays() {
    let setup = || {
        let nodes = cluster().nodes_with("n", 2, "H100x8", |node| node.suspend_memory(gib(4096)));
        moving(nodes)
    };
    let suspends = || big(1, 4).rung(Rung::Suspend, seconds(20), seconds(10));
    assert!(!moves_away(setup(), suspends()));
    assert!(moves_away(setup(), suspends().rung(Rung::Checkpoint, seconds(20), seconds(10))));
}

#[test]
fn job_that_would_lose_more_than_the_policy_allows_stays() {
    let slow = |restore| big(1, 4).rung(Rung::Checkpoint, seconds(20), restore);
    let budget = |setup| policy(setup, |moves| moves.budget_ppm = 100_000);
    assert!(moves_away(budget(nodes(2)), slow(seconds(100))));
    assert!(!moves_away(budget(nodes(2)), slow(seconds(101))));
    let patient = policy(budget(nodes(2)), |moves| moves.loss_max = minutes(5));
    assert!(moves_away(patient, slow(seconds(101))));
}

#[test]
fn job_that_would_do_much_work_again_stays() {
    assert!(!moves_away(nodes(2), big(1, 4).rung(Rung::Requeue, Millis::ZERO, seconds(5))));
}

#[test]
fn job_that_is_nearly_done_stays() {
    let nearly = saver(1, 4).estimate(seconds(11 * 60 + 20), seconds(11 * 60 + 25));
    assert!(!moves_away(nodes(2), nearly));
}

#[test]
fn job_that_has_just_started_moves_when_it_has_run_for_a_while() {
    let mut world = nodes(2).build();
    let first = run_on(&mut world, "n-1", saver(1, 4));
    run_on(&mut world, "n-2", big(1, 4));
    world.advance(minutes(9));
    let gang = world.submit(big(1, 8));
    assert_eq!(world.victims_of(gang), []);
    world.advance(minutes(2));
    assert_eq!(world.victims_of(gang), [first]);
}

#[test]
fn job_that_someone_holds_stays() {
    let (mut world, first, second) = halves(nodes(2), saver(1, 4));
    world.hold(first);
    let gang = world.submit(big(1, 8));
    assert_eq!(world.victims_of(gang), [second]);
}

#[test]
fn job_that_the_floor_has_just_served_stays() {
    let setup = nodes(2).policy(|policy| policy.floor = floor(50, minutes(1), hours(2)));
    let mut world = setup.build();
    let filler = run_on(&mut world, "n-1", big(1, 8));
    let other = run_on(&mut world, "n-2", big(1, 8));
    let starving = world.submit(saver(1, 4));
    world.advance(minutes(5));
    world.finish(filler);
    world.confirm(starving);
    assert!(world.run_of(starving).floor_until.is_some());
    world.finish(other);
    run_on(&mut world, "n-2", big(1, 4));
    settle_in(&mut world);
    let gang = world.submit(big(1, 8));
    assert_eq!(world.victims_of(gang), []);
}

#[test]
fn job_is_moved_once_in_an_interval() {
    let setup = nodes(2).policy(|policy| policy.pausing.overhead_ppm = 1_000_000);
    let (mut world, first, gang) = moving_out(policy(setup, |moves| moves.budget_ppm = 100_000));
    world.give_way(first);
    world.confirm(first);
    world.confirm(gang);
    world.finish(gang);
    let second = run_on(&mut world, "n-1", big(1, 4));
    let ended: Vec<JobId> = world
        .jobs_in(JobState::Running)
        .into_iter()
        .filter(|job| ![first, second].contains(job))
        .collect();
    ended.into_iter().for_each(|job| drop(world.finish(job)));
    let gang = world.submit(big(1, 8));
    world.advance(hours(3));
    assert_eq!(world.victims_of(gang), []);
    world.advance(hours(1));
    assert_eq!(world.victims_of(gang), [first]);
}

#[test]
fn nobody_moves_while_pausing_is_off() {
    assert!(!moves_away(nodes(2).without_pausing(), saver(1, 4)));
}

#[test]
fn nobody_moves_for_a_job_that_crashes_again_and_again() {
    let (mut world, first, second) = halves(nodes(2), saver(1, 4));
    world.finish(second);
    let often = Requeue { when_failed: true, most: 5, ..Requeue::default() };
    let gang = world.submit(big(1, 8).requeue(often));
    for _ in 0..2 {
        world.confirm(gang);
        world.end(gang, Exit::Code(1));
        world.advance(minutes(1));
    }
    assert_eq!(world.word(gang), "launching");
    world.confirm(gang);
    world.end(gang, Exit::Code(1));
    run_on(&mut world, "n-2", big(1, 4));
    world.advance(minutes(5));
    assert_eq!((world.word(first), world.word(gang)), ("running", "queued"));
}

#[test]
fn job_that_has_grown_stays() {
    // Moved, it would start with its fewest tasks again.
    let stays = |spec: JobSpec| {
        let mut world = nodes(2).build();
        let first = run_on(&mut world, "n-1", spec);
        if let Some(elastic) = world.record(first).run.expect("it runs").elastic {
            let (node, attempt) = (world.node("n-1"), world.attempt(first));
            world.tell(Command::Resized { node, job: first, attempt, resize: elastic.resizes });
        }
        run_on(&mut world, "n-2", big(1, 4));
        settle_in(&mut world);
        let gang = world.submit(big(1, 8));
        (world.free(), world.victims_of(gang) != [first])
    };
    assert_eq!(stays(saver(2, 2)), ("n-1:4 n-2:4".to_owned(), false));
    assert_eq!(stays(saver(1, 2).elastic(1, 2)), ("n-1:4 n-2:4".to_owned(), true));
}
