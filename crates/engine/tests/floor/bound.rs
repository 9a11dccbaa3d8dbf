//! The bound holds: no adversary delays a job beyond the latest start it was told.
//!
//! Limits are an hour, so that a bound is days and not years. Every job that waits is asked every
//! quarter of an hour; the judge remembers the tightest answer and panics when it is broken.

use crate::support::*;

/// A cluster whose nodes obey, whose jobs run an hour at most, and whose floor is small.
pub(super) fn hourly(setup: Setup, percent: u32) -> Setup {
    setup.obedient().policy(|policy| {
        policy.limit_max = hours(1);
        policy.remember_ended = days(7);
        policy.launch_timeout = minutes(1);
        policy.stop_grace = seconds(30);
        policy.floor = floor(percent, hours(2), minutes(30));
    })
}

/// A stream of jobs that always outrank the victims and never run dry.
pub(super) struct Adversary {
    pub(super) next: fn(u64) -> JobSpec,
    /// So many of its jobs wait at any time.
    pub(super) waiting: usize,
}

/// Plays the adversary until all victims have run, and returns when each was first told it would
/// start at the latest, and when it did.
#[track_caller]
pub(super) fn play(
    mut c: World,
    victims: Vec<JobSpec>,
    adversary: &Adversary,
) -> Vec<(Time, Time)> {
    let mut number = 0;
    let top_up = |c: &mut World, number: &mut u64| {
        while c.engine.queued() < adversary.waiting {
            let run_time = minutes(20 + 7 * (*number % 9));
            c.submit_for((adversary.next)(*number), run_time);
            *number += 1;
        }
    };
    top_up(&mut c, &mut number);
    let victims: Vec<JobId> =
        victims.into_iter().map(|spec| c.submit_for(spec, hours(5))).collect();
    let told: Vec<Time> =
        victims.iter().map(|&job| c.why(job).latest_start.unwrap_or(c.now())).collect();
    let end = *told.iter().max().expect("there are victims") + hours(1);
    while victims.iter().any(|&job| c.started_at(job).is_none()) {
        assert!(c.now() < end.min(Time(days(60).0)), "victims wait beyond every bound");
        c.advance(minutes(15));
        top_up(&mut c, &mut number);
        for &job in &victims {
            c.why(job);
        }
    }
    let started = victims.iter().map(|&job| c.started_at(job).expect("all have started"));
    told.into_iter().zip(started).collect()
}

#[track_caller]
pub(super) fn all_in_time(outcome: &[(Time, Time)]) {
    for (index, (told, started)) in outcome.iter().enumerate() {
        assert!(started <= told, "victim {index} was told {told:?} and started {started:?}");
    }
}

/// Urgent jobs of one GPU: whoever needs a whole node never finds one by itself.
const SMALL: Adversary = Adversary { next: |_| gang(1, 1).class("express"), waiting: 40 };

/// Urgent jobs of all sizes.
const MIXED: Adversary = Adversary {
    next: |number| {
        let gpus = [1, 8, 2, 4][usize::try_from(number % 4).expect("below four")];
        gang(1, gpus).class("express").estimate(minutes(10), minutes(15))
    },
    waiting: 40,
};

#[test]
fn a_gang_of_the_whole_cluster_starts_in_time_among_small_jobs() {
    let c = hourly(racks("r1: 8 8; r2: 8 8"), 5).build();
    all_in_time(&play(c, vec![gang(4, 8).class("preemptible")], &SMALL));
}

#[test]
fn a_rack_wide_gang_starts_in_time_among_jobs_of_all_sizes() {
    let c = hourly(racks("r1: 8 8; r2: 8 8"), 5).build();
    all_in_time(&play(c, vec![gang(2, 8).class("preemptible").require("rack")], &MIXED));
}

