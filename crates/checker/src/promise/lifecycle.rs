//! Promise: a job moves only along the paths of its life.
//!
//! A job waits or is queued; from the queue it launches, from there it runs; what runs may be
//! paused, and what is paused resumes and runs again; what launches or runs comes to an end by
//! stopping, or at once where no node can hold it any more; what has stopped is over or waits
//! again. Every move is told. A start and the word "launching" belong together. A cancelled job
//! is on its way out, and a held one is not queued.

use muster_engine::action::JobState;
use muster_engine::command::Command;

use crate::shadow::{Held, Job, Shadow};
use crate::step::Step;
use crate::violation::{Findings, Promise};

/// Judges the state a job is started from.
pub(crate) fn launched(job: &Job, found: &mut Findings) {
    if !matches!(job.state, None | Some(JobState::Queued)) {
        let detail = format!("job {} was launched while it was {}", job.id, job.state_word());
        found.add(Promise::Lifecycle, detail);
    }
    if job.is_cancelled {
        found.add(Promise::Lifecycle, format!("job {} was launched after a cancel", job.id));
    }
}

/// Judges a move. `starts` says whether the step has launches for the attempt.
pub(crate) fn moved(job: &Job, state: JobState, starts: bool, found: &mut Findings) {
    if !is_legal(job, state) {
        let detail = format!("job {} went from {} to {state:?}", job.id, job.state_word());
        found.add(Promise::Lifecycle, detail);
    }
    if state == JobState::Launching && !starts {
        let detail = format!("job {} is told to be launching without a launch", job.id);
        found.add(Promise::Lifecycle, detail);
    }
}

fn is_legal(job: &Job, to: JobState) -> bool {
    use JobState::{
        Ended, Launching, Paused, Pausing, Queued, Resuming, Running, Stopping, Waiting,
    };
    let Some(from) = job.state else {
        return matches!(to, Waiting | Queued | Launching | Ended(_));
    };
    match (from, to) {
        (Waiting, Queued | Ended(_))
        | (Queued, Waiting | Launching | Ended(_))
        | (Launching | Pausing | Resuming, Running)
        | (Running, Pausing)
        | (Pausing, Paused)
        | (Paused, Resuming)
        | (Launching | Running | Pausing | Paused | Resuming, Stopping)
        | (Stopping, Ended(_) | Waiting | Queued) => true,
        (Launching | Running | Pausing | Paused | Resuming, Ended(_) | Waiting | Queued) => {
            !job.may_run()
        }
        _ => false,
    }
}

/// Judges where the jobs of a step are at its end.
pub(crate) fn after_step(shadow: &Shadow, step: &Step<'_>, found: &mut Findings) {
    for (id, _) in &step.launched {
        let Some(job) = shadow.jobs.get(id) else { continue };
        if job.state != Some(JobState::Launching) {
            let detail = format!("job {id} was launched and is told to be {}", job.state_word());
            found.add(Promise::Lifecycle, detail);
        }
    }
    let (Command::Cancel { job } | Command::Hold { job }) = step.command else { return };
    let is_cancel = matches!(step.command, Command::Cancel { .. });
    for id in shadow.meant_by(*job).into_iter().filter(|_| !step.is_rejected) {
        let job = &shadow.jobs[&id];
        let is_leaving = matches!(job.state, Some(JobState::Stopping | JobState::Ended(_)));
        if is_cancel && !is_leaving {
            let detail = format!("job {id} was cancelled and is {}", job.state_word());
            found.add(Promise::Lifecycle, detail);
        }
        if job.held == Held::Yes && job.state == Some(JobState::Queued) {
            found.add(Promise::Lifecycle, format!("job {id} is held and still queued"));
        }
    }
}
