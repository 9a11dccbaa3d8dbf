//! Exit codes: what a shell is told about each way a job can end.

use muster_api::view::Outcome;

use super::exit;
use crate::cli::show::fixed;

#[test]
fn exit_code_is_that_of_the_job() {
    let cases = [
        (Outcome::Completed, Some(0), None, 0),
        (Outcome::Failed, Some(3), None, 3),
        (Outcome::Failed, Some(-1), None, 1),
        (Outcome::Failed, Some(256), None, 1),
        (Outcome::Failed, Some(0), None, 1),
        (Outcome::Failed, None, Some("TERM"), 143),
        (Outcome::Failed, None, Some("out of memory"), 137),
        (Outcome::Cancelled, None, None, 130),
        (Outcome::TimedOut, None, None, 124),
        (Outcome::NodeLost, None, None, 1),
        (Outcome::LaunchFailed, None, None, 1),
        (Outcome::DependencyFailed, None, None, 1),
    ];
    for (outcome, code, signal, expected) in cases {
        let mut job = fixed::ended(outcome);
        (job.exit_code, job.exit_signal) = (code, signal.map(str::to_owned));
        assert_eq!(exit::code(&job), expected, "{outcome} {code:?} {signal:?}");
        assert_eq!(exit::words(&job).is_none(), outcome == Outcome::Completed);
    }
}
