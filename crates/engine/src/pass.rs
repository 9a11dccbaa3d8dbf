//! One scheduling pass, as numbered steps.

pub(crate) mod floor;
pub(crate) mod start;

use muster_model::NodeId;

use crate::dense::{Key, QueueId};
use crate::life::queueing;
use crate::order;
use crate::place::retry;
use crate::state::State;

/// Runs a pass. It ends because every turn of its loop either starts a job or marks a shape as
/// failed, and there are finitely many of both.
pub(crate) fn run(state: &mut State) {
    state.pass_due = false;
    // 1. Heads: shapes that failed are worth another look where room was made.
    let freed = reopen(state);
    // 2. Floor: those who have waited too long come before all tiers.
    let mut starts = floor::serve(state, &freed);
    // 3. Order and place: the best of the open fronts, again and again.
    let head_blocks = order::rule(state.catalog.policy()).head_blocks;
    while let Some((key, line, shape)) = state.waiting.best() {
        if head_blocks && state.waiting.head() != Some(key) {
            break;
        }
        // 4. Commit, up to the cap; what is left is due at once in the next step.
        if starts >= state.tuning.starts_per_step {
            state.pass_due = true;
            break;
        }
        let allowed = state.waiting.line(line).standing.allowed & !state.waiting.failed(shape);
        if start::start(state, key, allowed) {
            starts += 1;
        } else {
            state.waiting.fail(shape, allowed);
        }
    }
    // 5. Shares: one queue after the other gets its fair-share term refreshed.
    refresh_next_share(state);
}

/// Opens the fronts that freed nodes could help, and returns those nodes.
fn reopen(state: &mut State) -> Vec<NodeId> {
    let mut freed = std::mem::take(&mut state.capacity.freed);
    freed.sort_unstable();
    freed.dedup();
    let node_depth = state.catalog.node_depth();
    let helped: Vec<_> = (state.waiting.closed())
        .map(|(shape, failed)| {
            let found = state.shapes.get(shape);
            // Several groups are placed one after the other, which may fail where another
            // order would not: less room may help them, so they are always worth a look.
            if !state.tuning.memo || found.demand.groups.len() > 1 {
                return (shape, failed);
            }
            (shape, retry::helped(&state.capacity, found, failed, &freed, node_depth))
        })
        .filter(|(_, helped)| *helped != 0)
        .collect();
    for (shape, helped) in helped {
        state.waiting.reopen(shape, helped);
    }
    freed
}

fn refresh_next_share(state: &mut State) {
    let queues = u32::try_from(state.capacity.queues.len()).expect("queues are bounded");
    if queues == 0 || !order::rule(state.catalog.policy()).fair_share {
        return;
    }
    let next = state.refresh_next % queues;
    state.refresh_next = next + 1;
    queueing::refresh_share(state, QueueId::from_index(next as usize));
}
