//! A job as people see it.

use std::fmt;

use muster_engine::action as engine;
use muster_engine::command::Exit;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::moment::Moment;
use crate::signal;

/// One job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JobView {
    /// Its number.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Who submitted it.
    pub user: String,
    /// The team it is accounted to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// Its queue.
    pub queue: String,
    /// Its class.
    pub class: String,
    /// Where it is in its life.
    pub state: JobState,
    /// How it ended, once it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// The exit code of the worst task, where it ended by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The signal that ended it, where one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_signal: Option<String>,
    /// Who cancelled it, where somebody did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancelled_by: Option<String>,
    /// Why it waits, in a few words, while it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The array it is an element of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub array: Option<u64>,
    /// Its index there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<u32>,
    /// Tasks it has, or will have at least.
    pub tasks: u32,
    /// Thousandths of GPUs it has, or will have at least.
    pub gpus_milli: u64,
    /// The GPU models it accepts, as it was submitted; any where none is named.
    pub models: Vec<String>,
    /// The try it is at; 0 before the first.
    pub attempt: u32,
    /// The nodes it holds.
    pub nodes: Vec<String>,
    /// When it was accepted.
    #[schema(value_type = String)]
    pub submitted: Moment,
    /// When its present attempt started, or its last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub started: Option<Moment>,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub ended: Option<Moment>,
}

/// Where a job is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum JobState {
    /// Something other than room keeps it.
    Waiting,
    /// It would start if there were room.
    Queued,
    /// Its nodes are launching it.
    Launching,
    /// It runs.
    Running,
    /// It is about to give its GPUs to another.
    Pausing,
    /// It is suspended and waits for its GPUs.
    Paused,
    /// Its nodes are putting it back on its GPUs.
    Resuming,
    /// Its nodes are ending it.
    Stopping,
    /// It is over.
    Ended,
}

/// How a job ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// With success.
    Completed,
    /// By its own failure.
    Failed,
    /// By request.
    Cancelled,
    /// By its run-time limit.
    TimedOut,
    /// With a node it ran on.
    NodeLost,
    /// Because no node would launch it.
    LaunchFailed,
    /// Because what it depends on can no longer happen.
    DependencyFailed,
    /// Because it could no longer finish by its deadline.
    DeadlineMissed,
}

/// One try at running a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AttemptView {
    /// Its number.
    pub attempt: u32,
    /// When its nodes were asked to launch it.
    #[schema(value_type = String)]
    pub launched: Moment,
    /// When every node had confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub started: Option<Moment>,
    /// When it was over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub ended: Option<Moment>,
    /// How it ended; `preempted` or `again` where it was not the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// Why it was not the last, where another job had to go first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Where its tasks were.
    pub places: Vec<PlaceView>,
}

/// Where a task is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlaceView {
    /// The node.
    pub node: String,
    /// The task's group.
    pub group: u16,
    /// Its rank within the group.
    pub rank: u32,
    /// Its GPUs by index.
    pub gpus: Vec<u32>,
    /// Thousandths of the GPU it has, where it has not all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share_milli: Option<u64>,
}

impl JobState {
    /// The states of a job that is not over.
    pub const ALIVE: [JobState; 8] = [
        JobState::Waiting,
        JobState::Queued,
        JobState::Launching,
        JobState::Running,
        JobState::Pausing,
        JobState::Paused,
        JobState::Resuming,
        JobState::Stopping,
    ];

    /// Whether it has yet to start, for want of room or of anything else.
    pub fn is_pending(self) -> bool {
        matches!(self, JobState::Waiting | JobState::Queued)
    }

    /// Whether it holds GPUs or is about to.
    pub fn is_active(self) -> bool {
        !self.is_pending() && self != JobState::Ended
    }
}

impl From<engine::JobState> for JobState {
    fn from(state: engine::JobState) -> JobState {
        match state {
            engine::JobState::Waiting => JobState::Waiting,
            engine::JobState::Queued => JobState::Queued,
            engine::JobState::Launching => JobState::Launching,
            engine::JobState::Running => JobState::Running,
            engine::JobState::Pausing => JobState::Pausing,
            engine::JobState::Paused => JobState::Paused,
            engine::JobState::Resuming => JobState::Resuming,
            engine::JobState::Stopping => JobState::Stopping,
            engine::JobState::Ended(_) => JobState::Ended,
        }
    }
}

impl From<engine::Outcome> for Outcome {
    fn from(outcome: engine::Outcome) -> Outcome {
        match outcome {
            engine::Outcome::Completed => Outcome::Completed,
            engine::Outcome::Failed(_) => Outcome::Failed,
            engine::Outcome::Cancelled => Outcome::Cancelled,
            engine::Outcome::TimedOut => Outcome::TimedOut,
            engine::Outcome::NodeLost => Outcome::NodeLost,
            engine::Outcome::LaunchFailed => Outcome::LaunchFailed,
            engine::Outcome::DependencyFailed => Outcome::DependencyFailed,
            engine::Outcome::DeadlineMissed => Outcome::DeadlineMissed,
        }
    }
}

impl JobView {
    /// Takes over the engine's word on the job's state, and with it how it ended.
    pub fn set_state(&mut self, state: engine::JobState) {
        self.state = state.into();
        let engine::JobState::Ended(outcome) = state else { return };
        self.outcome = Some(outcome.into());
        match outcome {
            engine::Outcome::Completed => self.exit_code = Some(0),
            engine::Outcome::Failed(Exit::Code(code)) => self.exit_code = Some(code),
            engine::Outcome::Failed(Exit::Signal(number)) => {
                self.exit_signal = Some(signal::name(number));
            }
            engine::Outcome::Failed(Exit::OutOfMemory) => {
                self.exit_signal = Some("out of memory".to_owned());
            }
            _ => {}
        }
    }
}

impl fmt::Display for JobState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            JobState::Waiting => "waiting",
            JobState::Queued => "queued",
            JobState::Launching => "launching",
            JobState::Running => "running",
            JobState::Pausing => "pausing",
            JobState::Paused => "paused",
            JobState::Resuming => "resuming",
            JobState::Stopping => "stopping",
            JobState::Ended => "ended",
        })
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Outcome::Completed => "completed",
            Outcome::Failed => "failed",
            Outcome::Cancelled => "cancelled",
            Outcome::TimedOut => "timed-out",
            Outcome::NodeLost => "node-lost",
            Outcome::LaunchFailed => "launch-failed",
            Outcome::DependencyFailed => "dependency-failed",
            Outcome::DeadlineMissed => "deadline-missed",
        })
    }
}
