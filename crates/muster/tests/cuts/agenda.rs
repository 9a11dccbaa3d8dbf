//! What is to happen when, and the chance that decides.

use std::collections::BTreeMap;

use muster_agent::mind::{Announcement, Happening};
use muster_api::{Announced, Duty, Received, Reports};
use muster_engine::command::{Exit, Running};
use muster_model::JobId;

use crate::steps::StepTaskOf;
use crate::world::NODES;

/// One thing that happens.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// Something arrives at the server from a life of a node's agent.
    ToServer {
        node: usize,
        life: u32,
        sent_ms: u64,
        request: Request,
    },
    /// Something arrives at a node's agent, in the life it was meant for.
    ToAgent {
        node: usize,
        life: u32,
        answer: Answer,
    },
    /// The host of a node tells its agent.
    Happens {
        node: usize,
        life: u32,
        happening: Happening,
    },
    /// A launcher starts its task.
    Launches {
        node: usize,
        life: u32,
        of: Running,
        rank: u32,
    },
    /// A task ends.
    Ends {
        node: usize,
        of: Running,
        rank: u32,
        exit: Exit,
    },
    /// A launcher starts a task of a step.
    StepLaunches {
        node: usize,
        life: u32,
        task: StepTaskOf,
    },
    /// A task of a step ends.
    StepEnds {
        node: usize,
        task: StepTaskOf,
        exit: Exit,
    },
    /// Somebody starts a step in some job that runs.
    StartStep,
    /// An agent looks what is due.
    AgentLooks {
        node: usize,
        life: u32,
    },
    /// The server looks what is due.
    ServerLooks {
        life: u32,
    },
    ServerFalls,
    ServerRises,
    AgentFalls {
        node: usize,
    },
    AgentRises {
        node: usize,
    },
    /// A link is cut for so long.
    Cut {
        node: usize,
        for_ms: u64,
    },
    /// Somebody submits the next job.
    Submit,
    /// The owner of a job that only holds its places ends it, once it has them.
    EndHeld {
        job: JobId,
    },
}

#[derive(Clone, Debug)]
pub(crate) enum Request {
    Announce { said: Announcement, number: u64 },
    Report(Reports),
    Listen { session: u64, after: u64 },
}

#[derive(Clone, Debug)]
pub(crate) enum Answer {
    Announced {
        announced: Announced,
        sent_ms: u64,
        told: usize,
    },
    Received {
        session: u64,
        received: Received,
        sent_ms: u64,
    },
    Duties {
        session: u64,
        stream: u64,
        version: u64,
        all: bool,
        duties: Vec<Duty>,
    },
    StreamEnded {
        stream: u64,
    },
    /// The server does not know the session.
    Unknown {
        session: u64,
    },
}

/// All that is to happen, in order.
#[derive(Debug)]
pub(crate) struct Agenda {
    pub(crate) now_ms: u64,
    next: u64,
    events: BTreeMap<(u64, u64), Event>,
    state: u64,
}

impl Agenda {
    pub(crate) fn new(seed: u64) -> Agenda {
        Agenda { now_ms: 1_000, next: 0, events: BTreeMap::new(), state: seed }
    }

    pub(crate) fn after(&mut self, ms: u64, event: Event) {
        self.next += 1;
        self.events.insert((self.now_ms + ms, self.next), event);
    }

    pub(crate) fn pop(&mut self) -> Option<Event> {
        let ((at_ms, _), event) = self.events.pop_first()?;
        self.now_ms = at_ms;
        Some(event)
    }

    /// A number below a bound, by splitmix64.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound.max(1)
    }

    /// Any of the nodes.
    pub(crate) fn node(&mut self) -> usize {
        usize::try_from(self.below(NODES as u64)).expect("there are not so many")
    }

    pub(crate) fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}
