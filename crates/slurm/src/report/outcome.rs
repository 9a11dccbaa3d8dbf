//! A job's life in Slurm's words: its state, why it waits or ended, and its exit code.

use crate::words::{ExitCode, Reason, State};

/// What Slurm makes of an exit by lack of memory.
const OUT_OF_MEMORY: u8 = 125;

/// The signal that ends the script of a job that is cancelled.
const TERM: u8 = 15;

/// Where a job is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// It has not started.
    Waits,
    /// Its nodes are starting it.
    Starts,
    /// It runs.
    Runs,
    /// It is paused.
    Paused,
    /// It is being ended.
    Ends,
    /// It is over.
    Over(Ended),
}

/// How a job ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// With success.
    Completed,
    /// With an exit code.
    Code(u8),
    /// By a signal.
    Signal(u8),
    /// For want of memory.
    OutOfMemory,
    /// By request.
    Cancelled,
    /// By its limit.
    TimedOut,
    /// With a node.
    NodeLost,
    /// No node would start it.
    LaunchFailed,
    /// What it waited for can no longer happen.
    DependencyFailed,
    /// It could no longer finish by its deadline.
    DeadlineMissed,
}

/// The state of a job.
pub fn state_of(life: Life) -> State {
    match life {
        Life::Waits => State::Pending,
        Life::Starts => State::Configuring,
        Life::Runs => State::Running,
        Life::Paused => State::Suspended,
        Life::Ends => State::Completing,
        Life::Over(ended) => match ended {
            Ended::Completed => State::Completed,
            Ended::Code(_) | Ended::Signal(_) | Ended::LaunchFailed => State::Failed,
            Ended::OutOfMemory => State::OutOfMemory,
            Ended::Cancelled | Ended::DependencyFailed => State::Cancelled,
            Ended::TimedOut => State::Timeout,
            Ended::DeadlineMissed => State::Deadline,
            Ended::NodeLost => State::NodeFail,
        },
    }
}

impl Ended {
    /// The exit code of the job, and that of its script.
    pub fn exits(self, has_started: bool) -> (ExitCode, ExitCode) {
        let exit = |code, signal| ExitCode { code, signal };
        let both = |code: ExitCode| (code, code);
        match self {
            Ended::Completed => both(exit(0, 0)),
            Ended::Code(code) => both(exit(code, 0)),
            Ended::Signal(signal) => both(exit(0, signal)),
            Ended::OutOfMemory => both(exit(0, OUT_OF_MEMORY)),
            Ended::Cancelled | Ended::TimedOut if has_started => (exit(0, 0), exit(0, TERM)),
            Ended::NodeLost => both(exit(1, 0)),
            // Slurm's own number for a program that could not be set up.
            Ended::LaunchFailed => both(exit(0, 53)),
            Ended::Cancelled
            | Ended::TimedOut
            | Ended::DependencyFailed
            | Ended::DeadlineMissed => both(exit(0, 0)),
        }
    }
}

/// Why a job waits, by the word of what keeps it; why it ended otherwise.
pub fn reason_of(life: Life, waits: Option<&str>) -> Reason {
    match life {
        Life::Over(ended) => match ended {
            Ended::Completed | Ended::Cancelled => Reason::None,
            Ended::Code(_) => Reason::NonZeroExitCode,
            Ended::Signal(_) => Reason::RaisedSignal,
            Ended::OutOfMemory => Reason::OutOfMemory,
            Ended::TimedOut => Reason::TimeLimit,
            Ended::NodeLost => Reason::NodeDown,
            Ended::LaunchFailed => Reason::JobLaunchFailure,
            Ended::DependencyFailed => Reason::DependencyNeverSatisfied,
            Ended::DeadlineMissed => Reason::DeadLine,
        },
        Life::Waits => waits.map_or(Reason::None, reason),
        Life::Paused => Reason::Preempted,
        Life::Starts | Life::Runs | Life::Ends => Reason::None,
    }
}

fn reason(word: &str) -> Reason {
    match word {
        "held" => Reason::JobHeldUser,
        "dependency" | "singleton" => Reason::Dependency,
        "begin-time" | "pause" => Reason::BeginTime,
        "unopened" => Reason::Reservation,
        "throttle" => Reason::JobArrayTaskLimit,
        "queue-limit-gpus" => Reason::AssocGrpGRES,
        "queue-limit-cpus" => Reason::AssocGrpCpuLimit,
        "queue-limit-memory" => Reason::AssocGrpMemLimit,
        "user-limit-gpus" => Reason::QOSMaxGRESPerUser,
        "user-limit-cpus" | "user-limit-memory" => Reason::QOSResourceLimit,
        "impossible" | "booked" => Reason::ReqNodeNotAvail,
        "claimed" | "behind" => Reason::Priority,
        "paused" => Reason::Preempted,
        "next" => Reason::None,
        // Too few GPUs, or not together, or not beside enough CPUs: room, in one way or another.
        _ => Reason::Resources,
    }
}
