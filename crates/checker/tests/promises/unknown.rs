//! Losing sight of a node harms nobody before its lease ends.

use muster_checker::Promise::Unknown;
use muster_engine::action::{Action, JobState};
use muster_engine::command::{Command, Exit, Running};
use muster_model::{Attempt, JobId, NodeId, Time};

use crate::act::{ALL, job, moved, node, stop};
use crate::stage::{Stage, broken, kept};

/// A job running on two nodes of which the second is lost until 60,000.
fn half_lost() -> (Stage, [NodeId; 2], JobId) {
    let mut stage = Stage::new();
    let nodes = ["n0", "n1"].map(|name| stage.join(node(name, "z", "r")));
    let job = stage.submit(job(2, 8));
    stage.run(job, &[(nodes[0], &[(0, ALL)]), (nodes[1], &[(1, ALL)])]);
    stage.play(&Command::NodeLost { node: nodes[1], lease_ends: Time(60_000) }, &[]);
    (stage, nodes, job)
}

fn stopping(job: JobId, nodes: &[NodeId]) -> Vec<Action> {
    let mut actions: Vec<Action> = nodes.iter().map(|node| stop(job, 1, *node)).collect();
    actions.push(moved(job, 1, JobState::Stopping));
    actions
}

#[test]
fn a_job_on_a_lost_node_runs_on_until_the_lease_ends_and_then_stops() {
    let (mut stage, [a, b], job) = half_lost();
    kept(stage.try_compare());
    stage.wait(58_999);
    stage.play(&Command::Tick, &[]);
    stage.wait(1);
    stage.node_record(b).sight = muster_engine::snapshot::Sight::Gone;
    stage.play(&Command::Tick, &stopping(job, &[a]));
    stage.job_record(job).run.as_mut().unwrap().nodes[1].report =
        muster_engine::snapshot::NodeReport::Ended;
    kept(stage.try_compare());
}

#[test]
fn a_job_stopped_in_the_step_that_loses_its_node_is_seen() {
    let mut stage = Stage::new();
    let node = stage.join(node("n0", "z", "r"));
    let job = stage.submit(job(1, 8));
    stage.run(job, &[(node, &[(0, ALL)])]);
    let lost = Command::NodeLost { node, lease_ends: Time(60_000) };
    broken(stage.try_step(&lost, &stopping(job, &[node])), Unknown, "a node is out of sight");
}

#[test]
fn a_job_stopped_one_moment_before_the_lease_ends_is_seen() {
    let (mut stage, [a, b], job) = half_lost();
    stage.wait(58_999);
    let verdict = stage.try_tick(&stopping(job, &[a, b]));
    broken(verdict, Unknown, "job 1 is ended because a node is out of sight");
}

#[test]
fn a_stop_without_a_word_is_seen_too() {
    let (mut stage, [a, _], job) = half_lost();
    broken(stage.try_tick(&[stop(job, 1, a)]), Unknown, "a node is out of sight");
}

#[test]
fn a_job_may_be_cancelled_while_its_node_is_out_of_sight() {
    let (mut stage, nodes, job) = half_lost();
    stage.play(&Command::Cancel { job }, &stopping(job, &nodes));
}

#[test]
fn a_job_may_fail_elsewhere_while_a_node_is_out_of_sight() {
    let (mut stage, [a, b], job) = half_lost();
    let failed = stage.end(a, job, Exit::Code(1));
    stage.play(&failed, &stopping(job, &[b]));
}

#[test]
fn a_job_that_runs_on_after_the_lease_ended_is_seen() {
    let (mut stage, [_, b], _) = half_lost();
    stage.wait(59_000);
    kept(stage.try_tick(&[]));
    stage.node_record(b).sight = muster_engine::snapshot::Sight::Gone;
    broken(stage.try_compare(), Unknown, "lost a node for good and is still running");
}

#[test]
fn an_engine_with_more_due_than_one_step_can_do_is_not_behind_yet() {
    let (mut stage, _, _) = half_lost();
    stage.wait(59_000);
    kept(stage.try_tick(&[]));
    stage.wake = Some(stage.now);
    kept(stage.try_compare());
}

#[test]
fn a_job_that_runs_on_when_its_node_came_back_without_it_is_seen() {
    let (mut stage, [_, b], _) = half_lost();
    let back = Command::NodeReturned { node: b, running: Vec::new() };
    broken(stage.try_step(&back, &[]), Unknown, "lost a node for good");
}

#[test]
fn a_job_runs_on_when_its_node_came_back_with_it() {
    let (mut stage, [_, b], job) = half_lost();
    let running = vec![Running { job, attempt: Attempt(1) }];
    stage.play(&Command::NodeReturned { node: b, running }, &[]);
    kept(stage.try_compare());
    stage.wait(100_000);
    stage.play(&Command::Tick, &[]);
}

#[test]
fn hearing_of_the_loss_again_does_not_shorten_the_lease() {
    let (mut stage, [a, b], job) = half_lost();
    let again = Command::NodeLost { node: b, lease_ends: Time(30_000) };
    kept(stage.try_step(&again, &[]));
    stage.wait(40_000);
    broken(stage.try_tick(&stopping(job, &[a, b])), Unknown, "a node is out of sight");
}
