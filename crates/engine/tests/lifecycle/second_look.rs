//! A shape that did not fit is tried again whenever it might fit, whatever happened in between.

use super::support::nodes;
use crate::support::*;

#[test]
fn room_made_while_nobody_of_its_kind_waited_is_found_by_the_next() {
    let mut c = nodes(2);
    let running = c.run(gang(1, 8));
    c.run(gang(1, 8));
    let gave_up = c.submit(gang(1, 8));
    c.cancel(gave_up);
    c.finish(running);
    let next = c.submit(gang(1, 8));
    assert_eq!(c.word(next), "launching");
}

#[test]
fn room_made_while_all_of_its_kind_were_held_is_found_at_their_release() {
    let mut c = nodes(2);
    let running = c.run(gang(1, 8));
    c.run(gang(1, 8));
    let job = c.submit(gang(1, 8));
    c.hold(job);
    c.finish(running);
    c.release(job);
    assert_eq!(c.word(job), "launching");
}

#[test]
fn room_made_while_its_queue_was_at_its_limit_is_found_when_the_limit_goes() {
    let mut c = cluster()
        .queue(queue("a").limit(quota(8)))
        .queue(queue("b"))
        .nodes("n", 2, "H100x8")
        .build();
    let in_b = c.run(gang(1, 8).queue("b"));
    c.set_queue(queue("a").limit(quota(16)));
    c.run(gang(1, 8).queue("a"));
    let job = c.submit(gang(1, 8).queue("a"));
    assert_eq!(c.codes(job), ["gpus"]);
    c.set_queue(queue("a").limit(quota(8)));
    c.finish(in_b);
    assert_eq!(c.codes(job), ["queue-limit"]);
    c.set_queue(queue("a").limit(quota(16)));
    assert_eq!(c.word(job), "launching");
}

#[test]
fn room_of_a_model_that_was_not_allowed_is_found_when_it_is() {
    let h100 = |gpus| queue("a").limit(Quota::default().model("H100", gpus));
    let mut c = cluster()
        .queue(h100(16))
        .queue(queue("b"))
        .nodes("h", 1, "H100x8")
        .nodes("a", 1, "A100x8")
        .build();
    let on_h100 = c.run(gang(1, 8).queue("b").models(["H100"]));
    c.run(gang(1, 8).queue("b").models(["A100"]));
    let job = c.submit(gang(1, 8).queue("a").models(["H100", "A100"]));
    assert_eq!(c.codes(job), ["gpus"]);
    c.set_queue(h100(4));
    c.finish(on_h100);
    assert_eq!(c.word(job), "queued");
    c.set_queue(h100(8));
    assert_eq!(c.nodes_of(job), ["h-1"]);
}

#[test]
fn room_made_behind_a_blocking_head_is_found_when_the_head_goes() {
    for order in [Order::Fifo, Order::Sjf] {
        let mut c = cluster().nodes("n", 2, "H100x8").policy(|policy| policy.order = order).build();
        let first = c.run(gang(1, 8).estimate(hours(3), hours(4)));
        let second = c.run(gang(1, 8).estimate(hours(3), hours(4)));
        let behind = c.submit(gang(1, 8).estimate(hours(2), hours(4)));
        c.hold(behind);
        let head = c.submit(gang(2, 8).estimate(minutes(1), minutes(2)));
        c.release(behind);
        c.finish(first);
        assert_eq!(c.word(head), "queued", "{order:?}: it needs both nodes");
        assert_eq!(c.word(second), "running");
        c.cancel(head);
        assert_eq!(c.word(behind), "launching", "{order:?}");
    }
}

#[test]
fn room_made_in_a_step_that_starts_as_many_as_it_may_is_found_by_the_steps_after_it() {
    let mut c = cluster().nodes("n", 4, "H100x8").starts_per_step(1).build();
    let holders = c.submit_all((0..4).map(|_| gang(1, 8)));
    holders.iter().for_each(|&job| drop(c.confirm(job)));
    let small = c.submit_all((0..4).map(|_| gang(1, 2)));
    let large = c.submit_all((0..3).map(|_| gang(1, 8)));
    for holder in holders {
        c.finish(holder);
    }
    let placed = small.iter().chain(&large).filter(|&&job| c.is_placed(job)).count();
    assert_eq!(placed, 7);
}

