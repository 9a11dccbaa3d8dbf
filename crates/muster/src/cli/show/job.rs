//! Jobs as a table, and the words for one job's state.

use muster_api::view::{JobState, JobView, Outcome};
use muster_model::Time;
use muster_model::quantity::separated;

use super::table::Table;
use super::{NOTHING, amount, time};

/// Jobs, one a line.
pub(crate) fn table(jobs: &[JobView], now: Time) -> Table {
    let mut table = Table::new(&[
        "job",
        "name",
        "user",
        "queue",
        "class",
        "state",
        ">tasks",
        ">gpus",
        ">time",
        "nodes or reason",
    ])
    .spare(&["class", "tasks", "queue", "user"]);
    for job in jobs {
        table.row([
            number(job),
            job.name.clone(),
            job.user.clone(),
            job.queue.clone(),
            job.class.clone(),
            state(job),
            separated(job.tasks),
            gpus(job),
            clock(job, now),
            place(job),
        ]);
    }
    table
}

/// `12`, or `12_3` for an element.
pub(crate) fn number(job: &JobView) -> String {
    match (job.array, job.index) {
        (Some(array), Some(index)) => format!("{array}_{index}"),
        _ => job.id.to_string(),
    }
}

/// Its state in a word or two; once it has ended, how.
pub(crate) fn state(job: &JobView) -> String {
    let Some(outcome) = job.outcome.filter(|_| job.state == JobState::Ended) else {
        return job.state.to_string();
    };
    match (outcome, job.exit_code, &job.exit_signal) {
        (Outcome::Failed, Some(code), _) => format!("failed ({code})"),
        (Outcome::Failed, None, Some(signal)) => format!("failed ({signal})"),
        _ => outcome.to_string(),
    }
}

fn gpus(job: &JobView) -> String {
    let gpus = amount::gpus(job.gpus_milli);
    match job.models.is_empty() || job.gpus_milli == 0 {
        true => gpus,
        false => format!("{gpus} {}", job.models.join("|")),
    }
}

/// How long it has waited, runs or ran.
fn clock(job: &JobView, now: Time) -> String {
    match (job.state, job.started, job.ended) {
        (JobState::Waiting | JobState::Queued, _, _) => time::span(job.submitted, now),
        (JobState::Ended, Some(started), Some(ended)) => time::span(started, ended.0),
        (JobState::Ended, _, _) => NOTHING.to_owned(),
        (_, Some(started), _) => time::span(started, now),
        (_, None, _) => NOTHING.to_owned(),
    }
}

fn place(job: &JobView) -> String {
    match &job.reason {
        Some(reason) if !job.state.is_active() => reason.clone(),
        _ => amount::names(&job.nodes),
    }
}
