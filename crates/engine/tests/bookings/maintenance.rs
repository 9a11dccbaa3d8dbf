//! While a maintenance lasts nothing starts on its nodes; what is there is waited for.

use super::support::*;
use crate::support::*;

#[test]
fn nothing_starts_on_closed_nodes_until_the_end() {
    let mut c = nodes(2).obedient().build();
    c.book(maintenance(1, 3).node("n-1"));
    c.advance_to(at(1));
    let jobs: Vec<JobId> = c.submit_all((0..2).map(|_| gang(1, 8).limit(hours(5))));
    assert_eq!((c.nodes_of(jobs[0]), c.word(jobs[1])), (vec!["n-2".to_owned()], "queued"));
    c.advance_to(at(3));
    assert_eq!(c.nodes_of(jobs[1]), ["n-1"]);
}

#[test]
fn domain_is_closed_with_all_its_nodes_and_those_that_join_later() {
    let mut c = cluster().levels(["zone", "rack"]).nodes("z/r1", 2, "H100x8");
    c = c.nodes("z/r2", 1, "H100x8");
    let mut c = c.obedient().doubted().build();
    c.book(maintenance(1, 3).domain(["z", "r1"]));
    c.advance_to(at(1));
    c.join(NodeSpec::new("late", "H100", 8).domains(["z", "r1"]));
    let jobs: Vec<JobId> = c.submit_all((0..2).map(|_| gang(1, 8).limit(hours(5))));
    assert_eq!((c.nodes_of(jobs[0]), c.word(jobs[1])), (vec!["r2-1".to_owned()], "queued"));
    c.advance_to(at(3));
    assert_eq!(c.word(jobs[1]), "running");
}

#[test]
fn whole_cluster_can_be_closed() {
    let mut c = nodes(3).obedient().build();
    c.book(maintenance(1, 3).domain([]));
    let short = c.submit(gang(3, 8).limit(minutes(30)));
    assert_eq!(c.word(short), "running");
    c.finish(short);
    let long = c.submit(gang(1, 1).limit(hours(1)));
    c.advance_to(at(2));
    assert_eq!(c.word(long), "queued");
    c.advance_to(at(3));
    assert_eq!(c.word(long), "running");
}

#[test]
fn booking_without_an_end_is_a_drain_until_it_is_taken_back() {
    let mut c = nodes(1).obedient().build();
    c.book(Booking::new("out", at(0)).node("n-1"));
    let job = c.submit(gang(1, 8).limit(minutes(1)));
    c.advance(days(20));
    assert_eq!(c.word(job), "queued");
    c.unbook("out");
    assert_eq!(c.word(job), "running");
}

#[test]
fn drained_node_stays_drained_through_a_booking() {
    let mut c = nodes(1).obedient().build();
    c.drain("n-1");
    c.book(maintenance(1, 3).node("n-1"));
    let job = c.submit(gang(1, 8).limit(minutes(1)));
    c.advance_to(at(4));
    assert_eq!(c.word(job), "queued");
    c.resume("n-1");
    assert_eq!(c.word(job), "running");
}

#[test]
fn booking_that_is_changed_lasts_as_it_says_last() {
    let mut c = nodes(1).obedient().build();
    c.book(maintenance(1, 3).node("n-1"));
    c.advance_to(at(2));
    c.book(maintenance(5, 6).node("n-1"));
    let job = c.submit(gang(1, 8).limit(hours(2)));
    assert_eq!(c.word(job), "running", "put off, it leaves the node to others");
    c.finish(job);
    let long = c.submit(gang(1, 8).limit(hours(9)));
    c.advance_to(at(5));
    c.book(maintenance(5, 8).node("n-1"));
    c.advance_to(at(7));
    assert_eq!(c.word(long), "queued", "prolonged");
    c.advance_to(at(8));
    assert_eq!(c.word(long), "running");
}

#[test]
fn bookings_of_one_node_follow_each_other() {
    let mut c = nodes(1).obedient().build();
    c.book(maintenance(4, 6).node("n-1"));
    c.book(Booking::new("again", at(6)).until(at(8)).node("n-1"));
    let job = c.submit(gang(1, 8).limit(hours(5)));
    c.advance_to(at(7));
    assert_eq!(c.word(job), "queued");
    c.advance_to(at(8));
    assert_eq!(c.word(job), "running");
}

#[test]
fn time_that_jumps_over_a_whole_booking_leaves_nothing_behind() {
    let mut c = nodes(1).build();
    c.book(maintenance(1, 3).node("n-1"));
    let job = c.submit(gang(1, 8).limit(hours(2)));
    assert_eq!(c.word(job), "queued");
    c.now = at(9);
    c.tell(Command::Tick);
    assert_eq!(c.word(job), "launching");
    assert!(c.snapshot().bookings.is_empty());
}