#[test]
fn a_gpu_that_is_mended_while_nobody_waited_is_found_by_the_next() {
    let mut c = nodes(1);
    c.run(gang(1, 4));
    c.break_gpu("n-1", 7);
    let gave_up = c.submit(gang(1, 4));
    assert_eq!(c.word(gave_up), "queued");
    c.cancel(gave_up);
    c.mend_gpu("n-1", 7);
    let next = c.submit(gang(1, 4));
    assert_eq!(c.word(next), "launching");
}

#[test]
fn room_held_for_a_starving_job_is_used_when_its_queue_lets_it_start() {
    let mut c = cluster()
        .queue(queue("a").limit(Quota::default().model("H100", 8)))
        .queue(queue("b"))
        .nodes("h", 2, "H100x8")
        .nodes("a", 1, "A100x8")
        .policy(|policy| policy.floor.wait = hours(1))
        .build();
    let in_b = |gpus, model, limit| gang(1, gpus).queue("b").models([model]).limit(limit);
    let soon_over = c.run(in_b(8, "H100", hours(2)));
    c.run(in_b(4, "H100", days(20)));
    c.run(in_b(8, "A100", days(20)));
    let starving = c.submit(gang(1, 8).queue("a").models(["H100", "A100"]));
    c.advance(hours(1));
    assert_eq!(c.claim_of(starving), ["h-1"]);
    let quota_user = c.run(gang(1, 4).queue("a").models(["H100"]));
    c.finish(soon_over);
    assert_eq!(c.word(starving), "queued", "its queue has no H100 left");
    c.finish(quota_user);
    assert_eq!((c.word(starving), c.nodes_of(starving)), ("launching", vec!["h-1".to_owned()]));
}

#[test]
fn room_of_a_model_that_was_at_its_limit_is_found_after_a_refund() {
    let mut c = cluster()
        .queue(queue("a").limit(Quota::default().model("H100", 8)))
        .queue(queue("b"))
        .nodes("h", 2, "H100x8")
        .nodes("a", 1, "A100x8")
        .build();
    let h100 = |gpus, queue| gang(1, gpus).queue(queue).models(["H100"]);
    let on_h1 = c.run(h100(8, "b"));
    c.run(h100(7, "a"));
    let beside = c.run(h100(1, "b"));
    c.run(gang(1, 8).queue("b").models(["A100"]));
    let job = c.submit(gang(1, 1).queue("a").models(["H100", "A100"]));
    let first = c.submit(h100(1, "a").class("express"));
    c.finish(beside);
    assert_eq!((c.word(first), c.word(job)), ("launching", "queued"), "the limit is reached");
    c.finish(on_h1);
    assert_eq!(c.word(job), "queued", "there is room, but not for its queue");
    c.drain("h-2");
    c.finish(first);
    assert_eq!(c.nodes_of(job), ["h-1"]);
}

#[test]
fn a_claim_on_a_resting_node_is_kept_until_it_has_rested() {
    let mut c =
        cluster().nodes("n", 1, "H100x8").policy(|policy| policy.floor.wait = hours(1)).build();
    let running = c.run(gang(1, 4));
    let starving = c.submit(gang(1, 8).estimate(hours(5), hours(9)));
    c.advance(minutes(59));
    let short = c.submit(gang(1, 4).estimate(minutes(1), minutes(2)));
    assert_eq!(c.word(short), "launching");
    c.advance(minutes(1));
    assert_eq!(c.claim_of(starving), ["n-1"]);
    c.refuse(short, "n-1");
    c.finish(running);
    c.advance(seconds(10));
    assert_eq!((c.word(starving), c.word(short)), ("launching", "queued"));
}
