//! Who may pass whom: under `fifo` and `sjf` the head blocks, under `muster` and `fair` nobody.

use crate::support::*;

fn under(order: Order) -> Setup {
    racks("r1: 8 4").policy(|policy| policy.order = order)
}

#[test]
fn a_blocked_gang_does_not_block_small_jobs_under_muster() {
    check([case(
        "two small jobs pass a wide one, though they came later",
        under(Order::Muster),
        [
            job(gang(2, 8).estimate(minutes(1), minutes(1)), "waits"),
            job(gang(1, 4).estimate(days(1), days(1)), "r1-2"),
            job(gang(1, 8).estimate(days(1), days(1)), "r1-1"),
        ],
    )]);
}

#[test]
fn the_head_blocks_under_fifo() {
    let mut c = under(Order::Fifo).build();
    let head = c.submit(gang(2, 8));
    let behind = c.submit(gang(1, 1));
    assert_eq!((c.word(head), c.word(behind)), ("queued", "queued"));
    assert_eq!(c.reasons(behind), [Reason::Behind { head }]);
    assert_eq!(c.codes(head), ["gpus"]);
    c.cancel(head);
    assert_eq!(c.word(behind), "launching");
}

#[test]
fn fifo_goes_by_number_whatever_the_estimate() {
    let mut c =
        cluster().nodes("n", 1, "H100x8").policy(|policy| policy.order = Order::Fifo).build();
    c.run(gang(1, 8));
    c.forget_starts();
    let jobs = [9, 1, 5]
        .map(|estimate| c.submit(gang(1, 8).estimate(hours(estimate), hours(estimate)).weight(2)));
    assert_eq!(c.run_dry(), jobs);
}

#[test]
fn a_requeued_job_keeps_its_place_under_fifo() {
    let mut c =
        cluster().nodes("n", 1, "H100x8").policy(|policy| policy.order = Order::Fifo).build();
    let first = c.run(gang(1, 8));
    let second = c.submit(gang(1, 8));
    c.requeue(first);
    c.stopped(first);
    assert_eq!((c.word(first), c.word(second)), ("launching", "queued"));
}

#[test]
fn the_shortest_blocks_under_sjf() {
    let mut c = under(Order::Sjf).build();
    let long = c.submit(gang(2, 8).estimate(hours(9), hours(9)));
    assert_eq!(c.codes(long), ["gpus"]);
    let short = c.submit(gang(1, 4).estimate(hours(1), hours(1)));
    assert_eq!(c.word(short), "launching", "shorter than the blocked one");
    let longest = c.submit(gang(1, 4).estimate(hours(10), hours(10)));
    assert_eq!(c.reasons(longest), [Reason::Behind { head: long }]);
}

#[test]
fn sjf_goes_by_time_alone() {
    let mut c =
        cluster().nodes("n", 1, "H100x8").policy(|policy| policy.order = Order::Sjf).build();
    c.run(gang(1, 8));
    c.forget_starts();
    let wide = c.submit(gang(1, 8).estimate(hours(1), hours(1)));
    let narrow = c.submit(gang(1, 1).exclusive().estimate(hours(2), hours(2)));
    let equal = c.submit(gang(1, 8).estimate(hours(1), hours(9)));
    assert_eq!(c.run_dry(), [wide, equal, narrow]);
}

#[test]
fn a_job_that_its_queue_forbids_blocks_nobody() {
    for order in [Order::Fifo, Order::Sjf] {
        let mut c = cluster()
            .nodes("n", 1, "H100x8")
            .queue(queue("a").limit(quota(4)))
            .queue(queue("b"))
            .policy(|policy| policy.order = order)
            .build();
        c.run(gang(1, 4).queue("a"));
        let at_limit = c.submit(gang(1, 4).queue("a"));
        let other = c.submit(gang(1, 4).queue("b"));
        assert_eq!((c.word(at_limit), c.word(other)), ("queued", "launching"), "{order:?}");
    }
}

#[test]
fn a_held_job_blocks_nobody() {
    for order in [Order::Fifo, Order::Sjf] {
        let mut c = under(order).build();
        let head = c.submit(gang(2, 8));
        let behind = c.submit(gang(1, 8));
        c.hold(head);
        assert_eq!((c.word(head), c.word(behind)), ("waiting", "launching"), "{order:?}");
    }
}

#[test]
fn the_head_of_a_higher_class_blocks_all_below_it_under_fifo() {
    let mut c = under(Order::Fifo).build();
    let small = c.submit(gang(1, 4).class("batch"));
    assert_eq!(c.word(small), "launching");
    let wide = c.submit(gang(2, 8).class("express"));
    let behind = c.submit(gang(1, 8).class("batch"));
    assert_eq!(c.reasons(behind), [Reason::Behind { head: wide }]);
}
