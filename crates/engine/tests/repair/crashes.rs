//! Crash loops: attempts that fail soon after they start pause for longer and longer and get no
//! repair; an attempt that runs well makes up for them.

use muster_model::Requeue;

use super::support::{lose_now, restart};
use crate::support::*;

fn stubborn() -> Requeue {
    Requeue { when_lost: true, when_failed: true, most: 100 }
}

/// Lets a job run for a while and fail, and says how long it pauses then.
fn fail_after(c: &mut World, job: JobId, ran: Millis) -> Millis {
    if c.word(job) == "waiting" {
        c.advance_to(c.record(job).not_before);
    }
    c.confirm(job);
    c.advance(ran);
    c.end(job, Exit::Code(1));
    assert_eq!(c.word(job), "waiting");
    c.record(job).not_before.since(c.now())
}

#[test]
fn each_crash_in_a_row_pauses_twice_as_long() {
    let mut c = cluster().nodes("n", 1, "H100x8").build();
    let job = c.submit(gang(1, 8).requeue(stubborn()));
    for (crashes, pause) in [(1, 10), (2, 20), (3, 40), (4, 80)] {
        assert_eq!(fail_after(&mut c, job, seconds(59)), seconds(pause));
        assert_eq!(c.record(job).crashes, crashes);
    }
}

#[test]
fn an_attempt_that_ran_for_a_minute_begins_anew() {
    let mut c = cluster().nodes("n", 1, "H100x8").build();
    let job = c.submit(gang(1, 8).requeue(stubborn()));
    for _ in 0..4 {
        fail_after(&mut c, job, seconds(1));
    }
    assert_eq!(fail_after(&mut c, job, seconds(60)), seconds(10));
    assert_eq!(c.record(job).crashes, 0);
    assert_eq!(fail_after(&mut c, job, seconds(5)), seconds(10));
    assert_eq!(c.record(job).crashes, 1);
}

#[test]
fn what_counts_as_soon_is_a_matter_of_policy() {
    let mut c = cluster()
        .nodes("n", 1, "H100x8")
        .policy(|policy| policy.failures.crash_within = hours(1))
        .build();
    let job = c.submit(gang(1, 8).requeue(stubborn()));
    fail_after(&mut c, job, minutes(59));
    assert_eq!(fail_after(&mut c, job, minutes(59)), seconds(20));
}

#[test]
fn failing_while_it_is_launched_is_a_crash() {
    let mut c = cluster().nodes("n", 2, "H100x8").build();
    let job = c.submit(gang(2, 8).requeue(stubborn()));
    c.advance(minutes(2));
    c.end_on(job, "n-1", Exit::Code(1));
    assert_eq!(c.record(job).crashes, 1, "it never ran");
}

/// A gang that crashed so many times, ran for a while and loses a node; whether it is repaired.
fn is_repaired(crashes: u32, ran: Millis) -> bool {
    let mut c = cluster().nodes("n", 3, "H100x8").build();
    let job = c.submit(gang(2, 8).class("batch").requeue(stubborn()));
    for _ in 0..crashes {
        c.confirm(job);
        c.end_on(job, "n-1", Exit::Code(1));
        c.stopped(job);
        c.advance_to(c.record(job).not_before);
    }
    let rival = c.submit(gang(2, 8).class("inference"));
    c.confirm(job);
    c.advance(ran);
    lose_now(&mut c, "n-1");
    restart(&mut c);
    c.stopped(job);
    let words = (c.word(job), c.word(rival));
    assert!(matches!(words, ("launching", "queued") | ("queued", "launching")), "{words:?}");
    words.0 == "launching"
}

#[test]
fn a_job_that_crashes_again_and_again_gets_no_repair() {
    assert!(is_repaired(0, seconds(5)));
    assert!(is_repaired(1, seconds(5)), "once is no loop");
    assert!(!is_repaired(2, seconds(5)));
    assert!(!is_repaired(5, seconds(59)));
}

#[test]
fn a_job_that_has_run_well_loses_the_mark() {
    assert!(is_repaired(2, seconds(60)));
    assert!(is_repaired(5, hours(1)));
}

#[test]
fn stopping_for_long_is_not_running_well() {
    let mut c = cluster().nodes("n", 2, "H100x8").build();
    let job = c.submit(gang(2, 8).requeue(stubborn()));
    c.confirm(job);
    c.end_on(job, "n-1", Exit::Code(1));
    c.advance(minutes(10));
    c.stopped(job);
    assert_eq!(c.record(job).crashes, 1, "the other node took its time to end it");
}

#[test]
fn a_lost_node_is_no_crash() {
    let mut c = cluster().nodes("n", 3, "H100x8").build();
    let job = c.run(gang(1, 8).requeue(stubborn()));
    c.lose("n-1", Millis::ZERO);
    assert_eq!((c.word(job), c.record(job).crashes), ("launching", 0));
}

#[test]
fn being_stopped_by_request_is_no_crash() {
    let mut c = cluster().nodes("n", 1, "H100x8").build();
    let job = c.run(gang(1, 8).requeue(stubborn()));
    c.requeue(job);
    c.stopped(job);
    assert_eq!(c.record(job).crashes, 0);
}

/// Whether a job that crashed so many times takes the place of one that may be paused for it.
fn takes_a_place(crashes: u32) -> bool {
    let mut c = cluster().nodes("n", 1, "H100x8").build();
    let job = c.submit(gang(1, 8).class("inference").requeue(stubborn()));
    for _ in 0..crashes {
        c.confirm(job);
        c.end(job, Exit::Code(1));
        c.advance_to(c.record(job).not_before);
    }
    c.hold(job);
    c.requeue(job);
    c.stopped(job);
    let victim = c.run(gang(1, 8).class("preemptible").estimate(hours(20), hours(40)));
    c.advance(hours(1));
    c.release(job);
    c.advance(minutes(2));
    c.word(victim) != "running"
}

#[test]
fn a_job_that_crashes_again_and_again_takes_nobodys_place() {
    assert!(takes_a_place(0));
    assert!(takes_a_place(1), "once is no loop");
    assert!(!takes_a_place(2));
}
