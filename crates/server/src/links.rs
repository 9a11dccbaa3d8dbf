//! Sessions and leases of agents: who is there, until when a node's tasks may run, and when to
//! say that sight of a node was lost.
//!
//! None of this is journaled. After a restart every node that was seen is given a whole lease to
//! come back, for that is how long its tasks may still run: the longest that was ever granted, for
//! the server before may have been set to another one.

pub mod granted;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use muster_model::{Millis, NodeId, Time};

/// How long leases are, and how often they are renewed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeaseTerms {
    /// Tasks may run so long without a word from the server.
    pub lease: Millis,
    /// Agents are asked to renew so often.
    pub renew: Millis,
}

impl Default for LeaseTerms {
    fn default() -> Self {
        LeaseTerms { lease: Millis::seconds(60), renew: Millis::seconds(5) }
    }
}

/// Renewals that may fail to come before a node counts as out of sight.
const MISSED_MAX: u64 = 3;

/// Clocks of two machines may differ in pace by this part in a thousand.
const DRIFT_MILLI: u64 = 5;

/// The end of a lease is only where a launcher begins to end its task. A machine with much to do
/// lets it wait for its turn, and ending takes a moment: nothing is started elsewhere before that.
const ENDING: Millis = Millis(500);

/// All sessions.
#[derive(Debug)]
pub struct Links {
    terms: LeaseTerms,
    /// How long nodes that were seen before the start may take to come back.
    recovery: Millis,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    nodes: BTreeMap<NodeId, Link>,
    sessions: BTreeMap<u64, NodeId>,
    next: u64,
}

#[derive(Debug)]
struct Link {
    session: Option<u64>,
    instance: String,
    /// When it was heard last.
    heard: Time,
    /// When the lease that was granted last ends at the latest, by our clock.
    ends: Time,
    /// Whether the engine was told that it cannot be seen.
    is_lost: bool,
    /// The next report of the session that is not on disk.
    next_report: u64,
}

/// What agents may hold from before a start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovered {
    /// The longest lease that was granted to any of them.
    pub lease: Millis,
    /// Nodes that may have work, with the agents that spoke for them; for those that were out of
    /// sight already, when their lease ends.
    pub nodes: Vec<(NodeId, String, Option<Time>)>,
}

/// Agents by how they are, and leases that have not ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LinkCounts {
    /// Those that are heard.
    pub(crate) connected: u64,
    /// Those of nodes that cannot be seen.
    pub(crate) silent: u64,
    /// Those from before the start that have not come back and may still.
    pub(crate) awaited: u64,
    /// Leases that have not ended.
    pub(crate) leases: u64,
}

/// Who claims a node that another agent holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// When the other's lease ends.
    pub ends: Time,
}

impl Links {
    /// After a start at `now`: nodes from before may still have tasks running. Sessions are
    /// numbered from the time of the start, so that none is given twice.
    pub fn new(terms: LeaseTerms, now: Time, recovered: Recovered) -> Links {
        let recovery = recovered.lease.max(terms.lease);
        let link = |(node, instance, lost): (NodeId, String, Option<Time>)| {
            let ends = lost.unwrap_or(lease_end(recovery, now));
            let is_lost = lost.is_some();
            (node, Link { session: None, instance, heard: now, ends, is_lost, next_report: 0 })
        };
        let nodes = recovered.nodes.into_iter().map(link).collect();
        let inner = Inner { nodes, sessions: BTreeMap::new(), next: now.0 << 10 };
        Links { terms, recovery, inner: Mutex::new(inner) }
    }

    /// How long it takes after a start until no lease is left that is longer than the terms, if
    /// there may be any.
    pub fn longer_leases(&self) -> Option<Millis> {
        let is_longer = self.recovery > self.terms.lease;
        is_longer.then(|| lease_end(self.recovery, Time(0)).since(Time(0)))
    }

    /// The terms.
    pub fn terms(&self) -> LeaseTerms {
        self.terms
    }

