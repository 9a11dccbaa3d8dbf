//! What is refused, and that it changes nothing.

use super::support::*;
use crate::support::*;

fn refusal(c: &mut World, booking: Booking) -> String {
    let before = c.snapshot();
    let actions = c.tell(Command::BookingSet { booking });
    let [Action::Rejected { errors }] = actions.as_slice() else {
        panic!("it was accepted: {actions:?}");
    };
    assert_eq!(c.snapshot(), before);
    errors[0].to_string()
}

#[test]
fn unknown_nodes_and_domains_are_refused_with_an_example() {
    let mut c = racks("r1: 8").build();
    let error = refusal(&mut c, maintenance(1, 2).node("r1-9"));
    assert_eq!(
        error,
        "places[0]: r1-9 is not allowed; expected the name of a node that has joined"
    );
    let error = refusal(&mut c, maintenance(1, 2).node("r1-1").domain(["r7"]));
    assert_eq!(
        error,
        "places[1]: r7 is not allowed; expected a domain that has nodes, by its path, such as r1"
    );
}

#[test]
fn spans_that_are_over_or_upside_down_are_refused() {
    let mut c = nodes(1).build();
    c.advance_to(at(5));
    let error = refusal(&mut c, maintenance(9, 8).node("n-1"));
    assert!(error.contains("expected a time after the start"), "{error}");
    let error = refusal(&mut c, maintenance(3, 5).node("n-1"));
    assert!(error.contains("expected a time in the future"), "{error}");
}

#[test]
fn node_is_booked_once_at_a_time() {
    let mut c = nodes(3).build();
    c.book(maintenance(4, 6).node("n-1").node("n-2"));
    let error = refusal(&mut c, reservation(5, 9).node("n-3").node("n-2"));
    assert_eq!(
        error,
        format!(
            "places: demo is not allowed; node n-2 is booked as cooling from {} until {}; choose \
             another time or other nodes",
            at(4).0,
            at(6).0
        )
    );
    let error = refusal(&mut c, Booking::new("out", at(1)).domain([]));
    assert!(error.contains("node n-1 is booked as cooling"), "{error}");
    c.book(reservation(6, 9).node("n-2"));
    c.book(reservation(2, 4).node("n-2"));
    assert_eq!(c.snapshot().bookings.len(), 2, "the latter changed the one of its name");
}

#[test]
fn job_is_refused_that_may_not_use_the_booking_it_names() {
    let mut c = nodes(1).build();
    c.book(reservation(1, 9).node("n-1"));
    c.book(Booking::new("cooling", at(9)).node("n-1"));
    let mut refusal = |spec: JobSpec| c.try_submit(spec).unwrap_err()[0].to_string();
    assert_eq!(
        refusal(gang(1, 1).booking("dmo")),
        "booking: dmo is not allowed; expected the name of a booking that is not over"
    );
    assert_eq!(
        refusal(gang(1, 1).booking("cooling")),
        "booking: cooling is not allowed; cooling is for maintenance, nobody's jobs run in it"
    );
    assert_eq!(
        refusal(gang(1, 1).user("user-b").booking("demo")),
        "booking: demo is not allowed; neither user-b nor queue default may use it; ask whoever \
         made it"
    );
}

#[test]
fn booking_that_is_not_there_cannot_be_taken_back() {
    let mut c = nodes(1).build();
    c.book(maintenance(1, 2).node("n-1"));
    c.advance_to(at(2));
    let actions = c.unbook("cooling");
    assert!(matches!(actions[0], Action::Rejected { .. }), "{actions:?}");
}
