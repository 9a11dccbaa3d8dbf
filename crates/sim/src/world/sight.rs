//! Nodes that drop out of sight and come back: connections, leases, restarts of agents.

use muster_engine::command::{Command, Exit};
use muster_model::{Attempt, JobId, Millis, NodeId};

use super::World;
use super::agenda::Event;
use super::node::{CutOff, Node, Phase};
use crate::error::SimError;

impl World {
    /// A node is cut off. That is noticed while its lease still runs; it comes back before it
    /// is noticed, before the lease ends, or after.
    pub(super) fn cut_off(&mut self, node: NodeId) {
        let lease = self.span(Millis::seconds(20), Millis::minutes(4));
        let noticed = self.span(Millis(1), Millis(lease.0 - 1));
        let connection = self.cut_off_for(node, lease);
        self.agenda.plan(self.now + noticed, Event::Noticed { node, connection });
    }

    /// All nodes in the lowest domain of a node are cut off at once, which is noticed as one
    /// event; each comes back by itself.
    pub(super) fn cut_off_around(&mut self, node: NodeId) {
        let lease = self.span(Millis::seconds(20), Millis::minutes(4));
        let noticed = self.span(Millis(1), Millis(lease.0 - 1));
        let domains = self.nodes[&node].spec.domains.clone();
        let is_near = |near: &Node| near.spec.domains == domains && near.cut_off.is_none();
        let nodes: Vec<NodeId> =
            self.nodes.iter().filter(|(_, near)| is_near(near)).map(|(id, _)| *id).collect();
        let lost = nodes.into_iter().map(|node| (node, self.cut_off_for(node, lease))).collect();
        self.agenda.plan(self.now + noticed, Event::NoticedTogether(lost));
    }

    /// Cuts a node off and returns the connection it was on.
    fn cut_off_for(&mut self, node: NodeId, lease: Millis) -> u32 {
        let back = self.span(Millis::seconds(1), lease + lease + Millis::minutes(2));
        let lease_ends = self.now + lease;
        let target = self.nodes.get_mut(&node).expect("only nodes that joined are cut off");
        target.connection += 1;
        target.cut_off = Some(CutOff { lease_ends, noticed: false });
        let connection = target.connection;
        self.agenda.plan(lease_ends, Event::LeaseEnds { node, connection });
        self.agenda.plan(self.now + back, Event::Back { node, connection });
        connection
    }

    /// The engine is told as one event which nodes were lost together: those still cut off.
    pub(super) fn notice_together(&mut self, lost: &[(NodeId, u32)]) -> Result<(), SimError> {
        let mut nodes = Vec::new();
        let mut ends = self.now;
        for (id, connection) in lost {
            let target = self.nodes.get_mut(id).expect("only nodes that joined are lost");
            let is_same = target.connection == *connection;
            if let Some(cut_off) = target.cut_off.as_mut().filter(|_| is_same) {
                cut_off.noticed = true;
                ends = ends.max(cut_off.lease_ends);
                nodes.push(*id);
            }
        }
        if nodes.is_empty() {
            return Ok(());
        }
        self.tell(&Command::NodesLost { nodes, lease_ends: ends }).map(|_| ())
    }

    /// The engine is told that a node was lost.
    pub(super) fn notice(&mut self, node: NodeId, connection: u32) -> Result<(), SimError> {
        let target = self.nodes.get_mut(&node).expect("only nodes that joined are lost");
        if target.connection != connection {
            return Ok(());
        }
        let Some(cut_off) = &mut target.cut_off else { return Ok(()) };
        cut_off.noticed = true;
        let lease_ends = cut_off.lease_ends;
        self.tell(&Command::NodeLost { node, lease_ends }).map(|_| ())
    }

    /// The agent has not heard of us for so long that it ends everything.
    pub(super) fn end_lease(&mut self, node: NodeId, connection: u32) {
        let target = self.nodes.get_mut(&node).expect("only nodes that joined have leases");
        if target.connection != connection || target.cut_off.is_none() {
            return;
        }
        let parts: Vec<(JobId, Attempt)> = std::mem::take(&mut target.parts).into_keys().collect();
        for (job, attempt) in parts {
            self.report(node, Command::Ended { node, job, attempt, exit: Exit::Signal(9) });
        }
    }

    /// A node that was cut off is back on a new connection, and says what runs on it.
    pub(super) fn come_back(&mut self, node: NodeId, connection: u32) -> Result<(), SimError> {
        let target = self.nodes.get_mut(&node).expect("only nodes that joined come back");
        if target.connection != connection {
            return Ok(());
        }
        let Some(cut_off) = target.cut_off.take() else { return Ok(()) };
        target.connection += 1;
        let unsent = std::mem::take(&mut target.unsent);
        self.settle(node);
        let running = self.nodes[&node].running();
        let command = match cut_off.noticed && self.happens(700) {
            true => Command::NodeReturned { node, running },
            false => Command::NodeJoined { spec: self.nodes[&node].spec.clone(), running },
        };
        self.tell(&command)?;
        for report in unsent {
            self.post(report);
        }
        Ok(())
    }

    /// A node's agent restarts: launches it had begun are forgotten, messages on their way are
    /// lost, tasks go on.
    pub(super) fn restart_agent(&mut self, node: NodeId) -> Result<(), SimError> {
        let target = self.nodes.get_mut(&node).expect("only nodes that joined restart");
        target.connection += 1;
        target.parts.retain(|_, part| part.phase != Phase::Coming);
        target.parts.values_mut().for_each(|part| part.resize = None);
        let command = Command::NodeJoined { spec: target.spec.clone(), running: target.running() };
        self.tell(&command).map(|_| ())
    }

    /// Launches that were under way are done or given up when the node speaks again.
    fn settle(&mut self, node: NodeId) {
        let parts = &self.nodes[&node].parts;
        let coming = parts.iter().filter(|(_, part)| part.phase == Phase::Coming);
        let coming: Vec<(JobId, Attempt)> = coming.map(|(key, _)| *key).collect();
        for (job, attempt) in coming {
            let is_up = self.happens(500);
            let target = self.nodes.get_mut(&node).expect("it was just there");
            if is_up {
                let part = target.parts.get_mut(&(job, attempt)).expect("it was just there");
                part.phase = Phase::Running;
                self.run(node, job, attempt);
            } else {
                target.parts.remove(&(job, attempt));
            }
        }
    }
}
