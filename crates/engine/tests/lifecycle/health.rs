//! Drained nodes and unhealthy GPUs: what is there goes on, nothing new comes.

use super::support::{launches, nodes, pair};
use crate::support::*;

#[test]
fn what_runs_on_a_drained_node_may_finish() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8));
    let drained = c.drain("n-1");
    assert_eq!((drained, c.word(job)), (vec![], "running"));
    c.finish(job);
    assert_eq!(c.word(job), "completed");
}

#[test]
fn a_launch_on_a_node_drained_meanwhile_goes_on() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 8));
    c.drain("n-1");
    c.confirm(job);
    assert_eq!(c.word(job), "running");
}

#[test]
fn nothing_new_goes_to_a_drained_node_until_it_is_resumed() {
    let mut c = pair();
    c.drain("n-1");
    let first = c.submit(gang(1, 8));
    let second = c.submit(gang(1, 8));
    assert_eq!((c.nodes_of(first), c.word(second)), (vec!["n-2".to_owned()], "queued"));
    let resumed = c.resume("n-1");
    assert_eq!(launches(&c, &resumed, second), ["n-1"]);
}

#[test]
fn a_job_requeued_from_a_drained_node_goes_elsewhere() {
    let mut c = pair();
    let job = c.run(gang(1, 8));
    c.drain("n-1");
    c.requeue(job);
    c.stopped(job);
    assert_eq!(c.nodes_of(job), ["n-2"]);
}

#[test]
fn draining_and_resuming_twice_is_the_same_as_once() {
    let mut c = nodes(1);
    c.drain("n-1");
    c.drain("n-1");
    let job = c.submit(gang(1, 1));
    assert_eq!(c.codes(job), ["impossible"]);
    c.resume("n-1");
    c.resume("n-1");
    assert_eq!(c.word(job), "launching");
}

#[test]
fn a_drained_node_that_was_lost_is_still_drained_when_it_returns() {
    let mut c = nodes(1);
    c.drain("n-1");
    c.lose("n-1", minutes(1));
    c.find_again("n-1", &[]);
    let job = c.submit(gang(1, 1));
    assert_eq!(c.word(job), "queued");
}

#[test]
fn resuming_a_lost_node_does_not_bring_it_back() {
    let mut c = nodes(1);
    c.drain("n-1");
    c.lose("n-1", minutes(1));
    c.resume("n-1");
    let job = c.submit(gang(1, 1));
    assert_eq!(c.word(job), "queued");
    c.find_again("n-1", &[]);
    assert_eq!(c.word(job), "launching");
}

#[test]
fn an_unhealthy_gpu_that_is_free_is_not_given_away() {
    let mut c = nodes(1);
    c.break_gpu("n-1", 0);
    let whole = c.submit(gang(1, 8));
    assert_eq!(c.codes(whole), ["impossible"]);
    let rest = c.submit(gang(7, 1));
    let gpus: Vec<u32> = (0..7).flat_map(|rank| c.gpus_of(rest, rank)).collect();
    assert_eq!(gpus.len(), 7);
    assert!(!gpus.contains(&0));
}

#[test]
fn what_runs_on_an_unhealthy_gpu_goes_on_and_nothing_follows_it_there() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8));
    let broken = c.break_gpu("n-1", 5);
    assert_eq!((broken, c.word(job)), (vec![], "running"));
    let next = c.submit(gang(8, 1));
    c.finish(job);
    assert_eq!((c.word(next), c.free_total()), ("queued", 7));
    let mended = c.mend_gpu("n-1", 5);
    assert_eq!(launches(&c, &mended, next), ["n-1"]);
}

#[test]
fn a_gpu_mended_while_it_is_held_is_free_after_its_job() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8));
    c.break_gpu("n-1", 2);
    c.mend_gpu("n-1", 2);
    c.finish(job);
    let next = c.submit(gang(1, 8));
    assert_eq!(c.word(next), "launching");
}

#[test]
fn mending_a_healthy_gpu_gives_nothing_twice() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8));
    c.mend_gpu("n-1", 0);
    c.mend_gpu("n-1", 0);
    assert_eq!(c.free_total(), 0);
    let next = c.submit(gang(1, 1));
    assert_eq!(c.word(next), "queued");
    c.finish(job);
    assert_eq!(c.word(next), "launching");
}

#[test]
fn a_gpu_that_breaks_twice_is_mended_once() {
    let mut c = nodes(1);
    c.break_gpu("n-1", 1);
    c.break_gpu("n-1", 1);
    assert_eq!(c.free_total(), 7);
    c.mend_gpu("n-1", 1);
    assert_eq!(c.free_total(), 8);
}

#[test]
fn each_gpu_of_a_node_is_ill_by_itself() {
    let mut c = nodes(1);
    for gpu in 0..8 {
        c.break_gpu("n-1", gpu);
        assert_eq!(c.free_total(), 7 - gpu);
    }
    for gpu in [6, 1, 3] {
        c.mend_gpu("n-1", gpu);
    }
    let job = c.submit(gang(1, 3));
    assert_eq!(c.gpus_of(job, 0), [1, 3, 6]);
}

#[test]
fn a_job_lost_from_a_node_with_an_ill_gpu_goes_where_there_is_room() {
    let mut c = pair();
    let job = c.run(gang(1, 8));
    c.break_gpu("n-1", 7);
    c.requeue(job);
    c.stopped(job);
    assert_eq!(c.nodes_of(job), ["n-2"]);
}
