//! All that the engine may ask of the world, and all that it tells it.

use muster_model::{Attempt, GpuSet, Invalid, JobId, Millis, Name, NodeId};
use serde::{Deserialize, Serialize};

use crate::command::Exit;

/// One consequence of a step, in the order it must be carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// A submission was accepted. An array has its own number; its elements have the numbers
    /// after it.
    Accepted {
        /// The job, or the array.
        job: JobId,
        /// How many elements, 0 for a plain job.
        elements: u32,
    },
    /// The command was not accepted and changed nothing.
    Rejected {
        /// What is wrong with it.
        errors: Vec<Invalid>,
    },
    /// A node was accepted, now known by this number.
    NodeAccepted {
        /// Its number.
        node: NodeId,
        /// Its name.
        name: Name,
    },
    /// Launch the tasks of an attempt on a node.
    Launch {
        /// The node.
        node: NodeId,
        /// The job.
        job: JobId,
        /// The attempt.
        attempt: Attempt,
        /// Its tasks there.
        tasks: Vec<TaskPlace>,
    },
    /// End an attempt on a node. The node answers that it has ended even where nothing of it
    /// runs, for the order to launch it may never have arrived.
    Stop {
        /// The node.
        node: NodeId,
        /// The job.
        job: JobId,
        /// The attempt.
        attempt: Attempt,
        /// Time between asking the tasks and forcing them.
        grace: Millis,
    },
    /// Have exactly these tasks of an attempt on a node: launch those that are new there and end
    /// those that are not named, all of them if none is. The node answers with the number even
    /// where nothing of the attempt runs.
    Resize {
        /// The node.
        node: NodeId,
        /// The job.
        job: JobId,
        /// The attempt.
        attempt: Attempt,
        /// The number of the resize within the attempt; a later one makes an earlier one void.
        resize: u32,
        /// All its tasks there.
        tasks: Vec<TaskPlace>,
    },
    /// Send a signal to an attempt's tasks on a node.
    Signal {
        /// The node.
        node: NodeId,
        /// The job.
        job: JobId,
        /// The attempt.
        attempt: Attempt,
        /// The signal's number.
        signal: u8,
    },
    /// A job is in a new state.
    Moved {
        /// The job.
        job: JobId,
        /// The attempt it is at.
        attempt: Attempt,
        /// The state.
        state: JobState,
    },
}

/// One task's place: which GPUs of the node it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskPlace {
    /// The task's group within the job.
    pub group: u16,
    /// The task's rank within its group.
    pub rank: u32,
    /// Its GPUs.
    pub gpus: GpuSet,
}

/// Where a job is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobState {
    /// Something other than capacity keeps it: a hold, a dependency, a time, a throttle.
    Waiting,
    /// It would start if there were room.
    Queued,
    /// Its nodes have been asked to launch it and not all have confirmed.
    Launching,
    /// Every node has confirmed.
    Running,
    /// Its nodes have been asked to end it and not all have confirmed.
    Stopping,
    /// It is over.
    Ended(Outcome),
}

/// How a job ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// With success.
    Completed,
    /// By its own failure.
    Failed(Exit),
    /// By request.
    Cancelled,
    /// By its run-time limit.
    TimedOut,
    /// With a node it ran on, and no attempt left.
    NodeLost,
    /// Because no node would launch it.
    LaunchFailed,
    /// Because what it depends on can no longer happen.
    DependencyFailed,
}
