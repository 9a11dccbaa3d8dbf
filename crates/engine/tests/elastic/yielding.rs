//! Giving tasks back: a blocked job gets the room that elastic jobs have beyond their fewest
//! tasks, once a trial has shown that it then fits, and the room is kept for it meanwhile.

use super::words::*;
use crate::support::*;

#[test]
fn a_blocked_job_gets_the_room_that_another_can_spare() {
    let mut c = racks("r1: 8").build();
    let a = c.run_and_grow(stretchy(2, 8));
    let b = c.submit(gang(1, 4));
    assert_eq!(c.word(b), "queued", "the room is not there before the node says so");
    assert_eq!(c.resize_of(a).map(|resize| (resize.from, resize.to)), Some((8, 4)));
    assert_eq!(c.free_total(), 0);
    c.resized(a);
    assert_eq!((c.word(b), c.size(a)), ("launching", 4));
}

#[test]
fn those_of_the_highest_ranks_leave() {
    let mut c = racks("r1: 8").build();
    let a = c.run_and_grow(stretchy(2, 8));
    c.submit(gang(1, 3));
    c.resized(a);
    let ranks: Vec<u32> = c.tasks_of(a).iter().map(|(_, task)| task.rank).collect();
    assert_eq!(ranks, [0, 1, 2, 3, 4]);
}

#[test]
fn nobody_goes_below_their_fewest_tasks() {
    let mut c = racks("r1: 8").build();
    let a = c.run_and_grow(stretchy(2, 8));
    let b = c.submit(gang(1, 6));
    let d = c.submit(gang(1, 1));
    c.resized(a);
    assert_eq!((c.word(b), c.word(d), c.size(a)), ("launching", "queued", 2));
    assert_eq!(c.resize_of(a), None);
}

#[test]
fn nothing_is_asked_of_anyone_if_that_would_not_be_enough() {
    let mut c = racks("r1: 8").build();
    let a = c.run_and_grow(stretchy(2, 8));
    let b = c.submit(gang(1, 7));
    assert_eq!((c.word(b), c.size(a), c.resize_of(a)), ("queued", 8, None));
    c.advance(days(1));
    assert_eq!(c.size(a), 8);
}

#[test]
fn free_room_and_what_is_given_up_count_together() {
    let mut c = racks("r1: 8 2").build();
    let a = c.run_and_grow(stretchy(2, 8).only_on(nodes_where("@r1-1")));
    let b = c.submit(gang(4, 2).require("rack"));
    assert_eq!(c.resize_of(a).map(|resize| resize.to), Some(2));
    c.resized(a);
    assert_eq!((c.word(b), c.layout(b)), ("launching", "r1-1:3 r1-2:1".to_owned()));
}

#[test]
fn a_job_that_leaves_a_node_altogether_is_asked_to_have_nothing_there() {
    let mut c = racks("r1: 4 8").build();
    let a = c.run_and_grow(stretchy(4, 12));
    assert_eq!(c.layout(a), "r1-1:4 r1-2:8");
    let b = c.tell(Command::Submit { spec: gang(1, 8).into() });
    assert_eq!(asked(&b, a), [(c.node("r1-2"), 0)]);
    c.resized(a);
    assert_eq!(c.layout(a), "r1-1:4");
    assert_eq!(c.record(a).run.expect("it runs").nodes.len(), 1);
    c.finish(a);
    assert_eq!(c.word(a), "completed", "what it left has nothing more to say");
}

#[test]
fn several_give_when_one_is_not_enough() {
    let mut c = racks("r1: 8 8").build();
    let a = c.run_and_grow(wide(1, 2, 4).require(Level::Node));
    let b = c.run_and_grow(wide(1, 2, 4).require(Level::Node));
    assert_eq!(c.free(), "r1-1:0 r1-2:0");
    let d = c.submit(gang(2, 4));
    assert!(c.resize_of(a).is_some() && c.resize_of(b).is_some());
    c.resized(a);
    assert_eq!(c.word(d), "queued");
    c.resized(b);
    assert_eq!((c.word(d), c.sizes([a, b])), ("launching", [1, 1]));
}

