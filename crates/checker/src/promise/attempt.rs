//! Promise: at most one attempt of a job runs at any time.
//!
//! The attempts of a job are numbered without gaps. None is launched while an earlier one may
//! still run on some node: one that has not refused it, has not ended it, whose lease has not
//! ended and that has not come back without it. What a node says of an attempt that is not
//! current, or in which it has no part, changes nothing. A node that is found running an attempt
//! it should not run is told to end it.

use muster_engine::action::Action;
use muster_model::{Attempt, JobId, NodeId};

use crate::shadow::{Job, Shadow, Start};
use crate::step::Step;
use crate::violation::{Findings, Promise};

/// Judges a start against the attempts before it.
pub(crate) fn launched(job: &Job, start: &Start, found: &mut Findings) {
    let (id, last, new) = (job.id, job.attempt, start.attempt);
    if last.0.checked_add(1) != Some(new.0) {
        let detail = format!("attempt {new} of job {id} follows attempt {last}");
        found.add(Promise::Attempt, detail);
    }
    let Some(run) = &job.run else { return };
    for (node, part) in &run.parts {
        if !part.report.is_end() {
            let detail = format!(
                "attempt {new} of job {id} was launched while attempt {last} may run on node {node}"
            );
            found.add(Promise::Attempt, detail);
        }
    }
}

/// Judges the attempt a job is said to be at.
pub(crate) fn moved(job: &Job, told: Attempt, found: &mut Findings) {
    if job.attempt != told {
        let (id, current) = (job.id, job.attempt);
        let detail = format!("job {id} is told to be at attempt {told}, and is at {current}");
        found.add(Promise::Attempt, detail);
    }
}

/// Judges a step whose report can tell nothing new, when nothing was due by time either.
pub(crate) fn idle_report(step: &Step<'_>, found: &mut Findings) {
    if step.actions.iter().any(|action| !matches!(action, Action::Rejected { .. })) {
        let (report, actions) = (step.command, step.actions);
        let detail = format!("a report that tells nothing new ({report:?}) led to {actions:?}");
        found.add(Promise::Attempt, detail);
    }
}

/// Judges to whom a stop or a signal goes. Stopping what does not run is harmless, and needed to
/// end strays; a signal is for the current attempt alone.
pub(crate) fn signalled(
    shadow: &Shadow,
    (node, id, attempt): (NodeId, JobId, Attempt),
    found: &mut Findings,
) {
    let job = shadow.jobs.get(&id).filter(|job| job.attempt == attempt && job.is_active());
    let part = job.and_then(|job| job.run.as_ref()?.parts.get(&node));
    if part.is_none() {
        let detail =
            format!("attempt {attempt} of job {id} got a signal on node {node} and is not there");
        found.add(Promise::Attempt, detail);
    }
}

/// Judges whether every stray was told to end.
pub(crate) fn after_step(step: &Step<'_>, found: &mut Findings) {
    for &(node, job, attempt) in &step.strays {
        let is_told = step.actions.iter().any(|action| match action {
            Action::Stop { node: n, job: j, attempt: a, .. } => {
                (*n, *j, *a) == (node, job, attempt)
            }
            _ => false,
        });
        if !is_told {
            let detail = format!(
                "node {node} runs attempt {attempt} of job {job}, must not, and was not told"
            );
            found.add(Promise::Attempt, detail);
        }
    }
}
