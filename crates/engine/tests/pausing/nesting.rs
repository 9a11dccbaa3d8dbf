//! No ping-pong: pauses inside pauses are bounded, and two jobs never take turns at one place.

use super::support::*;
use crate::support::*;

fn exact(gpus: u32, span: Millis) -> JobSpec {
    gang(1, gpus).class("batch").estimate(span, span).rung(Rung::Suspend, seconds(1), seconds(1))
}

/// Nobody is spared for having started or been paused, so that only rank decides.
fn restless() -> Setup {
    nodes(1).policy(|policy| {
        policy.pausing.run_min = Millis(1);
        policy.pausing.interval = Millis(1);
        policy.floor.share_ppm = 0;
    })
}

#[test]
fn each_pause_inside_a_pause_at_least_halves_what_is_left() {
    let mut world = restless().build();
    let mut running = world.run(exact(8, hours(64)));
    let mut depth = 0;
    for span in (0..12).map(|halvings| Millis(hours(64).0 >> halvings)) {
        world.advance(minutes(1));
        let job = world.submit(exact(8, span));
        if world.victims_of(job) == [running] {
            world.give_way(running);
            world.confirm(job);
            running = job;
            depth += 1;
        }
    }
    assert!((1..=6).contains(&depth), "halving eleven times gave {depth} pauses in each other");
    assert_eq!(world.jobs_in(JobState::Paused).len(), depth);
}

#[test]
fn the_one_who_was_paused_does_not_take_its_place_back() {
    let mut world = restless().build();
    let long = world.run(exact(8, hours(20)));
    world.advance(minutes(1));
    let short = world.submit(exact(8, hours(2)));
    world.give_way(long);
    world.confirm(short);
    for _ in 0..24 {
        world.advance(minutes(5));
        assert_eq!((world.word(long), world.word(short)), ("paused", "running"));
    }
}

#[test]
fn a_job_that_outgrows_its_estimate_may_be_paused_for_who_now_ranks_far_before_it() {
    let mut world = restless().build();
    let wrong = world.run(gang(1, 8).class("batch").estimate(minutes(30), minutes(60)).rung(
        Rung::Suspend,
        seconds(1),
        seconds(1),
    ));
    world.advance(minutes(1));
    let other = world.submit(exact(8, minutes(40)));
    assert_eq!(world.word(wrong), "running");
    world.advance(hours(60));
    assert_eq!(world.victims_of(other), [wrong], "it was noticed without anyone coming anew");
}

#[test]
fn two_equal_jobs_never_take_turns() {
    let mut world = restless().build();
    let one = world.run(exact(8, hours(10)));
    world.advance(minutes(1));
    let two = world.submit(exact(8, hours(10)));
    for _ in 0..20 {
        world.advance(minutes(30));
        assert_eq!(world.victims(), []);
    }
    assert_eq!((world.word(one), world.word(two)), ("running", "queued"));
}

#[test]
fn with_the_usual_rest_a_stream_of_short_jobs_pauses_a_long_one_every_half_hour_at_most() {
    let mut world = nodes(1).obedient().build();
    let long = world.submit_for(trainer(1, 8), hours(20));
    world.advance(minutes(11));
    for _ in 0..40 {
        world.submit_for(urgent(1, 8), seconds(30));
        world.advance(minutes(6));
    }
    let pauses = world.pauses_of(long).count;
    assert!(pauses <= 9, "in four hours it was paused {pauses} times");
    assert!(pauses >= 2, "and the short ones did not wait for it to end");
}
