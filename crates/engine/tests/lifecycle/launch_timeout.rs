//! A launch that is not confirmed in time is taken back, and the nodes that said nothing rest.

use super::support::{nodes, pair, restart, stops, wide};
use crate::support::*;

#[test]
fn a_launch_is_given_up_after_its_time_and_not_before() {
    let mut c = pair();
    let job = c.submit(wide(2));
    c.confirm_on(job, "n-1");
    c.advance_to(Time(299_999));
    assert_eq!(c.word(job), "launching");
    let given_up = c.advance(Millis(1));
    assert_eq!(c.word(job), "stopping");
    let both = [("n-1".to_owned(), job, 1), ("n-2".to_owned(), job, 1)];
    assert_eq!(stops(&c, &given_up), both);
}

#[test]
fn only_the_silent_nodes_rest_after_a_launch_was_given_up() {
    let mut c = nodes(3);
    let job = c.submit(wide(3));
    c.confirm_on(job, "n-2");
    c.advance(minutes(5));
    let rests = ["n-1", "n-2", "n-3"].map(|name| c.node_record(name).rests_until);
    assert_eq!(rests, [Time(310_000), Time(0), Time(310_000)]);
}

#[test]
fn a_launch_that_was_given_up_holds_its_gpus_until_the_silent_node_has_ended_it() {
    let mut c = pair();
    let job = c.submit(wide(2));
    let next = c.submit(gang(1, 8));
    c.confirm_on(job, "n-1");
    c.advance(minutes(5));
    c.end_on(job, "n-1", Exit::Stopped);
    assert_eq!((c.word(job), c.word(next)), ("stopping", "queued"));
    c.end_on(job, "n-2", Exit::Stopped);
    assert_eq!(c.nodes_of(next), ["n-1"], "n-2 rests");
}

#[test]
fn a_job_whose_launch_was_given_up_tries_again_without_being_at_fault() {
    let mut c = nodes(4);
    let job = c.submit(wide(2));
    c.advance(minutes(5));
    c.stopped(job);
    assert_eq!(c.nodes_of(job), ["n-3", "n-4"]);
    let record = c.record(job);
    assert_eq!((record.attempt.0, record.launch_failures, record.requeues), (2, 0, 0));
}

#[test]
fn a_node_that_stays_silent_launch_after_launch_rests_longer_each_time() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 8));
    let mut rests = Vec::new();
    for _ in 0..3 {
        c.advance(minutes(5));
        let until = c.node_record("n-1").rests_until;
        rests.push(until.since(c.now()));
        c.stopped(job);
        c.advance_to(until);
    }
    assert_eq!(rests, [seconds(10), seconds(20), seconds(40)]);
}

#[test]
fn a_launch_confirmed_at_the_last_moment_is_not_given_up() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 8));
    c.advance(Millis(299_999));
    c.confirm(job);
    c.advance(hours(1));
    assert_eq!((c.word(job), c.attempt(job).0), ("running", 1));
}

#[test]
fn a_confirmation_that_comes_with_the_time_out_is_too_late() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 8));
    c.now = Time(300_000);
    c.confirm(job);
    assert_eq!(c.word(job), "stopping");
}

#[test]
fn the_time_to_confirm_counts_anew_for_each_attempt() {
    let mut c = pair();
    let job = c.submit(gang(1, 8));
    c.advance(minutes(4));
    c.refuse(job, "n-1");
    assert_eq!(c.nodes_of(job), ["n-2"]);
    c.advance(Millis(299_999));
    assert_eq!(c.word(job), "launching");
    c.advance(Millis(1));
    assert_eq!(c.word(job), "stopping");
}

#[test]
fn the_time_to_confirm_survives_a_restart() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 8));
    c.advance(minutes(2));
    restart(&mut c);
    c.advance(Millis(179_999));
    assert_eq!(c.word(job), "launching");
    c.advance(Millis(1));
    assert_eq!(c.word(job), "stopping");
}

#[test]
fn a_cancelled_launch_is_not_given_up_a_second_time() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 8));
    c.cancel(job);
    let later = c.advance(minutes(10));
    assert_eq!((c.word(job), later), ("stopping", vec![]));
    assert_eq!(c.node_record("n-1").rests_until, Time(0));
}
