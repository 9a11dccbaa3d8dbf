//! Nodes and applications that say nothing: a rung that is not done in time counts as refused, and
//! a job that is not put back in time as lost.

use super::support::*;
use crate::support::*;

/// When the engine gives up on what it asked last.
fn due(world: &World, job: JobId) -> Time {
    world.pause_of(job).due
}

#[test]
fn a_rung_may_take_twice_as_long_as_said_and_some_time_more() {
    let (world, victim, _) = being_suspended();
    let slack = Policy::default().launch_timeout;
    assert_eq!(due(&world, victim), world.now() + seconds(40) + slack);
}

#[test]
fn a_suspend_that_is_not_done_in_time_is_undone() {
    let (mut world, victim, job) = being_suspended();
    world.freeze(victim);
    let due = due(&world, victim);
    world.advance_to(Time(due.0 - 1));
    assert!(!world.pause_of(victim).is_undone);
    let actions = world.advance_to(due);
    assert_eq!(orders(&world, &actions), ["n-1 back suspend"]);
    world.restore(victim);
    world.thaw(victim);
    assert_eq!((world.word(victim), world.word(job)), ("running", "queued"));
    nothing_is_left(&world);
}

#[test]
fn a_save_that_does_not_come_ends_in_the_next_rung() {
    let spec = stubborn(1, 8)
        .rung(Rung::Checkpoint, minutes(1), seconds(10))
        .rung(Rung::Requeue, seconds(1), minutes(2))
        .saves_every(minutes(25));
    let (mut world, victim) = one_running(nodes(1), spec);
    let job = world.submit(urgent(1, 8));
    assert_eq!(world.pause_of(victim).rung, Rung::Checkpoint);
    let due = due(&world, victim);
    world.advance_to(due);
    assert_eq!(world.word(victim), "stopping");
    world.stopped(victim);
    assert_eq!((world.word(victim), world.word(job)), ("queued", "launching"));
}

#[test]
fn a_save_that_does_not_come_from_a_job_with_no_other_rung_ends_the_plan() {
    let spec = stubborn(1, 8).rung(Rung::Checkpoint, minutes(1), minutes(1));
    let (mut world, victim) = one_running(nodes(1), spec);
    let job = world.submit(urgent(1, 8));
    let due = due(&world, victim);
    world.advance_to(due);
    assert_eq!((world.word(victim), world.plan_of(job)), ("running", None));
}

#[test]
fn a_job_that_is_not_put_back_in_time_is_lost_and_starts_again() {
    let (mut world, victim) = coming_back();
    let due = due(&world, victim);
    world.advance_to(Time(due.0 - 1));
    assert_eq!(world.word(victim), "resuming");
    let actions = world.advance_to(due);
    assert_eq!(stops(&world, &actions, victim), ["n-1"]);
    world.stopped(victim);
    assert_eq!((world.word(victim), world.attempt(victim).0), ("launching", 2));
    assert_eq!(world.record(victim).requeues, 1);
    nothing_is_left(&world);
}

#[test]
fn one_that_is_not_put_back_and_may_not_start_again_is_over() {
    let keeps = muster_model::Requeue { when_lost: false, when_failed: false, most: 0 };
    let (mut world, victim) = one_running(nodes(1), trainer(1, 8).requeue(keeps));
    let job = world.submit(urgent(1, 8));
    world.give_way(victim);
    world.finish(job);
    let due = due(&world, victim);
    world.advance_to(due);
    world.stopped(victim);
    assert_eq!(world.word(victim), "node-lost");
}

#[test]
fn a_pause_that_cannot_be_undone_in_time_is_a_loss_too() {
    let (mut world, victim, job) = being_suspended();
    world.cancel(job);
    let due = due(&world, victim);
    world.advance_to(due);
    assert_eq!(world.word(victim), "stopping");
    world.stopped(victim);
    assert_eq!(world.word(victim), "launching");
    nothing_is_left(&world);
}

#[test]
fn while_a_node_is_out_of_sight_nothing_that_it_does_not_say_counts_against_a_job() {
    let (mut world, victim) = coming_back();
    world.lose("n-1", hours(2));
    world.advance(hours(1));
    assert_eq!(world.word(victim), "resuming", "its node may well be putting it back");
    world.find_again("n-1", &[victim]);
    world.come_back(victim);
    assert_eq!(world.word(victim), "running");
}

#[test]
fn when_the_lease_of_such_a_node_ends_the_job_is_lost() {
    let (mut world, victim) = coming_back();
    world.lose("n-1", hours(1));
    world.advance(hours(1));
    assert_ne!(world.word(victim), "resuming");
    assert_eq!(world.record(victim).requeues, 1);
}

#[test]
fn a_timer_of_a_pause_that_is_over_does_nothing() {
    let (mut world, victim, job) = being_suspended();
    let due = due(&world, victim);
    world.give_way(victim);
    world.confirm(job);
    world.advance_to(due + minutes(5));
    assert_eq!((world.word(victim), world.word(job)), ("paused", "running"));
}
