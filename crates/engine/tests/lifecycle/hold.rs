//! Hold and release: a held job does not start, at whatever point of its life it was held.

use super::support::{again, changes_nothing, launches, nodes, pair, wide};
use crate::support::*;

#[test]
fn a_job_submitted_with_a_hold_waits_until_it_is_released() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 8).hold());
    assert_eq!((c.word(job), c.codes(job)), ("waiting", vec!["held"]));
    c.advance(days(1));
    assert_eq!(c.word(job), "waiting");
    let released = c.release(job);
    assert_eq!(launches(&c, &released, job), ["n-1"]);
}

#[test]
fn a_held_job_lets_others_pass() {
    let mut c = nodes(1);
    let held = c.submit(gang(1, 8).hold());
    let other = c.submit(gang(1, 8));
    assert_eq!((c.word(held), c.word(other)), ("waiting", "launching"));
}

#[test]
fn a_queued_job_that_is_held_leaves_the_queue_and_comes_back_at_its_release() {
    let mut c = nodes(1);
    let running = c.run(gang(1, 8));
    let first = c.submit(gang(1, 8));
    let second = c.submit(gang(1, 8));
    c.hold(first);
    assert_eq!((c.word(first), c.engine.queued()), ("waiting", 1));
    c.finish(running);
    assert_eq!(c.word(second), "launching");
    c.release(first);
    assert_eq!(c.word(first), "queued");
}

#[test]
fn a_release_counts_as_becoming_ready() {
    let mut c = nodes(1);
    c.run(gang(1, 8));
    let job = c.submit(gang(1, 8));
    c.advance(hours(2));
    c.hold(job);
    c.advance(hours(1));
    c.release(job);
    assert_eq!(c.record(job).ready_since, Time(3 * 3_600_000));
}

#[test]
fn a_hold_does_not_touch_what_launches_or_runs() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 8));
    assert_eq!(c.hold(job), []);
    c.confirm(job);
    assert_eq!(c.word(job), "running");
    assert_eq!(c.hold(job), []);
    c.finish(job);
    assert_eq!(c.word(job), "completed");
}

#[test]
fn a_job_held_while_it_runs_does_not_start_again_before_its_release() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8));
    c.hold(job);
    c.requeue(job);
    c.stopped(job);
    assert_eq!((c.word(job), c.codes(job)), ("waiting", vec!["held"]));
    c.release(job);
    assert_eq!((c.word(job), c.attempt(job).0), ("launching", 2));
}

#[test]
fn a_job_released_while_it_stops_starts_again_when_it_has_stopped() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8));
    c.hold(job);
    c.requeue(job);
    assert_eq!(c.release(job), []);
    c.stopped(job);
    assert_eq!((c.word(job), c.attempt(job).0), ("launching", 2));
}

#[test]
fn a_hold_while_a_gang_stops_keeps_it_back_afterwards() {
    let mut c = pair();
    let job = c.run(wide(2));
    c.requeue(job);
    c.hold(job);
    c.stopped(job);
    assert_eq!(c.word(job), "waiting");
}

#[test]
fn a_held_job_lost_with_its_node_waits_for_its_release() {
    let mut c = pair();
    let job = c.run(gang(1, 8));
    c.hold(job);
    c.lose("n-1", minutes(1));
    c.advance(minutes(1));
    assert_eq!(c.codes(job), ["held"]);
    c.release(job);
    assert_eq!(c.nodes_of(job), ["n-2"]);
}

#[test]
fn holding_twice_is_released_once() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 8).hold());
    changes_nothing(&mut c, &Command::Hold { job });
    c.release(job);
    assert_eq!(c.word(job), "launching");
    changes_nothing(&mut c, &Command::Release { job });
}

#[test]
fn a_release_does_not_cut_other_waits_short() {
    let mut c = nodes(1);
    let other = c.run(gang(1, 1));
    let begins = c.submit(gang(1, 1).hold().begin(Time(60_000)));
    let depends = c.submit(gang(1, 1).hold().after(other, DependencyKind::AfterOk));
    c.release(begins);
    c.release(depends);
    assert_eq!((c.codes(begins), c.codes(depends)), (vec!["begin-time"], vec!["dependency"]));
}

#[test]
fn a_begin_time_that_passes_under_a_hold_is_past_at_the_release() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 1).hold().begin(Time(60_000)));
    c.advance(minutes(2));
    assert_eq!(c.codes(job), ["held"]);
    c.release(job);
    assert_eq!(c.word(job), "launching");
}

#[test]
fn a_pause_that_passes_under_a_hold_is_past_at_the_release() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 1).requeue(again(true, true, 3)));
    c.end(job, Exit::Code(1));
    c.hold(job);
    c.advance(minutes(1));
    assert_eq!(c.codes(job), ["held"]);
    c.release(job);
    assert_eq!((c.word(job), c.attempt(job).0), ("launching", 2));
}

#[test]
fn a_held_job_can_be_cancelled() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 1).hold());
    c.cancel(job);
    assert_eq!(c.word(job), "cancelled");
}
