//! All that the engine may ask of the world, and all that it tells it.

use std::sync::Arc;

use muster_model::{
    Attempt, GpuSet, Invalid, Isolation, JobId, JobSpec, Mib, MilliGpu, Millis, Name, NodeId, Rung,
};
use serde::{Deserialize, Serialize};

use crate::command::Exit;
use crate::reason::Movable;

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
    /// A job is another one from now on: by request, or as it agreed to for an earlier start.
    Amended {
        /// The job.
        job: JobId,
        /// What it is.
        spec: Arc<JobSpec>,
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
    /// Carry out a rung of the pause ladder on a node: stop computing, move GPU memory to host
    /// memory, or ask the application to save.
    Pause {
        /// The node.
        node: NodeId,
        /// The job.
        job: JobId,
        /// The attempt.
        attempt: Attempt,
        /// The number of the order, which the answer repeats: an answer to an earlier one
        /// says nothing.
        order: u32,
        /// The rung.
        rung: Rung,
    },
    /// Undo a rung on a node: move the state back onto the GPUs, or compute again.
    Resume {
        /// The node.
        node: NodeId,
        /// The job.
        job: JobId,
        /// The attempt.
        attempt: Attempt,
        /// The number of the order, which the answer repeats: an answer to an earlier one
        /// says nothing.
        order: u32,
        /// The rung to undo.
        rung: Rung,
    },
    /// Moving other jobs would start a queued one at once. It is not done: the policy asks only
    /// to be told.
    Previewed {
        /// The job.
        job: JobId,
        /// Who would move, and what that costs and brings.
        movable: Movable,
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
    /// Its GPUs; with a share, the one it has part of.
    pub gpus: GpuSet,
    /// The part it has, where it has not all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<SharePlace>,
}

/// The part of a GPU that a task holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharePlace {
    /// How it is kept apart from its neighbours, and so the mode its GPU is in.
    pub mode: Isolation,
    /// How much of the GPU.
    pub milli: MilliGpu,
    /// How much of its memory.
    pub memory: Mib,
    /// The instance, on a GPU that is cut by MIG.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mig: Option<MigPlace>,
}

/// A MIG instance and where on the card it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MigPlace {
    /// Its profile's place in the list of the GPU model, from 0.
    pub profile: u8,
    /// Compute slices it takes.
    pub slices: u8,
    /// The first eighth of the card's memory it takes.
    pub start: u8,
    /// Eighths of the card's memory it takes.
    pub eighths: u8,
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
    /// It is about to give its GPUs to another: its nodes freeze and suspend it, or it is
    /// waited for to save. It holds all it has.
    Pausing,
    /// It is suspended: its state is in host memory, its GPUs are free, and it waits for them.
    Paused,
    /// It has its GPUs again and its nodes are putting it back on them.
    Resuming,
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
    /// Because it could no longer finish by its deadline.
    DeadlineMissed,
}
