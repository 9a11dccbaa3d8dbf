//! What people are told of bookings.

use super::support::*;
use crate::support::*;

#[test]
fn who_would_not_end_in_time_is_told_which_nodes_are_set_aside_and_when() {
    let mut c = nodes(2).obedient().build();
    let other = c.run(gang(1, 8).limit(days(9)).only_on(node("n-2")));
    c.book(maintenance(10, 12).node("n-1"));
    let long = c.submit(gang(1, 8).limit(hours(20)));
    let (from, to) = (at(10).0, at(12).0);
    assert_eq!(
        c.reason_text(long),
        format!(
            "node n-1 is set aside from {from} to {to} for maintenance cooling; it would not end \
             in time"
        )
    );
    c.advance_to(at(10));
    let now = format!("node n-1 is set aside until {to} for maintenance cooling");
    assert_eq!(c.reason_text(long), now);
    let _ = other;
}

#[test]
fn who_is_short_of_room_anyway_is_told_of_that() {
    let mut c = nodes(2).obedient().build();
    c.run(gang(2, 6).limit(days(9)));
    c.book(maintenance(10, 12).node("n-1"));
    let long = c.submit(gang(1, 8).limit(hours(20)));
    assert_eq!(c.reason_text(long), "needs 8 GPUs; 2 are free");
}

#[test]
fn what_could_only_run_on_closed_nodes_is_not_called_impossible() {
    let mut c = nodes(2).obedient().build();
    let there = c.run(gang(2, 8).limit(days(9)));
    c.book(maintenance(0, 12).domain([]));
    let waits = c.submit(gang(1, 8).limit(hours(20)));
    assert_eq!(c.codes(waits), ["booked"]);
    let never = c.submit(gang(3, 8).limit(hours(20)));
    assert_eq!(c.codes(never), ["impossible"]);
    let _ = there;
}

#[test]
fn who_waits_for_a_booking_is_told_when_it_opens_and_expected_to_start_then() {
    let mut c = nodes(1).build();
    c.book(reservation(4, 8).node("n-1"));
    let inside = c.submit(gang(1, 8).booking("demo"));
    let why = c.why(inside);
    let opens = format!("waits for booking demo, which opens at {}", at(4).0);
    assert_eq!(why.reasons[0].to_string(), opens);
    assert_eq!((why.estimated_start, why.latest_start), (Some(at(4)), None));
    c.unbook("demo");
    let why = c.why(inside);
    let over = "waits for booking demo, which is over or was taken back";
    assert_eq!((why.reasons[0].to_string().as_str(), why.estimated_start), (over, None));
}

#[test]
fn what_is_said_to_help_heeds_bookings() {
    let mut c = nodes(2).obedient().build();
    c.run(gang(1, 4).limit(days(9)).only_on(node("n-2")));
    c.book(maintenance(10, 12).node("n-1"));
    let wide = c.submit(gang(3, 4).limit(hours(20)));
    let changes: Vec<String> =
        c.why(wide).alternatives.iter().map(|found| format!("{:?}", found.change)).collect();
    assert_eq!(changes, ["Smaller { tasks: 1, gpus: 4 }"], "n-1 is of no use to it");
}