#[test]
fn what_has_been_given_up_so_far_is_nobody_elses() {
    let mut c = racks("r1: 8 8").build();
    let a = c.run_and_grow(wide(1, 2, 4).require(Level::Node));
    let b = c.run_and_grow(wide(1, 2, 4).require(Level::Node));
    let d = c.submit(gang(2, 4).estimate(days(2), days(4)));
    let small = c.submit(gang(1, 1).estimate(minutes(1), minutes(1)));
    c.resized(a);
    assert_eq!(c.free_total(), 4);
    assert_eq!((c.word(d), c.word(small)), ("queued", "queued"));
    assert_eq!(c.codes(d), ["making"]);
    assert_eq!(c.codes(small), ["gpus"]);
    c.resized(b);
    assert_eq!(c.free_total(), 0, "all of it goes to those who wait, in their order");
}

#[test]
fn when_nobody_waits_any_more_what_was_held_is_free() {
    let mut c = racks("r1: 8 8").build();
    let a = c.run_and_grow(wide(1, 2, 4).require(Level::Node));
    let b = c.run_and_grow(wide(1, 2, 4).require(Level::Node));
    let d = c.submit(gang(2, 4));
    c.resized(a);
    c.cancel(d);
    assert!(c.snapshot().plans.is_empty());
    c.resized(b);
    assert_eq!(c.free_total(), 8);
    c.advance(minutes(10));
    assert_eq!(c.sizes([a, b]), [2, 2], "they grow again when they may");
}

#[test]
fn what_is_held_is_let_go_when_a_giver_says_nothing_for_too_long() {
    let mut c = racks("r1: 8 8").build();
    let a = c.run_and_grow(wide(1, 2, 4).require(Level::Node));
    let b = c.run_and_grow(wide(1, 2, 4).require(Level::Node));
    let d = c.submit(gang(2, 4));
    let small = c.submit(gang(1, 1));
    c.resized(a);
    assert_eq!(c.word(small), "queued");
    c.advance(minutes(10));
    assert_eq!((c.word(small), c.word(d)), ("launching", "queued"));
    assert!(c.resize_of(b).is_some(), "its tasks may still be there");
}

#[test]
fn a_giver_that_ends_by_itself_gives_all_it_has() {
    let mut c = racks("r1: 8").build();
    let a = c.run_and_grow(stretchy(2, 8));
    let b = c.submit(gang(1, 4));
    c.finish(a);
    assert_eq!((c.word(a), c.word(b)), ("completed", "launching"));
    assert!(c.snapshot().plans.is_empty());
}

#[test]
fn a_giver_that_is_cancelled_gives_all_it_has() {
    let mut c = racks("r1: 8").build();
    let a = c.run_and_grow(stretchy(2, 8));
    let b = c.submit(gang(1, 4));
    c.cancel(a);
    assert_eq!(c.word(b), "queued");
    c.stopped(a);
    assert_eq!((c.word(a), c.word(b)), ("cancelled", "launching"));
}

#[test]
fn whole_segments_are_given_back() {
    let mut c = racks("r1: 8").build();
    let a = c.run_and_grow(stretchy(2, 8).segment(2, "rack"));
    c.submit(gang(1, 3));
    c.resized(a);
    assert_eq!(c.size(a), 4, "three GPUs take two pairs");
}

#[test]
fn a_new_elastic_job_gets_its_fewest_tasks_from_another() {
    let mut c = racks("r1: 8").build();
    let a = c.run_and_grow(stretchy(2, 8));
    let b = c.submit(stretchy(3, 8));
    c.resized(a);
    c.confirm(b);
    c.advance(hours(1));
    assert_eq!(c.sizes([a, b]), [5, 3]);
}

#[test]
fn who_waits_for_quota_that_another_grew_into_gets_it_back() {
    let limited = || queue("team").limit(quota(8));
    let mut c = racks("r1: 8 8").queue(limited()).build();
    let of = |spec: JobSpec| spec.queue("team");
    let a = c.run_and_grow(of(stretchy(2, 8)));
    assert_eq!(c.used("team"), 8);
    let b = c.submit(of(gang(1, 4)));
    assert_eq!(c.codes(b), ["making"]);
    c.resized(a);
    assert_eq!((c.word(b), c.used("team")), ("launching", 8));
}
