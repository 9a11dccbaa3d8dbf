//! Least attained service: jobs fall from level to level with the GPU-time they have had, and give
//! way to those of lower levels.

use super::srtf::{exact, under};
use super::support::*;
use crate::support::*;

/// A job of which nobody knows how long it runs.
fn unknown(gpus: u32) -> JobSpec {
    gang(1, gpus).rung(Rung::Suspend, seconds(1), seconds(1))
}

fn las(count: u32) -> Setup {
    under(Order::Las, count)
}

#[test]
fn a_job_gives_way_once_it_has_had_five_gpu_hours() {
    // Eight GPUs for so long.
    let limit = Millis(hours(5).0 / 8);
    for (ran, word) in [(Millis(limit.0 - 1), "running"), (limit, "pausing"), (hours(9), "pausing")]
    {
        let mut world = las(1).build();
        let victim = world.run(unknown(8));
        world.advance(ran);
        world.submit(unknown(8));
        assert_eq!(world.word(victim), word, "after {ran}");
    }
}

#[test]
fn a_job_that_waits_learns_when_another_comes_to_the_next_level() {
    for class in ["inference", "batch"] {
        let mut world = las(1).build();
        let victim = world.run(unknown(8).class(class));
        let job = world.submit(unknown(8).class(class));
        world.advance(Millis(hours(5).0 / 8 - 1));
        assert_eq!(world.word(victim), "running");
        world.advance(Millis(1));
        assert_eq!(world.victims_of(job), [victim], "without anyone coming anew");
    }
}

#[test]
fn the_level_counts_gpus_and_parts_of_a_millisecond_are_rounded_up() {
    // Three GPUs reach five GPU-hours after 6,000,000 ms, seven after 2,571,428.57.
    for (gpus, at) in [(1, 18_000_000), (3, 6_000_000), (7, 2_571_429)] {
        let mut world = las(1).build();
        let victim = world.run(unknown(gpus).exclusive());
        let job = world.submit(unknown(8));
        world.advance(Millis(at - 1));
        assert_eq!(world.word(victim), "running", "{gpus} GPUs");
        world.advance(Millis(1));
        assert_eq!(world.victims_of(job), [victim], "{gpus} GPUs");
    }
}

#[test]
fn a_level_is_noticed_even_while_a_job_is_left_alone() {
    let setup = las(1).policy(|policy| policy.pausing.run_min = hours(1));
    let mut world = setup.build();
    let victim = world.run(unknown(8));
    let job = world.submit(unknown(8));
    world.advance(minutes(59));
    assert_eq!(world.word(victim), "running");
    world.advance(minutes(1));
    assert_eq!(world.victims_of(job), [victim]);
}

#[test]
fn nobody_gives_way_to_one_of_the_same_level() {
    let mut world = las(1).build();
    let victim = world.run(unknown(8));
    world.advance(hours(1));
    let job = world.submit(unknown(8));
    world.give_way(victim);
    world.confirm(job);
    // Both have had their five GPU-hours after this.
    world.advance(hours(2));
    assert_eq!((world.word(job), world.word(victim)), ("running", "paused"));
}

#[test]
fn within_the_highest_level_who_came_last_gives_way_first() {
    let mut world = las(3).build();
    let jobs = [(); 3].map(|()| world.run(unknown(8)));
    world.advance(hours(1));
    let job = world.submit(unknown(8));
    assert_eq!(world.victims_of(job), [jobs[2]]);
}

#[test]
fn levels_are_policy() {
    let limits = || vec![hours(1), hours(10), hours(80)];
    let mut world = las(3).policy(|policy| policy.las_limits = limits()).build();
    let third = world.run(unknown(8));
    world.advance(hours(2));
    let second = world.run(unknown(8));
    world.advance(hours(1));
    let first = world.run(unknown(8));
    // They have had 24, 8 and no GPU-hours.
    let job = world.submit(unknown(8));
    assert_eq!(world.victims_of(job), [third], "of the highest level first: {second} {first}");
    world.give_way(third);
    world.confirm(job);
    let another = world.submit(unknown(8));
    assert_eq!(world.victims_of(another), [second]);
}

#[test]
fn those_who_wait_go_by_level_and_then_as_they_came() {
    let mut world = las(1).build();
    let old = world.run(unknown(8));
    world.advance(hours(3));
    world.requeue(old);
    let jobs = world.submit_all([9, 1, 5].map(|span| exact(8, hours(span))));
    world.stopped(old);
    world.forget_starts();
    world.confirm(jobs[0]);
    assert_eq!(world.run_dry(), [jobs[1], jobs[2], old]);
}

#[test]
fn estimates_do_not_count() {
    let mut world = las(1).build();
    let victim = world.run(exact(8, days(3)));
    let job = world.submit(exact(8, minutes(1)));
    assert_eq!((world.word(victim), world.plan_of(job)), ("running", None));
    assert_eq!(spared(&mut world, job), Some((victim, Spared::Rank)));
}

#[test]
fn jobs_without_gpus_stay_in_the_first_level() {
    let mut world = las(1).build();
    let job = world.run(gang(1, 0).cpus(1));
    world.advance(days(5));
    world.requeue(job);
    world.stopped(job);
    assert_eq!(world.decision(job).order.key, 0);
}

#[test]
fn a_pause_that_is_not_worth_it_is_made_all_the_same() {
    // It is nearly done, and coming back takes an hour.
    let spec =
        gang(1, 8).estimate(minutes(61), minutes(61)).rung(Rung::Suspend, seconds(1), hours(1));
    let mut world = las(1).build();
    let victim = world.run(spec);
    world.advance(hours(1));
    world.submit(exact(8, hours(20)));
    assert_eq!(world.word(victim), "pausing");
}
