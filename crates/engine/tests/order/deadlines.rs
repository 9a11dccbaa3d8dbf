//! Deadlines: urgency grows as the slack shrinks, by timers and not by luck.

use crate::support::*;

fn taken() -> World {
    let mut c = cluster().nodes("n", 1, "H100x8").build();
    c.run(gang(1, 8));
    c.forget_starts();
    c
}

fn at(span: Millis) -> Time {
    Time(span.0)
}

fn whole(estimate: Millis) -> JobSpec {
    gang(1, 8).estimate(estimate, estimate)
}

#[test]
fn a_deadline_far_away_moves_nothing() {
    let mut c = taken();
    let short = c.submit(whole(minutes(50)));
    let long = c.submit(whole(minutes(60)).deadline(at(days(20))));
    assert_eq!(c.run_dry(), [short, long]);
}

#[test]
fn a_deadline_that_is_near_moves_a_job_ahead() {
    let mut c = taken();
    let short = c.submit(whole(minutes(50)));
    let long = c.submit(whole(minutes(60)).deadline(at(minutes(70))));
    assert_eq!(c.run_dry(), [long, short]);
}

#[test]
fn urgency_grows_while_a_job_waits() {
    let mut c = taken();
    let long = c.submit(whole(hours(2)).deadline(at(hours(10))));
    let short = c.submit(whole(hours(1)));
    assert!(c.record(long).key > c.record(short).key, "eight hours of slack are plenty");
    c.advance(hours(7));
    assert!(c.record(long).key < c.record(short).key, "one hour of slack for two hours of work");
    assert_eq!(c.run_dry(), [long, short]);
}

#[test]
fn urgency_is_looked_at_whenever_half_the_slack_is_gone() {
    let mut c = taken();
    let job = c.submit(whole(hours(2)).deadline(at(hours(10))));
    let mut keys = vec![c.record(job).key];
    for look in [4, 6, 7] {
        assert_eq!(c.record(job).urgency_at, Some(at(hours(look))));
        assert_eq!(c.engine.next_wake(), Some(at(hours(look))));
        c.advance_to(at(hours(look)));
        keys.push(c.record(job).key);
    }
    assert!(keys.windows(2).all(|pair| pair[1] < pair[0]), "{keys:?}");
}

#[test]
fn urgency_counts_for_six_doublings_at_most() {
    let mut c = taken();
    let late = c.submit(whole(hours(32)).deadline(at(hours(1))));
    let sooner = c.submit(whole(minutes(29)));
    let later = c.submit(whole(minutes(31)));
    assert_eq!(c.run_dry(), [sooner, late, later], "32 hours are 64 half hours");
}

#[test]
fn a_deadline_that_has_passed_stops_growing() {
    let mut c = taken();
    let job = c.submit(whole(hours(1)).deadline(at(hours(2))));
    c.advance(hours(3));
    let key = c.record(job).key;
    assert_eq!(c.record(job).urgency_at, None);
    c.advance(hours(3));
    assert_eq!(c.record(job).key, key);
}

#[test]
fn urgency_ends_with_the_job() {
    let mut c = taken();
    let job = c.submit(whole(hours(1)).deadline(at(hours(9))));
    c.cancel(job);
    let next = c.engine.next_wake();
    assert!(next.is_none_or(|at| at >= Time(days(1).0)), "{next:?}");
    c.advance(hours(10));
    assert_eq!(c.word(job), "cancelled");
}

#[test]
fn a_new_estimate_changes_the_urgency() {
    let mut c = taken();
    let job = c.submit(whole(hours(1)).deadline(at(hours(10))));
    assert_eq!(c.record(job).urgency_at, Some(Time(minutes(270).0)));
    c.estimated(job, hours(8), hours(8));
    assert_eq!(c.record(job).urgency_at, Some(at(hours(1))));
}

#[test]
fn baselines_do_not_look_at_deadlines() {
    for order in [Order::Fifo, Order::Sjf, Order::Fair, Order::Srtf, Order::Las] {
        let mut c = cluster().nodes("n", 1, "H100x8").policy(|policy| policy.order = order).build();
        c.run(gang(1, 8));
        c.forget_starts();
        let calm = c.submit(whole(minutes(59)));
        let urgent = c.submit(whole(minutes(60)).deadline(at(minutes(61))));
        assert_eq!(c.run_dry(), [calm, urgent], "{order:?}");
    }
}
