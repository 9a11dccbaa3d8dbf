//! Unknown is not dead: what runs on a node out of sight is alive until the node's lease ends.

use muster_engine::snapshot::Sight;

use super::support::{changes_nothing, launches, moves, nodes, pair, restart, stops};
use crate::support::*;

#[test]
fn a_lost_node_keeps_its_jobs_until_its_lease_ends() {
    let mut c = pair();
    let job = c.run(gang(1, 8));
    let lost = c.lose("n-1", minutes(10));
    assert_eq!((lost, c.word(job)), (vec![], "running"));
    c.advance_to(Time(599_999));
    assert_eq!((c.word(job), c.attempt(job).0), ("running", 1));
}

#[test]
fn a_job_is_started_elsewhere_when_the_lease_ends_and_never_before() {
    let mut c = pair();
    let job = c.run(gang(1, 8));
    c.lose("n-1", minutes(10));
    c.advance_to(Time(599_999));
    assert_eq!(c.attempt(job).0, 1);
    let at_the_end = c.advance(Millis(1));
    assert_eq!(launches(&c, &at_the_end, job), ["n-2"]);
    assert_eq!((c.attempt(job).0, c.record(job).requeues), (2, 1));
    assert_eq!(c.sight("n-1"), Sight::Gone);
}

#[test]
fn nothing_new_goes_to_a_lost_node() {
    let mut c = nodes(1);
    c.lose("n-1", hours(1));
    let job = c.submit(gang(1, 1));
    assert_eq!(c.codes(job), ["impossible"]);
    c.find_again("n-1", &[]);
    assert_eq!(c.nodes_of(job), ["n-1"]);
}

#[test]
fn nothing_goes_to_a_node_whose_lease_has_ended() {
    let mut c = nodes(1);
    c.lose("n-1", minutes(1));
    c.advance(minutes(2));
    let job = c.submit(gang(1, 1));
    assert_eq!(c.codes(job), ["impossible"]);
}

#[test]
fn a_node_that_returns_in_time_has_lost_nothing() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8));
    c.lose("n-1", minutes(10));
    c.advance(minutes(9));
    let returned = c.find_again("n-1", &[job]);
    assert_eq!((returned, c.word(job)), (vec![], "running"));
    c.advance(hours(1));
    assert_eq!((c.word(job), c.attempt(job).0), ("running", 1));
    assert_eq!(c.sight("n-1"), Sight::Seen);
}

#[test]
fn a_task_missing_on_a_returned_node_is_lost_and_starts_again() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8));
    c.lose("n-1", minutes(10));
    c.advance(minutes(1));
    let returned = c.find_again("n-1", &[]);
    assert_eq!(launches(&c, &returned, job), ["n-1"]);
    assert_eq!((c.attempt(job).0, c.record(job).requeues), (2, 1));
}

#[test]
fn hearing_of_a_loss_again_never_shortens_a_lease() {
    let mut c = pair();
    let job = c.run(gang(1, 8));
    c.lose("n-1", minutes(10));
    c.advance(minutes(1));
    for lease in [minutes(9), minutes(2), Millis::ZERO] {
        let again = Command::NodeLost { node: c.node("n-1"), lease_ends: c.now() + lease };
        changes_nothing(&mut c, &again);
    }
    c.advance_to(Time(599_999));
    assert_eq!(c.attempt(job).0, 1);
    c.advance(Millis(1));
    assert_eq!(c.attempt(job).0, 2);
}

#[test]
fn a_longer_lease_counts() {
    let mut c = pair();
    let job = c.run(gang(1, 8));
    c.lose("n-1", minutes(10));
    c.lose("n-1", minutes(20));
    c.advance_to(Time(1_199_999));
    assert_eq!(c.attempt(job).0, 1);
    c.advance(Millis(1));
    assert_eq!(c.attempt(job).0, 2);
}

#[test]
fn a_lease_that_has_ended_already_costs_the_job_at_once() {
    let mut c = pair();
    let job = c.run(gang(1, 8));
    c.advance(minutes(10));
    c.tell(Command::NodeLost { node: c.node("n-1"), lease_ends: Time(1) });
    assert_eq!((c.attempt(job).0, c.nodes_of(job)), (2, vec!["n-2".to_owned()]));
}

#[test]
fn losing_a_node_that_is_gone_changes_nothing() {
    let mut c = nodes(1);
    c.lose("n-1", minutes(1));
    c.advance(minutes(1));
    let again = Command::NodeLost { node: c.node("n-1"), lease_ends: c.now() + hours(1) };
    changes_nothing(&mut c, &again);
    assert_eq!(c.sight("n-1"), Sight::Gone);
}

#[test]
fn a_job_that_does_not_want_another_attempt_ends_with_its_node() {
    let mut c = pair();
    let job = c.run(gang(1, 8).requeue(super::support::again(false, true, 16)));
    c.lose("n-1", minutes(1));
    c.advance(minutes(1));
    assert_eq!(c.word(job), "node-lost");
}

