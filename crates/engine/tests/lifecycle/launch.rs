//! Two-phase launch: a gang runs when every node has confirmed, holds everything from the start,
//! and gives everything back when every node has ended its part.

use super::support::{launches, moves, pair, stops, wide};
use crate::support::*;

#[test]
fn a_gang_runs_only_when_every_node_has_confirmed() {
    let mut c = pair();
    let job = c.submit(wide(2));
    assert_eq!(c.word(job), "launching");
    let first = c.confirm_on(job, "n-1");
    assert_eq!((c.word(job), first), ("launching", vec![]));
    let second = c.confirm_on(job, "n-2");
    assert_eq!(moves(&second, job), [JobState::Running]);
}

#[test]
fn the_order_of_confirmations_does_not_matter() {
    let orders = [["n-1", "n-2", "n-3"], ["n-3", "n-1", "n-2"], ["n-2", "n-3", "n-1"]];
    for order in orders {
        let mut c = super::support::nodes(3);
        let job = c.submit(wide(3));
        for (index, node) in order.into_iter().enumerate() {
            c.confirm_on(job, node);
            let expected = if index == 2 { "running" } else { "launching" };
            assert_eq!(c.word(job), expected, "{order:?}, after {node}");
        }
    }
}

#[test]
fn every_node_of_a_gang_is_asked_once_with_its_own_tasks() {
    let mut c = pair();
    let actions = c.tell(Command::Submit { spec: gang(4, 4).into() });
    let job = JobId(1);
    assert_eq!(launches(&c, &actions, job), ["n-1", "n-2"]);
    let ranks: Vec<Vec<u32>> = actions
        .iter()
        .filter_map(|action| match action {
            Action::Launch { tasks, .. } => Some(tasks.iter().map(|task| task.rank).collect()),
            _ => None,
        })
        .collect();
    assert_eq!(ranks, [[0, 1], [2, 3]]);
    assert_eq!(moves(&actions, job), [JobState::Queued, JobState::Launching]);
}

#[test]
fn a_launching_gang_holds_its_gpus() {
    let mut c = pair();
    c.submit(wide(2));
    let next = c.submit(gang(1, 1));
    assert_eq!(c.free(), "n-1:0 n-2:0");
    assert_eq!(c.codes(next), ["gpus"]);
}

#[test]
fn limits_are_charged_while_launching() {
    let limited = queue("default").limit(quota(8)).user_limit(quota(6));
    let mut c = cluster().queue(limited).nodes("n", 2, "H100x8").build();
    c.submit(gang(1, 4));
    let same_user = c.submit(gang(1, 4));
    let other_user = c.submit(gang(1, 5).user("user-b"));
    assert_eq!(c.codes(same_user), ["user-limit"]);
    assert_eq!(c.codes(other_user), ["queue-limit"]);
}

#[test]
fn a_task_that_ends_before_the_others_confirmed_does_not_end_the_gang() {
    let mut c = pair();
    let job = c.submit(wide(2));
    c.end_on(job, "n-1", Exit::Code(0));
    assert_eq!(c.word(job), "launching");
    let confirmed = c.confirm_on(job, "n-2");
    assert_eq!(moves(&confirmed, job), [JobState::Running]);
    c.end_on(job, "n-2", Exit::Code(0));
    assert_eq!(c.word(job), "completed");
}

#[test]
fn a_gang_whose_parts_all_end_unconfirmed_ran_all_the_same() {
    let mut c = pair();
    let job = c.submit(wide(2));
    c.end_on(job, "n-1", Exit::Code(0));
    let last = c.end_on(job, "n-2", Exit::Code(0));
    let completed = JobState::Ended(Outcome::Completed);
    assert_eq!(moves(&last, job), [JobState::Running, completed]);
}

#[test]
fn a_task_that_fails_before_the_others_confirmed_stops_them() {
    let mut c = pair();
    let job = c.submit(wide(2));
    let failed = c.end_on(job, "n-2", Exit::Signal(11));
    assert_eq!(stops(&c, &failed), [("n-1".to_owned(), job, 1)]);
    assert_eq!(c.word(job), "stopping");
    c.stopped(job);
    assert_eq!(c.state(job), JobState::Ended(Outcome::Failed(Exit::Signal(11))));
}

#[test]
fn capacity_is_held_until_every_node_has_confirmed_the_end() {
    let mut c = pair();
    let job = c.run(wide(2));
    let next = c.submit(gang(1, 8));
    c.end_on(job, "n-1", Exit::Code(0));
    assert_eq!((c.word(job), c.word(next)), ("running", "queued"));
    assert_eq!(c.free(), "n-1:0 n-2:0");
    let last = c.end_on(job, "n-2", Exit::Code(0));
    assert_eq!(c.word(job), "completed");
    assert_eq!(launches(&c, &last, next).len(), 1, "the step that frees also starts");
}

#[test]
fn the_first_failure_of_a_gang_is_its_outcome() {
    let exits = [
        ([Exit::Code(0), Exit::Code(3)], Outcome::Failed(Exit::Code(3))),
        ([Exit::Code(2), Exit::Code(3)], Outcome::Failed(Exit::Code(2))),
        ([Exit::OutOfMemory, Exit::Stopped], Outcome::Failed(Exit::OutOfMemory)),
        ([Exit::Code(0), Exit::Code(0)], Outcome::Completed),
    ];
    for ([one, other], outcome) in exits {
        let mut c = pair();
        let job = c.run(wide(2));
        c.end_on(job, "n-1", one);
        c.end_on(job, "n-2", other);
        assert_eq!(c.state(job), JobState::Ended(outcome), "{one:?} and {other:?}");
    }
}

#[test]
fn an_attempt_that_ends_unasked_by_a_stop_was_taken_away_and_starts_again() {
    let mut c = pair();
    let job = c.run(gang(1, 8));
    let taken = c.end(job, Exit::Stopped);
    assert_eq!(c.word(job), "launching");
    assert_eq!((c.attempt(job).0, c.record(job).requeues), (2, 1));
    assert_eq!(launches(&c, &taken, job).len(), 1);
}

#[test]
fn a_cancel_during_launching_stops_every_node_and_waits_for_each() {
    let mut c = pair();
    let job = c.submit(wide(2));
    c.confirm_on(job, "n-1");
    let cancelled = c.cancel(job);
    let both = [("n-1".to_owned(), job, 1), ("n-2".to_owned(), job, 1)];
    assert_eq!(stops(&c, &cancelled), both);
    c.end_on(job, "n-1", Exit::Stopped);
    assert_eq!((c.word(job), c.free()), ("stopping", "n-1:0 n-2:0".to_owned()));
    c.end_on(job, "n-2", Exit::Stopped);
    assert_eq!((c.word(job), c.free()), ("cancelled", "n-1:8 n-2:8".to_owned()));
}

#[test]
fn a_node_that_refuses_what_is_being_stopped_has_ended_it() {
    let mut c = pair();
    let job = c.submit(wide(2));
    c.cancel(job);
    c.end_on(job, "n-1", Exit::Stopped);
    c.refuse(job, "n-2");
    assert_eq!(c.word(job), "cancelled");
}

#[test]
fn a_confirmation_that_crosses_a_stop_changes_nothing_but_what_is_known() {
    let mut c = pair();
    let job = c.submit(wide(2));
    c.cancel(job);
    let crossed = c.confirm(job);
    assert_eq!((crossed, c.word(job)), (vec![], "stopping"));
    c.stopped(job);
    assert_eq!(c.word(job), "cancelled");
}
