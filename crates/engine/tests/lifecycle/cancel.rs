//! Cancel at any point of a job's life.

use super::support::{
    Happen, Make, again, changes_nothing, launches, moves, nodes, pair, stops, wide,
};
use crate::support::*;

const CANCELLED: JobState = JobState::Ended(Outcome::Cancelled);

#[test]
fn a_job_that_holds_nothing_is_over_at_once() {
    let ways: [(&str, Make); 6] = [
        ("held", |c| c.submit(gang(1, 8).hold())),
        ("queued", |c| {
            c.run(gang(1, 8));
            c.submit(gang(1, 8))
        }),
        ("before its begin", |c| c.submit(gang(1, 8).begin(Time(1000)))),
        ("dependent", |c| {
            let other = c.run(gang(1, 1));
            c.submit(gang(1, 1).after(other, DependencyKind::AfterOk))
        }),
        ("throttled", |c| {
            let array = c.submit(gang(1, 1).array([0, 1]).throttle(1));
            JobId(array.0 + 2)
        }),
        ("pausing", |c| {
            let job = c.run(gang(1, 8).requeue(again(true, true, 3)));
            c.end(job, Exit::Code(1));
            job
        }),
    ];
    for (what, make) in ways {
        let mut c = nodes(1);
        let job = make(&mut c);
        let actions = c.cancel(job);
        assert_eq!(moves(&actions, job), [CANCELLED], "{what}");
        assert_eq!(stops(&c, &actions), [], "{what}");
        c.advance(hours(2));
        assert_eq!(c.word(job), "cancelled", "{what}");
    }
}

#[test]
fn a_job_that_is_placed_is_over_when_its_nodes_have_ended_it() {
    for confirmed in [false, true] {
        let mut c = pair();
        let job = c.submit(wide(2));
        if confirmed {
            c.confirm(job);
        }
        let actions = c.cancel(job);
        assert_eq!(moves(&actions, job), [JobState::Stopping]);
        assert_eq!(stops(&c, &actions).len(), 2);
        let ended = c.stopped(job);
        assert_eq!(moves(&ended, job), [CANCELLED]);
    }
}

#[test]
fn cancelling_twice_is_the_same_as_once() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8));
    c.cancel(job);
    changes_nothing(&mut c, &Command::Cancel { job });
    c.stopped(job);
    assert_eq!(c.word(job), "cancelled");
}

#[test]
fn a_job_that_would_have_started_again_does_not_once_it_is_cancelled() {
    let ways: [(&str, Happen); 4] = [
        ("after a requeue", |c, job| drop(c.requeue(job))),
        ("after a failure", |c, job| drop(c.end_on(job, "n-1", Exit::Code(1)))),
        ("after a loss", |c, job| {
            c.lose("n-1", minutes(1));
            c.advance(minutes(1));
            assert_eq!(c.word(job), "stopping");
        }),
        ("after an end nobody asked for", |c, job| drop(c.end_on(job, "n-1", Exit::Stopped))),
    ];
    for (what, stop) in ways {
        let mut c = nodes(4);
        let job = c.run(wide(2).requeue(again(true, true, 9)));
        stop(&mut c, job);
        assert_eq!(c.cancel(job), [], "{what}: it is stopping already");
        c.stopped(job);
        assert_eq!((c.word(job), c.attempt(job).0), ("cancelled", 1), "{what}");
    }
}

#[test]
fn a_cancel_does_not_change_how_a_job_that_is_on_its_way_out_ends() {
    let mut c = pair();
    let timed_out = c.run(gang(1, 8).limit(minutes(1)));
    let failed = c.run(gang(2, 4));
    c.advance(minutes(1));
    c.cancel(timed_out);
    c.stopped(timed_out);
    assert_eq!(c.word(timed_out), "timed-out");
    assert_eq!(c.word(failed), "running");
}

#[test]
fn a_gang_that_has_failed_is_not_cancelled_afterwards() {
    let mut c = pair();
    let job = c.run(wide(2));
    c.end_on(job, "n-1", Exit::Code(3));
    c.cancel(job);
    c.stopped(job);
    assert_eq!(c.state(job), JobState::Ended(Outcome::Failed(Exit::Code(3))));
}

#[test]
fn a_task_that_ends_well_after_a_cancel_was_cancelled_all_the_same() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8));
    c.cancel(job);
    c.end(job, Exit::Code(0));
    assert_eq!(c.word(job), "cancelled");
}

#[test]
fn only_nodes_that_still_run_a_cancelled_gang_are_told() {
    let mut c = pair();
    let job = c.run(wide(2));
    c.end_on(job, "n-1", Exit::Code(0));
    let actions = c.cancel(job);
    assert_eq!(stops(&c, &actions), [("n-2".to_owned(), job, 1)]);
}

#[test]
fn a_cancelled_job_gives_its_room_away_in_the_step_that_ends_it() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8));
    let next = c.submit(gang(1, 8));
    c.cancel(job);
    assert_eq!(c.word(next), "queued");
    let ended = c.stopped(job);
    assert_eq!(launches(&c, &ended, next), ["n-1"]);
}

#[test]
fn a_cancelled_job_gives_its_quota_back() {
    let mut c = cluster().queue(queue("default").limit(quota(8))).nodes("n", 2, "H100x8").build();
    let job = c.run(gang(1, 8));
    let next = c.submit(gang(1, 8));
    assert_eq!(c.codes(next), ["queue-limit"]);
    c.cancel(job);
    c.stopped(job);
    assert_eq!(c.word(next), "launching");
}

#[test]
fn a_cancelled_job_is_explained_as_what_it_is() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 8).hold());
    c.cancel(job);
    let why = c.why(job);
    assert_eq!((why.state, why.reasons, why.alternatives), (CANCELLED, vec![], vec![]));
}
