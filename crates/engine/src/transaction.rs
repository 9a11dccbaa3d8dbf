//! Try, roll back, commit: the only way to change capacity on trial.
//!
//! A transaction that is dropped without a commit has never happened.

use muster_model::{JobId, NodeId};

use crate::dense::{QueueId, UserId};
use crate::state::capacity::Capacity;
use crate::state::demand::Charge;
use crate::state::node::Held;

/// A trial on the capacity.
#[derive(Debug)]
pub(crate) struct Transaction<'a> {
    capacity: &'a mut Capacity,
    done: Vec<Done>,
}

/// A point to roll back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark(usize);

/// Something that was done and can be undone.
#[derive(Debug)]
enum Done {
    Took { node: NodeId, held: Held },
    GaveBack { node: NodeId, held: Held },
    Charged { queue: QueueId, user: UserId, charge: Charge },
    Refunded { queue: QueueId, user: UserId, charge: Charge },
    Unclaimed { node: NodeId, job: JobId },
}

impl<'a> Transaction<'a> {
    pub(crate) fn new(capacity: &'a mut Capacity) -> Transaction<'a> {
        Transaction { capacity, done: Vec::new() }
    }

    /// The capacity as it is with the trial's changes.
    pub(crate) fn capacity(&self) -> &Capacity {
        self.capacity
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark(self.done.len())
    }

    /// A task takes part of a node; `recount` it after the last.
    pub(crate) fn take(&mut self, node: NodeId, held: Held) {
        self.capacity.take(node, held);
        self.done.push(Done::Took { node, held });
    }

    pub(crate) fn give_back(&mut self, node: NodeId, held: Held) {
        self.capacity.give_back(node, held);
        self.capacity.recount_free(node);
        self.done.push(Done::GaveBack { node, held });
    }

    pub(crate) fn recount(&mut self, node: NodeId) {
        self.capacity.recount_free(node);
    }

    pub(crate) fn charge(&mut self, queue: QueueId, user: UserId, charge: &Charge) {
        self.capacity.charge(queue, user, charge);
        self.done.push(Done::Charged { queue, user, charge: charge.clone() });
    }

    pub(crate) fn refund(&mut self, queue: QueueId, user: UserId, charge: &Charge) {
        self.capacity.refund(queue, user, charge);
        self.done.push(Done::Refunded { queue, user, charge: charge.clone() });
    }

    /// Lifts the claim on a node, as for the job it is held for.
    pub(crate) fn unclaim(&mut self, node: NodeId) {
        if let Some(job) = self.capacity.nodes[node].claimed {
            self.set_claim(node, None);
            self.done.push(Done::Unclaimed { node, job });
        }
    }

    /// Takes back everything since the mark, latest first.
    pub(crate) fn roll_back(&mut self, mark: Mark) {
        while self.done.len() > mark.0 {
            match self.done.pop().expect("there is something after the mark") {
                Done::Took { node, held } => {
                    self.capacity.give_back(node, held);
                    self.capacity.recount_free(node);
                }
                Done::GaveBack { node, held } => {
                    self.capacity.take(node, held);
                    self.capacity.recount_free(node);
                }
                Done::Charged { queue, user, charge } => {
                    self.capacity.refund(queue, user, &charge);
                }
                Done::Refunded { queue, user, charge } => {
                    self.capacity.charge(queue, user, &charge);
                }
                Done::Unclaimed { node, job } => self.set_claim(node, Some(job)),
            }
        }
    }

    fn set_claim(&mut self, node: NodeId, claim: Option<JobId>) {
        self.capacity.nodes[node].claimed = claim;
        self.capacity.recount_free(node);
    }

    /// Makes everything so far final.
    pub(crate) fn commit(mut self) {
        for done in std::mem::take(&mut self.done) {
            match done {
                Done::Took { node, .. }
                | Done::GaveBack { node, .. }
                | Done::Unclaimed { node, .. } => self.capacity.recount_emptied(node),
                Done::Charged { .. } | Done::Refunded { .. } => {}
            }
        }
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        self.roll_back(Mark(0));
    }
}
