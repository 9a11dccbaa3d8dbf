//! The books of the queues: what each uses, what it borrows, and what of its guarantee it lends.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use muster_model::{MilliGpu, QueueName};
use serde::{Deserialize, Serialize};

use crate::dense::{Dense, QueueId};
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
    /// GPUs it is guaranteed, or those below it are together where that is more.
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
    let guarantees = guarantees(state);
    let lent = lent(state, &guarantees);
    let queues = &state.capacity.queues;
    queues.keys().map(|id| account(state, id, guarantees[id], lent[id])).collect()
}

fn account(state: &State, id: QueueId, guarantee: u64, lent: u64) -> QueueAccount {
    let queue = &state.capacity.queues[id];
    let whole = state.capacity.whole.decayed.max(1);
    let usage_ppm = queue.usage.decayed * 1_000_000 / whole;
    QueueAccount {
        queue: state.catalog.spec.queues[usize::from(id.0)].name.clone(),
        used: MilliGpu(queue.used.gpus),
        guarantee: MilliGpu(guarantee),
        limit: queue.limit.gpus.map(MilliGpu),
        borrowed: MilliGpu(queue.used.gpus.saturating_sub(guarantee)),
        lent: MilliGpu(lent),
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

/// A guarantee by model counts as the sum of its models where no total is given. A queue that is
/// guaranteed less than those below it has what they have: they do not borrow what is theirs
/// because nothing was said of their parent.
fn guarantees(state: &State) -> Dense<QueueId, u64> {
    let queues = &state.capacity.queues;
    let mut guarantees = Dense::new();
    let mut below: Dense<QueueId, u64> = Dense::new();
    for (_, queue) in queues.iter() {
        let models = || queue.guarantee.models.iter().map(|(_, gpus)| gpus).sum();
        guarantees.push(queue.guarantee.gpus.unwrap_or_else(models));
        below.push(0);
    }
    // Parents come before their children, so from the end a sum is complete when it is reached.
    for id in queues.keys().collect::<Vec<_>>().into_iter().rev() {
        guarantees[id] = guarantees[id].max(below[id]);
        if let Some(parent) = queues[id].parent {
            below[parent] = below[parent].saturating_add(guarantees[id]);
        }
    }
    guarantees
}

/// Siblings: what they borrow together, and what each leaves unused.
#[derive(Default)]
struct Level {
    borrowed: u64,
    unused: Vec<(QueueId, u64)>,
}

/// What siblings borrow comes out of what siblings leave unused, in proportion.
fn lent(state: &State, guarantees: &Dense<QueueId, u64>) -> Dense<QueueId, u64> {
    let mut lent = Dense::new();
    let mut levels: BTreeMap<Option<QueueId>, Level> = BTreeMap::new();
    for (id, queue) in state.capacity.queues.iter() {
        lent.push(0);
        let level = levels.entry(queue.parent).or_default();
        level.borrowed += queue.used.gpus.saturating_sub(guarantees[id]);
        level.unused.push((id, guarantees[id].saturating_sub(queue.used.gpus)));
    }
    for level in levels.into_values() {
        for (id, part) in in_proportion(level.borrowed, &level.unused) {
            lent[id] = part;
        }
    }
    lent
}

/// An amount, or as much of it as there is, taken from each in proportion to what it has. What
/// rounding leaves over goes one by one to those who lost most by it, so that the sum is exact.
fn in_proportion(amount: u64, have: &[(QueueId, u64)]) -> Vec<(QueueId, u64)> {
    let all: u64 = have.iter().map(|(_, own)| own).sum();
    let amount = amount.min(all);
    let divisor = u128::from(all.max(1));
    let product = |own: u64| u128::from(own) * u128::from(amount);
    let whole =
        |own: u64| u64::try_from(product(own) / divisor).expect("no part exceeds the whole");
    let mut parts: Vec<_> = have.iter().map(|&(id, own)| (id, own, whole(own))).collect();
    let given: u64 = parts.iter().map(|(_, _, part)| part).sum();
    parts.sort_by_key(|&(id, own, _)| (Reverse(product(own) % divisor), id));
    // Fewer are left over than there are parts that were rounded down.
    for (_, _, part) in parts.iter_mut().zip(given..amount).map(|(part, _)| part) {
        *part += 1;
    }
    parts.into_iter().map(|(id, _, part)| (id, part)).collect()
}
