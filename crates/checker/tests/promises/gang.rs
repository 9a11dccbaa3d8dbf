//! A gang starts whole, and lets go whole.

use muster_checker::Promise::Gang;
use muster_engine::action::{Action, JobState, Outcome};
use muster_engine::command::{Command, Exit, Refusal, Running};
use muster_model::{Attempt, JobId, Name, NodeId, TaskCount, Time};

use crate::act::{ALL, group, job, launch, moved, node, place, stop};
use crate::stage::{Stage, broken, kept};

const RUNNING: JobState = JobState::Running;
const STOPPING: JobState = JobState::Stopping;

/// Two nodes, and a queued job of two tasks with eight GPUs each.
fn pair() -> (Stage, [NodeId; 2], JobId) {
    let mut stage = Stage::new();
    let nodes = ["n0", "n1"].map(|name| stage.join(node(name, "z", "r")));
    let job = stage.submit(job(2, 8));
    (stage, nodes, job)
}

fn started(node: NodeId, job: JobId) -> Command {
    Command::Started { node, job, attempt: Attempt(1) }
}

fn refused(node: NodeId, job: JobId) -> Command {
    let refusal = Refusal::Node(Name::from("busy"));
    Command::Refused { node, job, attempt: Attempt(1), refusal }
}

#[test]
fn a_gang_starts_on_two_nodes_runs_and_ends() {
    let (mut stage, [a, b], job) = pair();
    stage.run(job, &[(a, &[(0, ALL)]), (b, &[(1, ALL)])]);
    kept(stage.try_compare());
    stage.play(&stage.end(a, job, Exit::Code(0)), &[]);
    let over = [moved(job, 1, JobState::Ended(Outcome::Completed))];
    stage.play(&stage.end(b, job, Exit::Code(0)), &over);
    kept(stage.try_compare());
}

#[test]
fn the_word_launching_may_come_before_the_launches() {
    let (mut stage, [a, b], job) = pair();
    let mut actions = stage.start_of(job, &[(a, &[(0, ALL)]), (b, &[(1, ALL)])]);
    actions.rotate_right(1);
    kept(stage.try_tick(&actions));
}

#[test]
fn a_task_left_out_is_seen() {
    let (mut stage, [a, _], job) = pair();
    let actions = stage.start_of(job, &[(a, &[(0, ALL)])]);
    broken(stage.try_tick(&actions), Gang, "task 0.1 of job 1 is left out");
}

#[test]
fn a_task_placed_twice_is_seen() {
    let (mut stage, [a, b], job) = pair();
    let actions = stage.start_of(job, &[(a, &[(0, ALL)]), (b, &[(0, ALL)])]);
    broken(stage.try_tick(&actions), Gang, "task 0.0 of job 1 is placed 2 times");
}

#[test]
fn a_task_that_the_gang_does_not_have_is_seen() {
    let (mut stage, [a, b], job) = pair();
    let actions = stage.start_of(job, &[(a, &[(0, ALL)]), (b, &[(1, 1), (2, 2)])]);
    broken(stage.try_tick(&actions), Gang, "job 1 has no task 0.2");
}

#[test]
fn a_group_left_out_is_seen() {
    let (mut stage, [a, _], _) = pair();
    let mut spec = job(1, 1);
    spec.groups.push(group("actor", 1, 0));
    let job = stage.submit(spec);
    let actions = stage.start_of(job, &[(a, &[(0, 1)])]);
    broken(stage.try_tick(&actions), Gang, "task 1.0 of job 2 is left out");
}

#[test]
fn groups_of_different_shape_start_together() {
    let (mut stage, [a, _], _) = pair();
    let mut spec = job(1, 1);
    spec.groups.push(group("actor", 1, 0));
    let job = stage.submit(spec);
    let tasks = vec![place(0, 0, 1), place(1, 0, 0)];
    let launch = Action::Launch { node: a, job, attempt: Attempt(1), tasks };
    kept(stage.try_tick(&[launch, moved(job, 1, JobState::Launching)]));
}

