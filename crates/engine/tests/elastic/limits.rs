//! Quotas and elastic jobs: what is added is charged with the decision and never beyond a limit,
//! what leaves is refunded when it has left.

use super::words::*;
use crate::support::*;

#[test]
fn a_job_grows_up_to_the_limit_of_its_queue() {
    for (limit, size) in [(2, 2), (5, 5), (20, 12)] {
        let mut c = racks("r1: 8 8").queue(queue("team").limit(quota(limit))).build();
        let a = c.run_and_grow(stretchy(2, 12).queue("team"));
        assert_eq!(c.size(a), size, "a limit of {limit}");
        assert_eq!(c.used("team"), size as u64);
    }
}

#[test]
fn limits_above_its_queue_and_of_its_user_count_too() {
    let divided = || {
        racks("r1: 8 8")
            .queue(queue("team").limit(quota(6)))
            .queue(queue("team/a"))
            .queue(queue("team/b"))
    };
    let mut c = divided().build();
    c.run(gang(1, 2).queue("team/b"));
    let a = c.run_and_grow(stretchy(1, 8).queue("team/a"));
    assert_eq!((c.size(a), c.used("team")), (4, 6));

    let per_user = queue("team").user_limit(quota(3));
    let mut c = racks("r1: 8 8").queue(per_user).build();
    let a = c.run_and_grow(stretchy(1, 8).queue("team").user("user-b"));
    assert_eq!(c.size(a), 3);
}

#[test]
fn limits_on_models_cpus_and_memory_count_too() {
    let rows = [
        (Quota::default().model("H100", 3), 3),
        (Quota { cpus: Some(muster_model::MilliCpu::whole(8)), ..Quota::default() }, 2),
        (Quota { memory: Some(gib(10)), ..Quota::default() }, 5),
    ];
    for (limit, size) in rows {
        let mut c = racks("r1: 8").queue(queue("team").limit(limit.clone())).build();
        let spec = stretchy(1, 8).queue("team").cpus(4).memory(gib(2));
        let a = c.run_and_grow(spec);
        assert_eq!(c.size(a), size, "{limit:?}");
    }
}

#[test]
fn what_is_added_is_charged_with_the_decision_and_refunded_when_it_has_left() {
    let mut c = racks("r1: 8").build();
    let a = c.run(stretchy(2, 8));
    assert_eq!(c.used("default"), 8, "before any node has confirmed");
    c.resized(a);
    c.submit(gang(1, 5));
    assert_eq!(c.used("default"), 13, "room that is being made counts from the decision");
    c.resized(a);
    assert_eq!(c.used("default"), 8, "three of its own and five of the other");
    c.finish(a);
    assert_eq!(c.used("default"), 5);
}

#[test]
fn usage_counts_at_the_size_it_has() {
    let mut c = racks("r1: 8").build();
    let a = c.run_and_grow(stretchy(2, 8));
    c.advance(seconds(100));
    let b = c.submit(gang(1, 4));
    c.resized(a);
    assert_eq!(c.gpu_seconds_of("default"), 800);
    c.confirm(b);
    c.advance(seconds(100));
    c.finish(b);
    assert_eq!(c.gpu_seconds_of("default"), 1600);
    c.advance(seconds(100));
    c.finish(a);
    assert_eq!(c.gpu_seconds_of("default"), 2000, "four are idle until it may grow again");
}

#[test]
fn a_limit_that_is_lowered_takes_nothing_away() {
    let mut c = racks("r1: 8").queue(queue("team")).build();
    let a = c.run_and_grow(stretchy(2, 8).queue("team"));
    c.set_queue(queue("team").limit(quota(4)));
    assert_eq!((c.size(a), c.resize_of(a)), (8, None));
    c.advance(days(1));
    assert_eq!(c.size(a), 8);
    c.finish(a);
    let b = c.run_and_grow(stretchy(2, 8).queue("team"));
    assert_eq!(c.size(b), 4);
}

#[test]
fn a_limit_that_is_raised_lets_a_job_grow() {
    let mut c = racks("r1: 8").queue(queue("team").limit(quota(3))).build();
    let a = c.run_and_grow(stretchy(2, 8).queue("team"));
    c.advance(minutes(10));
    c.set_queue(queue("team").limit(quota(6)));
    assert_eq!(c.size(a), 6);
}

#[test]
fn nobody_grows_into_the_quota_that_another_of_the_queue_waits_for() {
    let mut c = racks("r1: 8 8").queue(queue("team").limit(quota(8))).queue(queue("other")).build();
    c.run(gang(1, 4).queue("team"));
    let waits = c.submit(gang(1, 6).queue("team"));
    let a = c.run(stretchy(1, 4).queue("team"));
    assert_eq!((c.word(waits), c.size(a)), ("queued", 1));
    let b = c.run_and_grow(stretchy(1, 4).queue("other"));
    assert_eq!(c.size(b), 4, "another queue's quota is not what is waited for");
}

#[test]
fn growing_counts_as_borrowing_and_not_as_guaranteed() {
    let mut c = racks("r1: 8").queue(queue("team").guarantee(quota(2))).build();
    let a = c.run_and_grow(stretchy(2, 8).queue("team"));
    let account = c.engine.accounts().remove(0);
    assert_eq!((account.used.0, account.borrowed.0), (8000, 6000));
    assert!(c.decision(a).order.guaranteed, "as it started");
}
