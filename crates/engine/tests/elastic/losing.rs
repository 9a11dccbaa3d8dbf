//! Nodes that drop out and jobs that stop while a size changes.

use super::words::*;
use crate::support::*;

/// A job on `r1-1` that is growing onto `r1-2` as a whole.
fn growing() -> (World, JobId) {
    let mut c = racks("r1: 8 0").build();
    let a = c.submit(wide(1, 2, 8).requeue(muster_model::Requeue::default()));
    c.finish(JobId(1));
    c.confirm(a);
    assert_eq!(c.layout(a), "r1-1:1 r1-2:1");
    (c, a)
}

/// A job on `r1-1` that is leaving `r1-2` for another.
fn shrinking() -> (World, JobId, JobId) {
    let (mut c, a) = growing();
    c.resized(a);
    let b = c.submit(gang(1, 8));
    assert_eq!(c.resize_of(a).map(|resize| resize.to), Some(1));
    (c, a, b)
}

#[test]
fn a_node_lost_before_it_confirmed_costs_only_the_growth() {
    let (mut c, a) = growing();
    c.lose("r1-2", minutes(1));
    assert_eq!(c.layout(a), "r1-1:1 r1-2:1", "its lease runs");
    c.advance(minutes(1));
    assert_eq!((c.word(a), c.layout(a)), ("running", "r1-1:1".to_owned()));
    assert_eq!((c.resize_of(a), c.used("default")), (None, 8));
    c.finish(a);
    assert_eq!(c.word(a), "completed");
}

#[test]
fn a_node_lost_after_it_confirmed_costs_the_attempt() {
    let (mut c, a) = growing();
    c.resized(a);
    c.lose("r1-2", minutes(1));
    c.advance(minutes(1));
    assert_eq!(c.word(a), "stopping");
    c.stopped(a);
    assert_eq!((c.word(a), c.size(a)), ("launching", 1));
}

#[test]
fn a_node_lost_that_has_tasks_of_before_costs_the_attempt() {
    let (mut c, a) = growing();
    c.lose("r1-1", minutes(1));
    c.advance(minutes(1));
    assert_eq!(c.word(a), "stopping");
    assert_eq!(c.size(a), 2, "all is held until the rest has ended");
    c.stopped(a);
    assert_eq!((c.free_on("r1-2"), c.layout(a)), (0, "r1-2:1".to_owned()));
}

#[test]
fn a_node_lost_while_tasks_leave_it_has_none_left() {
    let (mut c, a, b) = shrinking();
    c.lose("r1-2", minutes(1));
    c.advance(minutes(1));
    assert_eq!((c.word(a), c.layout(a)), ("running", "r1-1:1".to_owned()));
    assert_eq!(c.word(b), "queued", "the node it was to have is gone");
    assert!(c.snapshot().plans.is_empty());
    c.find_again("r1-2", &[]);
    assert_eq!(c.word(b), "launching");
}

#[test]
fn a_node_lost_before_it_was_asked_to_let_go_of_what_ran_costs_the_attempt() {
    let mut c = racks("r1: 8 0 0").build();
    let a = c.submit(wide(1, 3, 8));
    c.finish(JobId(1));
    c.finish(JobId(2));
    c.confirm(a);
    c.resized_on(a, "r1-2");
    c.lose("r1-2", minutes(6));
    // The growth times out and the lease ends, and one late step learns of both.
    c.now = c.now() + minutes(6);
    c.step(Command::Tick);
    c.settle();
    assert_eq!(c.word(a), "stopping", "its tasks there ran as part of it");
    c.stopped(a);
    assert_eq!(c.word(a), "launching");
}

#[test]
fn a_node_that_comes_back_is_asked_again() {
    let (mut c, a) = growing();
    c.lose("r1-2", minutes(3));
    let actions = c.find_again("r1-2", &[]);
    assert_eq!(asked(&actions, a), [(c.node("r1-2"), 1)], "the order may have been lost");
    assert_eq!(c.resizes(a), 1);
    c.resized(a);
    assert_eq!(c.layout(a), "r1-1:1 r1-2:1");
}

#[test]
fn a_node_that_comes_back_running_what_it_was_to_launch_is_asked_for_its_word() {
    let (mut c, a) = growing();
    c.lose("r1-2", minutes(3));
    let actions = c.find_again("r1-2", &[a]);
    assert_eq!(asked(&actions, a), [(c.node("r1-2"), 1)]);
    assert!(c.resize_of(a).is_some(), "that it runs says nothing of how many tasks");
    c.resized(a);
    assert_eq!(c.resize_of(a), None);
}

#[test]
fn a_node_that_comes_back_without_what_was_to_leave_has_let_it_go() {
    let (mut c, a, b) = shrinking();
    c.lose("r1-2", minutes(3));
    c.find_again("r1-2", &[]);
    assert_eq!((c.layout(a), c.word(b)), ("r1-1:1".to_owned(), "launching"));
}

#[test]
fn a_node_that_comes_back_with_what_was_to_leave_is_asked_again() {
    let (mut c, a, b) = shrinking();
    c.lose("r1-2", minutes(3));
    let actions = c.find_again("r1-2", &[a]);
    assert_eq!(asked(&actions, a), [(c.node("r1-2"), 0)]);
    assert_eq!(c.word(b), "queued");
    c.resized(a);
    assert_eq!(c.word(b), "launching");
}