#[test]
fn an_elastic_group_starts_with_its_fewest_tasks() {
    for (places, detail) in [(1, None), (2, Some("has no task 0.1"))] {
        let (mut stage, [a, _], _) = pair();
        let mut spec = job(1, 1);
        spec.groups[0].tasks = TaskCount { min: 1, max: 4 };
        let job = stage.submit(spec);
        let tasks = [(0, 1), (1, 2)];
        let verdict = stage.try_tick(&stage.start_of(job, &[(a, &tasks[..places])]));
        match detail {
            None => kept(verdict),
            Some(detail) => broken(verdict, Gang, detail),
        }
    }
}

#[test]
fn a_second_launch_on_the_same_node_is_seen() {
    let (mut stage, [a, _], _) = pair();
    let job = stage.submit(job(2, 1));
    let actions = stage.start_of(job, &[(a, &[(0, 1)]), (a, &[(1, 2)])]);
    broken(stage.try_tick(&actions), Gang, "2 launches on node 0");
}

#[test]
fn a_launch_without_tasks_is_seen() {
    let (mut stage, [a, b], _) = pair();
    let job = stage.submit(job(1, 1));
    let actions = stage.start_of(job, &[(a, &[(0, 1)]), (b, &[])]);
    broken(stage.try_tick(&actions), Gang, "no task in its launch on node 1");
}

#[test]
fn a_gang_launched_over_two_steps_is_seen() {
    let (mut stage, [a, b], job) = pair();
    let first = stage.start_of(job, &[(a, &[(0, ALL)])]);
    broken(stage.try_tick(&first), Gang, "left out");
    let rest = [launch(job, 1, b, &[(1, ALL)])];
    broken(stage.try_tick(&rest), Gang, "task 0.0 of job 1 is left out");
}

#[test]
fn running_before_every_node_has_confirmed_is_seen() {
    let (mut stage, [a, b], job) = pair();
    stage.start(job, &[(a, &[(0, ALL)]), (b, &[(1, ALL)])]);
    let verdict = stage.try_step(&started(a, job), &[moved(job, 1, RUNNING)]);
    broken(verdict, Gang, "node 1 has not confirmed it");
}

#[test]
fn a_node_that_refused_has_not_confirmed() {
    let (mut stage, [a, b], job) = pair();
    stage.start(job, &[(a, &[(0, ALL)]), (b, &[(1, ALL)])]);
    stage.play(&started(a, job), &[]);
    let verdict = stage.try_step(&refused(b, job), &[moved(job, 1, RUNNING)]);
    broken(verdict, Gang, "node 1 has not confirmed it");
}

#[test]
fn launching_on_when_every_node_has_confirmed_is_seen() {
    let (mut stage, [a, b], job) = pair();
    stage.start(job, &[(a, &[(0, ALL)]), (b, &[(1, ALL)])]);
    stage.play(&started(a, job), &[]);
    broken(stage.try_step(&started(b, job), &[]), Gang, "every node has confirmed it");
}

#[test]
fn one_refusal_stops_all() {
    let (mut stage, [a, b], job) = pair();
    stage.start(job, &[(a, &[(0, ALL)]), (b, &[(1, ALL)])]);
    stage.play(&started(a, job), &[]);
    stage.play(&refused(b, job), &[stop(job, 1, a), moved(job, 1, STOPPING)]);
    stage.play(&stage.end(a, job, Exit::Stopped), &[moved(job, 1, JobState::Waiting)]);
}

#[test]
fn a_refusal_that_is_shrugged_off_is_seen() {
    let (mut stage, [a, b], job) = pair();
    stage.start(job, &[(a, &[(0, ALL)]), (b, &[(1, ALL)])]);
    broken(stage.try_step(&refused(b, job), &[]), Gang, "still launching after a node refused");
}

