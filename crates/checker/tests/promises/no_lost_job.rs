//! An accepted job is known until it ended, and ends once.

use std::sync::Arc;

use muster_checker::Promise::NoLostJob;
use muster_engine::action::{Action, JobState, Outcome};
use muster_engine::command::Command;
use muster_model::{Array, Invalid, JobId, JobSpec, Millis};

use crate::act::{job, launch, moved, node};
use crate::stage::{Stage, broken, kept};

const CANCELLED: JobState = JobState::Ended(Outcome::Cancelled);

fn submit(spec: JobSpec) -> Command {
    Command::Submit { spec: Arc::new(spec) }
}

fn accepted(job: u64, elements: u32) -> Action {
    Action::Accepted { job: JobId(job), elements }
}

fn rejected() -> Action {
    Action::Rejected { errors: vec![Invalid::new("queue", "`x`", "expected a queue")] }
}

fn array(indexes: &[u32]) -> JobSpec {
    let mut spec = job(1, 1);
    spec.array = Some(Array { indexes: indexes.to_vec(), throttle: None });
    spec
}

#[test]
fn jobs_and_arrays_get_growing_numbers() {
    let mut stage = Stage::new();
    assert_eq!(stage.submit(job(1, 1)), JobId(1));
    assert_eq!(stage.submit(array(&[3, 5])), JobId(2));
    assert_eq!(stage.submit(job(1, 1)), JobId(5));
    kept(stage.try_compare());
}

#[test]
fn a_submission_without_an_answer_is_seen() {
    let verdict = Stage::new().try_step(&submit(job(1, 1)), &[]);
    broken(verdict, NoLostJob, "a submission got 0 answers");
}

#[test]
fn a_submission_with_two_answers_is_seen() {
    let verdict = Stage::new().try_step(&submit(job(1, 1)), &[accepted(1, 0), accepted(2, 0)]);
    broken(verdict, NoLostJob, "a submission got 2 answers");
    let verdict = Stage::new().try_step(&submit(job(1, 1)), &[accepted(1, 0), rejected()]);
    broken(verdict, NoLostJob, "a submission got 2 answers");
}

#[test]
fn a_command_rejected_twice_is_seen() {
    let cancel = Command::Cancel { job: JobId(4) };
    kept(Stage::new().try_step(&cancel, &[rejected()]));
    let verdict = Stage::new().try_step(&cancel, &[rejected(), rejected()]);
    broken(verdict, NoLostJob, "one command was rejected 2 times");
}

#[test]
fn a_job_nobody_submitted_is_seen() {
    let mut stage = Stage::new();
    let verdict = stage.try_step(&Command::Cancel { job: JobId(4) }, &[accepted(1, 0)]);
    broken(verdict, NoLostJob, "job 1 was accepted and nobody submitted it");
}

#[test]
fn a_number_that_was_given_before_is_seen() {
    for number in [1, 2, 3] {
        let mut stage = Stage::new();
        stage.submit(array(&[0, 1]));
        let verdict = stage.try_step(&submit(job(1, 1)), &[accepted(number, 0)]);
        broken(verdict, NoLostJob, &format!("job {number} was accepted after job 3"));
    }
}

#[test]
fn the_number_zero_is_seen() {
    let verdict = Stage::new().try_step(&submit(job(1, 1)), &[accepted(0, 0)]);
    broken(verdict, NoLostJob, "job 0 was accepted");
}

#[test]
fn an_array_with_another_number_of_elements_is_seen() {
    let verdict = Stage::new().try_step(&submit(array(&[1, 2, 3])), &[accepted(1, 2)]);
    broken(verdict, NoLostJob, "job 1 has 3 elements and was accepted with 2");
    let verdict = Stage::new().try_step(&submit(job(1, 1)), &[accepted(1, 1)]);
    broken(verdict, NoLostJob, "job 1 has 0 elements and was accepted with 1");
    let verdict = Stage::new().try_step(&submit(array(&[])), &[accepted(1, 0)]);
    broken(verdict, NoLostJob, "array 1 was accepted without elements");
}

#[test]
fn a_rejected_submission_leaves_nothing() {
    let mut stage = Stage::new();
    kept(stage.try_step(&submit(job(1, 1)), &[rejected()]));
    kept(stage.try_compare());
    assert_eq!(stage.submit(job(1, 1)), JobId(1));
}

