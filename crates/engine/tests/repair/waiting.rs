//! Waiting time is not lost with a node: what an attempt did not make up for still counts.

use super::support::lose_from;
use crate::support::*;

/// A job that waited an hour for the only node, got it, and lost it after a while.
fn lost_after(ran: Millis) -> (World, JobId) {
    let mut c = cluster().nodes("n", 2, "H100x8").build();
    let first = c.run(gang(2, 8));
    let job = c.submit(gang(2, 8));
    c.advance(hours(1));
    c.finish(first);
    c.confirm(job);
    c.advance(ran);
    lose_from(&mut c, job, "n-1");
    assert_eq!(c.word(job), "queued");
    (c, job)
}

#[test]
fn who_is_lost_soon_after_a_long_wait_has_waited_long() {
    let (c, job) = lost_after(minutes(10));
    assert_eq!(c.now().since(c.record(job).ready_since), minutes(50));
}

#[test]
fn who_has_run_for_longer_than_it_waited_waits_from_now() {
    let (c, job) = lost_after(hours(5));
    assert_eq!(c.record(job).ready_since, c.now());
}

#[test]
fn the_floor_counts_what_was_waited_before() {
    let mut c = cluster()
        .nodes("n", 3, "H100x8")
        .policy(|policy| policy.floor = floor(100, hours(2), hours(1)))
        .build();
    let first = c.run(gang(2, 8));
    let other = c.run(gang(1, 8));
    let job = c.submit(gang(2, 8).class("batch"));
    c.advance(hours(1));
    c.finish(first);
    assert_eq!(c.nodes_of(job), ["n-1", "n-2"]);
    c.confirm(job);
    c.advance(minutes(1));
    lose_from(&mut c, job, "n-1");
    c.advance(minutes(60));
    assert_eq!(c.snapshot().claims, [], "59 minutes and 60");
    c.advance(minutes(1));
    assert_eq!(c.claim_of(job), ["n-2", "n-3"], "two hours without service");
    c.finish(other);
    assert_eq!(c.word(job), "launching");
}

#[test]
fn a_job_on_one_node_keeps_its_waiting_time_too() {
    let mut c = cluster().nodes("n", 1, "H100x8").build();
    let first = c.run(gang(1, 8));
    let job = c.submit(gang(1, 8));
    c.advance(minutes(30));
    c.finish(first);
    c.confirm(job);
    c.advance(minutes(5));
    c.lose("n-1", Millis::ZERO);
    assert_eq!((c.word(job), c.record(job).repair), ("queued", None));
    assert_eq!(c.now().since(c.record(job).ready_since), minutes(25));
}
