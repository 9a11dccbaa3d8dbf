//! Fair-share terms kept fresh: a queue that did nothing for a while is owed more than before.

use crate::dense::{Key, QueueId};
use crate::fairness::share;
use crate::life::queueing;
use crate::order;
use crate::state::State;

/// Every queue's term is made anew within this part of the half-life, however few steps there
/// are; while there are many, one queue a step is more than enough.
const REFRESHES_PER_HALF_LIFE: u64 = 256;

/// Refreshes the fair-share terms that are due: one, or more after a time without steps.
pub(crate) fn refresh_shares(state: &mut State) {
    let queues = u32::try_from(state.capacity.queues.len()).expect("queues are bounded");
    if queues == 0 || !order::rule(state.catalog.policy()).fair_share {
        return;
    }
    let since = state.now.since(std::mem::replace(&mut state.last_refresh, state.now)).0;
    let period = (state.capacity.half_life.0 / REFRESHES_PER_HALF_LIFE).max(1);
    let due = (u128::from(queues) * u128::from(since)).div_ceil(u128::from(period));
    for _ in 0..due.clamp(1, u128::from(queues)) {
        let next = state.refresh_next % queues;
        state.refresh_next = next + 1;
        refresh_share(state, QueueId::from_index(next as usize));
    }
}

/// Makes a queue's fair-share term anew and moves its lines if it changed.
pub(crate) fn refresh_share(state: &mut State, queue: QueueId) {
    let fresh = share::fair_share(&mut state.capacity, queue);
    let queue = &mut state.capacity.queues[queue];
    if std::mem::replace(&mut queue.fair_share, fresh) == fresh || !queue.is_leaf() {
        return;
    }
    for (_, line) in queue.lines.clone() {
        queueing::replace_line(state, line);
    }
}
