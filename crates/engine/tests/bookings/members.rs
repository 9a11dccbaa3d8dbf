//! Bookings for some: their jobs run inside, at once and only there; others do not.

use super::support::*;
use crate::support::*;

#[test]
fn members_job_waits_for_its_booking_and_starts_when_it_opens() {
    let mut c = nodes(2).obedient().build();
    c.book(reservation(4, 8).node("n-1"));
    let inside = c.submit(gang(1, 8).booking("demo").limit(hours(1)));
    assert_eq!(c.word(inside), "waiting", "a free node elsewhere is of no use to it");
    c.advance_to(at(4));
    assert_eq!((c.word(inside), c.nodes_of(inside)), ("running", vec!["n-1".to_owned()]));
    assert_eq!(c.started_at(inside), Some(at(4)));
}

#[test]
fn others_stay_outside_while_it_lasts_even_if_it_is_idle() {
    let mut c = nodes(2).obedient().build();
    c.book(reservation(1, 8).node("n-1"));
    c.advance_to(at(1));
    // Even of the same user, without naming it.
    let jobs: Vec<JobId> = c.submit_all((0..2).map(|_| gang(1, 8).limit(hours(20))));
    assert_eq!((c.word(jobs[0]), c.word(jobs[1])), ("running", "queued"));
    let inside = c.submit(gang(1, 8).booking("demo").limit(minutes(10)));
    assert_eq!(c.nodes_of(inside), ["n-1"]);
    c.advance_to(at(8));
    assert_eq!(c.word(jobs[1]), "running", "the node is everyone's again");
}

#[test]
fn members_job_that_does_not_fit_inside_does_not_go_elsewhere() {
    let mut c = nodes(3).obedient().build();
    c.book(reservation(0, 8).node("n-1"));
    let first = c.submit(gang(1, 6).booking("demo"));
    let second = c.submit(gang(1, 6).booking("demo"));
    assert_eq!((c.word(first), c.word(second)), ("running", "queued"));
    assert_eq!(c.reason_text(second), "needs 6 GPUs; 2 are free");
    c.finish(first);
    assert_eq!(c.word(second), "running");
}

#[test]
fn queue_and_those_below_it_may_use_a_booking() {
    let setup = nodes(1).queue(queue("team")).queue(queue("team/x")).queue(queue("other"));
    let mut c = setup.obedient().build();
    c.book(Booking::new("demo", at(0)).node("n-1").queue("team"));
    let inside = c.submit(gang(1, 4).queue("team/x").user("user-b").booking("demo"));
    assert_eq!(c.word(inside), "running");
    assert!(c.try_submit(gang(1, 4).queue("other").user("user-b").booking("demo")).is_err());
}

#[test]
fn members_job_goes_on_when_the_booking_ends_and_the_next_one_waits() {
    let mut c = nodes(1).obedient().build();
    c.book(reservation(0, 2).node("n-1"));
    let running = c.submit(gang(1, 8).booking("demo").limit(hours(5)));
    let waiting = c.submit(gang(1, 8).booking("demo").limit(hours(5)));
    c.advance_to(at(2));
    assert_eq!((c.word(running), c.word(waiting)), ("running", "waiting"));
    assert_eq!(c.codes(waiting), ["unopened"]);
    c.finish(running);
    assert_eq!(c.word(waiting), "waiting", "there is no booking to run in");
    c.book(reservation(3, 9).node("n-1"));
    c.advance_to(at(3));
    assert_eq!(c.word(waiting), "running", "one of that name was made again");
}

#[test]
fn members_job_ends_before_the_next_booking_of_its_node() {
    let mut c = nodes(2).obedient().build();
    c.book(reservation(0, 4).node("n-1").node("n-2"));
    c.book(maintenance(4, 6).node("n-1"));
    let long = c.submit(gang(1, 8).booking("demo").limit(hours(9)));
    assert_eq!(c.nodes_of(long), ["n-2"]);
    let another = c.submit(gang(1, 8).booking("demo").limit(hours(9)));
    let short = c.submit(gang(1, 8).booking("demo").limit(hours(2)));
    assert_eq!((c.word(another), c.nodes_of(short)), ("queued", vec!["n-1".to_owned()]));
}

