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
    for queue in due(state) {
        state.last_refresh = state.now;
        state.refresh_next = u32::from(queue.0) + 1;
        refresh_share(state, queue);
    }
}

/// The queues whose terms the next step that comes to anything makes anew.
pub(crate) fn due(state: &State) -> impl Iterator<Item = QueueId> + use<> {
    let queues = state.capacity.queues.len();
    let rotates = queues > 0 && order::rule(state.catalog.policy()).fair_share;
    let since = state.now.since(state.last_refresh).0;
    let period = (state.capacity.half_life.0 / REFRESHES_PER_HALF_LIFE).max(1);
    let due = (queues as u128 * u128::from(since)).div_ceil(u128::from(period));
    let due = usize::try_from(due).unwrap_or(usize::MAX).clamp(1, queues.max(1));
    let from = state.refresh_next as usize;
    (from..from + due).filter(move |_| rotates).map(move |at| QueueId::from_index(at % queues))
}

/// Makes a queue's fair-share term anew and moves its lines if it changed.
pub(crate) fn refresh_share(state: &mut State, queue: QueueId) {
    share::settle(&mut state.capacity, queue);
    let fresh = share::fair_share(&state.capacity, queue);
    let queue = &mut state.capacity.queues[queue];
    if std::mem::replace(&mut queue.fair_share, fresh) == fresh || !queue.is_leaf() {
        return;
    }
    for (_, line) in queue.lines.clone() {
        queueing::replace_line(state, line);
    }
}

/// What `look` sees with the terms of some queues as they would be if they were made anew now.
/// They are as before afterwards.
pub(crate) fn with_fresh<T>(
    state: &mut State,
    queues: impl IntoIterator<Item = QueueId>,
    look: impl FnOnce(&mut State) -> T,
) -> T {
    let mut terms: Vec<(QueueId, i64)> = (queues.into_iter())
        .map(|queue| (queue, share::fair_share(&state.capacity, queue)))
        .collect();
    for (queue, term) in &mut terms {
        std::mem::swap(&mut state.capacity.queues[*queue].fair_share, term);
    }
    let seen = look(state);
    // The other way round: a queue that was named twice gets back what it had at first.
    for (queue, term) in terms.into_iter().rev() {
        state.capacity.queues[queue].fair_share = term;
    }
    seen
}
