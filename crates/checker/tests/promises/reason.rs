//! Who waits is told why.

use muster_checker::Promise::Reason as ReasonPromise;
use muster_engine::action::JobState;
use muster_engine::explain::{Alternative, Change, Why};
use muster_engine::reason::Reason;
use muster_model::{JobId, Time};

use crate::act::job;
use crate::stage::{Stage, broken, kept};

/// A job in this state, and an answer about it with this reason.
fn asked(state: JobState, reasons: Vec<Reason>) -> (Stage, Why) {
    let mut stage = Stage::new();
    let job = stage.submit_as(job(1, 1), state);
    let why = Why {
        job,
        state,
        reasons,
        estimated_start: Some(Time(5_000)),
        latest_start: Some(Time(9_000)),
        alternatives: Vec::new(),
        size: None,
    };
    (stage, why)
}

fn no_gpus() -> Reason {
    Reason::Gpus { wanted: 1, free: 0 }
}

#[test]
fn a_good_answer_is_fine() {
    let (stage, why) = asked(JobState::Queued, vec![no_gpus()]);
    kept(stage.checker.check_why(&why));
    let (stage, why) = asked(JobState::Waiting, vec![Reason::Held]);
    kept(stage.checker.check_why(&why));
}

#[test]
fn an_empty_answer_is_seen() {
    for state in [JobState::Queued, JobState::Waiting] {
        let (stage, why) = asked(state, Vec::new());
        broken(stage.checker.check_why(&why), ReasonPromise, "job 1 waits without a reason");
    }
}

#[test]
fn a_waiting_job_is_not_told_about_room_alone() {
    let (stage, why) = asked(JobState::Waiting, vec![no_gpus()]);
    broken(stage.checker.check_why(&why), ReasonPromise, "all that is said is about room");
}

#[test]
fn a_queued_job_is_kept_by_room_alone() {
    let (stage, why) = asked(JobState::Queued, vec![no_gpus(), Reason::Held]);
    broken(stage.checker.check_why(&why), ReasonPromise, "job 1 is queued, yet held");
}

#[test]
fn an_answer_for_another_state_is_seen() {
    let (stage, mut why) = asked(JobState::Queued, vec![no_gpus()]);
    why.state = JobState::Running;
    broken(stage.checker.check_why(&why), ReasonPromise, "explained as Running");
}

#[test]
fn an_answer_about_nobody_is_seen() {
    let (stage, mut why) = asked(JobState::Queued, vec![no_gpus()]);
    why.job = JobId(8);
    broken(stage.checker.check_why(&why), ReasonPromise, "job 8 is explained and not known");
}

#[test]
fn a_start_foretold_in_the_past_is_seen() {
    let (stage, why) = asked(JobState::Queued, vec![no_gpus()]);
    let past = Some(Time(999));
    let latest = Why { latest_start: past, ..why.clone() };
    broken(stage.checker.check_why(&latest), ReasonPromise, "at the latest at 999");
    let probable = Why { estimated_start: past, ..why.clone() };
    broken(stage.checker.check_why(&probable), ReasonPromise, "probably at 999");
    let change = Change::WithoutConstraint;
    let alternatives = vec![Alternative { change, starts: Time(999) }];
    let changed = Why { alternatives, ..why };
    broken(stage.checker.check_why(&changed), ReasonPromise, "with a change at 999");
}

#[test]
fn a_start_foretold_for_this_moment_is_fine() {
    let (stage, why) = asked(JobState::Queued, vec![Reason::Next]);
    let now = Some(stage.now);
    kept(stage.checker.check_why(&Why { latest_start: now, estimated_start: now, ..why }));
}

#[test]
fn a_running_job_needs_no_reason() {
    let (stage, why) = asked(JobState::Queued, Vec::new());
    let verdict = stage.checker.check_why(&Why { state: JobState::Running, ..why });
    let violations = verdict.unwrap_err();
    assert!(violations.iter().all(|one| !one.detail.contains("without a reason")));
}
