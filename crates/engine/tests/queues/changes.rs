//! Queues added and changed while work waits and runs.

use crate::support::*;

fn setup() -> Setup {
    cluster()
        .nodes("n", 2, "H100x8")
        .queue(queue("a").limit(quota(4)))
        .queue(queue("b"))
        .without_pausing()
}

fn of(queue: &str, gpus: u32) -> JobSpec {
    gang(1, gpus).queue(queue)
}

fn is_rejected(actions: &[Action]) -> bool {
    actions.iter().any(|action| matches!(action, Action::Rejected { .. }))
}

#[test]
fn a_raised_limit_lets_in_at_once() {
    let mut c = setup().build();
    c.run(of("a", 4));
    let waiting = c.submit(of("a", 4));
    c.set_queue(queue("a").limit(quota(8)));
    assert_eq!(c.word(waiting), "launching");
}

#[test]
fn a_lowered_limit_takes_nothing_away_and_lets_nothing_in() {
    let mut c = setup().build();
    let running = c.run(of("a", 3));
    c.set_queue(queue("a").limit(quota(2)));
    let waiting = c.submit(of("a", 1));
    assert_eq!((c.word(running), c.word(waiting)), ("running", "queued"));
    assert_eq!(c.reason_text(waiting), "queue a uses 3 of its 2 GPUs; 1 more is wanted");
    c.finish(running);
    assert_eq!(c.word(waiting), "launching");
}

#[test]
fn a_removed_limit_lets_everyone_in() {
    let mut c = setup().build();
    let jobs: Vec<JobId> = (0..4).map(|_| c.submit(of("a", 4))).collect();
    c.set_queue(queue("a"));
    assert!(jobs.iter().all(|&job| c.is_placed(job)));
}

#[test]
fn a_new_queue_takes_jobs() {
    let mut c = setup().build();
    assert!(c.try_submit(of("new", 1)).is_err());
    c.set_queue(queue("new").limit(quota(1)));
    let first = c.submit(of("new", 1));
    let second = c.submit(of("new", 1));
    assert_eq!(c.word(first), "launching");
    assert_eq!(c.codes(second), ["queue-limit"]);
}

#[test]
fn a_new_child_is_limited_by_its_parent() {
    let mut c = setup().build();
    c.set_queue(queue("a/x"));
    let first = c.submit(of("a/x", 4));
    let second = c.submit(of("a/x", 1));
    assert_eq!((c.word(first), c.word(second)), ("launching", "queued"));
}

#[test]
fn a_queue_with_jobs_does_not_become_a_parent() {
    let mut c = setup().build();
    let running = c.run(of("a", 4));
    assert!(is_rejected(&c.set_queue(queue("a/x"))));
    c.finish(running);
    assert!(!is_rejected(&c.set_queue(queue("a/x"))));
}

#[test]
fn a_queue_without_its_parent_is_rejected() {
    let mut c = setup().build();
    assert!(is_rejected(&c.set_queue(queue("nobody/x"))));
}

#[test]
fn a_guarantee_that_is_added_puts_its_jobs_ahead() {
    let mut c = setup().build();
    let in_the_way = c.run(gang(2, 8).queue("b"));
    let high = c.submit(gang(2, 8).queue("b").class("express"));
    let low = c.submit(of("a", 4).class("batch"));
    c.set_queue(queue("a").limit(quota(4)).guarantee(quota(4)));
    c.finish(in_the_way);
    assert_eq!((c.word(low), c.word(high)), ("launching", "queued"));
}

#[test]
fn a_guarantee_that_is_taken_away_puts_its_jobs_back() {
    let mut c = setup().build();
    c.set_queue(queue("a").guarantee(quota(16)));
    let in_the_way = c.run(gang(2, 8).queue("b"));
    let low = c.submit(gang(2, 8).queue("a").class("batch"));
    let high = c.submit(gang(2, 8).queue("b").class("express"));
    c.set_queue(queue("a"));
    c.finish(in_the_way);
    assert_eq!((c.word(low), c.word(high)), ("queued", "launching"));
}

#[test]
fn a_user_limit_that_is_added_counts_what_runs() {
    let mut c = setup().build();
    c.run(of("b", 4).user("user-a"));
    c.set_queue(queue("b").user_limit(quota(4)));
    let mine = c.submit(of("b", 1).user("user-a"));
    let theirs = c.submit(of("b", 4).user("user-b"));
    assert_eq!((c.word(mine), c.word(theirs)), ("queued", "launching"));
    assert_eq!(c.codes(mine), ["user-limit"]);
}

#[test]
fn a_user_limit_that_is_removed_lets_everyone_in() {
    let mut c = setup().build();
    c.set_queue(queue("b").user_limit(quota(4)));
    let running = c.run(of("b", 4).user("user-a"));
    let waiting = c.submit(of("b", 4).user("user-a"));
    c.set_queue(queue("b"));
    assert_eq!(c.word(waiting), "launching");
    c.finish(running);
}

#[test]
fn waiting_jobs_keep_their_waiting_time_through_a_change() {
    let mut c = setup().policy(|policy| policy.floor = floor(100, hours(1), hours(1))).build();
    c.run(gang(2, 8).queue("b").limit(hours(9)));
    let waiting = c.submit(of("b", 8));
    c.advance(minutes(40));
    c.set_queue(queue("b").limit(quota(100)));
    assert_eq!(c.record(waiting).ready_since, Time(0));
    c.advance(minutes(20));
    assert_eq!(c.claim_of(waiting).len(), 1);
}

#[test]
fn a_changed_weight_changes_the_order() {
    let mut c = cluster()
        .nodes("n", 2, "H100x8")
        .queue(queue("a").weight(1))
        .queue(queue("b").weight(1))
        .build();
    let running = [c.run(of("a", 8)), c.run(of("b", 8))];
    c.advance(hours(10));
    let of_b = c.submit(of("b", 8));
    let of_a = c.submit(of("a", 8));
    c.set_queue(queue("a").weight(9));
    c.finish(running[0]);
    assert_eq!((c.word(of_a), c.word(of_b)), ("launching", "queued"));
}

#[test]
fn a_rejected_change_changes_nothing() {
    let mut c = setup().build();
    let before = c.snapshot();
    assert!(is_rejected(&c.set_queue(queue("a").limit(quota(4)).guarantee(quota(8)))));
    let mut after = c.snapshot();
    after.refresh_next = before.refresh_next;
    assert_eq!(after, before);
}
