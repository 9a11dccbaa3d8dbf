//! What a job is told of its latest start holds.

use muster_checker::Promise::Floor;
use muster_engine::action::JobState;
use muster_engine::command::{Command, Refusal};
use muster_model::{Attempt, JobId, Name, NodeId, QueueSpec, Time};

use crate::act::{ALL, HIGH, LOW, job, moved, node, stop};
use crate::stage::{Stage, broken, kept};

/// A job runs on the only node, another waits and was told 50,000.
fn told() -> (Stage, NodeId, JobId) {
    let mut stage = Stage::new();
    let node = stage.join(node("n0", "z", "r"));
    let (first, second) = (stage.submit(job(1, 8)), stage.submit(job(1, 8)));
    stage.run(first, &[(node, &[(0, ALL)])]);
    stage.checker.promise_latest(second, Time(50_000));
    (stage, node, second)
}

fn at(stage: &mut Stage, now: u64) {
    stage.wait(now - stage.now.0);
}

#[test]
fn waiting_to_the_last_moment_is_fine() {
    let (mut stage, _, _) = told();
    at(&mut stage, 50_000);
    stage.play(&Command::Tick, &[]);
    kept(stage.try_compare());
}

#[test]
fn waiting_beyond_is_seen_when_the_engine_is_at_rest() {
    let (mut stage, _, _) = told();
    at(&mut stage, 50_001);
    stage.play(&Command::Tick, &[]);
    broken(stage.try_compare(), Floor, "job 2 was to start by 50000 and waits at 50001");
}

#[test]
fn waiting_beyond_is_seen_at_the_next_moment_without_asking() {
    let (mut stage, _, _) = told();
    at(&mut stage, 50_001);
    stage.play(&Command::Tick, &[]);
    at(&mut stage, 50_002);
    broken(stage.try_tick(&[]), Floor, "job 2 was to start by 50000");
}

#[test]
fn it_is_said_once() {
    let (mut stage, _, _) = told();
    at(&mut stage, 50_001);
    stage.play(&Command::Tick, &[]);
    broken(stage.try_compare(), Floor, "job 2");
    kept(stage.try_compare());
}

#[test]
fn several_steps_at_one_moment_are_one_moment() {
    let (mut stage, _, _) = told();
    at(&mut stage, 50_001);
    stage.play(&Command::Tick, &[]);
    stage.wake = Some(stage.now);
    kept(stage.try_compare());
    stage.play(&Command::Tick, &[]);
}

#[test]
fn the_tightest_word_counts() {
    let (mut stage, _, second) = told();
    stage.checker.promise_latest(second, Time(20_000));
    stage.checker.promise_latest(second, Time(90_000));
    at(&mut stage, 20_001);
    stage.play(&Command::Tick, &[]);
    broken(stage.try_compare(), Floor, "job 2 was to start by 20000");
}

#[test]
fn a_start_in_time_settles_it() {
    let (mut stage, _, second) = told();
    let other = stage.join(node("n1", "z", "r"));
    at(&mut stage, 49_000);
    stage.start(second, &[(other, &[(0, ALL)])]);
    at(&mut stage, 60_000);
    stage.play(&Command::Tick, &[]);
    kept(stage.try_compare());
}

#[test]
fn nothing_holds_after_something_broke() {
    let node = NodeId(0);
    let queue = QueueSpec { weight: 2, ..QueueSpec::new("default") };
    let breaks = [
        Command::NodeDrained { node },
        Command::NodeLost { node, lease_ends: Time(1_000_000) },
        Command::GpuUnhealthy { node, gpu: 1 },
        Command::QueueSet { queue },
    ];
    for command in breaks {
        let (mut stage, _, _) = told();
        stage.play(&command, &[]);
        at(&mut stage, 60_000);
        stage.play(&Command::Tick, &[]);
        kept(stage.try_compare());
    }
}

#[test]
fn a_new_word_after_something_broke_counts() {
    let (mut stage, _, second) = told();
    stage.play(&Command::GpuUnhealthy { node: NodeId(0), gpu: 1 }, &[]);
    stage.checker.promise_latest(second, Time(70_000));
    at(&mut stage, 60_000);
    stage.play(&Command::Tick, &[]);
    kept(stage.try_compare());
    at(&mut stage, 70_001);
    stage.play(&Command::Tick, &[]);
    broken(stage.try_compare(), Floor, "job 2 was to start by 70000");
}

#[test]
fn a_job_that_was_held_has_no_claim_on_the_word() {
    let (mut stage, _, second) = told();
    let hold = Command::Hold { job: second };
    stage.play(&hold, &[moved(second, 0, JobState::Waiting)]);
    stage.play(&Command::Release { job: second }, &[moved(second, 0, JobState::Queued)]);
    at(&mut stage, 60_000);
    stage.play(&Command::Tick, &[]);
    kept(stage.try_compare());
}

#[test]
fn a_refused_launch_of_another_job_breaks_the_word() {
    let mut stage = Stage::new();
    let node = stage.join(node("n0", "z", "r"));
    let jobs = [4, 4, 8].map(|gpus| stage.submit(job(1, gpus)));
    stage.run(jobs[0], &[(node, &[(0, LOW)])]);
    stage.start(jobs[1], &[(node, &[(0, HIGH)])]);
    stage.checker.promise_latest(jobs[2], Time(50_000));
    let refusal = Refusal::Job(Name::from("no-folder"));
    let refused = Command::Refused { node, job: jobs[1], attempt: Attempt(1), refusal };
    stage.play(&refused, &[moved(jobs[1], 1, JobState::Waiting)]);
    at(&mut stage, 60_000);
    stage.play(&Command::Tick, &[]);
    kept(stage.try_compare());
}

#[test]
fn an_attempt_that_does_not_end_when_asked_breaks_the_word() {
    let (mut stage, node, _) = told();
    let first = JobId(1);
    let stopping = [stop(first, 1, node), moved(first, 1, JobState::Stopping)];
    stage.play(&Command::Requeue { job: first }, &stopping);
    at(&mut stage, 60_000);
    stage.play(&Command::Tick, &[]);
    kept(stage.try_compare());
}
