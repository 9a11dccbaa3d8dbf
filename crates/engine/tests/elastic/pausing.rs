//! Giving back comes before giving way: nobody is paused for room that elastic jobs can spare, and
//! an elastic job can itself be paused and come back with the size it had.

use super::words::*;
use crate::support::*;

/// So many nodes of 8 GPUs, `n-1` and so on, with host memory for suspended work. Every step is
/// also taken by an engine made from the snapshot before it.
fn nodes(count: u32) -> Setup {
    cluster().nodes_with("n", count, "H100x8", |node| node.suspend_memory(gib(4096))).doubted()
}

/// A long gang that can be suspended.
fn trainer(tasks: u32, gpus: u32) -> JobSpec {
    let spec = gang(tasks, gpus).class("batch").estimate(hours(20), hours(24));
    spec.rung(Rung::Suspend, seconds(20), seconds(10))
}

/// A short gang of a class that goes before `batch`.
fn urgent(tasks: u32, gpus: u32) -> JobSpec {
    gang(tasks, gpus).class("express").estimate(minutes(10), minutes(12))
}

/// An elastic job of one-GPU tasks that says nothing of how it could be paused.
fn elastic(min: u32, max: u32) -> JobSpec {
    stretchy(min, max).class("batch")
}

/// One that can be suspended.
fn pausable(min: u32, max: u32) -> JobSpec {
    elastic(min, max).rung(Rung::Suspend, seconds(20), seconds(10))
}

impl World {
    fn givers_of(&self, job: JobId) -> Vec<JobId> {
        let snapshot = self.snapshot();
        let plan = snapshot.plans.iter().find(|plan| plan.job == job);
        plan.map(|plan| plan.givers.clone()).unwrap_or_default()
    }
}

/// One node, four of its GPUs with a job that may be paused and four with an elastic job.
fn both() -> (World, JobId, JobId) {
    let mut c = nodes(1).build();
    let paused = c.run(trainer(1, 4));
    let elastic = c.run_and_grow(elastic(1, 4));
    c.advance(minutes(11));
    assert_eq!(c.sizes([paused, elastic]), [1, 4]);
    (c, paused, elastic)
}

#[test]
fn nobody_is_paused_for_what_an_elastic_job_can_spare() {
    let (mut c, trainer, elastic) = both();
    let job = c.submit(urgent(1, 3));
    assert_eq!((c.word(trainer), c.word(job)), ("running", "queued"));
    assert_eq!((c.givers_of(job), c.victims_of(job)), (vec![elastic], vec![]));
    c.resized(elastic);
    assert_eq!((c.word(job), c.size(elastic)), ("launching", 1));
}

#[test]
fn where_giving_back_is_not_enough_it_still_comes_first() {
    let (mut c, trainer, elastic) = both();
    let job = c.submit(urgent(1, 7));
    assert_eq!((c.givers_of(job), c.victims_of(job)), (vec![elastic], vec![trainer]));
    c.resized(elastic);
    assert_eq!(c.word(job), "queued");
    c.give_way(trainer);
    assert_eq!((c.word(trainer), c.word(job)), ("paused", "launching"));
}

#[test]
fn nothing_is_given_back_that_would_not_spare_anyone() {
    let (mut c, trainer, elastic) = both();
    let job = c.submit(urgent(1, 4));
    assert_eq!((c.givers_of(job), c.victims_of(job)), (vec![], vec![trainer]));
    c.give_way(trainer);
    assert_eq!((c.word(job), c.size(elastic)), ("launching", 4));
}

#[test]
fn of_two_only_the_one_is_paused_whom_giving_back_does_not_spare() {
    let mut c = nodes(1).build();
    let [a, b] = [c.run(trainer(1, 2)), c.run(trainer(1, 2))];
    let elastic = c.run_and_grow(elastic(1, 4));
    c.advance(minutes(11));
    let job = c.submit(urgent(1, 5));
    assert_eq!(c.givers_of(job), [elastic]);
    assert_eq!(c.victims_of(job).len(), 1);
    c.resized(elastic);
    c.give_way(c.victims_of(job)[0]);
    assert_eq!(c.word(job), "launching");
    assert_eq!([a, b].map(|id| c.word(id)).iter().filter(|word| **word == "running").count(), 1);
}

#[test]
fn a_job_of_a_lower_tier_gets_nothing_from_one_above() {
    let mut c = nodes(1).build();
    let high = c.run_and_grow(stretchy(1, 8).class("express"));
    c.advance(minutes(11));
    let job = c.submit(gang(1, 4).class("batch").estimate(minutes(10), minutes(12)));
    assert_eq!((c.size(high), c.word(job), c.givers_of(job)), (8, "queued", vec![]));
}

