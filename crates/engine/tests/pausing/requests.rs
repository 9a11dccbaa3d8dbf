//! Cancel, hold, release and requeue of jobs that are pausing, paused or coming back.

use super::support::*;
use crate::support::*;

#[test]
fn a_pausing_job_that_is_cancelled_is_ended_where_it_is() {
    for frozen in [false, true] {
        let (mut world, victim, job) = gang_being_suspended();
        if frozen {
            world.freeze_on(victim, "n-1");
        }
        let actions = world.cancel(victim);
        assert_eq!(stops(&world, &actions, victim), ["n-1", "n-2"]);
        world.stopped(victim);
        assert_eq!((world.word(victim), world.word(job)), ("cancelled", "launching"));
        world.finish(job);
        nothing_is_left(&world);
    }
}

#[test]
fn a_paused_job_that_is_cancelled_is_ended_in_host_memory() {
    let (mut world, victim, job) = taken_over();
    let actions = world.cancel(victim);
    assert_eq!(stops(&world, &actions, victim), ["n-1"]);
    assert_eq!((world.word(victim), world.word(job)), ("stopping", "running"));
    assert_ne!(world.host_memory_used("n-1"), 0, "its state is there until it has ended");
    world.stopped(victim);
    assert_eq!((world.word(victim), world.word(job)), ("cancelled", "running"));
    nothing_is_left(&world);
}

#[test]
fn a_job_that_comes_back_and_is_cancelled_gives_its_gpus_up() {
    let (mut world, victim) = coming_back();
    let waiting = world.submit(stubborn(1, 8));
    world.cancel(victim);
    assert_eq!((world.word(victim), world.word(waiting)), ("stopping", "queued"));
    world.stopped(victim);
    assert_eq!((world.word(victim), world.word(waiting)), ("cancelled", "launching"));
    nothing_is_left(&world);
}

#[test]
fn a_pausing_job_that_is_requeued_makes_room_and_waits_in_line() {
    let (mut world, victim, job) = being_suspended();
    world.requeue(victim);
    assert_eq!(world.word(victim), "stopping");
    world.stopped(victim);
    assert_eq!((world.word(victim), world.word(job)), ("queued", "launching"));
    world.finish(job);
    assert_eq!((world.word(victim), world.attempt(victim).0), ("launching", 2));
    nothing_is_left(&world);
}

#[test]
fn a_paused_job_that_is_requeued_waits_for_any_place() {
    let mut world = nodes(2).build();
    let victim = world.run(trainer(1, 8));
    let other = world.run(stubborn(1, 8));
    settle_in(&mut world);
    let job = world.submit(urgent(1, 8));
    world.give_way(victim);
    world.confirm(job);
    world.finish(other);
    assert_eq!(world.word(victim), "paused", "its own place is taken");
    world.requeue(victim);
    world.stopped(victim);
    assert_eq!((world.word(victim), world.attempt(victim).0), ("launching", 2));
    assert_eq!(world.nodes_of(victim), ["n-2"]);
    nothing_is_left(&world);
}

#[test]
fn a_job_that_comes_back_and_is_requeued_starts_anew() {
    let (mut world, victim) = coming_back();
    world.requeue(victim);
    world.stopped(victim);
    assert_eq!((world.word(victim), world.attempt(victim).0), ("launching", 2));
    nothing_is_left(&world);
}

#[test]
fn a_paused_job_that_is_held_does_not_come_back_until_released() {
    let (mut world, victim, job) = taken_over();
    world.hold(victim);
    assert_eq!((world.word(victim), world.codes(victim)), ("paused", vec!["paused", "held"]));
    world.finish(job);
    assert_eq!(world.word(victim), "paused");
    let other = world.submit(stubborn(1, 8));
    assert_eq!(world.word(other), "launching", "its GPUs are free for all meanwhile");
    world.finish(other);
    world.release(victim);
    assert_eq!(world.word(victim), "resuming");
}

#[test]
fn a_pausing_job_that_is_held_is_paused_and_stays_so() {
    let (mut world, victim, job) = being_suspended();
    world.hold(victim);
    assert_eq!(world.word(victim), "pausing", "a hold does not touch what is on its way");
    world.give_way(victim);
    world.finish(job);
    assert_eq!(world.word(victim), "paused");
    world.release(victim);
    assert_eq!(world.word(victim), "resuming");
}

#[test]
fn a_job_that_comes_back_and_is_held_runs_on() {
    let (mut world, victim) = coming_back();
    world.hold(victim);
    world.come_back(victim);
    assert_eq!(world.word(victim), "running");
}

#[test]
fn a_job_that_saved_for_another_and_is_held_waits_until_released() {
    let spec = stubborn(1, 8).rung(Rung::Checkpoint, minutes(1), minutes(1));
    let (mut world, victim) = one_running(nodes(1), spec);
    let job = world.submit(urgent(1, 8));
    world.hold(victim);
    world.give_way(victim);
    assert_eq!((world.word(victim), world.word(job)), ("waiting", "launching"));
    world.finish(job);
    assert_eq!(world.word(victim), "waiting");
    world.release(victim);
    assert_eq!(world.word(victim), "launching");
}

#[test]
fn release_of_what_is_not_held_changes_nothing() {
    for make in [|| taken_over().0, || being_suspended().0, || coming_back().0] {
        let mut world = make();
        let victim = JobId(1);
        let before = world.word(victim);
        changes_nothing(&mut world, Command::Release { job: victim });
        assert_eq!(world.word(victim), before);
    }
}

#[test]
fn a_requeue_that_is_already_under_way_is_done_once() {
    let spec = stubborn(1, 8).rung(Rung::Requeue, seconds(1), seconds(10)).saves_every(minutes(5));
    let (mut world, victim) = one_running(nodes(1), spec);
    world.submit(urgent(1, 8));
    assert_eq!(world.word(victim), "stopping");
    changes_nothing(&mut world, Command::Requeue { job: victim });
}

#[test]
fn a_cancel_of_one_who_is_ended_for_another_is_kept() {
    let spec = stubborn(1, 8).rung(Rung::Requeue, seconds(1), seconds(10)).saves_every(minutes(5));
    let (mut world, victim) = one_running(nodes(1), spec);
    let job = world.submit(urgent(1, 8));
    world.cancel(victim);
    world.stopped(victim);
    assert_eq!((world.word(victim), world.word(job)), ("cancelled", "launching"));
}

#[test]
fn a_new_estimate_of_a_paused_job_moves_it_in_line() {
    // Two suspended jobs and a place each: ranks decide who is first where both could.
    let (mut world, victim, job) = taken_over();
    let shorter = world.submit(gang(1, 8).class("batch").estimate(hours(10), hours(12)));
    world.estimated(victim, minutes(20), minutes(25));
    world.finish(job);
    assert_eq!((world.word(victim), world.word(shorter)), ("resuming", "queued"));
    let (mut world, victim, job) = taken_over();
    let shorter = world.submit(gang(1, 8).class("batch").estimate(hours(10), hours(12)));
    world.finish(job);
    assert_eq!((world.word(victim), world.word(shorter)), ("paused", "launching"));
}
