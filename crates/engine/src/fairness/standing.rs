//! The standing of a line of waiting jobs: which of their alternatives their queue lets start
//! now, and whether they are within its guarantee.

use crate::dense::{Dense, QueueId, UserId};
use crate::fairness::limits::{self, Exceeded};
use crate::state::demand::Charge;
use crate::state::queue::{self, Queue, Used};
use crate::state::shape::Shape;

/// What a queue allows a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Standing {
    /// The alternatives that no limit forbids, as bits.
    pub(crate) allowed: u64,
    /// Every allowed alternative is inside the guarantee of the queue or of one above it.
    /// All of them, so that nobody gets ahead by naming a model that is not wanted.
    pub(crate) guaranteed: bool,
}

/// The standing of a shape in a queue.
pub(crate) fn standing(
    queues: &Dense<QueueId, Queue>,
    queue: QueueId,
    user: UserId,
    may_be_guaranteed: bool,
    shape: &Shape,
) -> Standing {
    let mut standing = Standing { allowed: 0, guaranteed: may_be_guaranteed };
    let mut rest = shape.demand.all();
    while rest != 0 {
        let index = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let charge = &shape.demand.alternatives[index].charge;
        if blocking(queues, queue, user, charge).is_none() {
            standing.allowed |= 1 << index;
            standing.guaranteed &= within_guarantee(queues, queue, charge);
        }
    }
    standing.guaranteed &= standing.allowed != 0;
    standing
}

/// A limit in the way of a charge: the queue it belongs to, and whether it is per user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blocking {
    pub(crate) queue: QueueId,
    pub(crate) per_user: bool,
    pub(crate) exceeded: Exceeded,
}

/// The first limit on the path to the root that a charge would exceed.
pub(crate) fn blocking(
    queues: &Dense<QueueId, Queue>,
    queue: QueueId,
    user: UserId,
    charge: &Charge,
) -> Option<Blocking> {
    for (id, queue) in queue::path(queues, queue) {
        if let Some(exceeded) = limits::exceeded(&queue.limit, &queue.used, charge) {
            return Some(Blocking { queue: id, per_user: false, exceeded });
        }
        if !queue.user_limit.is_empty() {
            let nothing = Used::default();
            let used = queue.users.get(&user).unwrap_or(&nothing);
            if let Some(exceeded) = limits::exceeded(&queue.user_limit, used, charge) {
                return Some(Blocking { queue: id, per_user: true, exceeded });
            }
        }
    }
    None
}

fn within_guarantee(queues: &Dense<QueueId, Queue>, queue: QueueId, charge: &Charge) -> bool {
    queue::path(queues, queue)
        .any(|(_, queue)| limits::is_guaranteed(&queue.guarantee, &queue.used, charge))
}