#[test]
fn a_job_that_is_lost_too_often_ends_with_its_node() {
    let mut c = nodes(4);
    let job = c.run(gang(1, 8).requeue(super::support::again(true, false, 2)));
    for attempt in 1..=3 {
        assert_eq!(c.attempt(job).0, attempt);
        let node = c.nodes_of(job)[0].clone();
        c.lose(&node, minutes(1));
        c.advance(minutes(1));
        if attempt < 3 {
            c.confirm(job);
        }
    }
    assert_eq!((c.word(job), c.record(job).requeues), ("node-lost", 2));
}

#[test]
fn a_report_from_a_node_out_of_sight_still_counts() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 8));
    c.lose("n-1", minutes(10));
    c.confirm(job);
    assert_eq!(c.word(job), "running");
    c.end(job, Exit::Code(0));
    assert_eq!(c.word(job), "completed");
}

#[test]
fn a_launch_lost_with_its_node_waits_for_the_lease_though_its_time_is_up() {
    let mut c = pair();
    let job = c.submit(gang(1, 8));
    c.lose("n-1", minutes(20));
    c.advance(minutes(5));
    assert_eq!((c.word(job), c.attempt(job).0), ("stopping", 1));
    c.advance(minutes(15));
    assert_eq!((c.attempt(job).0, c.nodes_of(job)), (2, vec!["n-2".to_owned()]));
}

#[test]
fn a_lease_that_ends_before_the_launch_is_given_up_frees_the_job() {
    let mut c = pair();
    let job = c.submit(gang(1, 8));
    c.lose("n-1", minutes(2));
    c.advance(minutes(2));
    assert_eq!((c.attempt(job).0, c.nodes_of(job)), (2, vec!["n-2".to_owned()]));
    assert_eq!(c.record(job).requeues, 1);
}

#[test]
fn a_launch_may_still_be_on_its_way_to_a_node_that_returns_without_it() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 8));
    c.lose("n-1", minutes(2));
    let returned = c.find_again("n-1", &[]);
    assert_eq!((returned, c.word(job)), (vec![], "launching"));
    c.confirm(job);
    assert_eq!((c.word(job), c.attempt(job).0), ("running", 1));
}

#[test]
fn what_a_returned_node_runs_is_confirmed() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 8));
    c.lose("n-1", minutes(2));
    let returned = c.find_again("n-1", &[job]);
    assert_eq!(moves(&returned, job), [JobState::Running]);
}

#[test]
fn a_stop_that_was_lost_with_its_node_is_said_again_when_it_returns() {
    for running in [true, false] {
        let mut c = nodes(1);
        let job = c.submit(gang(1, 8));
        if running {
            c.confirm(job);
        }
        c.lose("n-1", minutes(10));
        c.cancel(job);
        let still_there: &[JobId] = if running { &[job] } else { &[] };
        let returned = c.find_again("n-1", still_there);
        assert_eq!(stops(&c, &returned), [("n-1".to_owned(), job, 1)], "running: {running}");
        c.stopped(job);
        assert_eq!(c.word(job), "cancelled");
    }
}

#[test]
fn a_stop_is_over_when_its_node_returns_without_the_task() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8));
    c.cancel(job);
    c.lose("n-1", minutes(10));
    c.find_again("n-1", &[]);
    assert_eq!((c.word(job), c.free_total()), ("cancelled", 8));
}

#[test]
fn a_stop_is_over_when_the_lease_of_its_node_ends() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8));
    c.cancel(job);
    c.lose("n-1", minutes(10));
    c.advance_to(Time(599_999));
    assert_eq!(c.word(job), "stopping");
    c.advance(Millis(1));
    assert_eq!(c.word(job), "cancelled");
}

#[test]
fn a_time_limit_holds_on_a_lost_node_too() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8).limit(minutes(5)));
    c.lose("n-1", minutes(10));
    c.advance(minutes(5));
    assert_eq!(c.word(job), "stopping");
    c.advance(minutes(5));
    assert_eq!(c.word(job), "timed-out");
}

#[test]
fn a_lease_survives_a_restart() {
    let mut c = pair();
    let job = c.run(gang(1, 8));
    c.lose("n-1", minutes(10));
    c.advance(minutes(3));
    restart(&mut c);
    c.advance_to(Time(599_999));
    assert_eq!(c.attempt(job).0, 1);
    c.advance(Millis(1));
    assert_eq!(c.attempt(job).0, 2);
}

#[test]
fn leases_of_many_nodes_that_end_together_are_all_worked_off() {
    let mut c = cluster().nodes("n", 100, "H100x1").nodes("spare", 1, "A100x8").build();
    let jobs = c.submit_all((0..100).map(|_| gang(1, 1).models(["H100"])));
    jobs.iter().for_each(|&job| drop(c.confirm(job)));
    for index in 1..=100 {
        c.lose(&format!("n-{index}"), minutes(10));
    }
    c.advance(minutes(10));
    let gone = c.snapshot().nodes.iter().filter(|node| node.sight == Sight::Gone).count();
    assert_eq!(gone, 100);
    assert!(jobs.iter().all(|&job| c.word(job) == "queued"));
}
