//! Attempts that were not the last: a job that gave way, or was started again.

use muster_api::SlurmJobView;
use muster_api::view::AttemptView;
use muster_slurm::report::JobFacts;
use muster_slurm::words::{ExitCode, Reason, State};

use super::steps;

/// Why and for whom a job gave way, the last time it did.
pub(super) fn note(view: &SlurmJobView) -> Option<String> {
    view.attempts.iter().rev().find_map(|attempt| attempt.note.clone())
}

/// A job as it was in each attempt that was followed by another, oldest first.
pub(in crate::slurm) fn earlier(view: &SlurmJobView, job: &JobFacts) -> Vec<JobFacts> {
    view.attempts.iter().filter_map(|attempt| at(view, job, attempt)).collect()
}

fn at(view: &SlurmJobView, job: &JobFacts, attempt: &AttemptView) -> Option<JobFacts> {
    let (state, reason) = match attempt.outcome.as_deref()? {
        "preempted" => (State::Preempted, Reason::Preempted),
        "again" => (State::Requeued, Reason::None),
        _ => return None,
    };
    let mut nodes: Vec<String> = Vec::new();
    for place in &attempt.places {
        if !nodes.contains(&place.node) {
            nodes.push(place.node.clone());
        }
    }
    Some(JobFacts {
        state,
        reason,
        nodes,
        exit: ExitCode::default(),
        batch_exit: ExitCode::default(),
        cancelled_by: None,
        started: Some(attempt.started.unwrap_or(attempt.launched).0),
        ended: attempt.ended.map(|moment| moment.0),
        restarts: attempt.attempt.saturating_sub(1),
        steps: steps::facts(view, attempt.attempt, state),
        measured: steps::own(view, attempt.attempt),
        note: attempt.note.clone(),
        ..job.clone()
    })
}
