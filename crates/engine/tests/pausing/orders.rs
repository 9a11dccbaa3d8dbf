//! Who looks first and what that leaves to others: the order of seekers, and several at once.

use super::support::*;
use crate::support::*;

#[test]
fn the_best_ranked_of_those_who_wait_gets_the_only_room() {
    let mut world = nodes(1).build();
    let victim = world.run(trainer(1, 8));
    let longer = world.submit(urgent(1, 8).estimate(hours(1), hours(2)));
    let shorter = world.submit(urgent(1, 8));
    let higher = world.submit(urgent(1, 8).class("inference").estimate(hours(2), hours(2)));
    // All three wait for it to have run long enough.
    world.advance(minutes(10));
    assert_eq!(world.victims_of(higher), [victim]);
    assert_eq!((world.plan_of(longer), world.plan_of(shorter)), (None, None));
}

#[test]
fn many_seekers_all_get_their_turn() {
    let mut world = nodes(4).build();
    let victims: Vec<JobId> = (0..4).map(|_| world.run(trainer(1, 8))).collect();
    settle_in(&mut world);
    let jobs: Vec<JobId> =
        (0..4).map(|number| world.submit(urgent(1, 8).cpus(8 + number))).collect();
    for &victim in &victims {
        assert_eq!(world.word(victim), "pausing");
        world.give_way(victim);
    }
    assert!(jobs.iter().all(|job| world.word(*job) == "launching"));
}

#[test]
fn those_behind_the_first_of_a_line_look_when_they_become_the_first() {
    let mut world = nodes(3).build();
    for _ in 0..3 {
        world.run(trainer(1, 8));
    }
    settle_in(&mut world);
    let jobs: Vec<JobId> = (0..3).map(|_| world.submit(urgent(1, 8))).collect();
    let made = jobs.iter().filter(|job| world.plan_of(**job).is_some()).count();
    assert_eq!(made, 3);
}

#[test]
fn a_job_that_found_nobody_looks_again_when_someone_becomes_easier_to_pause() {
    let mut world = nodes(1).build();
    let victim = world.run(trainer(1, 8));
    let job = world.submit(urgent(1, 8));
    assert_eq!(world.plan_of(job), None);
    world.advance(minutes(10));
    assert_eq!(world.victims_of(job), [victim]);
}

#[test]
fn nobody_looks_while_there_is_room() {
    let mut world = nodes(2).build();
    let victim = world.run(trainer(1, 8));
    settle_in(&mut world);
    let job = world.submit(urgent(1, 8));
    assert_eq!((world.word(job), world.word(victim)), ("launching", "running"));
}

#[test]
fn a_job_whose_turn_comes_by_itself_gives_up_no_plan_of_others() {
    let mut world = nodes(2).build();
    let victim = world.run(trainer(1, 8));
    let other = world.run(stubborn(1, 8));
    settle_in(&mut world);
    let planned = world.submit(urgent(1, 8));
    assert_eq!(world.victims_of(planned), [victim]);
    let second = world.submit(urgent(1, 8));
    world.finish(other);
    assert_eq!(world.word(second), "launching", "what is free and not held is for the next");
    assert_eq!(world.victims_of(planned), [victim]);
}

#[test]
fn a_plan_outlives_better_ranked_newcomers() {
    let (mut world, victim, job) = being_suspended();
    let better = world.submit(urgent(1, 8).class("inference"));
    assert_eq!((world.victims_of(job), world.plan_of(better)), (vec![victim], None));
    world.give_way(victim);
    assert_eq!((world.word(job), world.word(better)), ("launching", "queued"));
}

#[test]
fn jobs_without_gpus_take_from_nobody() {
    let mut world = nodes(1).build();
    let victim = world.run(trainer(1, 8).cpus(128));
    settle_in(&mut world);
    let job = world.submit(urgent(1, 0).cpus(1));
    assert_eq!((world.word(victim), world.word(job)), ("running", "queued"));
    assert_eq!(world.plan_of(job), None);
}

#[test]
fn the_attempt_of_a_job_that_got_room_names_why() {
    let (mut world, victim, job) = being_suspended();
    world.give_way(victim);
    let decision = world.decision(job);
    assert_eq!((decision.attempt.0, decision.at), (1, world.now()));
    assert_eq!(decision.order.class, 800);
    assert!(decision.runner_up.is_none());
}

#[test]
fn a_waiting_job_learns_of_host_memory_that_becomes_free() {
    // Host memory for one of the two at a time.
    let own = TaskShape::gpus(8).memory.0 / 1024;
    let mut world = with_host_memory(1, gib(640 + own)).build();
    let first = world.run(trainer(1, 8));
    settle_in(&mut world);
    let second = world.submit(gang(1, 8).class("standard").estimate(hours(4), hours(4)).rung(
        Rung::Suspend,
        seconds(20),
        seconds(10),
    ));
    world.give_way(first);
    world.confirm(second);
    settle_in(&mut world);
    let job = world.submit(urgent(1, 8));
    assert_eq!(world.plan_of(job), None, "the host memory is full");
    world.cancel(first);
    world.stopped(first);
    assert_eq!(world.victims_of(job), [second]);
}

#[test]
fn a_waiting_job_learns_of_storage_that_is_idle_again() {
    let setup = nodes(2).policy(|policy| policy.pausing.gpus_saving_max = 8);
    let mut world = setup.build();
    for _ in 0..2 {
        world.run(stubborn(1, 8).rung(Rung::Checkpoint, minutes(2), minutes(2)));
    }
    settle_in(&mut world);
    let first = world.submit(urgent(1, 8));
    let second = world.submit(urgent(1, 8));
    assert_eq!(world.plan_of(second), None);
    let victim = world.victims_of(first)[0];
    world.give_way(victim);
    assert_eq!(world.victims_of(second).len(), 1);
}

#[test]
fn a_waiting_job_learns_of_a_node_that_is_in_sight_again() {
    let (mut world, victim) = one_running(nodes(2), trainer(2, 8));
    world.lose("n-2", minutes(30));
    let job = world.submit(urgent(1, 8));
    assert_eq!(world.plan_of(job), None);
    world.find_again("n-2", &[victim]);
    assert_eq!(world.victims_of(job), [victim]);
}
