//! The service floor, its bound and reservations of gangs count on no node that is booked too soon.

use super::support::*;
use crate::support::*;

/// Nodes with a floor that serves whoever has waited an hour, and attempts of four hours at most.
fn floored(count: u32) -> Setup {
    let setup = nodes(count).obedient().without_pausing();
    setup.policy(|policy| {
        policy.floor = floor(50, hours(1), hours(1));
        policy.limit_max = hours(4);
    })
}

/// Takes all GPUs of a node for a job that is not in the way of the order.
fn fill(c: &mut World, name: &str) -> JobId {
    c.run(gang(1, 8).limit(hours(4)).class("express").only_on(node(name)))
}

#[test]
fn floor_claims_no_node_that_is_booked_before_its_job_would_be_gone() {
    let mut c = floored(2).build();
    fill(&mut c, "n-1");
    c.advance(minutes(30));
    fill(&mut c, "n-2");
    c.book(maintenance(6, 7).node("n-1"));
    let starving = c.submit(gang(1, 8).limit(hours(4)).class("batch"));
    c.advance(hours(2));
    assert_eq!(c.claim_of(starving), ["n-2"], "n-1 is ready sooner but booked");
}

#[test]
fn claims_on_nodes_that_are_booked_are_made_anew() {
    let mut c = floored(2).build();
    fill(&mut c, "n-1");
    c.advance(minutes(30));
    fill(&mut c, "n-2");
    let starving = c.submit(gang(1, 8).limit(hours(4)).class("batch"));
    c.advance(hours(2));
    assert_eq!(c.claim_of(starving), ["n-1"]);
    c.book(maintenance(6, 7).node("n-1"));
    assert_eq!(c.claim_of(starving), ["n-2"]);
}

#[test]
fn who_could_only_run_on_booked_nodes_does_not_hold_up_the_floor() {
    let mut c = floored(2).build();
    fill(&mut c, "n-1");
    fill(&mut c, "n-2");
    c.book(maintenance(5, 9).node("n-1"));
    let only_there = gang(1, 8).limit(hours(4)).class("batch").only_on(node("n-1"));
    let only_there = c.submit(only_there);
    let behind = c.submit(gang(1, 8).limit(hours(4)).class("batch"));
    c.advance(hours(2));
    assert!(c.claim_of(only_there).is_empty());
    assert_eq!(c.claim_of(behind), ["n-2"]);
}

#[test]
fn bound_is_told_on_nodes_that_are_not_booked_and_kept() {
    let mut c = floored(3).build();
    for name in ["n-1", "n-2", "n-3"] {
        fill(&mut c, name);
    }
    c.book(maintenance(5, 9).node("n-1"));
    let waits = c.submit(gang(1, 8).limit(hours(4)).class("batch"));
    assert!(c.why(waits).latest_start.is_some(), "two nodes are left");
    let only_there = gang(1, 8).limit(hours(4)).class("batch").only_on(node("n-1"));
    let only_there = c.submit(only_there);
    assert_eq!(c.why(only_there).latest_start, None, "nothing can be said of the booked one");
    // The judge holds the engine to the bound all the while.
    c.play_out(days(3));
    assert_ne!(c.word(waits), "queued");
}

#[test]
fn bound_is_told_again_where_a_booking_is_far_ahead() {
    let mut c = floored(2).build();
    c.book(maintenance(24 * 300, 24 * 301).domain([]));
    fill(&mut c, "n-1");
    fill(&mut c, "n-2");
    let waits = c.submit(gang(1, 8).limit(hours(4)).class("batch"));
    assert!(c.why(waits).latest_start.is_some());
}

#[test]
fn gang_is_reserved_nodes_that_are_not_booked_before_it_would_be_gone() {
    let mut c = nodes(3).obedient().without_pausing().reservations(1, 8).build();
    for (name, spell) in [("n-1", 1), ("n-2", 2), ("n-3", 3)] {
        let job = gang(1, 8).limit(hours(spell + 1)).estimate(hours(spell), hours(spell));
        c.run(job.only_on(node(name)));
    }
    c.book(maintenance(8, 9).node("n-1"));
    let wide = c.submit(gang(2, 8).limit(hours(12)));
    assert_eq!(c.claim_of(wide), ["n-2", "n-3"]);
}

#[test]
fn gang_claims_nodes_that_are_in_time_together_and_not_only_each_for_itself() {
    let mut c = floored(3).build();
    // n-1 is ready at once and booked soon, n-2 is ready late: together they would be too late.
    let late = c.run(gang(1, 8).limit(hours(4)).class("express").only_on(node("n-2")));
    let last = c.run(gang(1, 8).limit(hours(4)).class("express").only_on(node("n-3")));
    c.book(maintenance(7, 9).node("n-1"));
    let starving = c.submit(gang(2, 8).limit(hours(4)).class("batch"));
    c.advance(minutes(90));
    assert_eq!(c.claim_of(starving), ["n-2", "n-3"]);
    let _ = (late, last);
}