#[test]
fn shares_spreading_and_arrays_work_inside() {
    let mut c = nodes(3).obedient().build();
    c.book(reservation(1, 9).node("n-1").node("n-2"));
    let spread = c.submit(gang(2, 1).spread().booking("demo"));
    let half = muster_model::Share::fraction(muster_model::MilliGpu(500));
    let share = c.submit(gang(1, 1).share(half).cpus(1).memory(gib(1)).booking("demo"));
    let array = c.submit(gang(1, 2).array([0, 1, 2]).throttle(2).booking("demo"));
    c.advance_to(at(1));
    assert_eq!(c.layout(spread), "n-1:1 n-2:1");
    assert!(["n-1", "n-2"].contains(&c.nodes_of(share)[0].as_str()));
    let elements: Vec<_> = (1..=3).map(|index| c.word(JobId(array.0 + index))).collect();
    assert_eq!(elements, ["running", "running", "waiting"]);
}

#[test]
fn member_of_a_higher_class_takes_the_place_of_another_inside() {
    let setup = cluster().nodes_with("n", 2, "H100x8", |node| node.suspend_memory(gib(4096)));
    let mut c = setup.obedient().doubted().build();
    c.book(reservation(0, 9).node("n-1"));
    let weak = gang(1, 8).class("batch").estimate(hours(20), hours(24)).booking("demo");
    let weak = c.run(weak.rung(Rung::Suspend, seconds(20), seconds(10)));
    let outside = gang(1, 8).class("batch").estimate(hours(20), hours(24));
    let outside = c.run(outside.rung(Rung::Suspend, seconds(20), seconds(10)));
    c.advance(minutes(11));
    let urgent = gang(1, 8).class("express").estimate(minutes(10), minutes(12)).booking("demo");
    let urgent = c.submit(urgent.limit(hours(1)));
    assert_eq!((c.word(weak), c.word(outside)), ("paused", "running"));
    assert_eq!(c.nodes_of(urgent), ["n-1"]);
    c.finish(urgent);
    assert_eq!(c.word(weak), "running", "it is resumed inside");
}

#[test]
fn fifo_is_not_blocked_by_who_waits_for_a_booking() {
    let mut c = nodes(2).policy(|policy| policy.order = Order::Fifo).obedient().build();
    c.book(reservation(4, 8).node("n-1"));
    let inside = c.submit(gang(1, 8).booking("demo"));
    let behind = c.submit(gang(1, 8).limit(hours(1)));
    assert_eq!((c.word(inside), c.word(behind)), ("waiting", "running"));
}

#[test]
fn who_is_not_let_in_any_more_is_as_any_other() {
    let setup = cluster().nodes_with("n", 1, "H100x8", |node| node.suspend_memory(gib(4096)));
    let mut c = setup.obedient().doubted().build();
    c.book(reservation(0, 9).node("n-1"));
    let weak = gang(1, 8).class("batch").estimate(hours(20), hours(24)).booking("demo");
    let weak = c.run(weak.rung(Rung::Suspend, seconds(20), seconds(10)).limit(hours(30)));
    c.advance(minutes(11));
    let urgent = gang(1, 8).class("express").estimate(minutes(10), minutes(12)).booking("demo");
    let urgent = c.submit(urgent.limit(hours(1)));
    let waits = c.submit(gang(1, 8).class("batch").booking("demo"));
    assert_eq!((c.word(weak), c.word(waits)), ("paused", "queued"));
    c.book(Booking::new("demo", at(0)).until(at(9)).node("n-1").user("user-b"));
    assert_eq!((c.word(urgent), c.word(waits)), ("running", "waiting"), "it is waited for");
    assert_eq!(c.reason_text(waits), "waits for booking demo, which is over or was taken back");
    c.finish(urgent);
    assert_eq!(c.word(weak), "paused", "its place is booked for another");
    c.advance_to(at(9));
    assert_eq!((c.word(weak), c.word(waits)), ("running", "waiting"));
}
