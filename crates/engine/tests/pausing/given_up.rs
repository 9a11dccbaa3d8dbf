//! A plan that cannot be kept, or is not wanted any more, is given up as a whole: what was held is
//! free, those on their way go back, and the job waits as before.

use super::support::*;
use crate::support::*;

/// Two trainers of four GPUs each and a job of eight for which both give way; the first has.
fn half_made() -> (World, [JobId; 2], JobId) {
    let mut world = nodes(1).build();
    let victims = [world.run(trainer(1, 4)), world.run(trainer(1, 4))];
    settle_in(&mut world);
    let job = world.submit(urgent(1, 8));
    world.give_way(victims[0]);
    assert_eq!(world.held_for(job), "n-1:4");
    (world, victims, job)
}

/// The first, who was suspended, has its place again, and the second goes on computing.
#[track_caller]
fn all_go_back(world: &mut World, [first, second]: [JobId; 2]) {
    assert_eq!(world.word(first), "resuming");
    assert_eq!(world.word(second), "pausing", "it is being put back");
    assert!(world.pause_of(second).is_undone);
    world.thaw(second);
    assert_eq!(world.word(second), "running");
    world.come_back(first);
    assert_eq!(world.word(first), "running");
    nothing_is_left(world);
}

#[test]
fn a_cancelled_job_leaves_its_room_to_those_who_gave_way() {
    let (mut world, victims, job) = half_made();
    world.cancel(job);
    assert_eq!(world.word(job), "cancelled");
    all_go_back(&mut world, victims);
}

#[test]
fn a_held_job_leaves_its_room_too_and_looks_anew_when_released() {
    let (mut world, victims, job) = half_made();
    world.hold(job);
    assert_eq!(world.word(job), "waiting");
    all_go_back(&mut world, victims);
    world.release(job);
    assert_eq!((world.word(job), world.plan_of(job)), ("queued", None));
    assert!(matches!(spared(&mut world, job), Some((_, Spared::Lately { .. }))));
}

#[test]
fn those_who_have_nothing_to_undo_yet_go_on_at_once_when_told() {
    let (mut world, victim, job) = being_suspended();
    let actions = world.cancel(job);
    assert_eq!(orders(&world, &actions), ["n-1 back freeze"]);
    assert_eq!(world.word(victim), "pausing");
    world.thaw(victim);
    assert_eq!(world.word(victim), "running");
    nothing_is_left(&world);
}

#[test]
fn those_who_may_be_in_host_memory_already_are_restored_first() {
    let (mut world, victim, job) = being_suspended();
    world.freeze(victim);
    let actions = world.cancel(job);
    assert_eq!(orders(&world, &actions), ["n-1 back suspend"]);
    let actions = world.restore(victim);
    assert_eq!(orders(&world, &actions), ["n-1 back freeze"]);
    world.thaw(victim);
    assert_eq!(world.word(victim), "running");
    nothing_is_left(&world);
}

#[test]
fn one_who_was_to_save_runs_on_without_a_word() {
    let spec = stubborn(1, 8).rung(Rung::Checkpoint, minutes(1), minutes(1));
    let (mut world, victim) = one_running(nodes(1), spec);
    let job = world.submit(urgent(1, 8));
    assert_eq!(world.word(victim), "pausing");
    let actions = world.cancel(job);
    assert_eq!(orders(&world, &actions), Vec::<String>::new());
    assert_eq!(world.word(victim), "running");
    // The save that was asked for comes later and is only that.
    let actions = world.saved(victim);
    assert!(actions.is_empty(), "{actions:?}");
    assert_eq!(world.word(victim), "running");
    nothing_is_left(&world);
}

#[test]
fn one_who_is_being_ended_for_it_starts_again() {
    let spec = stubborn(1, 8).rung(Rung::Requeue, seconds(1), seconds(10)).saves_every(minutes(5));
    let (mut world, victim) = one_running(nodes(1), spec);
    let job = world.submit(urgent(1, 8));
    world.cancel(job);
    assert_eq!(world.word(victim), "stopping");
    world.stopped(victim);
    assert_eq!((world.word(victim), world.attempt(victim).0), ("launching", 2));
    nothing_is_left(&world);
}

