//! Tests of the judge at work: it drives the real engine, finds nothing wrong with it in quiet
//! and in stormy weather, and ends with a readable report where something is wrong.

mod calm;
mod chance;
mod storm;
mod world;

use muster_checker::Checker;
use muster_engine::action::{Action, JobState};
use muster_engine::command::{Command, Exit};
use muster_engine::{Engine, Tuning};
use muster_model::{Attempt, ClusterSpec, JobId, JobSpec, NodeId, NodeSpec, QueueSpec, Time};

fn engine_of(starts_per_step: u32) -> (Engine, Checker) {
    let cluster = ClusterSpec::default();
    let tuning = Tuning { starts_per_step, ..Tuning::default() };
    let checker = Checker::new(&cluster);
    (Engine::with_tuning(cluster, tuning).expect("the cluster is valid"), checker)
}

fn join(name: &str) -> Command {
    Command::NodeJoined { spec: NodeSpec::new(name, "H100", 8), running: Vec::new() }
}

fn submit(tasks: u32, gpus: u32) -> Command {
    Command::Submit { spec: JobSpec::gang("train", tasks, gpus).into() }
}

#[test]
fn a_job_is_driven_from_submission_to_its_end() {
    let (mut engine, mut checker) = engine_of(8);
    checker.step(&mut engine, Time(0), join("n1"));
    let launched = checker.step(&mut engine, Time(1), submit(1, 8));
    assert!(launched.iter().any(|action| matches!(action, Action::Launch { .. })));
    let (node, job, attempt) = (NodeId(0), JobId(1), Attempt(1));
    checker.step(&mut engine, Time(2), Command::Started { node, job, attempt });
    let exit = Exit::Code(0);
    let ended = checker.step(&mut engine, Time(3), Command::Ended { node, job, attempt, exit });
    let is_over =
        |action: &Action| matches!(action, Action::Moved { state: JobState::Ended(_), .. });
    assert!(ended.iter().any(is_over));
}

#[test]
fn settling_goes_on_until_nothing_is_due() {
    let (mut engine, mut checker) = engine_of(1);
    for _ in 0..8 {
        checker.step(&mut engine, Time(0), submit(1, 1));
    }
    checker.step(&mut engine, Time(1), join("n1"));
    let actions = checker.settle(&mut engine, Time(1));
    let launches = actions.iter().filter(|action| matches!(action, Action::Launch { .. }));
    assert_eq!(launches.count(), 7, "the step that brought the node started one");
    assert!(engine.next_wake().is_none_or(|wake| wake > Time(1)));
}

#[test]
fn an_answer_is_judged_and_its_bound_is_kept_in_mind() {
    let (mut engine, mut checker) = engine_of(8);
    checker.step(&mut engine, Time(0), join("n1"));
    checker.step(&mut engine, Time(1), submit(1, 8));
    checker.step(&mut engine, Time(2), submit(1, 8));
    let why = checker.ask(&mut engine, JobId(2)).unwrap();
    assert_eq!(why.state, JobState::Queued);
    assert!(!why.reasons.is_empty());
    assert!(checker.ask(&mut engine, JobId(99)).is_none());
}

/// A judge who was told of another configuration than the engine's.
fn misled() -> (Engine, Checker) {
    let queues = vec![QueueSpec::new("default"), QueueSpec::new("other")];
    let told = ClusterSpec { queues, ..ClusterSpec::default() };
    (Engine::new(ClusterSpec::default()).expect("the default is valid"), Checker::new(&told))
}

#[test]
#[should_panic(expected = "conservation: the queues of the snapshot are not those that were set")]
fn a_broken_promise_ends_the_run() {
    let (mut engine, mut checker) = misled();
    checker.step(&mut engine, Time(0), join("n1"));
}

#[test]
#[should_panic(expected = "after 1 steps, of which the latest:\n  at 5: NodeJoined")]
fn the_report_shows_the_steps_that_led_to_it() {
    let (mut engine, mut checker) = misled();
    checker.step(&mut engine, Time(5), join("n1"));
}

#[test]
fn a_quiet_judge_compares_only_every_so_many_steps() {
    let (mut engine, checker) = misled();
    let mut checker = checker.quiet(3);
    checker.step(&mut engine, Time(0), join("n1"));
    checker.step(&mut engine, Time(1), join("n2"));
}

#[test]
#[should_panic(expected = "after 3 steps")]
fn a_quiet_judge_still_compares() {
    let (mut engine, checker) = misled();
    let mut checker = checker.quiet(3);
    for now in 0..3 {
        checker.step(&mut engine, Time(now), Command::Tick);
    }
}

#[test]
fn more_leases_than_one_step_can_end_are_judged_when_all_have_ended() {
    const NODES: u32 = 150;
    let (mut engine, mut checker) = engine_of(1_000);
    for number in 0..NODES {
        checker.step(&mut engine, Time(0), join(&format!("n{number}")));
    }
    let launched = checker.step(&mut engine, Time(1), submit(NODES, 8));
    for action in launched {
        let Action::Launch { node, job, attempt, .. } = action else { continue };
        checker.step(&mut engine, Time(2), Command::Started { node, job, attempt });
    }
    let lease_ends = Time(60_000);
    for node in (0..NODES).map(NodeId) {
        checker.step(&mut engine, Time(3), Command::NodeLost { node, lease_ends });
    }
    let mut actions = checker.step(&mut engine, lease_ends, Command::Tick);
    actions.extend(checker.settle(&mut engine, lease_ends));
    let states: Vec<JobState> = (actions.iter())
        .filter_map(|action| match action {
            Action::Moved { state, .. } => Some(*state),
            _ => None,
        })
        .collect();
    assert_eq!(states, [JobState::Stopping, JobState::Queued]);
}
