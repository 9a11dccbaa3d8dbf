//! What nodes say: confirmations, refusals, ends, losses; all at once or one by one.

use muster_engine::action::{Action, JobState};
use muster_engine::command::{Command, Exit, Refusal, Running};
use muster_engine::snapshot::{JobRecord, NodeReport};
use muster_model::{Attempt, JobId, Millis, NodeId, Rung};

use super::world::World;

impl World {
    /// All nodes of a launching job confirm.
    pub(crate) fn confirm(&mut self, job: JobId) -> Vec<Action> {
        let attempt = self.attempt(job);
        let waiting = self.parts(job, NodeReport::Asked);
        assert!(!waiting.is_empty(), "job {job} has nothing to confirm");
        let started = |node| Command::Started { node, job, attempt };
        waiting.into_iter().flat_map(|node| self.tell(started(node))).collect()
    }

    /// One node confirms.
    pub(crate) fn confirm_on(&mut self, job: JobId, node: &str) -> Vec<Action> {
        let attempt = self.attempt(job);
        self.tell(Command::Started { node: self.node(node), job, attempt })
    }

    /// A job ends with success on all its nodes; a launching one is confirmed first.
    pub(crate) fn finish(&mut self, job: JobId) -> Vec<Action> {
        self.end(job, Exit::Code(0))
    }

    /// A job ends on all its nodes; a launching one is confirmed first.
    pub(crate) fn end(&mut self, job: JobId, exit: Exit) -> Vec<Action> {
        let mut actions = Vec::new();
        if self.state(job) == JobState::Launching {
            actions.extend(self.confirm(job));
        }
        actions.extend(self.end_parts(job, exit));
        actions
    }

    /// All nodes of a stopping job report that they have ended it.
    pub(crate) fn stopped(&mut self, job: JobId) -> Vec<Action> {
        assert_eq!(self.state(job), JobState::Stopping, "job {job} is asked to stop first");
        self.end_parts(job, Exit::Stopped)
    }

    fn end_parts(&mut self, job: JobId, exit: Exit) -> Vec<Action> {
        let attempt = self.attempt(job);
        let mut alive = self.parts(job, NodeReport::Asked);
        for said in [NodeReport::Started, NodeReport::Frozen, NodeReport::Suspended] {
            alive.extend(self.parts(job, said));
        }
        assert!(!alive.is_empty(), "job {job} is on no node");
        let ended = |node| Command::Ended { node, job, attempt, exit };
        alive.into_iter().flat_map(|node| self.tell(ended(node))).collect()
    }

    /// Ends one placed job after the other, whichever was placed first, until none is left, and
    /// returns the jobs in the order they were launched since the cluster was built.
    pub(crate) fn run_dry(&mut self) -> Vec<JobId> {
        for turn in 0.. {
            assert!(turn < 10_000, "jobs never end");
            let placed = |record: &JobRecord| Some((record.run.as_ref()?.placed, record.id));
            let Some((_, job)) = self.snapshot().jobs.iter().filter_map(placed).min() else {
                break;
            };
            self.finish(job);
        }
        self.started()
    }

    /// A job ends on one of its nodes.
    pub(crate) fn end_on(&mut self, job: JobId, node: &str, exit: Exit) -> Vec<Action> {
        let attempt = self.attempt(job);
        self.tell(Command::Ended { node: self.node(node), job, attempt, exit })
    }

    /// A node refuses to launch a job, by its own fault.
    pub(crate) fn refuse(&mut self, job: JobId, node: &str) -> Vec<Action> {
        self.refuse_because(job, node, Refusal::Node("device-busy".into()))
    }

    /// A node refuses to launch a job.
    pub(crate) fn refuse_because(
        &mut self,
        job: JobId,
        node: &str,
        refusal: Refusal,
    ) -> Vec<Action> {
        let attempt = self.attempt(job);
        self.tell(Command::Refused { node: self.node(node), job, attempt, refusal })
    }

    /// Sight of a node is lost; its lease ends after `lease`.
    pub(crate) fn lose(&mut self, node: &str, lease: Millis) -> Vec<Action> {
        let lease_ends = self.now + lease;
        self.tell(Command::NodeLost { node: self.node(node), lease_ends })
    }

    /// Sight of several nodes is lost as one event; their leases end after `lease`.
    pub(crate) fn lose_together(&mut self, nodes: &[&str], lease: Millis) -> Vec<Action> {
        let lease_ends = self.now + lease;
        let nodes = nodes.iter().map(|node| self.node(node)).collect();
        self.tell(Command::NodesLost { nodes, lease_ends })
    }

    /// A lost node is seen again, with these jobs still running at their current attempts.
    pub(crate) fn find_again(&mut self, node: &str, running: &[JobId]) -> Vec<Action> {
        let running =
            running.iter().map(|&job| Running { job, attempt: self.attempt(job) }).collect();
        self.tell(Command::NodeReturned { node: self.node(node), running })
    }

    /// The nodes of a job's current attempt that have said this last.
    pub(crate) fn parts(&self, job: JobId, said: NodeReport) -> Vec<NodeId> {
        let record = self.record(job);
        let nodes = record.run.map(|run| run.nodes).unwrap_or_default();
        nodes.into_iter().filter(|part| part.report == said).map(|part| part.node).collect()
    }

    pub(crate) fn attempt(&self, job: JobId) -> Attempt {
        self.record(job).attempt
    }

    /// What an obedient node answers to an action.
    pub(crate) fn obey(&mut self, action: &Action) {
        if !self.obedient {
            return;
        }
        let reply = match *action {
            Action::Launch { node, job, attempt, .. } => Command::Started { node, job, attempt },
            Action::Stop { node, job, attempt, .. } => {
                Command::Ended { node, job, attempt, exit: Exit::Stopped }
            }
            Action::Resize { node, job, attempt, resize, .. } => {
                Command::Resized { node, job, attempt, resize }
            }
            Action::Pause { job, attempt, rung: Rung::Checkpoint, .. } => {
                Command::Saved { job, attempt }
            }
            Action::Pause { node, job, attempt, order, rung } => {
                Command::Paused { node, job, attempt, order, rung }
            }
            Action::Resume { node, job, attempt, order, rung } => {
                Command::Resumed { node, job, attempt, order, rung }
            }
            _ => return,
        };
        self.replies.push_back(reply);
    }
}