#[test]
fn a_job_that_ends_twice_is_seen() {
    let mut stage = Stage::new();
    let job = stage.submit(job(1, 1));
    stage.play(&Command::Cancel { job }, &[moved(job, 0, CANCELLED)]);
    let verdict = stage.try_tick(&[moved(job, 0, CANCELLED)]);
    broken(verdict, NoLostJob, "job 1 moved after it ended");
}

#[test]
fn a_job_launched_after_its_end_is_seen() {
    let mut stage = Stage::new();
    let node = stage.join(node("n0", "z", "r"));
    let job = stage.submit(job(1, 1));
    stage.play(&Command::Cancel { job }, &[moved(job, 0, CANCELLED)]);
    let verdict = stage.try_tick(&[launch(job, 1, node, &[(0, 1)])]);
    broken(verdict, NoLostJob, "job 1 was launched after it ended");
}

#[test]
fn a_job_that_nobody_knows_and_an_array_cannot_move() {
    let mut stage = Stage::new();
    let array = stage.submit(array(&[7]));
    let verdict = stage.try_tick(&[moved(JobId(9), 0, JobState::Queued)]);
    broken(verdict, NoLostJob, "job 9 moved but never accepted");
    let verdict = stage.try_tick(&[moved(array, 0, JobState::Queued)]);
    broken(verdict, NoLostJob, "job 1 moved but is an array");
}

#[test]
fn a_job_missing_from_the_account_is_seen() {
    let mut stage = Stage::new();
    stage.submit(job(1, 1));
    stage.submit(job(1, 1));
    stage.snapshot.jobs.remove(0);
    broken(stage.try_compare(), NoLostJob, "job 1 (queued) is not in the snapshot");
}

#[test]
fn an_element_or_an_array_missing_from_the_account_is_seen() {
    let mut stage = Stage::new();
    stage.submit(array(&[0, 1]));
    let element = stage.snapshot.jobs.pop().unwrap();
    broken(stage.try_compare(), NoLostJob, "job 3 (queued) is not in the snapshot");
    stage.snapshot.jobs.push(element);
    stage.snapshot.arrays.clear();
    broken(stage.try_compare(), NoLostJob, "array 1 of job 2 is not in the snapshot");
}

#[test]
fn an_ended_job_is_remembered_for_its_time_and_may_then_be_forgotten() {
    let mut stage = Stage::new();
    let job = stage.submit(job(1, 1));
    stage.play(&Command::Cancel { job }, &[moved(job, 0, CANCELLED)]);
    stage.snapshot.jobs.clear();
    stage.wait(Millis::hours(24).0 - 1);
    stage.play(&Command::Tick, &[]);
    broken(stage.try_compare(), NoLostJob, "job 1 (ended (Cancelled)) is not in the snapshot");
    stage.wait(1);
    stage.play(&Command::Tick, &[]);
    kept(stage.try_compare());
    let verdict = stage.try_tick(&[moved(job, 0, JobState::Queued)]);
    broken(verdict, NoLostJob, "job 1 moved but was over and forgotten");
}

#[test]
fn a_job_in_the_account_that_nobody_submitted_is_seen() {
    let mut stage = Stage::new();
    stage.submit(job(1, 1));
    let mut phantom = stage.snapshot.jobs[0].clone();
    phantom.id = JobId(2);
    stage.snapshot.jobs.push(phantom);
    broken(stage.try_compare(), NoLostJob, "job 2 is in the snapshot and was never accepted");
}

#[test]
fn a_next_number_that_was_given_is_seen() {
    let mut stage = Stage::new();
    stage.submit(job(1, 1));
    stage.snapshot.next_job = JobId(1);
    broken(stage.try_compare(), NoLostJob, "the next job would be 1 after job 1");
}

#[test]
fn jobs_out_of_order_in_the_account_are_seen() {
    let mut stage = Stage::new();
    stage.submit(job(1, 1));
    stage.submit(job(1, 1));
    stage.snapshot.jobs.swap(0, 1);
    broken(stage.try_compare(), NoLostJob, "not in order of number");
}
