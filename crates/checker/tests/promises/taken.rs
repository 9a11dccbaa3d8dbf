//! Nothing is taken from a job that did nothing to lose it.

use muster_checker::Promise::Taken;
use muster_engine::action::{Action, JobState};
use muster_engine::command::{Command, Exit};
use muster_model::{Attempt, JobId, Millis, NodeId};

use crate::act::{ALL, LOW, job, moved, node, stop};
use crate::stage::{Stage, broken, kept};

/// A job running on one node, with a limit of an hour.
fn running() -> (Stage, NodeId, JobId) {
    let mut stage = Stage::new();
    let node = stage.join(node("n0", "z", "r"));
    let mut spec = job(1, 4);
    spec.timing.limit = Some(Millis::hours(1));
    let job = stage.submit(spec);
    stage.run(job, &[(node, &[(0, LOW)])]);
    (stage, node, job)
}

/// A step that takes something without a plan: seen when the engine's account is compared.
fn taken(stage: &mut Stage, command: &Command, actions: &[Action], words: &str) {
    kept(stage.try_step(command, actions));
    broken(stage.try_compare(), Taken, words);
}

fn stopping(job: JobId, node: NodeId) -> [Action; 2] {
    [stop(job, 1, node), moved(job, 1, JobState::Stopping)]
}

#[test]
fn a_job_stopped_for_nothing_is_seen() {
    let (mut stage, node, job) = running();
    taken(
        &mut stage,
        &Command::Tick,
        &stopping(job, node),
        "job 1 is ended or paused without a cause",
    );
}

#[test]
fn a_job_stopped_for_another_that_comes_is_seen() {
    let (mut stage, node, first) = running();
    let mut spec = job(1, 8);
    spec.class = "inference".into();
    let accepted = Action::Accepted { job: JobId(2), elements: 0 };
    let mut actions = vec![accepted, moved(JobId(2), 0, JobState::Queued)];
    actions.extend(stopping(first, node));
    let submit = Command::Submit { spec: spec.into() };
    taken(&mut stage, &submit, &actions, "job 1 is ended or paused without a cause");
}

#[test]
fn a_stop_that_is_not_told_as_a_move_is_seen() {
    let (mut stage, node, job) = running();
    taken(&mut stage, &Command::Tick, &[stop(job, 1, node)], "without a cause");
}

#[test]
fn a_drain_or_an_ill_gpu_takes_nothing() {
    for is_drain in [true, false] {
        let (mut stage, node, job) = running();
        let command = match is_drain {
            true => Command::NodeDrained { node },
            false => Command::GpuUnhealthy { node, gpu: 0 },
        };
        taken(&mut stage, &command, &stopping(job, node), "without a cause");
    }
}

#[test]
fn a_cancel_or_a_requeue_of_another_job_is_no_cause() {
    let (mut stage, node, first) = running();
    let other = stage.submit(job(1, 8));
    let requeue = Command::Requeue { job: other };
    taken(&mut stage, &requeue, &stopping(first, node), "job 1 is ended or paused without a cause");
}

#[test]
fn a_request_is_a_cause() {
    let (mut stage, node, job) = running();
    stage.play(&Command::Requeue { job }, &stopping(job, node));
}

#[test]
fn a_limit_is_a_cause_when_it_is_reached_and_not_before() {
    let (mut stage, node, job) = running();
    stage.wait(Millis::hours(1).0 - 1);
    taken(&mut stage, &Command::Tick, &stopping(job, node), "without a cause");
    let (mut stage, node, job) = running();
    stage.wait(Millis::hours(1).0);
    kept(stage.try_tick(&stopping(job, node)));
}

#[test]
fn a_launch_that_nobody_confirms_is_a_cause_after_its_time() {
    let (mut stage, node, _) = running();
    let slow = stage.submit(job(1, 4));
    stage.start(slow, &[(node, &[(0, 0b1111_0000)])]);
    let actions = stopping(slow, node);
    stage.wait(Millis::minutes(5).0 - 1);
    taken(&mut stage, &Command::Tick, &actions, "job 2 is ended or paused without a cause");
    stage.wait(1);
    let mut again = Stage::new();
    let node = again.join(crate::act::node("n0", "z", "r"));
    let slow = again.submit(job(1, 8));
    again.start(slow, &[(node, &[(0, ALL)])]);
    again.wait(Millis::minutes(5).0);
    kept(again.try_tick(&stopping(slow, node)));
}

#[test]
fn an_old_attempts_end_is_no_cause() {
    let (mut stage, node, job) = running();
    let old = Command::Ended { node, job, attempt: Attempt(7), exit: Exit::Code(1) };
    taken(&mut stage, &old, &stopping(job, node), "without a cause");
}

#[test]
fn what_ended_by_itself_was_not_taken() {
    let (mut stage, node, job) = running();
    let over = JobState::Ended(muster_engine::action::Outcome::Failed(Exit::Code(2)));
    stage.play(&stage.end(node, job, Exit::Code(2)), &[moved(job, 1, over)]);
}
