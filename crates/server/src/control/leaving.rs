//! What follows when an attempt begins anew, leaves its nodes, or was lost on one of them.

use std::collections::BTreeSet;

use muster_model::{Attempt, JobId, NodeId};

use super::Control;
use super::duties::Of;

impl Control {
    /// A new attempt begins: nothing of an earlier one counts.
    pub(super) fn leave_older(
        &mut self,
        job: JobId,
        attempt: Attempt,
        changed: &mut BTreeSet<NodeId>,
    ) {
        if self.book.get(job).is_some_and(|known| known.attempt != attempt) {
            self.leave(job, changed);
            let known = self.book.get_mut(job).expect("it was there a line ago");
            known.attempt = attempt;
            known.started = None;
            known.ending = None;
            self.letting_go.remove(&job);
        }
    }

    /// A node has come back. What was given up there while it was away is not wanted any more,
    /// though the attempt may still be ending elsewhere: its GPUs are free to be given to others.
    pub(super) fn leave_lost(&mut self, node: NodeId) -> Option<NodeId> {
        let is_lost = |(job, attempt): &Of| !self.is_on(node, *job, *attempt);
        let lost: Vec<Of> = self.duties.launched_on(node).filter(is_lost).collect();
        let mut changed = None;
        for (job, _) in lost {
            changed = self.duties.not_wanted(node, job).or(changed);
        }
        changed
    }

    /// Nothing of a job is wanted on any node.
    pub(super) fn leave(&mut self, job: JobId, changed: &mut BTreeSet<NodeId>) {
        let Some(known) = self.book.get_mut(job) else { return };
        for node in known.places.keys() {
            changed.extend(self.duties.not_wanted(*node, job));
        }
        // Where it was stays known once it has ended: its output is there.
        if known.ended.is_none() {
            known.places.clear();
            known.order.clear();
        }
        if let Some(meets) = known.meets.take() {
            self.ports.give_back(meets);
        }
    }

    /// A gang that is about to start gets a place to meet.
    pub(super) fn meet(&mut self, job: JobId) {
        let Some(known) = self.book.get(job) else { return };
        if known.meets.is_none() && self.book.submitted(known).is_gang() {
            let meets = known.nodes_by_rank().first().and_then(|node| self.ports.take(*node));
            self.book.get_mut(job).expect("it was there a line ago").meets = meets;
        }
    }
}