    /// Whether an agent may announce a node that is known: another one must not hold it.
    pub fn may_announce(&self, node: NodeId, instance: &str, now: Time) -> Result<(), Taken> {
        let inner = self.lock();
        // An agent that did not say who it was cannot be told from another.
        let is_other = |link: &&Link| !link.instance.is_empty() && link.instance != instance;
        match inner.nodes.get(&node).filter(is_other) {
            Some(link) if link.ends > now => Err(Taken { ends: link.ends }),
            _ => Ok(()),
        }
    }

    /// An agent has announced a node: its session, which makes every earlier one void.
    pub fn announced(&self, node: NodeId, instance: &str, now: Time) -> u64 {
        let ends = lease_end(self.terms.lease, now);
        let mut inner = self.lock();
        inner.next += 1;
        let session = inner.next;
        // An agent keeps a longer lease that it was granted before.
        let before = inner.nodes.get(&node).map_or(ends, |link| link.ends);
        let link = Link {
            session: Some(session),
            instance: instance.to_owned(),
            heard: now,
            ends: ends.max(before),
            is_lost: false,
            next_report: 0,
        };
        if let Some(old) = inner.nodes.insert(node, link).and_then(|link| link.session) {
            inner.sessions.remove(&old);
        }
        inner.sessions.insert(session, node);
        session
    }

    /// The node of a session, and the next report that is not on disk; the lease is renewed.
    pub fn heard(&self, session: u64, now: Time) -> Option<(NodeId, u64)> {
        let ends = lease_end(self.terms.lease, now);
        let mut inner = self.lock();
        let node = *inner.sessions.get(&session)?;
        let link = inner.nodes.get_mut(&node)?;
        link.heard = now;
        link.ends = link.ends.max(ends);
        // Once the engine has been told that it is lost, only a new session puts that right: the
        // agent must say what still runs.
        (!link.is_lost).then_some((node, link.next_report))
    }

    /// The node of a session that is alive.
    pub fn node_of(&self, session: u64) -> Option<NodeId> {
        let inner = self.lock();
        let node = *inner.sessions.get(&session)?;
        inner.nodes.get(&node).filter(|link| !link.is_lost).map(|_| node)
    }

    /// Reports of a session below this number are on disk.
    pub fn on_disk(&self, session: u64, next: u64) {
        let mut inner = self.lock();
        if let Some(link) =
            inner.sessions.get(&session).copied().and_then(|node| inner.nodes.get_mut(&node))
        {
            link.next_report = link.next_report.max(next);
        }
    }

    /// Nodes that have been silent for too long, with the ends of their leases; each is named once.
    pub fn silent(&self, now: Time) -> Vec<(NodeId, Time)> {
        let patience = Millis(self.terms.renew.0 * MISSED_MAX);
        let mut inner = self.lock();
        let silent = inner.nodes.iter_mut().filter(|(_, link)| {
            let patience = if link.session.is_some() { patience } else { self.recovery };
            !link.is_lost && link.heard + patience <= now
        });
        silent
            .map(|(node, link)| {
                link.is_lost = true;
                (*node, link.ends.max(now))
            })
            .collect()
    }

    /// How many agents there are, by how they are.
    pub(crate) fn counts(&self, now: Time) -> LinkCounts {
        let mut counts = LinkCounts::default();
        for link in self.lock().nodes.values() {
            let by_state = match (link.is_lost, link.session) {
                (true, _) => &mut counts.silent,
                (false, Some(_)) => &mut counts.connected,
                (false, None) => &mut counts.awaited,
            };
            *by_state += 1;
            counts.leases += u64::from(link.ends > now);
        }
        counts
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// When nothing runs any more under a lease granted now. The agent counts from when it asked, which
/// was earlier; its clock may be slower than ours.
fn lease_end(lease: Millis, now: Time) -> Time {
    now + Millis(lease.0 + lease.0 * DRIFT_MILLI / 1000 + 1) + ENDING
}