/// Something that makes a node useless for a plan.
type Mishap = (&'static str, fn(&mut World));

const MISHAPS: [Mishap; 3] = [
    ("lost", |world| _ = world.lose("n-1", minutes(5))),
    ("drained", |world| _ = world.drain("n-1")),
    ("a GPU is ill", |world| _ = world.break_gpu("n-1", 1)),
];

#[test]
fn a_node_that_breaks_ends_the_plans_that_count_on_it() {
    for (name, mishap) in MISHAPS {
        let (mut world, [first, second], job) = half_made();
        mishap(&mut world);
        assert_eq!((world.word(job), world.plan_of(job)), ("queued", None), "{name}");
        assert!(world.pause_of(second).is_undone, "{name}");
        assert_eq!(world.word(first), "paused", "{name}: its place is not to be had");
    }
}

#[test]
fn a_job_whose_plan_was_given_up_keeps_the_time_it_has_waited() {
    let (mut world, _, job) = half_made();
    let since = world.record(job).ready_since;
    world.advance(seconds(30));
    world.drain("n-1");
    assert_eq!(world.record(job).ready_since, since);
}

#[test]
fn a_plan_elsewhere_is_made_when_a_node_breaks() {
    let mut world = nodes(2).build();
    let victims = [world.run(trainer(1, 8)), world.run(trainer(1, 8))];
    settle_in(&mut world);
    let job = world.submit(urgent(1, 8));
    let first = world.victims_of(job)[0];
    let other = victims.into_iter().find(|victim| *victim != first).expect("there are two");
    let node = world.nodes_of(first)[0].clone();
    world.drain(&node);
    assert_eq!(world.victims_of(job), [other]);
    world.thaw(first);
    assert_eq!(world.word(first), "running");
    world.give_way(other);
    assert_eq!(world.word(job), "launching");
}

#[test]
fn a_node_that_rests_after_a_refusal_ends_the_plans_there() {
    let mut world = nodes(1).build();
    let victim = world.run(trainer(1, 4));
    settle_in(&mut world);
    let starting = world.submit(gang(1, 2).class("batch"));
    assert_eq!(world.word(starting), "launching");
    let job = world.submit(urgent(1, 4));
    assert_eq!(world.victims_of(job), [victim]);
    world.refuse(starting, "n-1");
    assert_eq!(world.plan_of(job), None);
}

#[test]
fn plans_on_other_nodes_are_kept() {
    let mut world = nodes(2).build();
    let victim = world.run(trainer(1, 8));
    world.run(stubborn(1, 8));
    settle_in(&mut world);
    let job = world.submit(urgent(1, 8));
    world.drain("n-2");
    world.break_gpu("n-2", 1);
    world.lose("n-2", minutes(1));
    assert_eq!(world.victims_of(job), [victim]);
}

#[test]
fn what_was_held_is_there_for_all_again() {
    let mut world = nodes(1).build();
    let victim = world.run(trainer(1, 6));
    settle_in(&mut world);
    let job = world.submit(urgent(1, 8));
    let small = world.submit(gang(1, 2).class("batch"));
    assert_eq!(world.word(small), "queued", "two GPUs are free and held");
    world.cancel(job);
    assert_eq!(world.word(small), "launching");
    assert!(world.pause_of(victim).is_undone);
}

#[test]
fn a_victim_that_is_cancelled_makes_room_all_the_same() {
    let (mut world, [_, second], job) = half_made();
    world.cancel(second);
    assert_eq!((world.word(second), world.word(job)), ("stopping", "queued"));
    world.stopped(second);
    assert_eq!((world.word(second), world.word(job)), ("cancelled", "launching"));
}

#[test]
fn a_plan_is_not_given_up_because_the_estimate_of_its_job_changed() {
    let (mut world, [_, second], job) = half_made();
    world.estimated(job, hours(9), hours(10));
    assert!(world.plan_of(job).is_some());
    world.give_way(second);
    assert_eq!(world.word(job), "launching");
}
