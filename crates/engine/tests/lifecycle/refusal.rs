//! Refused launches: who is at fault rests or pauses, longer each time, and everybody else goes on.

use super::support::{launches, nodes, pair, stops, wide};
use crate::support::*;

fn by_job() -> Refusal {
    Refusal::Job("no-such-folder".into())
}

#[test]
fn one_refusal_takes_the_whole_launch_back() {
    let mut c = nodes(3);
    let job = c.submit(wide(3));
    c.confirm_on(job, "n-1");
    let refused = c.refuse(job, "n-2");
    let rest = [("n-1".to_owned(), job, 1), ("n-3".to_owned(), job, 1)];
    assert_eq!(stops(&c, &refused), rest);
    assert_eq!(c.free_total(), 0, "the others may still run it");
    c.stopped(job);
    assert_eq!(c.free_total(), 24);
}

#[test]
fn a_job_refused_by_a_node_tries_elsewhere_at_once() {
    let mut c = pair();
    let job = c.submit(gang(1, 8));
    let actions = c.refuse(job, "n-1");
    assert_eq!(launches(&c, &actions, job), ["n-2"]);
    assert_eq!((c.attempt(job).0, c.now()), (2, Time(0)));
    let record = c.record(job);
    assert_eq!((record.requeues, record.launch_failures), (0, 0), "it is not the job's fault");
}

#[test]
fn a_node_that_refuses_rests_twice_as_long_each_time() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 8));
    let mut pauses = Vec::new();
    for _ in 0..5 {
        let at = c.now();
        c.refuse(job, "n-1");
        assert_eq!(c.word(job), "queued");
        let until = c.node_record("n-1").rests_until;
        pauses.push(until.since(at).0 / 1000);
        c.advance_to(Time(until.0 - 1));
        assert_eq!(c.word(job), "queued", "before the node has rested");
        c.advance_to(until);
        assert_eq!(c.word(job), "launching", "when the node has rested");
    }
    assert_eq!(pauses, [10, 20, 40, 80, 160]);
}

#[test]
fn the_rest_of_a_node_is_bounded() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 8));
    let mut longest = Millis::ZERO;
    for _ in 0..14 {
        c.refuse(job, "n-1");
        let until = c.node_record("n-1").rests_until;
        longest = longest.max(until.since(c.now()));
        c.advance_to(until);
    }
    assert_eq!(longest, seconds(10 * 1024));
}

#[test]
fn a_node_that_confirms_a_launch_is_trusted_again() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 8));
    c.refuse(job, "n-1");
    c.advance(seconds(10));
    c.refuse(job, "n-1");
    c.advance(seconds(20));
    assert_eq!(c.node_record("n-1").refusals, 2);
    c.confirm(job);
    assert_eq!(c.node_record("n-1").refusals, 0);
    c.finish(job);
    let next = c.submit(gang(1, 8));
    c.refuse(next, "n-1");
    assert_eq!(c.node_record("n-1").rests_until, c.now() + seconds(10));
}

#[test]
fn nothing_new_goes_to_a_resting_node() {
    let mut c = pair();
    let first = c.submit(gang(1, 8));
    c.refuse(first, "n-1");
    let second = c.submit(gang(1, 1));
    assert_eq!(c.codes(second), ["gpus"]);
    c.advance(seconds(10));
    assert_eq!(c.nodes_of(second), ["n-1"]);
}

#[test]
fn what_runs_on_a_node_that_refuses_goes_on() {
    let mut c = nodes(1);
    let running = c.run(gang(1, 4));
    let refused = c.submit(gang(1, 4));
    c.refuse(refused, "n-1");
    assert_eq!((c.word(running), c.word(refused)), ("running", "queued"));
}

#[test]
fn a_job_that_cannot_be_launched_pauses_twice_as_long_each_time() {
    let mut c = nodes(2);
    let job = c.submit(gang(1, 8));
    for pause in [10, 20] {
        let node = c.nodes_of(job)[0].clone();
        c.refuse_because(job, &node, by_job());
        assert_eq!((c.word(job), c.free_total()), ("waiting", 16));
        let until = c.now() + seconds(pause);
        assert_eq!(c.record(job).not_before, until);
        c.advance_to(Time(until.0 - 1));
        assert_eq!(c.word(job), "waiting");
        c.advance_to(until);
        assert_eq!(c.word(job), "launching");
    }
}

#[test]
fn a_job_that_cannot_be_launched_leaves_its_nodes_to_others() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 8));
    let next = c.submit(gang(1, 8));
    let actions = c.refuse_because(job, "n-1", by_job());
    assert_eq!(launches(&c, &actions, next), ["n-1"], "the node itself is well");
}

#[test]
fn a_job_refused_three_times_in_a_row_ends_as_launch_failed() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 8));
    for _ in 0..2 {
        c.refuse_because(job, "n-1", by_job());
        c.advance(seconds(20));
    }
    assert_eq!((c.word(job), c.attempt(job).0), ("launching", 3));
    c.refuse_because(job, "n-1", by_job());
    assert_eq!(c.word(job), "launch-failed");
    assert_eq!(c.free_total(), 8);
}

#[test]
fn a_launch_that_works_forgives_earlier_refusals() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 8));
    for _ in 0..2 {
        c.refuse_because(job, "n-1", by_job());
        c.advance(seconds(20));
    }
    c.confirm(job);
    assert_eq!(c.record(job).launch_failures, 0);
    c.requeue(job);
    c.stopped(job);
    c.refuse_because(job, "n-1", by_job());
    assert_eq!(c.word(job), "waiting", "one refusal since it last ran");
}

#[test]
fn a_gang_refused_for_its_own_fault_pauses_from_the_refusal_on() {
    let mut c = pair();
    let job = c.submit(wide(2));
    c.refuse_because(job, "n-1", by_job());
    assert_eq!(c.word(job), "stopping");
    c.advance(seconds(6));
    c.stopped(job);
    assert_eq!(c.word(job), "waiting");
    c.advance(seconds(4));
    assert_eq!(c.word(job), "launching");
}

#[test]
fn a_gang_that_takes_longer_to_stop_than_its_pause_starts_when_it_has_stopped() {
    let mut c = pair();
    let job = c.submit(wide(2));
    c.refuse_because(job, "n-1", by_job());
    c.advance(seconds(25));
    assert_eq!(c.word(job), "stopping");
    c.stopped(job);
    assert_eq!((c.word(job), c.attempt(job).0), ("launching", 2));
}

#[test]
fn a_second_node_that_refuses_the_same_launch_rests_too() {
    let mut c = nodes(4);
    let job = c.submit(wide(2));
    c.refuse(job, "n-1");
    c.refuse(job, "n-2");
    let rests = |name: &str| c.node_record(name).rests_until;
    assert_eq!((rests("n-1"), rests("n-2")), (Time(10_000), Time(10_000)));
    assert_eq!(c.nodes_of(job), ["n-3", "n-4"]);
}

#[test]
fn of_two_refusals_the_first_decides_whose_fault_it_is() {
    let mut c = nodes(4);
    let job = c.submit(wide(2));
    c.refuse(job, "n-1");
    c.refuse_because(job, "n-2", by_job());
    assert_eq!(c.record(job).launch_failures, 0);
    assert_eq!(c.nodes_of(job), ["n-2", "n-3"]);
}
