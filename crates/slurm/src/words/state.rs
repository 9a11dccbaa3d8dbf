//! The states of jobs, by their words and by their codes.

use std::fmt;
use std::str::FromStr;

use muster_model::Invalid;
use muster_model::name::quoted;
use muster_model::nearest::nearest;
use serde::{Deserialize, Serialize};

/// The state of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum State {
    /// It waits.
    Pending,
    /// It has its nodes, which are being made ready.
    Configuring,
    /// It runs.
    Running,
    /// It is over, and something of it is still there.
    Completing,
    /// It ended with success.
    Completed,
    /// It ended without.
    Failed,
    /// Somebody ended it.
    Cancelled,
    /// It reached its time limit.
    Timeout,
    /// It lost a node.
    NodeFail,
    /// It ran out of memory.
    OutOfMemory,
    /// It was ended for another job.
    Preempted,
    /// It is about to start again.
    Requeued,
    /// It is about to start again once it is released.
    RequeueHold,
    /// It started again because of its exit code.
    SpecialExit,
    /// It is paused.
    Suspended,
    /// It is stopped by a signal and keeps its CPUs.
    Stopped,
    /// It could not end by its deadline.
    Deadline,
    /// Its nodes could not be started.
    BootFail,
    /// It is changing its size.
    Resizing,
    /// It is being signalled.
    Signaling,
    /// It is copying files out.
    StageOut,
    /// Its reservation is gone.
    ResvDelHold,
    /// It runs on another cluster.
    Revoked,
}

/// The word, then the code of `squeue`.
const WORDS: [(State, &str, &str); 23] = [
    (State::Pending, "PENDING", "PD"),
    (State::Configuring, "CONFIGURING", "CF"),
    (State::Running, "RUNNING", "R"),
    (State::Completing, "COMPLETING", "CG"),
    (State::Completed, "COMPLETED", "CD"),
    (State::Failed, "FAILED", "F"),
    (State::Cancelled, "CANCELLED", "CA"),
    (State::Timeout, "TIMEOUT", "TO"),
    (State::NodeFail, "NODE_FAIL", "NF"),
    (State::OutOfMemory, "OUT_OF_MEMORY", "OOM"),
    (State::Preempted, "PREEMPTED", "PR"),
    (State::Requeued, "REQUEUED", "RQ"),
    (State::RequeueHold, "REQUEUE_HOLD", "RH"),
    (State::SpecialExit, "SPECIAL_EXIT", "SE"),
    (State::Suspended, "SUSPENDED", "S"),
    (State::Stopped, "STOPPED", "ST"),
    (State::Deadline, "DEADLINE", "DL"),
    (State::BootFail, "BOOT_FAIL", "BF"),
    (State::Resizing, "RESIZING", "RS"),
    (State::Signaling, "SIGNALING", "SI"),
    (State::StageOut, "STAGE_OUT", "SO"),
    (State::ResvDelHold, "RESV_DEL_HOLD", "RD"),
    (State::Revoked, "REVOKED", "RV"),
];

impl State {
    /// All of them.
    pub fn all() -> impl Iterator<Item = State> {
        WORDS.iter().map(|&(state, ..)| state)
    }

    fn row(self) -> (&'static str, &'static str) {
        let row = WORDS.iter().find(|(state, ..)| *state == self);
        row.map(|&(_, word, code)| (word, code)).expect("the table has every state")
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        self.row().0
    }

    /// Its code.
    pub fn code(self) -> &'static str {
        self.row().1
    }

    /// Whether nothing more happens to a job in it.
    pub const fn is_over(self) -> bool {
        matches!(
            self,
            State::Completed
                | State::Failed
                | State::Cancelled
                | State::Timeout
                | State::NodeFail
                | State::OutOfMemory
                | State::Preempted
                | State::Deadline
                | State::BootFail
                | State::Revoked
        )
    }
}

impl fmt::Display for State {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}

impl FromStr for State {
    type Err = Invalid;

    /// Reads a word or a code, in any case.
    fn from_str(text: &str) -> Result<State, Invalid> {
        let is_meant =
            |word: &str, code: &str| [word, code].iter().any(|it| it.eq_ignore_ascii_case(text));
        let row = WORDS.iter().find(|(_, word, code)| is_meant(word, code));
        row.map(|&(state, ..)| state).ok_or_else(|| {
            let refused =
                Invalid::new("state", quoted(text), "expected a state such as PENDING or R");
            match nearest(text, WORDS.iter().map(|&(_, word, _)| word)) {
                Some(word) => refused.meant(word),
                None => refused,
            }
        })
    }
}
