//! The mind of an agent: what its node should have, what it has, and what follows from both.
//!
//! A pure state machine. Duties, happenings and the time go in; orders to the host and reports to
//! the server come out. Whatever is lost, doubled or late on either side, the node comes to have
//! what the newest duties say, at most one attempt of a job has tasks, and none has any after the
//! end of the lease.

mod happen;
mod hear;
mod order;
mod outbox;
mod part;
mod pause;
mod settle;
mod steps;

use std::collections::BTreeMap;

use muster_api::Report;
use muster_engine::action::TaskPlace;
use muster_engine::command::Running;

pub use order::{Found, FoundStep, FoundTask, Happening, Heard, Order};
use outbox::Outbox;
use part::{Part, Task, TaskState, Wanted, Why};

/// So many ended attempts are remembered although nobody said that their end was heard: far more
/// than end between two full lists of duties.
const OVER_MAX: usize = 4096;

/// The mind of one node.
///
/// ```
/// use muster_agent::mind::Mind;
///
/// let mut mind = Mind::new(0, Vec::new(), 0);
/// mind.granted(1, 0, 60_000, 0);
/// assert_eq!(mind.due_ms(), None, "nothing runs, so the end of the lease ends nothing");
/// ```
#[derive(Clone, Debug)]
pub struct Mind {
    parts: BTreeMap<Running, Part>,
    session: Option<u64>,
    /// The version of the newest duties of this session.
    version: u64,
    /// Tasks may run until then.
    lease_ms: u64,
    orders: Vec<Order>,
    outbox: Outbox,
}

/// What an announcement tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// Attempts whose tasks are all up.
    pub running: Vec<Running>,
    /// What is yet to be said.
    pub reports: Vec<Report>,
}

impl Mind {
    /// A mind with what was found on the node, and the end of the lease that was noted there.
    pub fn new(now_ms: u64, found: Vec<Found>, lease_ms: u64) -> Mind {
        let mut mind = Mind {
            parts: BTreeMap::new(),
            session: None,
            version: 0,
            lease_ms,
            orders: Vec::new(),
            outbox: Outbox::default(),
        };
        for found in found {
            mind.find(now_ms, found);
        }
        mind
    }

    fn find(&mut self, now_ms: u64, found: Found) {
        let mut part = Part::new(Wanted::Unsaid);
        part.is_started = found.is_whole;
        part.heard = found.heard;
        for task in found.tasks {
            let state = task.exit.map_or(TaskState::Running, TaskState::Gone);
            let failure = task.exit.filter(|exit| !exit.is_success());
            part.failure = part.failure.or(failure);
            part.tasks.insert(
                task.rank,
                Task { place: task.place, is_held: task.is_held, state, leaving: None },
            );
        }
        let has_failed = part.failure.is_some();
        let is_held = !part.held().is_empty();
        self.parts.insert(found.of, part);
        for step in found.steps {
            self.find_step(found.of, step);
        }
        if is_held && now_ms >= self.lease_ms {
            // It has no launcher that would have ended it with the lease.
            self.end(now_ms, found.of, Why::Lease, 0);
        }
        if has_failed {
            self.end(now_ms, found.of, Why::Failed, settle::FAILED_GRACE_MS);
        }
        self.settle(now_ms, found.of);
    }

    /// The server has accepted an announcement that was sent then and told so many reports.
    pub fn granted(&mut self, session: u64, sent_ms: u64, lease_ms: u64, told: usize) {
        self.session = Some(session);
        self.version = 0;
        for part in self.parts.values_mut() {
            part.version = 0;
        }
        self.outbox.begin(told);
        self.renew(sent_ms, lease_ms);
    }

    /// The server does not know the session any more. Tasks go on: it will be announced again.
    pub fn session_lost(&mut self) {
        self.session = None;
    }

    /// The server has received every report below a number, in a request that was sent then.
    pub fn acknowledged(&mut self, session: u64, next: u64, sent_ms: u64, lease_ms: u64) {
        if self.session == Some(session) {
            self.outbox.acknowledge(next);
            self.renew(sent_ms, lease_ms);
        }
    }

    fn renew(&mut self, sent_ms: u64, lease_ms: u64) {
        let until_ms = sent_ms.saturating_add(lease_ms);
        if until_ms > self.lease_ms {
            self.lease_ms = until_ms;
            self.orders.push(Order::Lease { until_ms });
        }
    }

    /// Time has passed.
    pub fn tick(&mut self, now_ms: u64) {
        let known: Vec<Running> = self.parts.keys().copied().collect();
        for of in known {
            if now_ms >= self.lease_ms && self.parts[&of].has_free_tasks() {
                self.end(now_ms, of, Why::Lease, 0);
            }
            self.give_up_saving(now_ms, of);
            self.settle(now_ms, of);
        }
    }

    /// When [`Mind::tick`] should be called at the latest.
    pub fn due_ms(&self) -> Option<u64> {
        let lease = self.parts.values().any(Part::has_free_tasks).then_some(self.lease_ms);
        let due = self.parts.values().filter_map(Part::due_ms).min();
        lease.into_iter().chain(due).min()
    }

    /// What the host is to do, in this order.
    pub fn take_orders(&mut self) -> Vec<Order> {
        std::mem::take(&mut self.orders)
    }

    /// What to announce. An attempt that is not up in all its tasks is not named: the server
    /// still waits to hear that it has started.
    pub fn announcement(&self) -> Announcement {
        let is_running = |part: &Part| part.is_started && !part.is_over();
        let running = self.parts.iter().filter(|(_, part)| is_running(part));
        let running = running.map(|(of, _)| *of).collect();
        Announcement { running, reports: self.outbox.all() }
    }

    /// The number of the first report that waits, and no more than so many from there.
    pub fn reports(&self, most: usize) -> (u64, Vec<Report>) {
        self.outbox.batch(most)
    }

    /// Whether something is to be said.
    pub fn has_reports(&self) -> bool {
        !self.outbox.is_empty()
    }

    /// The session, once there is one.
    pub fn session(&self) -> Option<u64> {
        self.session
    }

    /// The version of the newest duties of this session that were acted on.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Attempts that have tasks here.
    pub fn alive(&self) -> Vec<Running> {
        let alive = self.parts.iter().filter(|(_, part)| part.is_alive());
        alive.map(|(of, _)| *of).collect()
    }

    /// What is held here, task by task.
    pub fn held(&self) -> impl Iterator<Item = (Running, TaskPlace)> {
        self.parts.iter().flat_map(|(of, part)| {
            let alive = part.tasks.values().filter(|task| task.is_alive());
            alive.map(move |task| (*of, task.place))
        })
    }

    /// Ends everything at once, for a node that is given up.
    pub fn end_all(&mut self, now_ms: u64, grace_ms: u64) {
        for of in self.alive() {
            self.orders.push(Order::GiveUp { of });
            self.end(now_ms, of, Why::Asked, grace_ms);
            self.settle(now_ms, of);
        }
    }
}

#[cfg(test)]
mod tests;
