//! Who gives, and to whom: jobs of the same tier or a lower one, those that lose least first, and
//! for the best of those who wait.

use super::words::*;
use crate::support::*;

/// Whether a job of one class gets room from an elastic job of another.
fn gives(giver: &str, waits: &str) -> bool {
    let mut c = racks("r1: 8").build();
    let a = c.run_and_grow(stretchy(2, 8).class(giver));
    let b = c.submit(gang(1, 4).class(waits));
    let is_asked = c.resize_of(a).is_some();
    assert_eq!(c.word(b), "queued");
    c.resized(a);
    assert_eq!(c.word(b) == "launching", is_asked);
    is_asked
}

#[test]
fn the_same_class_and_higher_ones_get_room_and_lower_ones_do_not() {
    assert!(gives("standard", "standard"));
    assert!(gives("standard", "express"));
    assert!(gives("preemptible", "batch"));
    assert!(!gives("standard", "batch"));
    assert!(!gives("express", "standard"));
}

#[test]
fn what_a_queue_uses_within_its_guarantee_is_not_given_to_those_who_borrow() {
    let owner = |gpus| queue("owner").guarantee(quota(gpus));
    for (guarantee, is_asked) in [(8, false), (4, true)] {
        let mut c = racks("r1: 8").queue(owner(guarantee)).queue(queue("other")).build();
        let a = c.run_and_grow(stretchy(2, 8).queue("owner"));
        c.submit(gang(1, 4).queue("other"));
        assert_eq!(c.resize_of(a).is_some(), is_asked, "a guarantee of {guarantee}");
    }
}

#[test]
fn who_is_within_a_guarantee_gets_room_from_those_who_borrow() {
    let owner = queue("owner").guarantee(quota(4));
    let mut c = racks("r1: 8").queue(owner).queue(queue("other")).build();
    let a = c.run_and_grow(stretchy(2, 8).queue("other").class("express"));
    let b = c.submit(gang(1, 4).queue("owner").class("standard"));
    c.resized(a);
    assert_eq!(c.word(b), "launching");
}

#[test]
fn who_loses_least_gives_first() {
    let cases = [
        ("whose tasks speed it up less", stretchy(1, 4).speeds([(1, 100), (4, 130)])),
        ("who has less left to do", stretchy(1, 4).estimate(minutes(30), minutes(40))),
    ];
    for (name, cheap) in cases {
        for cheap_is_first in [true, false] {
            let mut c = racks("r1: 8").build();
            let dear = stretchy(1, 4).speeds([(1, 100), (4, 390)]);
            let (a, b) = if cheap_is_first {
                (c.run_and_grow(cheap.clone()), c.run_and_grow(dear))
            } else {
                let b = c.run_and_grow(dear);
                (c.run_and_grow(cheap.clone()), b)
            };
            assert_eq!(c.sizes([a, b]), [4, 4], "{name}");
            c.submit(gang(1, 3));
            let asked = [a, b].map(|job| c.resize_of(job).is_some());
            assert_eq!(asked, [true, false], "{name}, cheap first: {cheap_is_first}");
        }
    }
}

#[test]
fn no_more_is_asked_than_the_place_of_the_waiting_job_needs() {
    let mut c = racks("r1: 8 8 8").build();
    let a = c.run_and_grow(wide(1, 3, 8));
    assert_eq!(c.free_total(), 0);
    let b = c.submit(gang(1, 8));
    assert_eq!(c.resize_of(a).map(|resize| resize.to), Some(2), "one node of two is enough");
    c.resized(a);
    assert_eq!(c.word(b), "launching");
}

#[test]
fn a_better_job_that_comes_meanwhile_takes_the_room_first() {
    let mut c = racks("r1: 8").build();
    let a = c.run_and_grow(stretchy(2, 8));
    let b = c.submit(gang(1, 6));
    let better = c.submit(gang(1, 6).class("express"));
    c.resized(a);
    assert_eq!((c.word(better), c.word(b)), ("launching", "queued"));
}

#[test]
fn room_is_made_for_the_first_in_order() {
    let mut c = racks("r1: 8").build();
    let a = c.run_and_grow(stretchy(2, 8));
    c.step(Command::Hold { job: a });
    let late = c.submit(gang(1, 6).hold());
    let first = c.submit(gang(1, 5).class("express").hold());
    let order = [Command::Release { job: late }, Command::Release { job: first }];
    for command in order {
        c.step(command);
    }
    c.settle();
    c.resized(a);
    c.settle();
    assert_eq!((c.word(first), c.word(late)), ("launching", "queued"));
}

#[test]
fn under_a_blocking_order_room_is_made_for_the_head_alone() {
    let mut c = racks("r1: 8").policy(|policy| policy.order = Order::Fifo).build();
    let a = c.run_and_grow(stretchy(2, 8));
    let head = c.submit(gang(1, 8));
    let behind = c.submit(gang(1, 4));
    assert_eq!(c.resize_of(a), None, "nobody passes the head, so that would be in vain");
    assert_eq!((c.word(head), c.word(behind)), ("queued", "queued"));
    c.cancel(head);
    c.resized(a);
    assert_eq!(c.word(behind), "launching");
}

#[test]
fn a_starving_job_gets_its_claim_and_room_too() {
    let mut c =
        racks("r1: 8 8").policy(|policy| policy.floor = floor(50, hours(1), hours(1))).build();
    let a = c.run_and_grow(stretchy(2, 16));
    let b = c.submit(gang(1, 8).class("batch"));
    assert_eq!(c.resize_of(a), None, "a lower class does not take from a higher one");
    c.advance(hours(2));
    assert!(!c.claim_of(b).is_empty());
    assert!(c.why(b).latest_start.is_some());
    c.finish(a);
    assert_eq!(c.word(b), "launching");
}

#[test]
fn each_of_two_blocked_jobs_gets_room_of_its_own() {
    let mut c = racks("r1: 8 8").build();
    let a = c.run_and_grow(stretchy(1, 8).require(Level::Node));
    let b = c.run_and_grow(stretchy(1, 8).require(Level::Node));
    let jobs = c.submit_all([gang(1, 7).estimate(hours(1), hours(1)), gang(1, 6)]);
    for job in [a, b] {
        c.resized(job);
    }
    assert_eq!([c.word(jobs[0]), c.word(jobs[1])], ["launching", "launching"]);
}

#[test]
fn what_a_start_leaves_is_part_of_the_room_for_the_next_who_does_not_fit_in_it() {
    let mut c = cluster().nodes("n", 1, "H100x8").obedient().build();
    let gang = |tasks: u32, more: u32, runs: u64| {
        let spec = gang(1, 1).elastic(tasks, tasks + more).resize(Millis::ZERO);
        spec.estimate(minutes(runs), minutes(runs))
    };
    c.submit_for(gang(4, 0, 111), minutes(111));
    let giver = c.submit_for(gang(3, 1, 112), minutes(112));
    let long = c.submit_for(gang(2, 0, 9), minutes(9));
    let first = c.submit_for(gang(2, 0, 2), minutes(2));
    let second = c.submit_for(gang(3, 0, 2), minutes(2));
    c.advance(minutes(110));
    assert_eq!(c.node_of_each_task(giver).len(), 4, "it has grown");
    c.advance(minutes(1));
    // Four are free: two for the first, and the other two with one that is given back.
    assert_eq!((c.word(first), c.word(second)), ("running", "running"));
    assert_eq!(c.word(long), "queued", "it fits into two, and comes after them");
}
