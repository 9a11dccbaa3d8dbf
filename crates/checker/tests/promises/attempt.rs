//! At most one attempt of a job runs at any time.

use muster_checker::Promise::Attempt as AttemptPromise;
use muster_engine::action::{Action, JobState};
use muster_engine::command::{Command, Exit, Running};
use muster_model::{Attempt, JobId, NodeId, Time};

use crate::act::{ALL, HIGH, LOW, job, launch, moved, node, stop};
use crate::stage::{Stage, broken, kept};

const LAUNCHING: JobState = JobState::Launching;

/// Two nodes and a running job on the first.
fn running() -> (Stage, [NodeId; 2], JobId) {
    let mut stage = Stage::new();
    let nodes = ["n0", "n1"].map(|name| stage.join(node(name, "z", "r")));
    let job = stage.submit(job(1, 4));
    stage.run(job, &[(nodes[0], &[(0, LOW)])]);
    (stage, nodes, job)
}

/// The same after the job was requeued and is queued for its second attempt.
fn requeued() -> (Stage, [NodeId; 2], JobId) {
    let (mut stage, nodes, job) = running();
    let stopping = [stop(job, 1, nodes[0]), moved(job, 1, JobState::Stopping)];
    stage.play(&Command::Requeue { job }, &stopping);
    let ended = stage.end(nodes[0], job, Exit::Stopped);
    stage.play(&ended, &[moved(job, 1, JobState::Queued)]);
    (stage, nodes, job)
}

#[test]
fn a_second_attempt_follows_the_first() {
    let (mut stage, [_, b], job) = requeued();
    stage.run(job, &[(b, &[(0, LOW)])]);
    kept(stage.try_compare());
    assert_eq!(stage.attempt_of(job), 2);
}

#[test]
fn an_attempt_number_that_repeats_or_jumps_is_seen() {
    for attempt in [1, 3] {
        let (mut stage, [a, _], job) = requeued();
        let actions = [launch(job, attempt, a, &[(0, LOW)]), moved(job, attempt, LAUNCHING)];
        let detail = format!("attempt {attempt} of job 1 follows attempt 1");
        broken(stage.try_tick(&actions), AttemptPromise, &detail);
    }
}

#[test]
fn a_second_attempt_while_the_first_runs_is_seen() {
    let (mut stage, [_, b], job) = running();
    let actions = [launch(job, 2, b, &[(0, LOW)]), moved(job, 2, LAUNCHING)];
    broken(stage.try_tick(&actions), AttemptPromise, "while attempt 1 may run on node 0");
}

#[test]
fn a_second_attempt_in_the_step_of_the_first_is_seen() {
    let mut stage = Stage::new();
    let node = stage.join(node("n0", "z", "r"));
    let job = stage.submit(job(1, 1));
    let mut actions = vec![launch(job, 1, node, &[(0, 1)]), moved(job, 1, LAUNCHING)];
    actions.push(launch(job, 2, node, &[(0, 2)]));
    broken(stage.try_tick(&actions), AttemptPromise, "while attempt 1 may run on node 0");
}

#[test]
fn a_second_attempt_while_the_first_nodes_lease_runs_is_seen() {
    let (mut stage, [a, b], job) = running();
    stage.play(&Command::NodeLost { node: a, lease_ends: Time(60_000) }, &[]);
    stage.wait(58_000);
    let actions = [
        moved(job, 1, JobState::Stopping),
        moved(job, 1, JobState::Queued),
        launch(job, 2, b, &[(0, LOW)]),
        moved(job, 2, LAUNCHING),
    ];
    broken(stage.try_tick(&actions), AttemptPromise, "while attempt 1 may run on node 0");
}

#[test]
fn a_second_attempt_may_follow_when_the_lease_has_ended() {
    let (mut stage, [a, b], job) = running();
    stage.play(&Command::NodeLost { node: a, lease_ends: Time(60_000) }, &[]);
    stage.wait(59_000);
    let actions = [
        moved(job, 1, JobState::Stopping),
        moved(job, 1, JobState::Queued),
        launch(job, 2, b, &[(0, LOW)]),
        moved(job, 2, LAUNCHING),
    ];
    kept(stage.try_tick(&actions));
}

#[test]
fn a_second_attempt_may_follow_when_the_node_came_back_without_the_first() {
    let (mut stage, [a, b], job) = running();
    stage.play(&Command::NodeLost { node: a, lease_ends: Time(60_000) }, &[]);
    let back = Command::NodeReturned { node: a, running: Vec::new() };
    let mut actions = vec![moved(job, 1, JobState::Stopping), moved(job, 1, JobState::Queued)];
    actions.extend([launch(job, 2, b, &[(0, LOW)]), moved(job, 2, LAUNCHING)]);
    kept(stage.try_step(&back, &actions));
}

