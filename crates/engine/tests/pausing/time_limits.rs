//! The limit on a job's run time: it stands still while the job is suspended, and its warning with
//! it.

use super::support::*;
use crate::support::*;

fn limited() -> JobSpec {
    gang(1, 8)
        .class("batch")
        .estimate(hours(20), hours(24))
        .limit(hours(1))
        .rung(Rung::Suspend, seconds(20), seconds(10))
        .warning(10, minutes(5))
}

fn signals(actions: &[Action]) -> usize {
    actions.iter().filter(|action| matches!(action, Action::Signal { .. })).count()
}

/// A job with a limit of an hour that ran for 11 minutes, is suspended, and its place taken.
fn suspended() -> (World, JobId, JobId) {
    let (mut world, victim) = one_running(nodes(1), limited());
    let job = world.submit(urgent(1, 8));
    world.give_way(victim);
    world.confirm(job);
    (world, victim, job)
}

#[test]
fn the_limit_does_not_end_a_suspended_job() {
    let (mut world, victim, _) = suspended();
    let actions = world.advance(hours(3));
    assert_eq!(world.word(victim), "paused");
    assert_eq!(signals(&actions), 0);
    assert_eq!(world.run_of(victim).limit_at, None, "it has none while it does not compute");
}

#[test]
fn what_was_left_of_the_limit_is_left_after_it() {
    let (mut world, victim, job) = suspended();
    world.advance(hours(3));
    world.finish(job);
    world.come_back(victim);
    let back = world.now();
    assert_eq!(world.run_of(victim).limit_at, Some(back + minutes(49)));
    world.advance(Millis(minutes(49).0 - 1));
    assert_eq!(world.word(victim), "running");
    world.advance(Millis(1));
    assert_eq!(world.word(victim), "stopping");
    world.stopped(victim);
    assert_eq!(world.word(victim), "timed-out");
}

#[test]
fn the_time_of_coming_back_does_not_count() {
    let (mut world, victim, job) = suspended();
    world.finish(job);
    world.advance(minutes(4));
    assert_eq!(world.word(victim), "resuming");
    world.come_back(victim);
    assert_eq!(world.run_of(victim).limit_at, Some(world.now() + minutes(49)));
}

#[test]
fn the_warning_comes_when_it_is_due_after_the_pause() {
    let (mut world, victim, job) = suspended();
    world.advance(hours(3));
    world.finish(job);
    world.come_back(victim);
    assert_eq!(signals(&world.advance(Millis(minutes(44).0 - 1))), 0);
    assert_eq!(signals(&world.advance(Millis(1))), 1);
    assert_eq!(world.word(victim), "running");
}

#[test]
fn a_job_is_warned_once_whether_or_not_it_is_paused_after_it() {
    let spec = limited().limit(hours(30)).warning(10, hours(29));
    let mut world = nodes(1).build();
    let victim = world.run(spec);
    assert_eq!(signals(&world.advance(hours(2))), 1);
    let job = world.submit(urgent(1, 8));
    world.give_way(victim);
    world.finish(job);
    world.come_back(victim);
    assert_eq!(signals(&world.advance(hours(5))), 0);
}

#[test]
fn the_limit_goes_on_while_a_job_is_only_on_its_way() {
    let spec = stubborn(1, 8).limit(hours(2)).rung(Rung::Checkpoint, minutes(9), minutes(1));
    let mut world = nodes(1).build();
    let victim = world.run(spec);
    world.advance(minutes(115));
    let job = world.submit(gang(1, 8).class("inference").estimate(seconds(10), seconds(10)));
    assert_eq!(world.word(victim), "running", "it has five minutes left and saving takes nine");
    world.cancel(job);
    let mut world = nodes(1).build();
    let victim =
        world.run(stubborn(1, 8).limit(hours(2)).rung(Rung::Checkpoint, minutes(2), minutes(1)));
    world.advance(minutes(115));
    let job = world.submit(gang(1, 8).class("inference").estimate(seconds(10), seconds(10)));
    assert_eq!(world.word(victim), "pausing");
    world.advance(minutes(5));
    assert_eq!(world.word(victim), "stopping", "its two hours are over");
    world.stopped(victim);
    assert_eq!((world.word(victim), world.word(job)), ("timed-out", "launching"));
}

#[test]
fn each_attempt_has_its_own_limit() {
    let spec = stubborn(1, 8)
        .limit(hours(1))
        .rung(Rung::Requeue, seconds(1), seconds(10))
        .saves_every(minutes(5));
    let (mut world, victim) = one_running(nodes(1), spec);
    let job = world.submit(urgent(1, 8));
    world.give_way(victim);
    world.finish(job);
    world.confirm(victim);
    assert_eq!(world.run_of(victim).limit_at, Some(world.now() + hours(1)));
}
