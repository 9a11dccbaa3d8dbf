//! Before a booking starts: its nodes go to whoever has gone by then.

use super::support::*;
use crate::support::*;

#[test]
fn job_that_ends_in_time_runs_before_a_maintenance_and_a_longer_one_waits() {
    let mut c = nodes(1).obedient().build();
    c.book(maintenance(10, 12).node("n-1"));
    let long = c.submit(gang(1, 4).limit(hours(10)));
    let short = c.submit(gang(1, 4).limit(hours(8)));
    assert_eq!((c.word(long), c.word(short)), ("queued", "running"));
    c.advance_to(at(12));
    assert_eq!(c.word(long), "running", "the nodes are everyone's again");
    assert_eq!(c.started_at(long), Some(at(12)));
}

#[test]
fn job_without_a_limit_does_not_start_where_a_maintenance_is_due() {
    let mut c = nodes(2).obedient().build();
    c.book(maintenance(100, 101).node("n-1"));
    let endless: Vec<JobId> = c.submit_all((0..3).map(|_| gang(1, 8)));
    let words: Vec<_> = endless.iter().map(|&job| c.word(job)).collect();
    assert_eq!(words, ["running", "queued", "queued"]);
    assert_eq!(c.nodes_of(endless[0]), ["n-2"]);
}

#[test]
fn booking_far_ahead_keeps_nobody_off() {
    let mut c = nodes(1).obedient().build();
    c.book(maintenance(24 * 40, 24 * 41).node("n-1"));
    let endless = c.submit(gang(1, 8));
    assert_eq!(c.word(endless), "running", "no attempt may run longer than thirty days");
}

#[test]
fn time_to_launch_and_to_stop_counts_too() {
    let slack = minutes(5) + seconds(30);
    // A limit that need not be rounded up: eighths of a power of two.
    let limit = Millis(11 << 21);
    for (early, word) in [(0, "running"), (1, "queued")] {
        let mut c = nodes(1).obedient().build();
        let start = Time((slack + limit).0 - early);
        c.book(Booking::new("cooling", start).node("n-1"));
        let job = c.submit(gang(1, 8).limit(limit));
        assert_eq!(c.word(job), word, "{early} ms too early");
    }
}

#[test]
fn gang_uses_booked_nodes_beside_others_if_it_ends_in_time() {
    let mut c = nodes(4).obedient().build();
    c.book(maintenance(10, 12).node("n-1").node("n-2"));
    let wide = c.submit(gang(4, 8).limit(hours(8)));
    assert_eq!(c.word(wide), "running");
    c.finish(wide);
    let too_long = c.submit(gang(4, 8).limit(hours(12)));
    let narrow = c.submit(gang(2, 8).limit(hours(12)));
    assert_eq!((c.word(too_long), c.word(narrow)), ("queued", "running"));
    assert_eq!(c.nodes_of(narrow), ["n-3", "n-4"]);
}

#[test]
fn like_jobs_of_different_limits_do_not_wait_for_each_other() {
    let mut c = nodes(1).obedient().build();
    let before = c.run(gang(1, 8).limit(hours(1)));
    let long = c.submit(gang(1, 8).limit(hours(20)));
    let short = c.submit(gang(1, 8).limit(hours(2)));
    c.book(maintenance(10, 12).node("n-1"));
    c.finish(before);
    assert_eq!((c.word(long), c.word(short)), ("queued", "running"), "told apart when booked");
}

#[test]
fn failed_shape_is_tried_again_when_a_booking_is_taken_back() {
    for memo in [true, false] {
        let setup = nodes(1).obedient();
        let setup = if memo { setup } else { setup.without_memo() };
        let mut c = setup.build();
        c.book(maintenance(10, 12).node("n-1"));
        let long = c.submit(gang(1, 8).limit(hours(20)));
        c.advance(hours(1));
        assert_eq!(c.word(long), "queued");
        c.unbook("cooling");
        assert_eq!(c.word(long), "running");
    }
}

#[test]
fn filler_runs_until_the_booking_and_is_told_to_go_in_time() {
    let mut c = nodes(1).obedient().build();
    c.book(maintenance(10, 12).node("n-1"));
    let filler = c.submit(gang(1, 8).class("preemptible"));
    assert_eq!(c.word(filler), "running", "it gives way whenever it is asked");
    c.advance_to(Time(at(10).0 - seconds(30).0));
    assert_eq!(c.word(filler), "queued", "stopped with the grace to spare");
    c.advance_to(at(12));
    assert_eq!((c.word(filler), c.record(filler).requeues), ("running", 0));
}

#[test]
fn contract_that_allows_to_requeue_is_a_way_out_too() {
    let mut c = nodes(1).obedient().build();
    c.book(maintenance(10, 12).node("n-1"));
    let stubborn = c.submit(gang(1, 8).rung(Rung::Checkpoint, seconds(5), seconds(5)));
    let gentle = c.submit(gang(1, 8).rung(Rung::Requeue, seconds(5), seconds(5)));
    assert_eq!((c.word(stubborn), c.word(gentle)), ("queued", "running"));
    c.advance_to(at(10));
    assert_eq!(c.word(gentle), "queued");
}

#[test]
fn without_pausing_nobody_gives_way() {
    let mut c = nodes(1).obedient().without_pausing().build();
    c.book(maintenance(10, 12).node("n-1"));
    let filler = c.submit(gang(1, 8).class("preemptible"));
    assert_eq!(c.word(filler), "queued");
}

#[test]
fn gang_that_lost_a_node_is_not_restarted_onto_a_booked_one() {
    let mut c = nodes(3).obedient().build();
    let wide = c.run(gang(2, 8).limit(hours(20)));
    c.book(maintenance(10, 12).node("n-1"));
    c.lose("n-2", Millis(0));
    assert_eq!(c.word(wide), "queued", "n-1 is booked too soon, and n-3 is not enough");
    let short = c.submit(gang(1, 8).limit(hours(2)).only_on(node("n-1")));
    assert_eq!(c.word(short), "running");
}

#[test]
fn pausing_makes_no_room_on_a_node_that_is_booked_soon() {
    let mut c = nodes(2).obedient().build();
    let weak = |name| {
        let job = gang(1, 8).class("batch").estimate(hours(20), hours(24));
        job.rung(Rung::Requeue, seconds(20), seconds(10)).only_on(node(name))
    };
    let (one, two) = (c.run(weak("n-1")), c.run(weak("n-2")));
    c.book(maintenance(5, 12).node("n-1"));
    c.advance(minutes(11));
    let urgent = gang(1, 8).class("express").estimate(minutes(10), minutes(12)).limit(hours(4));
    let urgent = c.submit(urgent);
    assert_eq!(c.word(one), "running");
    assert_ne!(c.word(two), "running");
    assert_eq!(c.nodes_of(urgent), ["n-2"]);
}