#[test]
fn many_victims_of_all_sizes_each_start_in_time() {
    let c = hourly(racks("r1: 8 8; r2: 8 8"), 10).build();
    let victims = [(1, 1), (4, 8), (1, 8), (2, 4), (3, 8), (8, 1), (2, 8), (1, 2)];
    let victims = victims.map(|(tasks, gpus)| gang(tasks, gpus).class("preemptible"));
    all_in_time(&play(c, victims.into(), &MIXED));
}

#[test]
fn victims_that_need_segments_start_in_time() {
    let c = hourly(racks("r1: 8 8 8; r2: 8 8 8"), 10).build();
    let victims = vec![
        gang(4, 8).class("preemptible").segment(2, "rack"),
        gang(6, 8).class("preemptible").segment(3, "rack"),
        gang(8, 4).class("preemptible").segment(2, "node"),
    ];
    all_in_time(&play(c, victims, &SMALL));
}

#[test]
fn victims_of_several_groups_start_in_time() {
    let c = hourly(racks("r1: 8 8; r2: 8 8"), 10).build();
    all_in_time(&play(c, vec![learner_and(12), learner_and(4).require("rack")], &SMALL));
}

/// A learner on a whole node, and actors on two GPUs each.
fn learner_and(actors: u32) -> JobSpec {
    JobSpec::new("play", "user-a", "default")
        .class("preemptible")
        .group("learner", TaskCount::exactly(1), TaskShape::gpus(8))
        .group("actors", TaskCount::exactly(actors), TaskShape::gpus(2))
}

#[test]
fn a_gang_whose_groups_never_fit_together_is_told_no_bound() {
    let mut c = hourly(racks("r1: 0 0; r2: 0 0"), 10).build();
    let fits = c.submit(learner_and(4).require("rack"));
    let never = c.submit(learner_and(5).require("rack"));
    assert!(c.why(fits).latest_start.is_some());
    assert_eq!(c.why(never).latest_start, None);
    assert_eq!(c.codes(never), ["impossible"]);
}

#[test]
fn an_exclusive_victim_starts_in_time() {
    let c = hourly(racks("r1: 8 8"), 10).build();
    all_in_time(&play(c, vec![gang(2, 1).class("preemptible").exclusive()], &SMALL));
}

#[test]
fn victims_start_in_time_when_the_floor_is_one_gpu() {
    let c = hourly(racks("r1: 8; r2: 8"), 1).build();
    let victims = (0..4).map(|_| gang(1, 1).class("preemptible")).collect();
    all_in_time(&play(c, victims, &SMALL));
}

#[test]
fn victims_start_in_time_under_every_policy() {
    for order in [Order::Muster, Order::Fifo, Order::Sjf, Order::Fair, Order::Srtf, Order::Las] {
        let c = hourly(racks("r1: 8; r2: 8"), 10).policy(|policy| policy.order = order).build();
        let victims = vec![gang(2, 8).class("preemptible"), gang(1, 4).class("batch")];
        all_in_time(&play(c, victims, &SMALL));
    }
}

#[test]
fn the_bound_counts_from_when_a_job_is_ready() {
    let mut c = hourly(racks("r1: 0"), 100).build();
    let held = c.submit(gang(1, 8).hold());
    c.advance(minutes(30));
    assert_eq!(c.why(held).latest_start, None);
    c.release(held);
    let told = c.why(held).latest_start.expect("a queued job is told");
    // Others are asked to give way first, by three rungs and back.
    let asked = minutes(6 * (20 + 1));
    let drain = minutes(1) + hours(1) + seconds(30) + asked;
    assert_eq!(told, c.now() + hours(2) + drain + drain);
}

#[test]
fn the_bound_grows_with_those_ahead_and_shrinks_as_they_are_served() {
    let mut c = hourly(racks("r1: 0"), 100).build();
    let first = c.submit(gang(1, 8));
    let second = c.submit(gang(1, 8));
    let bound = |c: &mut World, job| c.why(job).latest_start.expect("a queued job is told");
    let (one, two) = (bound(&mut c, first), bound(&mut c, second));
    assert!(one < two);
    c.cancel(first);
    assert_eq!(bound(&mut c, second), one);
}
