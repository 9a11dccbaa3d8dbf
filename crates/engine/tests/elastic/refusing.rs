//! Nodes that cannot add what they are asked: what was added from there on is taken back, the job
//! goes on as it was.

use super::words::*;
use crate::support::*;

/// A job of one four-GPU task that is about to have two on its node and one on each of two others.
fn growing_on_three() -> (World, JobId) {
    let mut c = racks("r1: 8 4 4").build();
    let a = c.submit(wide(1, 4, 4).only_on(nodes_where("@r1-1,r1-2,r1-3")));
    if c.layout(a) != "r1-1:1" {
        c.cancel(a);
        c.stopped(a);
        c = racks("r1: 8 0 0").build();
        let a = c.submit(wide(1, 4, 4));
        c.finish(JobId(1));
        c.finish(JobId(2));
        c.run(gang(1, 4).only_on(nodes_where("@r1-2")));
        c.run(gang(1, 4).only_on(nodes_where("@r1-3")));
        c.confirm(a);
        return (c, a);
    }
    c.confirm(a);
    (c, a)
}

#[test]
fn growth_that_is_refused_is_taken_back_and_the_job_goes_on() {
    let (mut c, a) = growing_on_three();
    assert_eq!(c.layout(a), "r1-1:2 r1-2:1 r1-3:1");
    let actions = c.refuse(a, "r1-2");
    assert_eq!(asked(&actions, a), [(c.node("r1-1"), 2), (c.node("r1-2"), 0), (c.node("r1-3"), 0)]);
    assert_eq!(c.size(a), 4, "held until the nodes say what they have");
    c.resized(a);
    assert_eq!((c.word(a), c.layout(a)), ("running", "r1-1:2".to_owned()));
    assert_eq!(c.used("default"), 8 + 8);
}

#[test]
fn a_refusal_of_the_first_takes_all_back() {
    let (mut c, a) = growing_on_three();
    c.refuse(a, "r1-1");
    c.resized(a);
    assert_eq!((c.word(a), c.layout(a)), ("running", "r1-1:1".to_owned()));
}

#[test]
fn a_refusal_of_the_last_leaves_the_rest() {
    let (mut c, a) = growing_on_three();
    c.resized_on(a, "r1-1");
    let actions = c.refuse(a, "r1-3");
    assert_eq!(asked(&actions, a), [(c.node("r1-2"), 1), (c.node("r1-3"), 0)]);
    c.resized(a);
    assert_eq!(c.layout(a), "r1-1:2 r1-2:1");
}

#[test]
fn what_one_node_has_confirmed_is_taken_back_when_a_lower_rank_is_refused() {
    let (mut c, a) = growing_on_three();
    c.resized_on(a, "r1-3");
    let actions = c.refuse(a, "r1-2");
    assert!(asked(&actions, a).contains(&(c.node("r1-3"), 0)), "ranks have no gaps");
    c.resized(a);
    assert_eq!(c.layout(a), "r1-1:2");
}

#[test]
fn a_node_that_refused_rests_and_the_job_grows_elsewhere_later() {
    let (mut c, a) = growing_on_three();
    c.refuse(a, "r1-2");
    assert!(c.node_record("r1-2").rests_until > c.now());
    c.resized(a);
    c.advance(minutes(10));
    assert!(c.size(a) > 2, "it tries again after the interval");
}

#[test]
fn a_refusal_by_the_jobs_own_fault_takes_the_growth_back_too() {
    let (mut c, a) = growing_on_three();
    c.refuse_because(a, "r1-2", Refusal::Job("no-such-folder".into()));
    c.resized(a);
    assert_eq!((c.word(a), c.layout(a)), ("running", "r1-1:2".to_owned()));
    assert_eq!(c.node_record("r1-2").rests_until, Time(0));
}

#[test]
fn whole_segments_are_taken_back() {
    let mut c = racks("r1: 2 2 2").build();
    let a = c.run(stretchy(2, 6).segment(2, "rack"));
    assert_eq!(c.layout(a), "r1-1:2 r1-2:2 r1-3:2");
    c.refuse(a, "r1-3");
    c.resized(a);
    assert_eq!(c.layout(a), "r1-1:2 r1-2:2");
}

#[test]
fn a_node_that_says_nothing_in_time_costs_the_growth_and_rests() {
    let (mut c, a) = growing_on_three();
    c.resized_on(a, "r1-1");
    c.resized_on(a, "r1-3");
    let actions = c.advance(minutes(5));
    assert_eq!(asked(&actions, a), [(c.node("r1-1"), 1), (c.node("r1-2"), 0), (c.node("r1-3"), 0)]);
    assert!(c.node_record("r1-2").rests_until > c.now());
    assert_eq!(c.node_record("r1-1").rests_until, Time(0));
    c.resized(a);
    assert_eq!((c.word(a), c.layout(a)), ("running", "r1-1:1".to_owned()));
}

#[test]
fn what_is_taken_back_has_no_time_limit_of_its_own() {
    let (mut c, a) = growing_on_three();
    c.advance(minutes(5));
    c.advance(hours(2));
    assert_eq!(c.size(a), 4, "a node that may have it is waited for");
    assert_eq!(c.resize_of(a).map(|resize| (resize.to, resize.waits_for.len())), Some((1, 3)));
}

#[test]
fn an_answer_to_an_earlier_resize_says_nothing_about_a_later_one() {
    let (mut c, a) = growing_on_three();
    c.refuse(a, "r1-3");
    assert_eq!(c.resizes(a), 2);
    c.resized_as(a, "r1-3", 1);
    assert_eq!(c.layout(a), "r1-1:2 r1-2:1 r1-3:1", "it may be launching there by the first");
    c.resized_as(a, "r1-3", 2);
    assert_eq!(c.layout(a), "r1-1:2 r1-2:1");
}

#[test]
fn answers_that_nobody_waits_for_change_nothing() {
    let (mut c, a) = growing_on_three();
    c.resized(a);
    let before = c.snapshot();
    for (node, number) in [("r1-1", 1), ("r1-1", 9), ("r1-2", 0), ("r1-3", 2)] {
        assert_eq!(c.resized_as(a, node, number), []);
    }
    let old = Command::Resized { node: c.node("r1-1"), job: a, attempt: c.attempt(a), resize: 1 };
    assert_eq!(c.tell(old), []);
    let stray =
        Command::Resized { node: NodeId(77), job: JobId(99), attempt: c.attempt(a), resize: 1 };
    assert_eq!(c.tell(stray), []);
    assert_eq!(c.refuse(a, "r1-1"), [], "it runs there");
    assert_eq!(c.snapshot(), before);
}

#[test]
fn a_refusal_while_tasks_leave_changes_nothing() {
    let mut c = racks("r1: 8").build();
    let a = c.run_and_grow(stretchy(2, 8));
    c.submit(gang(1, 4));
    let actions = c.refuse(a, "r1-1");
    assert_eq!(actions, []);
    c.resized(a);
    assert_eq!(c.size(a), 4);
}