#[test]
fn what_is_cancelled_while_it_grows_is_stopped_everywhere() {
    let (mut c, a) = growing();
    let actions = c.cancel(a);
    let stops = actions.iter().filter(|action| matches!(action, Action::Stop { .. })).count();
    assert_eq!((stops, c.resize_of(a)), (2, None));
    assert_eq!(c.resized_as(a, "r1-2", 1), [], "too late to matter");
    c.stopped(a);
    assert_eq!((c.word(a), c.free_total()), ("cancelled", 16));
}

#[test]
fn what_is_cancelled_while_it_shrinks_holds_all_until_it_has_ended() {
    let (mut c, a, b) = shrinking();
    c.cancel(a);
    c.end_on(a, "r1-2", Exit::Stopped);
    assert_eq!((c.free_total(), c.word(b)), (0, "queued"));
    c.end_on(a, "r1-1", Exit::Stopped);
    assert_eq!((c.word(a), c.word(b)), ("cancelled", "launching"));
}

#[test]
fn a_limit_ends_a_job_whatever_its_size_is_doing() {
    let mut c = racks("r1: 8 0").build();
    let a = c.submit(wide(1, 2, 8).limit(hours(1)));
    c.finish(JobId(1));
    c.confirm(a);
    c.resized(a);
    let b = c.submit(gang(1, 8));
    c.advance(hours(1));
    assert_eq!(c.word(a), "stopping");
    c.stopped(a);
    assert_eq!((c.word(a), c.word(b)), ("timed-out", "launching"));
}

#[test]
fn a_job_that_ends_while_it_grows_is_over_when_all_its_nodes_say_so() {
    let (mut c, a) = growing();
    c.end_on(a, "r1-1", Exit::Code(0));
    assert_eq!(c.word(a), "running", "the other node may be computing");
    c.end_on(a, "r1-2", Exit::Code(0));
    assert_eq!((c.word(a), c.free_total()), ("completed", 16));
}

#[test]
fn a_job_whose_rest_has_ended_is_over_when_the_node_it_grew_onto_is_lost() {
    let (mut c, a) = growing();
    c.end_on(a, "r1-1", Exit::Code(0));
    c.lose("r1-2", minutes(1));
    c.advance(minutes(1));
    assert_eq!((c.word(a), c.used("default")), ("completed", 0));
}

#[test]
fn a_node_that_has_ended_by_itself_is_asked_for_nothing_more() {
    let mut c = racks("r1: 8 0 0").build();
    let a = c.submit(wide(1, 3, 8));
    c.finish(JobId(1));
    c.finish(JobId(2));
    c.confirm(a);
    c.end_on(a, "r1-1", Exit::Code(0));
    c.end_on(a, "r1-3", Exit::Code(0));
    c.lose("r1-2", minutes(1));
    let actions = c.advance(minutes(1));
    assert_eq!((asked(&actions, a), c.word(a)), (vec![], "completed"));
}

#[test]
fn a_job_that_fails_while_it_grows_fails_as_a_whole() {
    let (mut c, a) = growing();
    c.end_on(a, "r1-2", Exit::Code(3));
    assert_eq!(c.word(a), "stopping");
    c.stopped(a);
    assert_eq!((c.word(a), c.free_total()), ("failed", 16));
}

#[test]
fn a_job_of_which_a_part_has_ended_is_not_resized_any_more() {
    let mut c = racks("r1: 8 8 0").build();
    let a = c.run(wide(2, 3, 8));
    c.end_on(a, "r1-1", Exit::Code(0));
    c.finish(JobId(1));
    assert_eq!(c.size(a), 2);
}

#[test]
fn a_drained_node_keeps_what_it_was_asked_to_add() {
    let (mut c, a) = growing();
    c.drain("r1-2");
    c.resized(a);
    assert_eq!(c.layout(a), "r1-1:1 r1-2:1");
}

#[test]
fn a_warning_goes_to_every_node_it_has_grown_onto() {
    let mut c = racks("r1: 8 0").build();
    let a = c.submit(wide(1, 2, 8).limit(hours(1)).warning(10, minutes(5)));
    c.finish(JobId(1));
    c.confirm(a);
    c.resized(a);
    let actions = c.advance(minutes(55));
    let signals = actions.iter().filter(|action| matches!(action, Action::Signal { .. })).count();
    assert_eq!(signals, 2);
}

#[test]
fn a_node_that_had_not_confirmed_is_lost_with_the_attempt_if_another_goes_too() {
    let mut c = racks("r1: 8 8 0").build();
    let a = c.submit(wide(2, 3, 8).requeue(muster_model::Requeue::default()));
    c.finish(JobId(1));
    c.confirm(a);
    assert_eq!(c.layout(a), "r1-1:1 r1-2:1 r1-3:1", "it grows onto the last");
    c.lose_together(&["r1-2", "r1-3"], minutes(1));
    c.advance(minutes(1));
    assert_eq!((c.word(a), c.layout(a).as_str()), ("stopping", "r1-1:1 r1-2:1 r1-3:1"));
    c.stopped(a);
    assert_eq!((c.word(a), c.free_on("r1-1")), ("queued", 8));
}