#[test]
fn a_stop_that_forgets_a_node_is_seen() {
    let (mut stage, [a, b], job) = pair();
    stage.run(job, &[(a, &[(0, ALL)]), (b, &[(1, ALL)])]);
    let actions = [stop(job, 1, a), moved(job, 1, STOPPING)];
    broken(stage.try_step(&Command::Cancel { job }, &actions), Gang, "node 1 was not told");
}

#[test]
fn a_stop_may_leave_out_a_node_out_of_sight() {
    let (mut stage, [a, b], job) = pair();
    stage.run(job, &[(a, &[(0, ALL)]), (b, &[(1, ALL)])]);
    stage.play(&Command::NodeLost { node: b, lease_ends: Time(90_000) }, &[]);
    stage.play(&Command::Cancel { job }, &[stop(job, 1, a), moved(job, 1, STOPPING)]);
}

#[test]
fn a_node_that_comes_back_with_a_stopping_attempt_is_told_again() {
    for actions in [vec![], vec![stop(JobId(1), 1, NodeId(1))]] {
        let (mut stage, [a, b], job) = pair();
        stage.run(job, &[(a, &[(0, ALL)]), (b, &[(1, ALL)])]);
        stage.play(&Command::NodeLost { node: b, lease_ends: Time(90_000) }, &[]);
        let stopping = [stop(job, 1, a), stop(job, 1, b), moved(job, 1, STOPPING)];
        stage.play(&Command::Cancel { job }, &stopping);
        let running = vec![Running { job, attempt: Attempt(1) }];
        let verdict = stage.try_step(&Command::NodeReturned { node: b, running }, &actions);
        match actions.is_empty() {
            true => broken(verdict, Gang, "job 1 is stopping, and node 1 was not told"),
            false => kept(verdict),
        }
    }
}

#[test]
fn ending_while_a_node_may_still_run_it_is_seen() {
    let (mut stage, [a, b], job) = pair();
    stage.run(job, &[(a, &[(0, ALL)]), (b, &[(1, ALL)])]);
    let over = [moved(job, 1, JobState::Ended(Outcome::Completed))];
    let verdict = stage.try_step(&stage.end(a, job, Exit::Code(0)), &over);
    broken(verdict, Gang, "lets go while it may still run on node 1");
}

#[test]
fn queueing_again_while_a_node_may_still_run_it_is_seen() {
    let (mut stage, [a, b], job) = pair();
    stage.run(job, &[(a, &[(0, ALL)]), (b, &[(1, ALL)])]);
    let stops = [stop(job, 1, a), stop(job, 1, b), moved(job, 1, STOPPING)];
    stage.play(&Command::Requeue { job }, &stops);
    let again = [moved(job, 1, JobState::Queued)];
    let verdict = stage.try_step(&stage.end(a, job, Exit::Stopped), &again);
    broken(verdict, Gang, "lets go while it may still run on node 1");
}

#[test]
fn holding_on_when_every_node_has_ended_is_seen() {
    let (mut stage, [a, b], job) = pair();
    stage.run(job, &[(a, &[(0, ALL)]), (b, &[(1, ALL)])]);
    stage.play(&stage.end(a, job, Exit::Code(0)), &[]);
    let verdict = stage.try_step(&stage.end(b, job, Exit::Code(0)), &[]);
    broken(verdict, Gang, "still running, and every node has ended it");
}

#[test]
fn the_gpus_of_a_node_that_ended_first_stay_with_the_gang() {
    let (mut stage, [a, b], first) = pair();
    let second = stage.submit(job(1, 8));
    stage.run(first, &[(a, &[(0, ALL)]), (b, &[(1, ALL)])]);
    let actions = stage.start_of(second, &[(a, &[(0, ALL)])]);
    let verdict = stage.try_step(&stage.end(a, first, Exit::Code(0)), &actions);
    broken(verdict, muster_checker::Promise::Exclusive, "of job 1 and task 0.0 of job 2 hold GPU");
}
