//! Gangs that lose nodes: the rest is stopped first, and another attempt waits for every node.

use super::support::{again, launches, nodes, stops, wide};
use crate::support::*;

#[test]
fn a_gang_that_loses_one_node_is_stopped_on_the_others_first() {
    let mut c = nodes(6);
    let job = c.run(wide(3));
    c.lose("n-2", minutes(10));
    assert_eq!(c.word(job), "running");
    let at_the_end = c.advance(minutes(10));
    let others = [("n-1".to_owned(), job, 1), ("n-3".to_owned(), job, 1)];
    assert_eq!(stops(&c, &at_the_end), others);
    assert_eq!((c.word(job), c.attempt(job).0), ("stopping", 1));
}

#[test]
fn a_gang_starts_again_only_when_every_node_has_ended_it() {
    let mut c = nodes(6);
    let job = c.run(wide(3));
    c.lose("n-2", minutes(10));
    c.advance(minutes(10));
    c.end_on(job, "n-1", Exit::Stopped);
    assert_eq!((c.word(job), c.attempt(job).0), ("stopping", 1));
    let last = c.end_on(job, "n-3", Exit::Stopped);
    assert_eq!(c.attempt(job).0, 2);
    assert_eq!(launches(&c, &last, job).len(), 3);
    assert!(!c.nodes_of(job).contains(&"n-2".to_owned()));
    assert_eq!(c.record(job).requeues, 1, "one loss, one more attempt");
}

#[test]
fn a_gang_that_loses_two_nodes_waits_for_the_longer_lease() {
    let mut c = nodes(6);
    let job = c.run(wide(3));
    c.lose("n-1", minutes(10));
    c.lose("n-3", minutes(30));
    c.advance(minutes(10));
    assert_eq!(c.word(job), "stopping");
    c.end_on(job, "n-2", Exit::Stopped);
    c.advance_to(Time(1_799_999));
    assert_eq!((c.word(job), c.attempt(job).0), ("stopping", 1));
    c.advance(Millis(1));
    assert_eq!((c.word(job), c.attempt(job).0), ("launching", 2));
    assert_eq!(c.nodes_of(job), ["n-4", "n-2", "n-5"]);
    assert_eq!(c.record(job).requeues, 1, "one attempt was lost, not two");
}

#[test]
fn a_node_that_returns_while_its_gang_is_stopping_need_not_be_waited_for_longer() {
    let mut c = nodes(3);
    let job = c.run(wide(3));
    c.lose("n-1", minutes(10));
    c.lose("n-3", minutes(30));
    c.advance(minutes(10));
    c.end_on(job, "n-2", Exit::Stopped);
    c.find_again("n-3", &[]);
    assert_eq!(c.word(job), "queued", "n-1 is gone");
    assert_eq!(c.free(), "n-1:8 n-2:8 n-3:8");
}

#[test]
fn a_returned_node_that_still_runs_a_stopping_gang_is_waited_for() {
    let mut c = nodes(6);
    let job = c.run(wide(3));
    c.lose("n-1", minutes(10));
    c.lose("n-3", minutes(30));
    c.advance(minutes(10));
    c.end_on(job, "n-2", Exit::Stopped);
    let returned = c.find_again("n-3", &[job]);
    assert_eq!(stops(&c, &returned), [("n-3".to_owned(), job, 1)]);
    c.advance(minutes(40));
    assert_eq!((c.word(job), c.attempt(job).0), ("stopping", 1));
    c.end_on(job, "n-3", Exit::Stopped);
    assert_eq!((c.word(job), c.attempt(job).0), ("launching", 2));
}

#[test]
fn a_gang_with_one_missing_task_on_a_returned_node_starts_again_as_a_whole() {
    let mut c = nodes(2);
    let job = c.run(wide(2));
    c.lose("n-1", minutes(10));
    let returned = c.find_again("n-1", &[]);
    assert_eq!(stops(&c, &returned), [("n-2".to_owned(), job, 1)]);
    c.stopped(job);
    assert_eq!((c.word(job), c.attempt(job).0), ("launching", 2));
}

#[test]
fn a_launching_gang_that_loses_a_node_for_good_is_taken_back() {
    let mut c = nodes(4);
    let job = c.submit(wide(2));
    c.confirm_on(job, "n-2");
    c.lose("n-1", minutes(1));
    c.advance(minutes(1));
    assert_eq!(c.word(job), "stopping");
    c.end_on(job, "n-2", Exit::Stopped);
    assert_eq!(c.nodes_of(job), ["n-3", "n-2"]);
}

#[test]
fn the_capacity_of_a_lost_node_is_not_given_to_others_before_the_gang_has_ended() {
    let mut c = nodes(2);
    let job = c.run(wide(2).requeue(again(false, false, 0)));
    c.lose("n-1", minutes(1));
    c.advance(minutes(1));
    c.find_again("n-1", &[]);
    let next = c.submit(gang(1, 8));
    assert_eq!((c.word(job), c.word(next)), ("stopping", "queued"));
    c.end_on(job, "n-2", Exit::Stopped);
    assert_eq!((c.word(job), c.word(next)), ("node-lost", "launching"));
}

#[test]
fn the_success_of_the_others_does_not_save_a_gang_that_lost_a_node() {
    let mut c = nodes(4);
    let job = c.run(wide(2));
    c.lose("n-1", minutes(10));
    c.end_on(job, "n-2", Exit::Code(0));
    assert_eq!(c.word(job), "running", "n-1 may still succeed");
    c.advance(minutes(10));
    assert_eq!((c.word(job), c.attempt(job).0), ("launching", 2));
}

#[test]
fn a_gang_whose_lost_node_ended_it_well_is_completed() {
    let mut c = nodes(2);
    let job = c.run(wide(2));
    c.lose("n-1", minutes(10));
    c.end_on(job, "n-2", Exit::Code(0));
    c.end_on(job, "n-1", Exit::Code(0));
    assert_eq!(c.word(job), "completed");
}

#[test]
fn a_cancelled_gang_is_over_when_the_last_lease_has_ended() {
    let mut c = nodes(3);
    let job = c.run(wide(3));
    c.lose("n-1", minutes(10));
    c.lose("n-2", minutes(20));
    c.cancel(job);
    c.end_on(job, "n-3", Exit::Stopped);
    c.advance(minutes(19));
    assert_eq!(c.word(job), "stopping");
    c.advance(minutes(1));
    assert_eq!(c.word(job), "cancelled");
}

#[test]
fn every_job_of_a_lost_node_is_started_elsewhere() {
    let mut c = nodes(2);
    let jobs = c.submit_all((0..8).map(|_| gang(1, 1)));
    jobs.iter().for_each(|&job| drop(c.confirm(job)));
    assert_eq!(c.free(), "n-1:0 n-2:8");
    c.lose("n-1", minutes(1));
    c.advance(minutes(1));
    for job in jobs {
        assert_eq!((c.word(job), c.nodes_of(job)), ("launching", vec!["n-2".to_owned()]));
    }
}
