//! The engine says exactly when it wants to be woken: at the next thing that is due, never later,
//! and never for something that is over.

use super::support::{Make, again, nodes, pair, wide};
use crate::support::*;

fn wake(world: &World) -> Option<Time> {
    world.engine.next_wake()
}

#[test]
fn an_engine_with_nothing_to_wait_for_wants_no_wake() {
    let mut c = nodes(1);
    assert_eq!(wake(&c), None);
    c.submit(gang(1, 8).hold());
    assert_eq!(wake(&c), None, "a held job waits for a person");
}

#[test]
fn a_begin_time_wakes() {
    let mut c = nodes(1);
    c.submit(gang(1, 8).begin(Time(90_000)));
    c.submit(gang(1, 8).begin(Time(60_000)));
    assert_eq!(wake(&c), Some(Time(60_000)));
    c.advance(minutes(1));
    assert_eq!(wake(&c), Some(Time(90_000)));
}

#[test]
fn a_launch_that_has_to_be_confirmed_wakes() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 8).limit(hours(1)));
    assert_eq!(wake(&c), Some(Time(300_000)));
    c.confirm(job);
    assert_eq!(wake(&c), Some(Time(3_600_000)), "then its limit");
}

#[test]
fn a_warning_wakes_before_its_limit() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8).limit(hours(1)).warning(12, minutes(10)));
    assert_eq!(wake(&c), Some(Time(3_000_000)));
    c.advance(minutes(50));
    assert_eq!(wake(&c), Some(Time(3_600_000)));
    c.advance(minutes(10));
    assert_eq!((c.word(job), wake(&c)), ("stopping", None), "its nodes have the word now");
}

#[test]
fn a_lease_wakes_until_its_node_returns() {
    let mut c = nodes(1);
    c.lose("n-1", minutes(10));
    assert_eq!(wake(&c), Some(Time(600_000)));
    c.lose("n-1", minutes(15));
    assert_eq!(wake(&c), Some(Time(900_000)));
    c.find_again("n-1", &[]);
    assert_eq!(wake(&c), None);
}

#[test]
fn a_lease_that_has_ended_wakes_no_more() {
    let mut c = nodes(1);
    c.lose("n-1", minutes(10));
    c.advance(minutes(10));
    assert_eq!(wake(&c), None);
}

#[test]
fn a_resting_node_wakes() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 8));
    c.refuse(job, "n-1");
    assert_eq!(wake(&c), Some(Time(10_000)));
    c.cancel(job);
    c.advance(seconds(10));
    assert_eq!(wake(&c), None);
}

#[test]
fn a_pause_wakes() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8).requeue(again(true, true, 9)));
    c.end(job, Exit::Code(1));
    assert_eq!(wake(&c), Some(Time(10_000)));
}

#[test]
fn a_pause_that_runs_while_a_gang_stops_wakes_only_when_it_matters() {
    let mut c = pair();
    let job = c.run(wide(2).requeue(again(true, true, 9)));
    c.end_on(job, "n-1", Exit::Code(1));
    c.advance(seconds(12));
    assert_eq!((c.word(job), wake(&c)), ("stopping", None));
    c.stopped(job);
    assert_eq!(c.word(job), "launching");
}

#[test]
fn a_job_that_will_have_waited_too_long_wakes() {
    let mut c =
        cluster().nodes("n", 1, "H100x8").policy(|policy| policy.floor.wait = hours(3)).build();
    c.run(gang(1, 8).limit(days(1)));
    c.advance(hours(1));
    c.submit(gang(1, 8));
    assert_eq!(wake(&c), Some(Time(4 * 3_600_000)));
}

#[test]
fn without_a_floor_nobody_wakes_for_those_who_wait() {
    let mut c =
        cluster().nodes("n", 1, "H100x8").policy(|policy| policy.floor.share_ppm = 0).build();
    c.run(gang(1, 8).limit(days(1)));
    c.submit(gang(1, 8));
    assert_eq!(wake(&c), Some(Time(86_400_000)), "only the limit");
}

#[test]
fn a_deadline_that_draws_near_wakes() {
    let mut c = nodes(1);
    c.run(gang(1, 8).limit(days(1)));
    let spec = gang(1, 8).estimate(hours(1), hours(2)).deadline(Time(10 * 3_600_000));
    let job = c.submit(spec);
    assert_eq!(wake(&c), Some(Time(4 * 3_600_000)), "half of its slack of eight hours");
    c.cancel(job);
    assert_eq!(wake(&c), Some(Time(86_400_000)));
}

#[test]
fn a_pass_that_was_cut_short_goes_on_at_once() {
    let mut c = cluster().nodes("n", 1, "H100x8").starts_per_step(2).build();
    let array = c.submit(gang(1, 1).array(0..8).hold());
    c.step(Command::Release { job: array });
    let starts = |c: &World| c.started().len();
    assert_eq!((starts(&c), wake(&c)), (2, Some(Time(0))));
    c.step(Command::Tick);
    assert_eq!((starts(&c), wake(&c)), (4, Some(Time(0))));
    c.settle();
    assert_eq!((starts(&c), wake(&c)), (8, Some(Time(300_000))));
}

#[test]
fn a_job_that_is_over_wakes_nobody() {
    let ways: [(&str, Make); 4] = [
        ("before its begin", |c| c.submit(gang(1, 8).begin(Time(1_000_000)))),
        ("in its pause", |c| {
            let job = c.run(gang(1, 8).requeue(again(true, true, 9)));
            c.end(job, Exit::Code(1));
            job
        }),
        ("held before its begin", |c| c.submit(gang(1, 8).begin(Time(1_000_000)).hold())),
        ("waiting for another before its begin", |c| {
            let other = c.submit(gang(1, 8).hold());
            c.submit(gang(1, 8).begin(Time(1_000_000)).after(other, DependencyKind::AfterOk))
        }),
    ];
    for (what, make) in ways {
        let mut c = nodes(1);
        let job = make(&mut c);
        c.cancel(job);
        assert_eq!((c.word(job), wake(&c)), ("cancelled", None), "{what}");
    }
}

#[test]
fn every_wake_does_something_and_nothing_happens_between_wakes() {
    let mut c = nodes(3);
    c.run(wide(1).limit(hours(1)).warning(10, minutes(5)));
    c.submit(wide(2));
    c.submit(wide(1).begin(Time(500_000)));
    c.lose("n-3", minutes(7));
    let mut wakes = 0;
    while let Some(at) = wake(&c).filter(|at| *at < Time(20 * 3_600_000)) {
        assert!(at > c.now(), "what is due at once is done");
        c.now = Time(at.0 - 1);
        super::support::changes_nothing(&mut c, &Command::Tick);
        c.now = at;
        let before = super::support::timeless(c.snapshot());
        c.tell(Command::Tick);
        assert_ne!(super::support::timeless(c.snapshot()), before, "at {}", at.0);
        wakes += 1;
    }
    assert!(wakes >= 6, "begin, lease, launch, rest, warning, limit: {wakes}");
}
