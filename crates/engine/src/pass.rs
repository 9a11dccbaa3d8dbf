//! One scheduling pass, as numbered steps.

pub(crate) mod floor;
pub(crate) mod reach;
pub(crate) mod retry;
pub(crate) mod start;

use crate::dense::{Key, QueueId};
use crate::life::queueing;
use crate::order;
use crate::pass::retry::{Candidate, Retry};
use crate::state::State;
use crate::state::line::OrderKey;

/// Runs a pass. It ends because every turn of its loop either starts a job or is done with a
/// shape, and there are finitely many of both.
pub(crate) fn run(state: &mut State) {
    state.pass_due = false;
    // 1. Shares: fair-share terms that are due are made anew.
    refresh_shares(state);
    // 2. Floor: those who have waited too long come before all tiers.
    let freed = std::mem::take(&mut state.capacity.freed);
    let mut starts = floor::serve(state, &freed);
    // 3. Heads: shapes that failed are worth another look where room was made.
    let mut retry = Retry::new(state, freed);
    // 4. Order: the best of what is open and what is worth another look, again and again.
    while let Some(candidate) = next(state, &mut retry) {
        if is_blocked(state, candidate.key) {
            retry.put_off(state, candidate);
            break;
        }
        // 5. Cap: what is left is due at once in the next step.
        if starts >= state.tuning.starts_per_step {
            state.pass_due = true;
            retry.put_off(state, candidate);
            break;
        }
        // 6. Place on trial, all or nothing, and commit.
        if start::start(state, candidate.key, candidate.alternatives) {
            starts += 1;
            retry.started(state);
        } else {
            state.waiting.fail(candidate.shape, candidate.alternatives);
            retry.gave_up(state, candidate.shape, candidate.alternatives);
        }
    }
}

fn next(state: &mut State, retry: &mut Retry) -> Option<Candidate> {
    retry.absorb(state);
    let open = state.waiting.best();
    let again = retry.next(state, open.map(|(key, ..)| key));
    again.or_else(|| {
        let (key, line, shape) = open?;
        let alternatives = state.waiting.line(line).standing.allowed & !state.waiting.failed(shape);
        Some(Candidate { key, shape, alternatives })
    })
}

/// Whether a policy keeps everyone behind the first.
fn is_blocked(state: &State, key: OrderKey) -> bool {
    order::rule(state.catalog.policy()).head_blocks && state.waiting.head() != Some(key)
}

/// Every queue's term is made anew within this part of the half-life, however few passes there
/// are; while there are many, one queue a pass is more than enough.
const REFRESHES_PER_HALF_LIFE: u64 = 256;

/// Refreshes the fair-share terms that are due: one, or more after a time without passes.
fn refresh_shares(state: &mut State) {
    let queues = u32::try_from(state.capacity.queues.len()).expect("queues are bounded");
    if queues == 0 || !order::rule(state.catalog.policy()).fair_share {
        return;
    }
    let since = state.now.since(std::mem::replace(&mut state.last_pass, state.now)).0;
    let period = (state.capacity.half_life.0 / REFRESHES_PER_HALF_LIFE).max(1);
    let due = (u128::from(queues) * u128::from(since)).div_ceil(u128::from(period));
    for _ in 0..due.clamp(1, u128::from(queues)) {
        let next = state.refresh_next % queues;
        state.refresh_next = next + 1;
        queueing::refresh_share(state, QueueId::from_index(next as usize));
    }
}
