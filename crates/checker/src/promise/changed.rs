//! Promise: a job is another one only as somebody asks, or as it agreed to.
//!
//! It agreed to less time, down to its least, where that lets it start; and to places farther
//! apart, after it has insisted on near ones as long as it said.

use std::sync::Arc;

use muster_engine::command::Command;
use muster_model::{JobId, JobSpec};

use crate::shadow::{Job, Shadow};
use crate::violation::{Findings, Promise};

/// Judges a change before it is taken in.
pub(crate) fn amended(
    shadow: &Shadow,
    command: &Command,
    (id, spec): (JobId, &Arc<JobSpec>),
    found: &mut Findings,
) {
    let Some(job) = shadow.jobs.get(&id) else { return };
    let is_asked = match command {
        Command::Amend { job, spec: asked } => shadow.meant_by(*job).contains(&id) && asked == spec,
        _ => false,
    };
    if !is_asked && !is_shorter(job, spec) && !is_wider(shadow, job, spec) {
        let detail = format!("job {id} became another one, and nobody asked for that");
        found.add(Promise::Changed, detail);
    }
}

fn is_shorter(job: &Job, spec: &JobSpec) -> bool {
    let (was, is) = (&job.spec.timing, &spec.timing);
    let mut like = JobSpec::clone(&job.spec);
    (like.timing.limit, like.timing.warning) = (is.limit, is.warning);
    let is_between = match (was.limit_min, is.limit) {
        (Some(least), Some(limit)) => limit >= least && was.limit.is_none_or(|was| limit <= was),
        _ => false,
    };
    is_between && like == *spec
}

fn is_wider(shadow: &Shadow, job: &Job, spec: &JobSpec) -> bool {
    let mut like = JobSpec::clone(&job.spec);
    let wish = &mut like.topology;
    let Some(patience) = wish.patience.take() else { return false };
    wish.prefer = wish.require.take();
    // It was ready when it was submitted or later.
    shadow.now >= job.submitted + patience && like == *spec
}
