//! Requeue: on request at any point, after a loss or a failure as often as the job allows.

use super::support::{again, changes_nothing, nodes, pair, restart, stops, wide};
use crate::support::*;

#[test]
fn a_requeued_job_stops_and_starts_again() {
    for confirmed in [false, true] {
        let mut c = pair();
        let job = c.submit(wide(2));
        if confirmed {
            c.confirm(job);
        }
        let asked = c.requeue(job);
        assert_eq!((c.word(job), stops(&c, &asked).len()), ("stopping", 2));
        c.stopped(job);
        assert_eq!((c.word(job), c.attempt(job).0), ("launching", 2));
    }
}

#[test]
fn a_requeue_that_was_asked_for_does_not_count() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8).requeue(again(true, true, 1)));
    for _ in 0..5 {
        c.requeue(job);
        c.stopped(job);
        c.confirm(job);
    }
    assert_eq!((c.record(job).requeues, c.attempt(job).0), (0, 6));
    assert_eq!(c.now(), Time(0), "and nobody pauses");
}

#[test]
fn requeueing_a_job_that_has_no_attempt_changes_nothing() {
    let mut c = nodes(1);
    let held = c.submit(gang(1, 8).hold());
    c.run(gang(1, 8));
    let queued = c.submit(gang(1, 8));
    for job in [held, queued] {
        changes_nothing(&mut c, &Command::Requeue { job });
    }
}

#[test]
fn requeueing_a_job_that_stops_changes_nothing() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8));
    c.requeue(job);
    changes_nothing(&mut c, &Command::Requeue { job });
    c.stopped(job);
    assert_eq!(c.attempt(job).0, 2);
}

#[test]
fn a_requeue_does_not_save_a_job_that_is_on_its_way_out() {
    let mut c = nodes(1);
    let cancelled = c.run(gang(1, 4));
    c.cancel(cancelled);
    changes_nothing(&mut c, &Command::Requeue { job: cancelled });
    c.stopped(cancelled);
    assert_eq!(c.word(cancelled), "cancelled");
    let timed_out = c.run(gang(1, 4).limit(minutes(1)));
    c.advance(minutes(1));
    changes_nothing(&mut c, &Command::Requeue { job: timed_out });
    c.stopped(timed_out);
    assert_eq!(c.word(timed_out), "timed-out");
}

#[test]
fn a_task_that_ends_well_while_a_requeue_stops_it_runs_again_all_the_same() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8));
    c.requeue(job);
    c.end(job, Exit::Code(0));
    assert_eq!((c.word(job), c.attempt(job).0), ("launching", 2));
}

#[test]
fn a_requeued_job_keeps_the_service_it_has_had() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8));
    c.advance(minutes(7));
    c.requeue(job);
    c.stopped(job);
    assert_eq!(c.record(job).served, minutes(7));
    c.advance(minutes(1));
    c.confirm(job);
    c.advance(minutes(2));
    c.finish(job);
    assert_eq!(c.record(job).served, minutes(9), "launching is no service");
}

#[test]
fn a_failed_job_is_over_unless_it_asks_for_another_attempt() {
    let cases = [
        (again(true, false, 16), "failed"),
        (again(false, true, 16), "waiting"),
        (again(true, true, 0), "failed"),
    ];
    for (requeue, expected) in cases {
        let mut c = nodes(1);
        let job = c.run(gang(1, 8).requeue(requeue));
        c.end(job, Exit::Code(1));
        assert_eq!(c.word(job), expected, "{requeue:?}");
    }
}

#[test]
fn a_job_that_keeps_failing_pauses_twice_as_long_each_time_and_then_ends() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8).requeue(again(true, true, 4)));
    for pause in [10, 20, 40, 80] {
        c.end(job, Exit::Code(7));
        assert_eq!(c.word(job), "waiting");
        c.advance(Millis(pause * 1000 - 1));
        assert_eq!(c.word(job), "waiting", "within its pause of {pause} s");
        c.advance(Millis(1));
        assert_eq!(c.word(job), "launching", "after its pause of {pause} s");
    }
    c.end(job, Exit::Code(7));
    assert_eq!(c.state(job), JobState::Ended(Outcome::Failed(Exit::Code(7))));
    assert_eq!((c.attempt(job).0, c.record(job).requeues), (5, 4));
}

#[test]
fn losses_and_failures_count_together() {
    let mut c = nodes(4);
    let job = c.run(gang(1, 8).requeue(again(true, true, 2)));
    c.end(job, Exit::Code(1));
    c.advance(seconds(10));
    c.confirm(job);
    let node = c.nodes_of(job)[0].clone();
    c.lose(&node, minutes(1));
    c.advance(minutes(1));
    c.end(job, Exit::Code(1));
    assert_eq!((c.word(job), c.attempt(job).0), ("failed", 3));
}

#[test]
fn a_lost_attempt_is_followed_without_a_pause() {
    let mut c = nodes(2);
    let job = c.run(gang(1, 8));
    c.lose("n-1", minutes(1));
    c.advance(minutes(1));
    assert_eq!((c.word(job), c.now()), ("launching", Time(60_000)));
}

#[test]
fn a_job_out_of_memory_or_killed_has_failed_by_itself() {
    for exit in [Exit::OutOfMemory, Exit::Signal(9), Exit::Code(-1)] {
        let mut c = nodes(1);
        let job = c.run(gang(1, 8));
        c.end(job, exit);
        assert_eq!(c.state(job), JobState::Ended(Outcome::Failed(exit)));
        assert_eq!(c.record(job).exit, Some(exit));
    }
}

#[test]
fn a_pausing_job_can_be_cancelled_and_requeueing_it_changes_nothing() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8).requeue(again(true, true, 4)));
    c.end(job, Exit::Code(1));
    changes_nothing(&mut c, &Command::Requeue { job });
    c.cancel(job);
    assert_eq!(c.word(job), "cancelled");
    assert_eq!(c.advance(hours(1)), []);
}

#[test]
fn a_pause_survives_a_restart() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8).requeue(again(true, true, 4)));
    c.end(job, Exit::Code(1));
    restart(&mut c);
    c.advance(Millis(9_999));
    assert_eq!(c.word(job), "waiting");
    c.advance(Millis(1));
    assert_eq!(c.word(job), "launching");
}

#[test]
fn a_pause_that_began_while_the_gang_was_still_stopping_survives_a_restart() {
    let mut c = pair();
    let job = c.run(wide(2).requeue(again(true, true, 4)));
    c.end_on(job, "n-1", Exit::Code(1));
    assert_eq!(c.word(job), "stopping");
    restart(&mut c);
    c.stopped(job);
    assert_eq!(c.word(job), "waiting");
    assert_eq!(c.engine.next_wake(), Some(Time(10_000)));
    c.advance(seconds(10));
    assert_eq!(c.word(job), "launching");
}

#[test]
fn a_restart_while_stopping_does_not_forget_what_follows() {
    for (cancelled, expected) in [(true, "cancelled"), (false, "launching")] {
        let mut c = nodes(1);
        let job = c.run(gang(1, 8));
        if cancelled {
            c.cancel(job);
        } else {
            c.requeue(job);
        }
        restart(&mut c);
        c.stopped(job);
        assert_eq!(c.word(job), expected);
    }
}
