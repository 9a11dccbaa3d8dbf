//! Promise: an accepted job is known until it ended, and ends once.
//!
//! Every submission is answered once. Job numbers are positive, only ever grow, and an array
//! takes one for itself and the following ones for its elements. What was accepted stays in the
//! engine's account until it has ended, and after that as long as ended jobs are remembered;
//! what was not accepted is never there. A job that has ended does nothing more.

use std::collections::BTreeSet;

use muster_engine::action::Action;
use muster_engine::command::Command;
use muster_engine::snapshot::Snapshot;
use muster_model::{JobId, JobSpec};

use crate::shadow::Shadow;
use crate::step::Step;
use crate::violation::{Findings, Promise};

/// Judges the answer to a command, before it is taken in.
pub(crate) fn answered(shadow: &Shadow, step: &Step<'_>, found: &mut Findings) {
    let accepted: Vec<(JobId, u32)> = (step.actions.iter())
        .filter_map(|action| match action {
            Action::Accepted { job, elements } => Some((*job, *elements)),
            _ => None,
        })
        .collect();
    let rejections =
        step.actions.iter().filter(|action| matches!(action, Action::Rejected { .. })).count();
    if rejections > 1 {
        found.add(Promise::NoLostJob, format!("one command was rejected {rejections} times"));
    }
    match step.command {
        Command::Submit { spec } => {
            let answers = accepted.len() + rejections;
            if answers != 1 {
                found.add(Promise::NoLostJob, format!("a submission got {answers} answers"));
            }
            for (job, elements) in accepted {
                numbered(shadow, spec, job, elements, found);
            }
        }
        _ if !accepted.is_empty() => {
            let detail = format!("job {} was accepted and nobody submitted it", accepted[0].0);
            found.add(Promise::NoLostJob, detail);
        }
        _ => {}
    }
}

fn numbered(shadow: &Shadow, spec: &JobSpec, job: JobId, elements: u32, found: &mut Findings) {
    if job.0 <= shadow.highest {
        let detail = format!("job {job} was accepted after job {}", shadow.highest);
        found.add(Promise::NoLostJob, detail);
    }
    let wanted = spec.array.as_ref().map_or(0, |array| array.indexes.len());
    if usize::try_from(elements) != Ok(wanted) {
        let detail = format!("job {job} has {wanted} elements and was accepted with {elements}");
        found.add(Promise::NoLostJob, detail);
    }
    if spec.array.is_some() && wanted == 0 {
        found.add(Promise::NoLostJob, format!("array {job} was accepted without elements"));
    }
}

/// Judges whether a job that something happens to is there; `what` says what happens.
pub(crate) fn is_known(shadow: &Shadow, job: JobId, what: &str, found: &mut Findings) -> bool {
    match shadow.jobs.get(&job) {
        None => {
            let detail = if shadow.arrays.contains_key(&job) {
                format!("job {job} {what} but is an array")
            } else if job.0 <= shadow.highest {
                format!("job {job} {what} but was over and forgotten")
            } else {
                format!("job {job} {what} but never accepted")
            };
            found.add(Promise::NoLostJob, detail);
            false
        }
        Some(known) if known.is_ended() => {
            found.add(Promise::NoLostJob, format!("job {job} {what} after it ended"));
            false
        }
        Some(_) => true,
    }
}

/// Judges who is in the engine's account.
pub(crate) fn compared(shadow: &Shadow, snapshot: &Snapshot, found: &mut Findings) {
    if !snapshot.jobs.is_sorted_by(|one, next| one.id < next.id) {
        found.add(Promise::NoLostJob, "the jobs of the snapshot are not in order of number");
        return;
    }
    let arrays: BTreeSet<JobId> = snapshot.arrays.iter().map(|array| array.id).collect();
    let is_there = |id: JobId| snapshot.jobs.binary_search_by_key(&id, |job| job.id).is_ok();
    for job in shadow.jobs.values() {
        let may_be_gone = job.ended.is_some_and(|ended| shadow.may_forget(ended));
        if !may_be_gone && !is_there(job.id) {
            let detail = format!("job {} ({}) is not in the snapshot", job.id, job.state_word());
            found.add(Promise::NoLostJob, detail);
        }
        if let Some((array, _)) = job.element.filter(|_| !may_be_gone)
            && !arrays.contains(&array)
        {
            let detail = format!("array {array} of job {} is not in the snapshot", job.id);
            found.add(Promise::NoLostJob, detail);
        }
    }
    for job in &snapshot.jobs {
        if !shadow.jobs.contains_key(&job.id) {
            let detail = format!("job {} is in the snapshot and was never accepted", job.id);
            found.add(Promise::NoLostJob, detail);
        }
    }
    if snapshot.next_job.0 <= shadow.highest {
        let (next, last) = (snapshot.next_job, shadow.highest);
        found.add(Promise::NoLostJob, format!("the next job would be {next} after job {last}"));
    }
}
