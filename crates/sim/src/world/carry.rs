//! Carries out the engine's actions: messages to nodes, and the books about jobs.

use muster_engine::action::{Action, JobState};
use muster_engine::command::Command;
use muster_model::{JobId, Millis, NodeId};

use super::World;
use super::agenda::{Event, Message};
use super::node::Node;
use crate::error::SimError;

/// A message to a node takes so long. All alike, so that they arrive in the order they were
/// sent, as on one connection.
const MESSAGE_TAKES: Millis = Millis(150);

impl World {
    /// Carries out one action that followed from `command`.
    pub(super) fn carry_out(&mut self, command: &Command, action: &Action) -> Result<(), SimError> {
        match action {
            Action::Accepted { job, elements: 0 } => {
                self.live.insert(*job);
            }
            Action::Accepted { job, elements } => {
                self.live.extend((job.0 + 1..=job.0 + u64::from(*elements)).map(JobId));
            }
            Action::Rejected { .. } | Action::Amended { .. } | Action::Previewed { .. } => {}
            Action::NodeAccepted { node, .. } => self.accepted(command, *node),
            Action::Launch { node, job, attempt, tasks } => {
                let tasks = tasks.clone();
                let message = Message::Launch { job: *job, attempt: *attempt, tasks };
                self.send(*node, message);
            }
            Action::Stop { node, job, attempt, grace } => {
                let message = Message::Stop { job: *job, attempt: *attempt, grace: *grace };
                self.send(*node, message);
            }
            Action::Resize { node, job, attempt, resize, tasks } => {
                let (job, attempt, resize, tasks) = (*job, *attempt, *resize, tasks.clone());
                self.send(*node, Message::Resize { job, attempt, resize, tasks });
            }
            Action::Pause { node, job, attempt, order, rung } => {
                let (job, attempt, order, rung) = (*job, *attempt, *order, *rung);
                self.send(*node, Message::Order { job, attempt, order, rung, down: true });
            }
            Action::Resume { node, job, attempt, order, rung } => {
                let (job, attempt, order, rung) = (*job, *attempt, *order, *rung);
                self.send(*node, Message::Order { job, attempt, order, rung, down: false });
            }
            Action::Signal { job, signal, .. } => self.signals.push((*job, *signal)),
            Action::Moved { job, state: JobState::Ended(outcome), .. } => {
                if !self.live.remove(job) {
                    return Err(self.untrue(format!("job {job} ended without being alive")));
                }
                self.outcomes.insert(*job, *outcome);
            }
            Action::Moved { .. } => {}
        }
        Ok(())
    }

    /// A node that joins again is the one it was.
    fn accepted(&mut self, command: &Command, node: NodeId) {
        if let Command::NodeJoined { spec, .. } = command {
            self.nodes.entry(node).or_insert_with(|| Node::new(spec.clone()));
        }
    }

    /// Sends a message; to a node that is cut off, it is lost.
    fn send(&mut self, node: NodeId, message: Message) {
        let Some(target) = self.nodes.get(&node) else { return };
        if target.cut_off.is_none() {
            let connection = target.connection;
            let event = Event::Delivered { node, connection, message };
            self.agenda.plan(self.now + MESSAGE_TAKES, event);
        }
    }

    /// Something happened in truth that must not.
    pub(super) fn untrue(&self, what: String) -> SimError {
        SimError::Truth { now: self.now, what }
    }
}
