//! What one command of a story means. Nodes are named, not numbered, and an attempt or a node
//! that is left out is looked up when the command is played.

use muster_engine::command::{Exit, Refusal};
use muster_model::{
    Attempt, Booking, Class, Estimate, GpuModel, JobId, JobSpec, Millis, Name, NodeSpec, Policy,
    QueueSpec, Rung, Time,
};

/// When every story begins. Not zero, so that a mistaken subtraction shows.
pub const START: Time = Time(1_800_000_000_000);

/// One command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Part of the configuration; only before anything has happened.
    Setup(Setup),
    /// A queue: configuration at first, a change later.
    Queue(QueueSpec),
    /// Time passes until a moment; the engine is woken whenever it wants to be.
    Until(Moment),
    /// The clock is set, and nobody wakes the engine for what was due in between.
    ClockAt(Time),
    /// The clock that the engine is shown goes back.
    ClockBack(Millis),
    /// Something happens.
    Tell(Tell),
    /// A question.
    Ask(Ask),
    /// The engine is replaced by one restored from its snapshot.
    Restart,
}

/// A moment of the story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// So long after the beginning.
    At(Time),
    /// So long from now.
    In(Millis),
}

/// Part of the cluster's configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Setup {
    Levels(Vec<Name>),
    Model(GpuModel),
    Class(Class),
    /// The whole policy as it is after the line.
    Policy(Box<Policy>),
}

/// Something that happens to the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tell {
    /// A submission; without a queue where the story has only one.
    Submit {
        spec: Box<JobSpec>,
        queue_is_named: bool,
    },
    /// A job becomes another one.
    Amend {
        job: JobId,
        spec: Box<JobSpec>,
        queue_is_named: bool,
    },
    /// A request about jobs, one after the other.
    Request(Request, Vec<JobId>),
    Estimated(JobId, Estimate),
    Progress {
        run: Run,
        rate: u32,
        done_ppm: Option<u32>,
    },
    /// Nodes join for the first time.
    Join(Vec<NodeSpec>),
    /// A node joins again after its agent restarted.
    Rejoin(Name, Vec<Run>),
    Lost {
        nodes: Vec<Name>,
        lease: Millis,
    },
    /// Nodes are lost as one event, such as a rack.
    LostTogether {
        nodes: Together,
        lease: Millis,
    },
    Returned(Name, Vec<Run>),
    Drained(Vec<Name>),
    Resumed(Vec<Name>),
    Health {
        node: Name,
        gpus: Vec<u32>,
        healthy: bool,
    },
    Report {
        runs: Vec<Run>,
        nodes: Vec<Name>,
        report: Report,
    },
    /// Nodes are set aside.
    Booked(Box<Booking>),
    /// A booking is taken back.
    Unbooked(Name),
    Tick,
}

/// Which nodes are lost together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Together {
    Nodes(Vec<Name>),
    /// All that are in a domain of this name.
    Domain(Name),
}

/// What someone wants of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Request {
    Cancel,
    Hold,
    Release,
    Requeue,
}

/// A job, and which attempt of it; the current one where none is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) job: JobId,
    pub(super) attempt: Option<Attempt>,
}

/// What a node says of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Report {
    Started,
    Refused(Refusal),
    Ended(Exit),
    /// To the resize of this number, or to the latest.
    Resized(Option<u32>),
    /// What the latest order asked for is done, or cannot be.
    Paused(Rung),
    PauseRefused(Rung),
    Resumed(Rung),
    /// The application has saved.
    Saved,
    /// Its GPUs compute nothing, or compute again.
    Idle(bool),
}

/// A question to the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    Why(JobId),
    Decision(JobId),
    Jobs,
    Nodes,
    Queues,
}
