//! What is going to happen, in order: by time, and at one time in the order it was planned.

use std::collections::BTreeMap;

use muster_engine::action::TaskPlace;
use muster_engine::command::{Command, Exit};
use muster_model::{Attempt, JobId, JobSpec, Millis, NodeId, Rung, Time};

use super::Plan;

/// Something that is going to happen in the world.
#[derive(Clone, Debug)]
pub(super) enum Event {
    /// A user submits.
    Submit(Box<JobSpec>, Plan),
    /// A message of the engine reaches a node, if the connection it was sent on still stands.
    Delivered { node: NodeId, connection: u32, message: Message },
    /// A launch is done.
    Up { node: NodeId, job: JobId, attempt: Attempt },
    /// A node has come to have the tasks that a resize asked for.
    Resized { node: NodeId, job: JobId, attempt: Attempt, resize: u32 },
    /// Tasks come to an end.
    Over { node: NodeId, job: JobId, attempt: Attempt, exit: Exit },
    /// Tasks that compute come to their own end, unless they stood still since this was planned.
    Done { node: NodeId, job: JobId, attempt: Attempt, turn: u32 },
    /// A node has done what an order to pause or resume asked for.
    Carried { node: NodeId, job: JobId, attempt: Attempt, order: u32, rung: Rung, down: bool },
    /// The application saves, if it still computes.
    Saves { node: NodeId, job: JobId, attempt: Attempt },
    /// A report reaches the engine.
    Report(Command),
    /// The loss of a node is noticed.
    Noticed { node: NodeId, connection: u32 },
    /// The loss of several nodes at once is noticed, each with the connection it was on.
    NoticedTogether(Vec<(NodeId, u32)>),
    /// A node that was cut off has lost its lease and ends its tasks.
    LeaseEnds { node: NodeId, connection: u32 },
    /// A node that was cut off is back.
    Back { node: NodeId, connection: u32 },
    /// The clock goes on.
    ClockGoesOn,
    /// Something may go wrong.
    Mishap,
}

/// What the engine asks of a node.
#[derive(Clone, Debug)]
pub(super) enum Message {
    Launch { job: JobId, attempt: Attempt, tasks: Vec<TaskPlace> },
    Stop { job: JobId, attempt: Attempt, grace: Millis },
    Resize { job: JobId, attempt: Attempt, resize: u32, tasks: Vec<TaskPlace> },
    Order { job: JobId, attempt: Attempt, order: u32, rung: Rung, down: bool },
}

/// Events to come.
#[derive(Clone, Debug, Default)]
pub(super) struct Agenda {
    events: BTreeMap<(Time, u64), Event>,
    planned: u64,
}

impl Agenda {
    pub(super) fn plan(&mut self, at: Time, event: Event) {
        self.events.insert((at, self.planned), event);
        self.planned += 1;
    }

    /// When the next event happens.
    pub(super) fn next_at(&self) -> Option<Time> {
        self.events.keys().next().map(|(at, _)| *at)
    }

    pub(super) fn pop(&mut self) -> Option<(Time, Event)> {
        self.events.pop_first().map(|((at, _), event)| (at, event))
    }

    /// Whether anything but mishaps is to come.
    pub(super) fn is_idle(&self) -> bool {
        self.events.values().all(|event| matches!(event, Event::Mishap))
    }

    /// Nothing goes wrong by chance any more.
    pub(super) fn forget_mishaps(&mut self) {
        self.events.retain(|_, event| !matches!(event, Event::Mishap));
    }
}
