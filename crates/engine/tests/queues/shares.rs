//! Fair share: who has used less than its weight entitles it to goes first, among comparable jobs.

use crate::support::*;

/// Two nodes and two queues of these weights.
fn two_queues(of_a: u32, of_b: u32) -> Setup {
    cluster()
        .nodes("n", 2, "H100x8")
        .queue(queue("a").weight(of_a))
        .queue(queue("b").weight(of_b))
        .policy(|policy| policy.usage_half_life = days(7))
}

fn of(queue: &str) -> JobSpec {
    gang(1, 8).queue(queue).estimate(hours(1), hours(2))
}

/// Lets two queues use the cluster, one node for so long each, and then both wait for one node
/// while the other stays taken: the queue that goes first.
fn first_after(c: &mut World, hours_of_a: u64, hours_of_b: u64) -> &'static str {
    let (a, b) = (c.run(of("a")), c.run(of("b")));
    c.advance(hours(hours_of_a.min(hours_of_b)));
    c.finish(if hours_of_a < hours_of_b { a } else { b });
    c.advance(hours(hours_of_a.abs_diff(hours_of_b)));
    let last = if hours_of_a < hours_of_b { b } else { a };
    let blocker = c.run(of(if hours_of_a < hours_of_b { "b" } else { "a" }));
    first_when_free(c, blocker, last)
}

/// Which queue gets the node of a job that ends, where both want it.
fn first_when_free(c: &mut World, blocker: JobId, ends: JobId) -> &'static str {
    let wants = [c.submit(of("a")), c.submit(of("b"))];
    c.finish(ends);
    let started: Vec<bool> = wants.iter().map(|&job| c.is_placed(job)).collect();
    assert_eq!(c.word(blocker), "running");
    match started[..] {
        [true, false] => "a",
        [false, true] => "b",
        _ => panic!("one node was freed: {started:?}"),
    }
}

#[test]
fn who_used_less_goes_first() {
    assert_eq!(first_after(&mut two_queues(1, 1).build(), 10, 1), "b");
    assert_eq!(first_after(&mut two_queues(1, 1).build(), 1, 10), "a");
}

#[test]
fn weights_say_what_a_fair_share_is() {
    assert_eq!(first_after(&mut two_queues(1, 1).build(), 4, 3), "b");
    assert_eq!(first_after(&mut two_queues(3, 1).build(), 4, 3), "a");
    assert_eq!(first_after(&mut two_queues(3, 1).build(), 20, 2), "b");
    assert_eq!(first_after(&mut two_queues(1, 9).build(), 3, 10), "b");
}

#[test]
fn use_that_is_long_ago_counts_less() {
    let run = |half_life: Millis| {
        let mut c = two_queues(1, 1).policy(|policy| policy.usage_half_life = half_life).build();
        let a = c.run(of("a"));
        c.advance(hours(5));
        c.finish(a);
        c.advance(days(10));
        let b = [c.run(of("b")), c.run(of("b"))];
        c.advance(minutes(30));
        first_when_free(&mut c, b[0], b[1])
    };
    assert_eq!(run(days(1)), "a", "five hours of ten days ago are eighteen seconds");
    assert_eq!(run(days(100)), "b", "five hours are more than one");
}

#[test]
fn use_that_is_long_ago_counts_less_among_many_queues_too() {
    let mut setup =
        cluster().nodes("n", 1, "H100x8").policy(|policy| policy.usage_half_life = days(1));
    for number in 0..10 {
        setup = setup.queue(queue(&format!("q{number}")));
    }
    let mut c = setup.build();
    let long_ago = c.run(of("q0"));
    c.advance(days(1));
    c.finish(long_ago);
    let lately = c.run(of("q9"));
    c.advance(days(10));
    let greedy = c.submit(of("q9"));
    let modest = c.submit(of("q0"));
    c.finish(lately);
    assert_eq!((c.word(modest), c.word(greedy)), ("launching", "queued"));
}

#[test]
fn cpus_that_strand_gpus_count_as_the_gpus() {
    let mut c = two_queues(1, 1).build();
    let heavy = c.run(gang(1, 1).queue("a").cpus(128));
    let light = c.run(gang(1, 5).queue("b").only_on(nodes_where("@n-2")));
    c.advance(hours(10));
    assert_eq!(first_when_free(&mut c, light, heavy), "b", "one GPU with all CPUs is a node");
}

#[test]
fn a_share_never_crosses_a_class() {
    let mut c = two_queues(1, 1).build();
    let greedy = [c.run(of("a")), c.run(of("a"))];
    c.advance(days(3));
    let modest = c.submit(of("b").class("standard"));
    let urgent = c.submit(of("a").class("express"));
    c.finish(greedy[0]);
    assert_eq!((c.word(urgent), c.word(modest)), ("launching", "queued"));
}

#[test]
fn a_share_moves_a_job_by_a_few_doublings_and_no_more() {
    let against = |of_b: Millis| {
        let mut c = two_queues(1, 1).build();
        let greedy = [c.run(of("a")), c.run(of("a"))];
        c.advance(days(3));
        let minute = c.submit(gang(1, 8).queue("a").estimate(minutes(1), minutes(2)));
        let longer = c.submit(gang(1, 8).queue("b").estimate(of_b, of_b + of_b));
        c.finish(greedy[0]);
        assert_ne!(c.is_placed(minute), c.is_placed(longer));
        c.is_placed(longer)
    };
    // Queue `a` used all, half of which was its share: one doubling back. Queue `b` used nothing:
    // three doublings ahead.
    assert!(against(minutes(15)), "not quite four doublings longer");
    assert!(!against(minutes(17)), "more than four doublings longer");
}

#[test]
fn shares_are_divided_anew_at_every_level() {
    let mut c = cluster()
        .nodes("n", 4, "H100x8")
        .queue(queue("one"))
        .queue(queue("one/x"))
        .queue(queue("one/y"))
        .queue(queue("two"))
        .queue(queue("two/z"))
        .build();
    let running = ["one/x", "two/z", "two/z", "two/z"].map(|queue| c.run(of(queue)));
    c.advance(hours(10));
    let wants = ["two/z", "one/x", "one/y"].map(|queue| c.submit(of(queue)));
    for job in running {
        c.finish(job);
    }
    let order: Vec<JobId> = c.started().split_off(4);
    assert_eq!(order, [wants[2], wants[1], wants[0]], "y used nothing, two used most");
}

#[test]
fn the_terms_of_a_decision_show_the_share() {
    let mut c = two_queues(1, 1).build();
    let greedy = [c.run(of("a")), c.run(of("a"))];
    c.advance(days(3));
    let modest = c.submit(of("b"));
    c.finish(greedy[0]);
    let order = c.decision(modest).order;
    assert_eq!(order.fair_share, 3000);
    assert_eq!(order.key, order.rank - order.weight - order.fair_share - order.urgency);
}
