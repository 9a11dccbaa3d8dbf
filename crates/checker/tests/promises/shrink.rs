//! Nobody is paused where elastic jobs could have made up for it.

use muster_checker::Promise::Shrink;
use muster_engine::action::JobState;
use muster_engine::command::Command;
use muster_model::{JobId, JobSpec, NodeId, Rung, TaskCount};

use crate::act::{job, moved, node, resize};
use crate::pause::pause;
use crate::plan::plan_for;
use crate::stage::{Stage, Verdict, broken, kept};

/// An elastic job of one-GPU tasks from one to five.
fn stretchy() -> JobSpec {
    let mut spec = job(1, 1);
    spec.groups[0].tasks = TaskCount { min: 1, max: 5 };
    spec
}

/// One node with a job of so many GPUs that is paused for a third, and an elastic job with so many
/// tasks beyond its fewest.
fn paused_beside(gpus: u32, tasks: u32, waiting: JobSpec) -> (Stage, NodeId, [JobId; 3]) {
    let mut stage = Stage::new();
    let mut spec = node("n0", "z", "r");
    spec.suspend_memory = muster_model::Mib::gib(1000);
    let node = stage.join(spec);
    let paused = stage.submit(job(1, gpus));
    let own = (1 << gpus) - 1;
    stage.run(paused, &[(node, &[(0, own)])]);
    let elastic = stage.submit(stretchy());
    stage.run(elastic, &[(node, &[(0, 1 << gpus)])]);
    let places: Vec<(u32, u64)> = (0..=tasks).map(|rank| (rank, 1 << (gpus + rank))).collect();
    stage.play(&Command::Tick, &[resize(elastic, 1, node, &places)]);
    let run = stage.job_record(elastic).run.as_mut().expect("it runs");
    run.nodes[0].tasks =
        places.iter().map(|(rank, gpus)| crate::act::place(0, *rank, *gpus)).collect();
    let attempt = muster_model::Attempt(1);
    stage.play(&Command::Resized { node, job: elastic, attempt, resize: 1 }, &[]);
    let waiting = stage.submit(waiting);
    let actions = [pause(paused, node, 1, Rung::Freeze), moved(paused, 1, JobState::Pausing)];
    stage.play(&Command::Tick, &actions);
    plan_for(&mut stage, waiting, &[paused], &[(node, own)]);
    (stage, node, [paused, elastic, waiting])
}

fn verdict(gpus: u32, tasks: u32) -> Verdict {
    paused_beside(gpus, tasks, job(1, gpus)).0.try_compare()
}

#[test]
fn a_pause_that_tasks_could_have_made_up_for_is_seen() {
    let words = "job 1 is paused for job 3, and elastic jobs had as much to give back";
    broken(verdict(2, 2), Shrink, words);
    broken(verdict(2, 3), Shrink, words);
}

#[test]
fn a_pause_that_frees_more_than_tasks_could_is_kept() {
    kept(verdict(2, 1));
    kept(verdict(2, 0));
    kept(verdict(4, 3));
}

#[test]
fn what_is_of_a_higher_class_or_is_changing_is_no_spare_room() {
    let mut high = job(1, 2);
    high.class = "preemptible".into();
    kept(paused_beside(2, 2, high).0.try_compare());
    let (mut stage, node, [_, elastic, waiting]) = paused_beside(2, 2, job(1, 2));
    stage.snapshot.plans.clear();
    stage.play(&Command::Tick, &[resize(elastic, 2, node, &[(0, 4)])]);
    plan_for(&mut stage, waiting, &[JobId(1)], &[(node, 3)]);
    stage.snapshot.plans[0].givers = vec![elastic];
    kept(stage.try_compare());
}

#[test]
fn a_gang_that_asks_for_more_than_room_is_not_judged() {
    let mut linked = job(1, 2);
    linked.groups[0].task.nvlink = true;
    kept(paused_beside(2, 2, linked).0.try_compare());
}
