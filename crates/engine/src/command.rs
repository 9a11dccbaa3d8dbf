//! All that can happen to the engine. Commands are journaled as they are, so that a replay
//! sees exactly what the engine saw.

use std::sync::Arc;

use muster_model::{
    Attempt, Booking, Estimate, JobId, JobSpec, Name, NodeId, NodeSpec, QueueSpec, Rung, Time,
};
use serde::{Deserialize, Serialize};

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Command {
    /// Someone submits a job or an array.
    Submit {
        /// The job.
        spec: Arc<JobSpec>,
    },
    /// Someone wants a job, or a whole array, to end.
    Cancel {
        /// The job or array.
        job: JobId,
    },
    /// Someone wants a job not to start until released.
    Hold {
        /// The job or array.
        job: JobId,
    },
    /// Someone lets a held job start.
    Release {
        /// The job or array.
        job: JobId,
    },
    /// Someone wants the current attempt to end and another to follow.
    Requeue {
        /// The job or array.
        job: JobId,
    },
    /// Someone changes what they asked for. A job that holds nothing may become any other of the
    /// same owner and array; one that nodes have may only be given another time.
    Amend {
        /// The job or array.
        job: JobId,
        /// What it is from now on.
        spec: Arc<JobSpec>,
    },
    /// A prediction of a job's run time has come in.
    Estimated {
        /// The job or array.
        job: JobId,
        /// The prediction.
        estimate: Estimate,
    },
    /// A node is there, for the first time or again after its agent restarted.
    NodeJoined {
        /// What it has.
        spec: NodeSpec,
        /// What runs on it.
        running: Vec<Running>,
    },
    /// Sight of a node was lost. Its agent ends its tasks by itself when its lease ends, and
    /// not before, so until then its jobs are taken to be alive.
    NodeLost {
        /// The node.
        node: NodeId,
        /// When its lease ends.
        lease_ends: Time,
    },
    /// Sight of several nodes was lost at once, such as a rack: one event, in which every gang
    /// on them is lost once.
    NodesLost {
        /// The nodes.
        nodes: Vec<NodeId>,
        /// When their leases end.
        lease_ends: Time,
    },
    /// A node that was lost is there again.
    NodeReturned {
        /// The node.
        node: NodeId,
        /// What still runs on it.
        running: Vec<Running>,
    },
    /// An operator wants nothing new on a node; what runs there may finish.
    NodeDrained {
        /// The node.
        node: NodeId,
    },
    /// An operator lets work on a drained node again.
    NodeResumed {
        /// The node.
        node: NodeId,
    },
    /// A GPU reports errors: nothing new goes on it.
    GpuUnhealthy {
        /// The node.
        node: NodeId,
        /// Its GPU.
        gpu: u32,
    },
    /// A GPU is well again.
    GpuHealthy {
        /// The node.
        node: NodeId,
        /// Its GPU.
        gpu: u32,
    },
    /// A node confirms that all tasks of an attempt that it was given are running.
    Started {
        /// The node.
        node: NodeId,
        /// The job.
        job: JobId,
        /// The attempt.
        attempt: Attempt,
    },
    /// A node did not launch an attempt; nothing of it runs there.
    Refused {
        /// The node.
        node: NodeId,
        /// The job.
        job: JobId,
        /// The attempt.
        attempt: Attempt,
        /// Why.
        refusal: Refusal,
    },
    /// All tasks of an attempt on a node have ended.
    Ended {
        /// The node.
        node: NodeId,
        /// The job.
        job: JobId,
        /// The attempt.
        attempt: Attempt,
        /// How the worst of them ended.
        exit: Exit,
    },
    /// The application of an attempt has saved its work, so that another attempt could go on
    /// from here.
    Saved {
        /// The job.
        job: JobId,
        /// The attempt.
        attempt: Attempt,
    },
    /// The GPUs of an attempt have computed next to nothing for as long as the rule of its queue
    /// says, or compute again.
    Idle {
        /// The job.
        job: JobId,
        /// The attempt.
        attempt: Attempt,
        /// Whether it is idle from now on.
        is_idle: bool,
    },
    /// A node has carried out a rung: its part of an attempt is frozen, or suspended.
    Paused {
        /// The node.
        node: NodeId,
        /// The job.
        job: JobId,
        /// The attempt.
        attempt: Attempt,
        /// The number of the order this answers.
        order: u32,
        /// Freeze or suspend.
        rung: Rung,
    },
    /// A node cannot carry out a rung, or the application does not save when it is asked to; its
    /// part of the attempt is as it was before.
    PauseRefused {
        /// The node.
        node: NodeId,
        /// The job.
        job: JobId,
        /// The attempt.
        attempt: Attempt,
        /// The number of the order this answers.
        order: u32,
        /// Freeze, suspend or checkpoint.
        rung: Rung,
    },
    /// A node has undone a rung: its part of an attempt is back on its GPUs, or computes again.
    Resumed {
        /// The node.
        node: NodeId,
        /// The job.
        job: JobId,
        /// The attempt.
        attempt: Attempt,
        /// The number of the order this answers.
        order: u32,
        /// The rung that was undone.
        rung: Rung,
    },
    /// A node has exactly the tasks of an attempt that a resize asked for.
    Resized {
        /// The node.
        node: NodeId,
        /// The job.
        job: JobId,
        /// The attempt.
        attempt: Attempt,
        /// The number of the resize that asked.
        resize: u32,
    },
    /// An attempt says how it gets on at its present size.
    Progress {
        /// The job.
        job: JobId,
        /// The attempt.
        attempt: Attempt,
        /// Steps per 1000 seconds, 0 if that cannot be said.
        rate: u32,
        /// How much of all the work is done, in parts per million, if that can be said.
        done_ppm: Option<u32>,
    },
    /// A queue is added or changed.
    QueueSet {
        /// The queue as it shall be.
        queue: QueueSpec,
    },
    /// Nodes are set aside for a span of time, or a booking of that name is changed.
    BookingSet {
        /// The booking as it shall be.
        booking: Booking,
    },
    /// A booking is taken back, or ends now.
    BookingRemoved {
        /// Its name.
        name: Name,
    },
    /// Time has passed; something may be due.
    Tick,
}

/// An attempt that a node says it is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Running {
    /// The job.
    pub job: JobId,
    /// The attempt.
    pub attempt: Attempt,
}

/// Whose fault a refused launch is: it decides who is kept from being tried again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refusal {
    /// The node cannot launch anything of the kind now (a device is busy, a disk is full).
    Node(Name),
    /// This job cannot be launched (no such user, no such folder).
    Job(Name),
}

/// How tasks ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exit {
    /// With an exit code; 0 is success.
    Code(i32),
    /// By a signal.
    Signal(u8),
    /// For lack of memory.
    OutOfMemory,
    /// Because the engine asked.
    Stopped,
}

impl Exit {
    /// Whether the tasks did what they were meant to.
    pub fn is_success(self) -> bool {
        self == Exit::Code(0)
    }
}
