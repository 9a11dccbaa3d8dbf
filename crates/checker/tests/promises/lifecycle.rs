//! A job moves only along the paths of its life.

use muster_checker::Promise::Lifecycle;
use muster_engine::action::{JobState, Outcome};
use muster_engine::command::{Command, Exit};
use muster_model::{Array, JobId, NodeId};

use crate::act::{ALL, job, launch, moved, node, stop};
use crate::stage::{Stage, broken, kept};

use muster_engine::action::JobState::{
    Ended, Launching, Paused, Pausing, Queued, Resuming, Running, Stopping, Waiting,
};

const CANCELLED: JobState = Ended(Outcome::Cancelled);

fn one_node() -> (Stage, NodeId) {
    let mut stage = Stage::new();
    let node = stage.join(node("n0", "z", "r"));
    (stage, node)
}

/// A job that has come to this state by legal moves.
fn in_state(state: JobState) -> (Stage, NodeId, JobId) {
    let (mut stage, node) = one_node();
    let job = stage.submit_as(job(1, 8), if state == Waiting { Waiting } else { Queued });
    match state {
        Waiting | Queued | Ended(_) => {}
        Pausing | Paused | Resuming => unreachable!("not begun from here"),
        Launching => stage.start(job, &[(node, &[(0, ALL)])]),
        Running | Stopping => stage.run(job, &[(node, &[(0, ALL)])]),
    }
    if state == Stopping {
        stage.play(&Command::Requeue { job }, &[stop(job, 1, node), moved(job, 1, Stopping)]);
    }
    (stage, node, job)
}

#[test]
fn a_whole_life_with_a_second_attempt_is_legal() {
    let (mut stage, node, job) = in_state(Stopping);
    stage.play(&stage.end(node, job, Exit::Stopped), &[moved(job, 1, Waiting)]);
    stage.play(&Command::Tick, &[moved(job, 1, Queued)]);
    stage.run(job, &[(node, &[(0, ALL)])]);
    let over = Ended(Outcome::Completed);
    stage.play(&stage.end(node, job, Exit::Code(0)), &[moved(job, 2, over)]);
    kept(stage.try_compare());
}

#[test]
fn every_move_that_skips_or_turns_back_is_seen() {
    let illegal = [
        (Waiting, Running),
        (Waiting, Paused),
        (Queued, Pausing),
        (Queued, Resuming),
        (Launching, Pausing),
        (Running, Paused),
        (Running, Resuming),
        (Stopping, Paused),
        (Waiting, Stopping),
        (Waiting, Waiting),
        (Queued, Running),
        (Queued, Stopping),
        (Queued, Queued),
        (Launching, Queued),
        (Launching, Waiting),
        (Launching, CANCELLED),
        (Running, Launching),
        (Running, Queued),
        (Running, Waiting),
        (Running, CANCELLED),
        (Stopping, Running),
        (Stopping, Launching),
    ];
    for (from, to) in illegal {
        let (mut stage, _, job) = in_state(from);
        let attempt = stage.attempt_of(job);
        broken(stage.try_tick(&[moved(job, attempt, to)]), Lifecycle, "job 1 went from");
    }
}

#[test]
fn waiting_and_queued_take_turns() {
    let (mut stage, _, job) = in_state(Queued);
    stage.play(&Command::Tick, &[moved(job, 0, Waiting)]);
    stage.play(&Command::Tick, &[moved(job, 0, Queued)]);
}

#[test]
fn a_launch_or_a_run_that_no_node_holds_any_more_may_end_at_once() {
    for (from, exit, to) in [
        (Launching, Exit::Code(1), Queued),
        (Launching, Exit::Code(1), Ended(Outcome::Failed(Exit::Code(1)))),
        (Running, Exit::Code(0), Ended(Outcome::Completed)),
        (Running, Exit::Signal(9), Waiting),
    ] {
        let (mut stage, node, job) = in_state(from);
        let ended = stage.end(node, job, exit);
        kept(stage.try_step(&ended, &[moved(job, 1, to)]));
    }
}

#[test]
fn a_launch_of_a_job_that_waits_is_seen() {
    let (mut stage, node, job) = in_state(Waiting);
    let actions = stage.start_of(job, &[(node, &[(0, ALL)])]);
    broken(stage.try_tick(&actions), Lifecycle, "job 1 was launched while it was waiting");
}

#[test]
fn a_launch_that_is_not_told_as_a_move_is_seen() {
    let (mut stage, node, job) = in_state(Queued);
    let verdict = stage.try_tick(&[launch(job, 1, node, &[(0, ALL)])]);
    broken(verdict, Lifecycle, "job 1 was launched and is told to be queued");
}

#[test]
fn the_word_launching_without_a_launch_is_seen() {
    let (mut stage, _, job) = in_state(Queued);
    broken(stage.try_tick(&[moved(job, 1, Launching)]), Lifecycle, "without a launch");
}

#[test]
fn a_cancelled_job_ends_at_once_or_stops_first() {
    for from in [Waiting, Queued] {
        let (mut stage, _, job) = in_state(from);
        kept(stage.try_step(&Command::Cancel { job }, &[moved(job, 0, CANCELLED)]));
    }
    let (mut stage, node, job) = in_state(Running);
    let stopping = [stop(job, 1, node), moved(job, 1, Stopping)];
    stage.play(&Command::Cancel { job }, &stopping);
    stage.play(&stage.end(node, job, Exit::Stopped), &[moved(job, 1, CANCELLED)]);
}

#[test]
fn a_cancel_that_is_not_followed_is_seen() {
    for from in [Waiting, Queued, Launching, Running] {
        let (mut stage, _, job) = in_state(from);
        let verdict = stage.try_step(&Command::Cancel { job }, &[]);
        broken(verdict, Lifecycle, "job 1 was cancelled and is");
    }
}

#[test]
fn a_cancel_of_an_array_that_forgets_an_element_is_seen() {
    let (mut stage, _) = one_node();
    let mut spec = job(1, 1);
    spec.array = Some(Array { indexes: vec![0, 1], throttle: None });
    let array = stage.submit(spec);
    let actions = [moved(JobId(2), 0, CANCELLED)];
    let verdict = stage.try_step(&Command::Cancel { job: array }, &actions);
    broken(verdict, Lifecycle, "job 3 was cancelled and is queued");
}

#[test]
fn a_cancelled_job_that_starts_again_is_seen() {
    let (mut stage, node, job) = in_state(Stopping);
    kept(stage.try_step(&Command::Cancel { job }, &[]));
    stage.play(&stage.end(node, job, Exit::Stopped), &[moved(job, 1, Queued)]);
    let actions = stage.start_of(job, &[(node, &[(0, ALL)])]);
    broken(stage.try_tick(&actions), Lifecycle, "job 1 was launched after a cancel");
}

#[test]
fn a_held_job_that_stays_queued_is_seen() {
    let (mut stage, _, job) = in_state(Queued);
    broken(stage.try_step(&Command::Hold { job }, &[]), Lifecycle, "held and still queued");
}
