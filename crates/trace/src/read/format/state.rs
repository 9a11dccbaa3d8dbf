//! The states in which Slurm leaves jobs, which Helios records too.

use crate::job::Outcome;

/// What is said of another state.
pub(super) const EXPECTED: &str = "a state of Slurm, such as COMPLETED or FAILED";

/// States as Slurm writes them: of jobs that ended well, badly, or not yet.
const STATES: [(&str, Outcome); 23] = [
    ("COMPLETED", Outcome::Completed),
    ("FAILED", Outcome::Failed),
    ("OUT_OF_MEMORY", Outcome::Failed),
    ("CANCELLED", Outcome::Cancelled),
    ("REVOKED", Outcome::Cancelled),
    ("TIMEOUT", Outcome::TimedOut),
    ("DEADLINE", Outcome::TimedOut),
    ("NODE_FAIL", Outcome::NodeLost),
    ("BOOT_FAIL", Outcome::NodeLost),
    ("PREEMPTED", Outcome::Preempted),
    ("REQUEUED", Outcome::Preempted),
    ("REQUEUE_HOLD", Outcome::Preempted),
    ("SPECIAL_EXIT", Outcome::Preempted),
    ("RUNNING", Outcome::Unfinished),
    ("PENDING", Outcome::Unfinished),
    ("SUSPENDED", Outcome::Unfinished),
    ("COMPLETING", Outcome::Unfinished),
    ("CONFIGURING", Outcome::Unfinished),
    ("RESIZING", Outcome::Unfinished),
    ("REQUEUE_FED", Outcome::Unfinished),
    ("SIGNALING", Outcome::Unfinished),
    ("STAGE_OUT", Outcome::Unfinished),
    ("STOPPED", Outcome::Unfinished),
];

/// What a state says of the end of a job.
pub(super) fn outcome(state: &str) -> Option<Outcome> {
    // `CANCELLED by 1000` names the user behind the state; a `+` says that the word was cut.
    let word = state.split(' ').next().unwrap_or_default();
    let is_meant = |known: &str| match word.strip_suffix('+') {
        Some(begin) => !begin.is_empty() && known.starts_with(begin),
        None => known == word,
    };
    STATES.into_iter().find(|(known, _)| is_meant(known)).map(|(_, outcome)| outcome)
}
