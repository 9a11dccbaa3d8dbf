//! The books of the queues: what each uses, what it borrows, and what of its guarantee it lends.

use muster_model::{MilliGpu, QueueName};
use serde::{Deserialize, Serialize};

use crate::dense::QueueId;
use crate::state::{State, queue};

/// Parts of a millionth in which shares are worked out.
const SHARE_PARTS: u64 = 1_000_000;

/// One queue's books at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueAccount {
    /// The queue.
    pub queue: QueueName,
    /// GPUs in use by it and below it.
    pub used: MilliGpu,
    /// GPUs it is guaranteed.
    pub guarantee: MilliGpu,
    /// GPUs it may use at most, if it is limited.
    pub limit: Option<MilliGpu>,
    /// GPUs it uses beyond its guarantee: what could be reclaimed from it.
    pub borrowed: MilliGpu,
    /// GPUs of its guarantee that its siblings use now: what it could reclaim.
    pub lent: MilliGpu,
    /// Lines of jobs that wait in it or below it.
    pub lines_waiting: usize,
    /// The part of the cluster that its weight entitles it to, in parts per million.
    pub share_ppm: u32,
    /// Its part of all decayed usage, in parts per million.
    pub usage_ppm: u32,
    /// Its fair-share term, in thousandths of a doubling; larger goes first.
    pub fair_share: i64,
}

/// The books of all queues, in the order of the configuration.
pub(crate) fn accounts(state: &State) -> Vec<QueueAccount> {
    let queues = &state.capacity.queues;
    queues.keys().map(|id| account(state, id)).collect()
}

fn account(state: &State, id: QueueId) -> QueueAccount {
    let queue = &state.capacity.queues[id];
    let whole = state.capacity.whole.decayed.max(1);
    let usage_ppm = queue.usage.decayed * 1_000_000 / whole;
    QueueAccount {
        queue: state.catalog.spec.queues[usize::from(id.0)].name.clone(),
        used: MilliGpu(queue.used.gpus),
        guarantee: MilliGpu(guarantee(state, id)),
        limit: queue.limit.gpus.map(MilliGpu),
        borrowed: MilliGpu(borrowed(state, id)),
        lent: MilliGpu(lent(state, id)),
        lines_waiting: queue.lines.len(),
        share_ppm: share_ppm(state, id),
        usage_ppm: u32::try_from(usage_ppm).unwrap_or(1_000_000),
        fair_share: queue.fair_share,
    }
}

/// By weight among siblings, all the way up.
fn share_ppm(state: &State, id: QueueId) -> u32 {
    // Finer than what is told, so that no level's rounding shows.
    let mut share = u128::from(SHARE_PARTS) * 1_000_000;
    for (_, queue) in queue::path(&state.capacity.queues, id) {
        share = share * u128::from(queue.weight) / u128::from(queue.weight_among.max(1));
    }
    let whole = (share + u128::from(SHARE_PARTS / 2)) / u128::from(SHARE_PARTS);
    u32::try_from(whole).unwrap_or(1_000_000)
}

/// A guarantee by model counts as the sum of its models where no total is given.
fn guarantee(state: &State, id: QueueId) -> u64 {
    let guarantee = &state.capacity.queues[id].guarantee;
    guarantee.gpus.unwrap_or_else(|| guarantee.models.iter().map(|(_, gpus)| gpus).sum())
}

fn borrowed(state: &State, id: QueueId) -> u64 {
    state.capacity.queues[id].used.gpus.saturating_sub(guarantee(state, id))
}

fn unused(state: &State, id: QueueId) -> u64 {
    guarantee(state, id).saturating_sub(state.capacity.queues[id].used.gpus)
}

/// What siblings borrow comes out of what siblings leave unused, in proportion.
fn lent(state: &State, id: QueueId) -> u64 {
    let parent = state.capacity.queues[id].parent;
    let siblings = || {
        let all = state.capacity.queues.iter();
        all.filter(move |(_, queue)| queue.parent == parent).map(|(id, _)| id)
    };
    let all_borrowed: u64 = siblings().map(|sibling| borrowed(state, sibling)).sum();
    let all_unused: u64 = siblings().map(|sibling| unused(state, sibling)).sum();
    let part = u128::from(unused(state, id)) * u128::from(all_borrowed.min(all_unused));
    u64::try_from(part.checked_div(u128::from(all_unused)).unwrap_or(0)).unwrap_or(u64::MAX)
}
