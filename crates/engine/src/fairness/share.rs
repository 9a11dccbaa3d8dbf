//! The fair-share term: how far a queue is below or above what its weight entitles it to.

use crate::dense::QueueId;
use crate::fairness::decay::Usage;
use crate::fixed::{self, DOUBLING};
use crate::state::capacity::Capacity;
use crate::state::queue;

/// The term never moves a job by more than three doublings either way: fairness decides among
/// comparable jobs and does not turn the order round.
const CLAMP: i64 = 3 * DOUBLING;

/// The term moves in steps of an eighth of a doubling, so that queues are put in order again
/// only when their standing has really changed.
const STEP: i64 = DOUBLING / 8;

/// Counts what a queue and those above it have used up to now.
pub(crate) fn settle(capacity: &mut Capacity, queue: QueueId) {
    let (now, half_life) = (capacity.now, capacity.half_life);
    capacity.whole.settle(now, half_life);
    queue::on_path(&mut capacity.queues, queue, |queue| queue.usage.settle(now, half_life));
}

/// The fair-share term of a queue in thousandths of a doubling, by what is used up to now; larger
/// goes first. Summed along the path to the root, since every level shares out its part anew.
pub(crate) fn fair_share(capacity: &Capacity, queue: QueueId) -> i64 {
    let used = |usage: &Usage| usage.decayed_at(capacity.now, capacity.half_life);
    let mut sum = 0;
    for (_, queue) in queue::path(&capacity.queues, queue) {
        let among = match queue.parent {
            Some(parent) => used(&capacity.queues[parent].usage),
            None => used(&capacity.whole),
        };
        sum += term(u64::from(queue.weight), queue.weight_among, used(&queue.usage), among);
    }
    sum.clamp(-CLAMP, CLAMP) / STEP * STEP
}

/// `log2(entitled share / used share)` of one queue among its siblings.
fn term(weight: u64, weight_among: u64, used: u128, used_among: u128) -> i64 {
    if used_among == 0 {
        return 0;
    }
    let entitled = fixed::log2(u128::from(weight)) - fixed::log2(u128::from(weight_among));
    let used = fixed::log2(used) - fixed::log2(used_among);
    (entitled - used).clamp(-CLAMP, CLAMP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_at_its_share_has_no_term() {
        assert_eq!(term(1, 4, 100, 400), 0);
    }

    #[test]
    fn a_queue_that_used_a_quarter_of_its_share_goes_two_doublings_ahead() {
        assert_eq!(term(1, 2, 1 << 20, 1 << 23), 2 * DOUBLING);
    }

    #[test]
    fn a_queue_that_used_nothing_is_three_doublings_ahead_and_no_more() {
        assert_eq!(term(1, 2, 0, 1 << 60), CLAMP);
        assert_eq!(term(1, 1_000_000, 1 << 60, 1 << 60), -CLAMP);
    }
}