#[test]
fn a_second_attempt_while_a_returned_node_runs_the_first_is_seen() {
    let (mut stage, [a, b], job) = running();
    stage.play(&Command::NodeLost { node: a, lease_ends: Time(60_000) }, &[]);
    let running = vec![Running { job, attempt: Attempt(1) }];
    let actions = [launch(job, 2, b, &[(0, LOW)])];
    let verdict = stage.try_step(&Command::NodeReturned { node: a, running }, &actions);
    broken(verdict, AttemptPromise, "while attempt 1 may run on node 0");
}

#[test]
fn an_agent_that_restarts_without_an_attempt_has_ended_it() {
    let (mut stage, [a, _], job) = running();
    let rejoined = Command::NodeJoined { spec: node("n0", "z", "r"), running: Vec::new() };
    let actions = [
        Action::NodeAccepted { node: a, name: "n0".into() },
        moved(job, 1, JobState::Stopping),
        moved(job, 1, JobState::Queued),
        launch(job, 2, a, &[(0, HIGH)]),
        moved(job, 2, LAUNCHING),
    ];
    kept(stage.try_step(&rejoined, &actions));
}

#[test]
fn a_move_told_with_another_attempt_is_seen() {
    let (mut stage, [a, _], job) = running();
    let verdict = stage
        .try_step(&Command::Cancel { job }, &[stop(job, 1, a), moved(job, 2, JobState::Stopping)]);
    broken(verdict, AttemptPromise, "told to be at attempt 2, and is at 1");
}

#[test]
fn a_late_report_of_an_old_attempt_changes_nothing() {
    let (mut stage, [a, b], job) = requeued();
    stage.run(job, &[(b, &[(0, LOW)])]);
    kept(stage.try_compare());
    let late = Command::Ended { node: a, job, attempt: Attempt(1), exit: Exit::Code(0) };
    kept(stage.try_step(&late, &[]));
    kept(stage.try_compare());
}

#[test]
fn acting_on_a_late_report_of_an_old_attempt_is_seen() {
    let (mut stage, [a, b], job) = requeued();
    stage.run(job, &[(b, &[(0, LOW)])]);
    kept(stage.try_compare());
    let late = Command::Ended { node: a, job, attempt: Attempt(1), exit: Exit::Code(0) };
    let actions = [stop(job, 2, b)];
    broken(stage.try_step(&late, &actions), AttemptPromise, "a report that tells nothing new");
}

#[test]
fn acting_on_a_report_of_a_node_that_has_no_part_in_it_is_seen() {
    let (mut stage, [_, b], job) = running();
    kept(stage.try_compare());
    let stray = Command::Ended { node: b, job, attempt: Attempt(1), exit: Exit::Code(1) };
    let actions = [moved(job, 1, JobState::Stopping)];
    broken(stage.try_step(&stray, &actions), AttemptPromise, "a report that tells nothing new");
}

#[test]
fn acting_on_a_report_said_twice_is_seen() {
    let (mut stage, [a, _], job) = running();
    kept(stage.try_compare());
    let again = Command::Started { node: a, job, attempt: Attempt(1) };
    let actions = [moved(job, 1, JobState::Running)];
    broken(stage.try_step(&again, &actions), AttemptPromise, "a report that tells nothing new");
}

#[test]
fn what_is_due_by_time_may_happen_beside_an_idle_report() {
    let (mut stage, [a, b], first) = running();
    let second = stage.submit(job(1, 8));
    stage.wake = Some(stage.now);
    kept(stage.try_compare());
    let again = Command::Started { node: a, job: first, attempt: Attempt(1) };
    let actions = stage.start_of(second, &[(b, &[(0, ALL)])]);
    kept(stage.try_step(&again, &actions));
}

#[test]
fn a_node_found_running_an_old_attempt_is_told_to_end_it() {
    let (mut stage, [a, b], job) = requeued();
    stage.run(job, &[(b, &[(0, LOW)])]);
    let running = vec![Running { job, attempt: Attempt(1) }];
    let back = Command::NodeReturned { node: a, running };
    kept(stage.try_step(&back, &[stop(job, 1, a)]));
    broken(stage.try_step(&back, &[]), AttemptPromise, "must not, and was not told");
}

#[test]
fn a_node_found_running_a_job_nobody_knows_is_told_to_end_it() {
    let (mut stage, [a, _], _) = running();
    let running = vec![Running { job: JobId(77), attempt: Attempt(1) }];
    let joined = Command::NodeReturned { node: a, running };
    broken(stage.try_step(&joined, &[]), AttemptPromise, "attempt 1 of job 77");
}

#[test]
fn a_signal_goes_to_the_current_attempt_only() {
    let (mut stage, [a, b], job) = running();
    let signal =
        |node, attempt| Action::Signal { node, job, attempt: Attempt(attempt), signal: 10 };
    kept(stage.try_tick(&[signal(a, 1)]));
    broken(stage.try_tick(&[signal(b, 1)]), AttemptPromise, "got a signal on node 1");
    broken(stage.try_tick(&[signal(a, 2)]), AttemptPromise, "attempt 2 of job 1 got a signal");
}
