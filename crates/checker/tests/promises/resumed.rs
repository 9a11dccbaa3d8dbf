//! What is paused is not forgotten.

use muster_checker::Promise::Resumed;
use muster_engine::action::JobState;
use muster_engine::command::{Command, Exit};
use muster_engine::snapshot::ClaimRecord;
use muster_model::{
    Attempt, Checkpoint, ClusterSpec, JobId, JobSpec, Mib, Millis, NodeId, QueueSpec, Quota, Rung,
    RungCost, Time,
};

use crate::act::{ALL, job, moved, node};
use crate::pause::pause;
use crate::plan::plan_for;
use crate::stage::{Stage, broken, kept};

fn pausable() -> JobSpec {
    let (save, restore) = (Millis::seconds(20), Millis::seconds(10));
    let rungs = vec![RungCost { rung: Rung::Suspend, save, restore }];
    JobSpec { checkpoint: Checkpoint { rungs, ..Checkpoint::default() }, ..job(1, 8) }
}

/// A job that is suspended for another, which then runs in its place.
fn suspended(cluster: ClusterSpec) -> (Stage, NodeId, [JobId; 2]) {
    let mut stage = Stage::with(cluster);
    let mut spec = node("n0", "z", "r");
    spec.suspend_memory = Mib::gib(1000);
    let node = stage.join(spec);
    let first = stage.submit(pausable());
    stage.run(first, &[(node, &[(0, ALL)])]);
    let second = stage.submit(job(1, 8));
    let freeze = [pause(first, node, 1, Rung::Freeze), moved(first, 1, JobState::Pausing)];
    stage.play(&Command::Tick, &freeze);
    plan_for(&mut stage, second, &[first], &[(node, ALL)]);
    kept(stage.try_compare());
    let done = |order, rung| Command::Paused { node, job: first, attempt: Attempt(1), order, rung };
    stage.play(&done(1, Rung::Freeze), &[pause(first, node, 2, Rung::Suspend)]);
    stage.play(&done(2, Rung::Suspend), &[moved(first, 1, JobState::Paused)]);
    stage.job_record(first).run.as_mut().expect("it has an attempt").is_suspended = true;
    stage.snapshot.plans.clear();
    stage.run(second, &[(node, &[(0, ALL)])]);
    kept(stage.try_compare());
    (stage, node, [first, second])
}

fn end(stage: &mut Stage, node: NodeId, id: JobId) {
    let over = JobState::Ended(muster_engine::action::Outcome::Completed);
    let ended = stage.end(node, id, Exit::Code(0));
    stage.play(&ended, &[moved(id, 1, over)]);
}

#[test]
fn a_job_left_beside_its_own_free_place_is_seen() {
    let (mut stage, node, [_, second]) = suspended(ClusterSpec::default());
    end(&mut stage, node, second);
    broken(stage.try_compare(), Resumed, "job 1 is paused, and its own place is free");
}

#[test]
fn a_job_that_is_held_may_be_left() {
    let (mut stage, node, [first, second]) = suspended(ClusterSpec::default());
    stage.play(&Command::Hold { job: first }, &[]);
    end(&mut stage, node, second);
    kept(stage.try_compare());
}

#[test]
fn a_job_whose_place_is_not_to_be_had_may_be_left() {
    let (mut stage, node, [_, second]) = suspended(ClusterSpec::default());
    stage.play(&Command::GpuUnhealthy { node, gpu: 3 }, &[]);
    end(&mut stage, node, second);
    kept(stage.try_compare());
    let (mut stage, node, [_, second]) = suspended(ClusterSpec::default());
    stage.play(&Command::NodeDrained { node }, &[]);
    end(&mut stage, node, second);
    kept(stage.try_compare());
}

#[test]
fn a_job_whose_queue_does_not_allow_it_may_be_left() {
    let (mut stage, node, [_, second]) = suspended(ClusterSpec::default());
    let queue = QueueSpec::new("default").limit(Quota::of_gpus(4));
    stage.play(&Command::QueueSet { queue }, &[]);
    end(&mut stage, node, second);
    kept(stage.try_compare());
}

#[test]
fn a_job_whose_place_is_held_for_one_who_starves_may_be_left() {
    let (mut stage, node, [_, second]) = suspended(ClusterSpec::default());
    end(&mut stage, node, second);
    let starving = stage.submit(job(1, 8));
    let mut claims = stage.snapshot.claims.clone();
    claims.push(ClaimRecord { job: starving, nodes: vec![node], since: Time(0), reserved: None });
    stage.snapshot.claims = claims;
    kept(stage.try_compare());
}

#[test]
fn while_the_engine_has_work_left_it_may_still_come() {
    let (mut stage, node, [_, second]) = suspended(ClusterSpec::default());
    end(&mut stage, node, second);
    stage.wake = Some(stage.now);
    kept(stage.try_compare());
}
