//! Jobs that were there before a booking was made.

use super::support::*;
use crate::support::*;

fn never() -> muster_model::Requeue {
    muster_model::Requeue { when_lost: false, ..Default::default() }
}

#[test]
fn job_that_was_there_before_is_waited_for() {
    let mut c = nodes(1).obedient().build();
    let before = c.run(gang(1, 4).limit(hours(6)));
    c.book(maintenance(1, 10).node("n-1"));
    c.advance_to(at(2));
    assert_eq!(c.word(before), "running");
    let small = c.submit(gang(1, 4).limit(minutes(5)));
    assert_eq!(c.word(small), "queued", "nothing comes beside it");
    c.advance_to(at(6));
    assert_eq!(c.word(before), "timed-out");
}

#[test]
fn job_that_was_there_before_is_requeued_where_the_booking_says_so() {
    let mut c = nodes(2).obedient().build();
    let before = c.run(gang(1, 8).limit(hours(6)).only_on(node("n-1")));
    let other = c.run(gang(1, 8).limit(hours(6)));
    c.book(maintenance(1, 2).node("n-1").requeue_leftovers());
    c.advance_to(Time(at(1).0 - seconds(31).0));
    assert_eq!(c.word(before), "running");
    c.advance_to(at(1));
    assert_eq!((c.word(before), c.word(other)), ("queued", "running"));
    c.advance_to(at(2));
    assert_eq!((c.word(before), c.record(before).attempt.0), ("running", 2));
}

#[test]
fn job_that_may_not_be_started_again_is_waited_for_all_the_same() {
    let mut c = nodes(1).obedient().build();
    let before = c.run(gang(1, 8).limit(hours(6)).requeue(never()));
    c.book(maintenance(1, 2).node("n-1").requeue_leftovers());
    c.advance_to(at(3));
    assert_eq!(c.word(before), "running");
}

#[test]
fn booking_that_starts_at_once_tells_those_who_have_to_go_at_once() {
    let mut c = nodes(1).build();
    let before = c.run(gang(1, 8));
    c.book(Booking::new("out", at(0)).node("n-1").requeue_leftovers());
    assert_eq!(c.word(before), "stopping");
}

#[test]
fn suspended_job_goes_on_only_where_it_ends_in_time() {
    let setup = cluster().nodes_with("n", 1, "H100x8", |node| node.suspend_memory(gib(4096)));
    let mut c = setup.obedient().doubted().build();
    let trainer = gang(1, 8).class("batch").estimate(hours(20), hours(24)).limit(hours(24));
    let trainer = c.run(trainer.rung(Rung::Suspend, seconds(20), seconds(10)));
    c.advance(minutes(11));
    let urgent = gang(1, 8).class("express").estimate(minutes(30), minutes(40)).limit(hours(1));
    let urgent = c.submit(urgent);
    assert_eq!((c.word(trainer), c.word(urgent)), ("paused", "running"));
    c.book(maintenance(5, 6).node("n-1"));
    c.finish(urgent);
    assert_eq!(c.word(trainer), "paused");
    assert_eq!(c.codes(trainer), ["paused", "booked"]);
    c.advance_to(at(6));
    assert_eq!(c.word(trainer), "running");
}

#[test]
fn room_that_is_being_made_is_given_up_when_a_booking_starts() {
    let mut c = nodes(1).build();
    let weak = gang(1, 8).class("batch").estimate(hours(20), hours(24));
    let weak = c.run(weak.rung(Rung::Checkpoint, minutes(4), seconds(10)));
    c.advance(minutes(11));
    let urgent = gang(1, 8).class("express").estimate(minutes(10), minutes(12));
    let urgent = c.submit(urgent);
    assert_eq!(c.word(weak), "pausing");
    c.book(Booking::new("out", c.now()).node("n-1"));
    assert_eq!((c.word(weak), c.word(urgent)), ("running", "queued"), "nobody gives way in vain");
    assert!(c.snapshot().plans.is_empty());
}