#[test]
fn an_elastic_job_that_could_not_give_enough_is_paused_as_a_whole() {
    let mut c = nodes(1).build();
    let a = c.run_and_grow(pausable(2, 8));
    c.advance(minutes(11));
    let job = c.submit(urgent(1, 8));
    assert_eq!((c.word(a), c.victims_of(job)), ("pausing", vec![a]));
    c.give_way(a);
    assert_eq!((c.word(a), c.word(job), c.size(a)), ("paused", "launching", 8));
    c.finish(job);
    assert_eq!(c.word(a), "resuming");
    c.come_back(a);
    assert_eq!((c.word(a), c.size(a), c.used("default")), ("running", 8, 8));
}

#[test]
fn one_that_came_back_gives_back_and_grows_like_any_other() {
    let mut c = nodes(1).build();
    let a = c.run_and_grow(pausable(2, 8));
    c.advance(minutes(11));
    let job = c.submit(urgent(1, 8));
    c.give_way(a);
    c.finish(job);
    c.come_back(a);
    let other = c.submit(urgent(1, 6));
    assert_eq!(c.givers_of(other), [a]);
    c.resized(a);
    assert_eq!((c.word(other), c.size(a)), ("launching", 2));
    c.confirm(other);
    c.finish(other);
    c.advance(minutes(11));
    c.resized(a);
    assert_eq!(c.size(a), 8);
}

#[test]
fn work_stands_still_while_it_is_suspended() {
    let mut c = nodes(1).build();
    let a = c.run(pausable(8, 16));
    c.advance(hours(1));
    let job = c.submit(urgent(1, 8));
    c.give_way(a);
    c.confirm(job);
    c.advance(hours(5));
    let worked = |c: &World| c.record(a).run.and_then(|run| run.elastic).expect("it is elastic");
    assert_eq!((worked(&c).worked, worked(&c).counted), (hours(1), None));
    c.finish(job);
    c.come_back(a);
    assert_eq!(worked(&c).counted, Some(c.now()));
}

#[test]
fn one_that_must_end_to_give_way_starts_again_with_its_fewest() {
    let mut c = nodes(1).build();
    let a = c.run_and_grow(elastic(2, 8).rung(Rung::Requeue, seconds(0), seconds(10)));
    c.advance(minutes(11));
    let job = c.submit(urgent(1, 8));
    assert_eq!(c.word(a), "stopping");
    c.give_way(a);
    assert_eq!((c.word(a), c.word(job)), ("queued", "launching"));
    c.finish(job);
    assert_eq!((c.word(a), c.size(a)), ("launching", 2));
}

#[test]
fn one_that_is_changing_its_size_is_not_paused() {
    let mut c = nodes(1).build();
    let a = c.run(pausable(2, 8));
    assert!(c.resize_of(a).is_some(), "it grows");
    c.advance(minutes(4));
    let job = c.submit(urgent(1, 8));
    assert_eq!((c.word(a), c.word(job)), ("running", "queued"));
    c.resized(a);
    c.advance(minutes(11));
    assert_eq!((c.word(a), c.victims_of(job)), ("pausing", vec![a]));
}

#[test]
fn one_that_is_being_paused_neither_grows_nor_gives_back() {
    let mut c = nodes(1).build();
    let a = c.run_and_grow(pausable(2, 8));
    c.advance(minutes(11));
    c.submit(urgent(1, 8));
    assert_eq!(c.word(a), "pausing");
    let other = c.submit(urgent(1, 4));
    assert_eq!((c.givers_of(other), c.resize_of(a)), (vec![], None));
}

#[test]
fn a_plan_is_given_up_when_a_node_is_lost_on_which_tasks_are_given_back() {
    let mut c = nodes(2).build();
    let a = c.run_and_grow(wide(1, 4, 4).class("batch"));
    let job = c.submit(urgent(1, 8));
    assert_eq!(c.givers_of(job), [a]);
    c.lose("n-2", minutes(5));
    assert_eq!(c.snapshot().plans, []);
    assert_eq!(c.word(job), "queued");
    c.advance(minutes(6));
    c.settle();
    assert_eq!(c.word(a), "running", "what it lost had been asked to leave");
}

#[test]
fn what_is_given_back_too_late_is_not_waited_for() {
    let (mut c, trainer, elastic) = both();
    let job = c.submit(urgent(1, 3));
    assert_eq!(c.givers_of(job), [elastic]);
    c.advance(minutes(30));
    assert_eq!((c.givers_of(job), c.victims_of(job)), (vec![], vec![trainer]));
    assert!(c.resize_of(elastic).is_some(), "its tasks may still be there");
}

#[test]
fn a_job_that_has_grown_beyond_one_node_comes_back_to_all_of_them() {
    let mut c = nodes(2).build();
    // Its fewest tasks are one, for which one node is enough.
    let grown = c.run_and_grow(pausable(1, 12));
    c.advance(minutes(11));
    assert_eq!((c.size(grown), c.nodes_of(grown).len()), (12, 2));
    let job = c.submit(urgent(2, 8));
    c.give_way(grown);
    assert_eq!((c.word(grown), c.word(job)), ("paused", "launching"));
    c.finish(job);
    assert_eq!(c.word(grown), "resuming");
    c.come_back(grown);
    assert_eq!((c.word(grown), c.size(grown)), ("running", 12));
}
