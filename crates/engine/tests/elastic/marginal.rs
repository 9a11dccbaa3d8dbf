//! Who gets idle GPUs: those whom each saves most run time, if that is worth a resize.

use super::words::*;
use crate::support::*;

/// Two jobs that run on one node with idle GPUs held back until both run; their sizes after
/// these have been handed out.
fn handed_out(idle: u32, one: JobSpec, other: JobSpec) -> [usize; 2] {
    let mut c = racks("r1: 8 8").build();
    let blocker = c.run(gang(1, 8));
    let waits = c.submit(gang(2, 8));
    let one = c.run(one);
    let other = c.run(other);
    let taken = c.free_total() - idle;
    c.run(gang(1, taken));
    c.finish(blocker);
    c.run(gang(1, 8));
    c.cancel(waits);
    c.sizes([one, other])
}

#[test]
fn each_idle_gpu_goes_to_the_job_it_saves_most() {
    let fast = || stretchy(1, 4).speeds([(1, 100), (4, 400)]);
    let slow = |speed| stretchy(1, 4).speeds([(1, 100), (4, speed)]);
    assert_eq!(handed_out(3, fast(), slow(115)), [4, 1]);
    assert_eq!(handed_out(3, slow(115), fast()), [1, 4]);
    assert_eq!(
        handed_out(3, fast(), slow(130)),
        [3, 2],
        "the last would save the first too little"
    );
}

#[test]
fn more_work_left_saves_more() {
    let long = || stretchy(1, 4).estimate(days(3), days(6));
    let short = || stretchy(1, 4).estimate(hours(3), hours(6));
    assert_eq!(handed_out(3, long(), short()), [4, 1]);
    assert_eq!(handed_out(3, short(), long()), [1, 4]);
}

#[test]
fn equals_share_what_is_idle() {
    assert_eq!(handed_out(2, stretchy(1, 4), stretchy(1, 4)), [2, 2]);
    assert_eq!(handed_out(4, stretchy(1, 8), stretchy(1, 8)), [3, 3]);
}

#[test]
fn among_equals_the_one_that_scales_worse_goes_first() {
    // Half of the work of one and all of the other's run time: each saves an hour by a task more.
    let scales = || stretchy(1, 2).estimate(hours(2), hours(2)).speeds([(1, 100), (2, 200)]);
    let lags = || stretchy(1, 2).estimate(hours(3), hours(3)).speeds([(1, 100), (2, 150)]);
    assert_eq!(handed_out(1, scales(), lags()), [1, 2]);
    assert_eq!(handed_out(1, lags(), scales()), [2, 1]);
}

#[test]
fn a_job_does_not_take_what_makes_it_no_faster() {
    let mut c = racks("r1: 8").build();
    let a = c.run_and_grow(stretchy(1, 8).speeds([(1, 100), (4, 300), (8, 300)]));
    assert_eq!(c.size(a), 4);
    let b = c.run_and_grow(stretchy(1, 4).speeds([(1, 100), (4, 100)]));
    assert_eq!(c.size(b), 1);
}

#[test]
fn speeds_beyond_those_given_are_taken_to_be_no_higher() {
    let mut c = racks("r1: 8").build();
    let a = c.run_and_grow(stretchy(1, 8).speeds([(1, 100), (3, 250)]));
    assert_eq!(c.size(a), 3);
}

#[test]
fn a_resize_must_gain_more_than_it_costs() {
    // Growing from 1 to 2 tasks gains four fifths of the time it lasts: of an hour, 48 minutes.
    for (resize, size) in [(minutes(47), 2), (minutes(49), 1)] {
        let mut c = racks("r1: 2").build();
        let spec = stretchy(1, 2).speeds([(1, 100), (2, 180)]).resize(resize);
        let a = c.run_and_grow(spec);
        assert_eq!(c.size(a), size, "{resize}");
    }
}

#[test]
fn a_job_that_is_nearly_done_does_not_grow() {
    // With two tasks a minute of work takes half of one, and the resize as long.
    for (left, size) in [(seconds(59), 1), (seconds(70), 2)] {
        let mut c = racks("r1: 2").build();
        let spec = stretchy(1, 2).estimate(left, left).speeds([(1, 100), (2, 200)]);
        let a = c.run_and_grow(spec.resize(seconds(30)));
        assert_eq!(c.size(a), size, "{left}");
    }
}

#[test]
fn a_large_step_may_be_worth_what_a_small_one_is_not() {
    let spec = |most| {
        let speeds = (1..=8).map(|size| (size, 90 + 10 * size));
        stretchy(1, most).speeds(speeds.take(most as usize)).resize(minutes(20))
    };
    for (most, size) in [(4, 1), (8, 8)] {
        let mut c = racks("r1: 8").build();
        let a = c.run_and_grow(spec(most));
        assert_eq!(c.size(a), size, "up to {most}");
    }
}

#[test]
fn a_step_that_finds_too_little_room_is_not_taken() {
    let speeds = (1..=8).map(|size| (size, 90 + 10 * size));
    let mut c = racks("r1: 4").build();
    let a = c.run_and_grow(stretchy(1, 8).speeds(speeds).resize(minutes(20)));
    assert_eq!((c.size(a), c.free_total()), (1, 3));
}

#[test]
fn a_job_of_which_nothing_is_known_is_taken_to_scale_a_little_less_than_well() {
    // By Amdahl with a tenth serial, 8 times the tasks are 4.7 times as fast.
    let mut c = racks("r1: 8").build();
    let a = c.run_and_grow(stretchy(1, 8).estimate(hours(8), hours(9)));
    assert_eq!(c.size(a), 8);
    let full = c.submit(gang(1, 8));
    let end = c.why(full).estimated_start.expect("it can be foreseen");
    let exact = hours(8).0 * 17 / 80;
    assert!(end.0.abs_diff(exact) < 1000, "{} against {exact}", end.0);
}
