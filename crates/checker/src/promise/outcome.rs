//! Promise: a job's outcome says what happened.
//!
//! Completed: every node ended it with success. Failed: some node ended it in just that way.
//! Cancelled: someone asked. Timed out: its time was up. Node lost: a node it ran on was lost,
//! or ended it unasked.
//! Launch failed: a node refused it, or not all confirmed in time. Dependency failed: it has one.
//! Deadline missed: it was to be dropped then, and could not run its time by it.

use muster_engine::action::Outcome;
use muster_engine::command::Exit;

use crate::shadow::{End, Job, Report, Run, Shadow};
use crate::violation::{Findings, Promise};

/// Judges the outcome of a job against its last attempt.
pub(crate) fn ended(shadow: &Shadow, job: &Job, outcome: Outcome, found: &mut Findings) {
    let run = job.run.as_ref();
    let ended_by = |wanted: &dyn Fn(End) -> bool| run.is_some_and(|run| run.ended_by(wanted));
    let is_true = match outcome {
        Outcome::Completed => run.is_some_and(is_success),
        Outcome::Failed(exit) => ended_by(&|end| end == End::Exit(exit)),
        Outcome::Cancelled => job.is_cancelled,
        Outcome::TimedOut => {
            let has_run = run.is_some_and(|run| run.running_since.is_some());
            let was_out_of_time = run.is_some_and(|run| run.was_out_of_time);
            has_run && (shadow.is_out_of_time(job) || was_out_of_time)
        }
        Outcome::NodeLost => ended_by(&|end| matches!(end, End::Lost | End::Exit(Exit::Stopped))),
        Outcome::LaunchFailed => {
            let is_late = run.is_some_and(|run| run.running_since.is_none());
            ended_by(&|end| end == End::Refused) || (is_late && shadow.is_out_of_time(job))
        }
        Outcome::DependencyFailed => !job.spec.after.is_empty(),
        Outcome::DeadlineMissed => is_too_late(shadow, job),
    };
    if !is_true {
        let detail = format!("job {} ended as {outcome:?}, and that is not what happened", job.id);
        found.add(Promise::Outcome, detail);
    }
}

/// Whether a job that is of no use after its deadline could no longer run as long as it has to.
fn is_too_late(shadow: &Shadow, job: &Job) -> bool {
    let timing = &job.spec.timing;
    let limit = timing.limit_min.or(timing.limit).unwrap_or_default();
    timing.drop_late && timing.deadline.is_some_and(|deadline| shadow.now + limit > deadline)
}

fn is_success(run: &Run) -> bool {
    run.parts
        .values()
        .all(|part| matches!(part.report, Report::Ended(End::Exit(exit)) if exit.is_success()))
}
