//! How often a job grows: no sooner than the policy's interval after its size last changed.

use super::words::*;
use crate::support::*;

#[test]
fn a_job_grows_again_only_after_the_interval() {
    let mut c = racks("r1: 4 0").build();
    let a = c.run_and_grow(stretchy(2, 12));
    assert_eq!(c.size(a), 4);
    c.advance(minutes(1));
    c.finish(JobId(2));
    assert_eq!(c.size(a), 4, "it has just grown");
    c.advance(minutes(8));
    assert_eq!(c.size(a), 4);
    c.advance(minutes(1));
    assert_eq!(c.size(a), 12);
}

#[test]
fn the_interval_is_a_setting() {
    let mut c = racks("r1: 4 0").policy(|policy| policy.elastic.interval = hours(2)).build();
    let a = c.run_and_grow(stretchy(2, 12));
    c.finish(JobId(2));
    c.advance(minutes(119));
    assert_eq!(c.size(a), 4);
    c.advance(minutes(1));
    assert_eq!(c.size(a), 12);
}

#[test]
fn the_interval_counts_from_the_decision_and_not_from_the_last_word() {
    let mut c = racks("r1: 4 0").build();
    let a = c.run(stretchy(2, 12));
    c.advance(minutes(4));
    c.resized(a);
    c.finish(JobId(2));
    c.advance(minutes(6));
    assert_eq!(c.size(a), 12);
}

#[test]
fn a_job_that_gave_tasks_back_grows_only_after_the_interval() {
    let mut c = racks("r1: 8").build();
    let a = c.run_and_grow(stretchy(2, 8));
    c.advance(hours(1));
    let b = c.submit(gang(1, 4));
    c.resized(a);
    c.confirm(b);
    c.finish(b);
    let small = c.size(a);
    assert!(small < 8);
    c.advance(minutes(9));
    assert_eq!(c.size(a), small);
    c.advance(minutes(1));
    assert_eq!(c.size(a), 8);
}

#[test]
fn a_job_gives_tasks_back_however_lately_it_grew() {
    let mut c = racks("r1: 8").build();
    let a = c.run_and_grow(stretchy(2, 8));
    let b = c.submit(gang(1, 4));
    c.resized(a);
    assert_eq!(c.word(b), "launching");
}

#[test]
fn a_resize_that_lasts_longer_than_the_interval_is_still_the_only_one() {
    let mut c = racks("r1: 8 0").policy(|policy| {
        policy.elastic.interval = minutes(1);
        policy.launch_timeout = hours(1);
    });
    c = c.nodes("r1", 1, "H100x8");
    let mut c = c.build();
    let a = c.run(stretchy(2, 20));
    c.advance(minutes(30));
    c.finish(JobId(1));
    assert_eq!(c.size(a), 16, "nothing more while a resize is under way");
    c.resized(a);
    assert_eq!(c.size(a), 20, "then at once, for the interval is over");
}

#[test]
fn time_alone_is_enough_to_be_looked_at_again() {
    let mut c = racks("r1: 4 0").build();
    let a = c.run_and_grow(stretchy(2, 12));
    c.finish(JobId(2));
    let wake = c.engine.next_wake().expect("the interval ends");
    assert_eq!(wake, Time(0) + minutes(10));
    c.advance_to(wake);
    assert_eq!(c.size(a), 12);
}
