//! The baseline `fair`: the queue furthest below its share first, within a queue by number.

use crate::support::*;

fn setup(weights: [u32; 3]) -> World {
    let mut setup = cluster().nodes("n", 1, "H100x8").policy(|policy| {
        policy.order = Order::Fair;
        policy.floor = floor(0, hours(1), hours(1));
    });
    for (name, weight) in ["a", "b", "c"].iter().zip(weights) {
        setup = setup.queue(queue(name).weight(weight));
    }
    setup.obedient().build()
}

/// Lets jobs of one hour run one after the other, and returns their queues in order.
fn order_of(c: &mut World, jobs: &[&str]) -> Vec<String> {
    for queue in jobs {
        c.submit_for(gang(1, 8).queue(queue), hours(1));
    }
    c.advance(hours(u64::try_from(jobs.len()).expect("a few jobs")));
    let queue_of = |job: JobId| c.record(job).spec.queue.as_str().to_owned();
    c.started().into_iter().map(queue_of).collect()
}

#[test]
fn queues_of_equal_weight_take_turns() {
    let mut c = setup([1, 1, 1]);
    let order = order_of(&mut c, &["a", "a", "a", "b", "b", "b", "c", "c", "c"]);
    for round in order.chunks(3) {
        let mut round = round.to_vec();
        round.sort();
        assert_eq!(round, ["a", "b", "c"], "{order:?}");
    }
}

#[test]
fn a_queue_of_twice_the_weight_gets_twice_the_turns() {
    let mut c = setup([2, 1, 1]);
    let jobs = ["a", "b"].map(|queue| [queue; 12]).concat();
    let order = order_of(&mut c, &jobs);
    let of_a = order[..12].iter().filter(|queue| *queue == "a").count();
    assert!((7..=9).contains(&of_a), "{of_a} of 12: {order:?}");
}

#[test]
fn within_a_queue_jobs_go_by_number() {
    let mut c = setup([1, 1, 1]);
    c.submit_for(gang(1, 8).queue("a"), hours(1));
    let jobs = [9, 1, 5].map(|estimate| {
        let spec = gang(1, 8).queue("a").estimate(hours(estimate), hours(estimate)).weight(2);
        c.submit_for(spec, hours(1))
    });
    c.advance(hours(5));
    assert_eq!(c.started()[1..], jobs);
}

#[test]
fn nobody_blocks_under_fair() {
    let mut c = setup([1, 1, 1]);
    c.submit_for(gang(1, 4).queue("a"), hours(1));
    let wide = c.submit_for(gang(1, 8).queue("b"), hours(1));
    let small = c.submit_for(gang(1, 4).queue("a"), hours(1));
    assert_eq!((c.word(wide), c.word(small)), ("queued", "running"));
}
