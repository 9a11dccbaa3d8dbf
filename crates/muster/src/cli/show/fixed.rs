//! Views that never change, for tests to look at.

use std::sync::Arc;

use muster_api::view::{AttemptView, JobState, JobView, Outcome, PlaceView};
use muster_api::{JobDetail, JobFile, Moment};
use muster_model::{Millis, Time};

/// The moment at which everything is looked at.
pub(crate) const NOW: Time = Time(1_700_000_000_000);

/// So long before the present.
pub(crate) fn ago(span: Millis) -> Moment {
    Moment(Time(NOW.0 - span.0))
}

/// A job that runs.
pub(crate) fn running() -> JobView {
    JobView {
        id: 12,
        name: "train".to_owned(),
        user: "user-a".to_owned(),
        team: None,
        queue: "research/vision-1".to_owned(),
        class: "standard".to_owned(),
        state: JobState::Running,
        outcome: None,
        exit_code: None,
        exit_signal: None,
        cancelled_by: None,
        reason: None,
        array: None,
        index: None,
        tasks: 2,
        gpus_milli: 16_000,
        models: vec!["H100".to_owned()],
        attempt: 2,
        nodes: vec!["node-1".to_owned(), "node-2".to_owned()],
        submitted: ago(Millis::hours(3)),
        started: Some(ago(Millis::minutes(75))),
        ended: None,
    }
}

/// A job that waits for room.
pub(crate) fn queued() -> JobView {
    JobView {
        id: 14,
        name: "large".to_owned(),
        state: JobState::Queued,
        tasks: 1024,
        gpus_milli: 8_192_000,
        reason: Some("8192 GPUs are not free together; the first 4096 will be in 2h".to_owned()),
        attempt: 0,
        nodes: Vec::new(),
        started: None,
        ..running()
    }
}

/// An element of an array, with part of a GPU.
pub(crate) fn element() -> JobView {
    JobView {
        id: 24,
        name: "sweep".to_owned(),
        array: Some(20),
        index: Some(3),
        tasks: 1,
        gpus_milli: 250,
        models: Vec::new(),
        nodes: vec!["node-1".to_owned()],
        attempt: 1,
        ..running()
    }
}

/// A job that has ended.
pub(crate) fn ended(outcome: Outcome) -> JobView {
    let state = JobState::Ended;
    let ended = Some(ago(Millis::minutes(5)));
    JobView { id: 9, state, outcome: Some(outcome), ended, ..running() }
}

/// All about the job that runs.
pub(crate) fn detail() -> JobDetail {
    let text = r#"{"name": "train", "queue": "research/vision-1", "tasks": 2, "gpus": "H100x8",
        "cpus": 16, "memory": "64GiB", "time": "4h", "directory": "/data/user-a",
        "command": ["python", "train.py", "--note", "it's on"], "output": "train-%j.log"}"#;
    let file = JobFile::read(text, muster_api::job_file::Format::Json).expect("a job file");
    let submission = file.into_job("user-a").expect("a job");
    let place = |node: &str, rank, gpus: &[u32]| PlaceView {
        node: node.to_owned(),
        group: 0,
        rank,
        gpus: gpus.to_vec(),
        share_milli: None,
    };
    let whole = [0, 1, 2, 3, 4, 5, 6, 7];
    let attempt = |attempt, from, to: Option<Millis>| AttemptView {
        attempt,
        launched: ago(from),
        started: Some(ago(from)),
        ended: to.map(ago),
        outcome: to.map(|_| "node-lost".to_owned()),
        note: None,
        places: vec![place("node-1", 0, &whole), place("node-2", 1, &[0, 1, 3, 4, 5, 7])],
    };
    JobDetail {
        job: running(),
        attempts: vec![
            attempt(1, Millis::minutes(170), Some(Millis::minutes(80))),
            attempt(2, Millis::minutes(75), None),
        ],
        spec: Some(Arc::clone(&submission.spec)),
        program: Some(Arc::clone(&submission.program)),
    }
}
