//! A job's end as the exit code of a command, as a shell would have it.

use muster_api::signal;
use muster_api::view::{JobView, Outcome};

/// What shells say of a command that a signal ended, without the signal's number.
const SIGNALLED: u8 = 128;

/// What `timeout` says of a command that took too long.
const TIMED_OUT: u8 = 124;

/// What is said of a job that never had a code of its own.
const NONE: u8 = 1;

/// The exit code for a job that has ended.
pub(super) fn code(job: &JobView) -> u8 {
    match (job.outcome, job.exit_code, job.exit_signal.as_deref()) {
        (Some(Outcome::Completed), _, _) => 0,
        (Some(Outcome::Cancelled), _, _) => SIGNALLED + 2,
        (Some(Outcome::TimedOut), _, _) => TIMED_OUT,
        (_, Some(code), _) => u8::try_from(code).ok().filter(|&code| code > 0).unwrap_or(NONE),
        // The system kills who has taken too much memory.
        (_, None, Some("out of memory")) => SIGNALLED + 9,
        (_, None, Some(name)) => signal::number(name).map_or(NONE, |number| SIGNALLED + number),
        _ => NONE,
    }
}

/// How it ended, in words, unless it simply succeeded.
pub(super) fn words(job: &JobView) -> Option<String> {
    let id = job.id;
    Some(match (job.outcome?, job.exit_code, &job.exit_signal) {
        (Outcome::Completed, _, _) => return None,
        (Outcome::Failed, Some(code), _) => format!("job {id} failed with exit code {code}"),
        (Outcome::Failed, _, Some(signal)) if signal == "out of memory" => {
            format!("job {id} failed: it used more memory than it asked for")
        }
        (Outcome::Failed, _, Some(signal)) => format!("job {id} was ended by signal {signal}"),
        (Outcome::Failed, None, None) => format!("job {id} failed"),
        (Outcome::Cancelled, _, _) => format!("job {id} was cancelled"),
        (Outcome::TimedOut, _, _) => format!("job {id} reached its run-time limit"),
        (Outcome::NodeLost, _, _) => format!("job {id} lost a node it ran on"),
        (Outcome::LaunchFailed, _, _) => format!("no node would launch job {id}"),
        (Outcome::DeadlineMissed, _, _) => {
            format!("job {id} could no longer finish by its deadline")
        }
        (Outcome::DependencyFailed, _, _) => {
            format!("what job {id} depends on can no longer happen")
        }
    })
}
