//! One scheduling pass, as numbered steps.

pub(crate) mod floor;
pub(crate) mod reach;
pub(crate) mod retry;
pub(crate) mod start;

use crate::elastic::{grow, hold, yielding};
use crate::order;
use crate::pass::retry::{Candidate, Retry};
use crate::state::State;
use crate::state::line::OrderKey;

/// Runs a pass. It ends because every turn of its loop either starts a job or is done with a
/// shape, and there are finitely many of both.
pub(crate) fn run(state: &mut State) {
    state.pass_due = false;
    // 1. Floor: those who have waited too long come before all tiers.
    let freed = std::mem::take(&mut state.capacity.freed);
    let mut starts = floor::serve(state, &freed);
    // Then holds: those for whom others have given tasks up.
    starts += hold::serve(state);
    // 2. Heads: shapes that failed are worth another look where room was made.
    let mut retry = Retry::new(state, freed);
    // 3. Order: the best of what is open and what is worth another look, again and again.
    while let Some(candidate) = next(state, &mut retry) {
        if is_blocked(state, candidate.key) {
            retry.put_off(state, candidate);
            break;
        }
        // 4. Cap: at it, the pass goes on in the next step, which is due at once.
        if starts >= state.tuning.starts_per_step {
            retry.put_off(state, candidate);
            break;
        }
        // 5. Place on trial, all or nothing, and commit.
        if start::start(state, candidate.key, candidate.alternatives) {
            starts += 1;
            retry.started(state);
        } else {
            state.waiting.fail(candidate.shape, candidate.alternatives);
            retry.gave_up(state, candidate.shape, candidate.alternatives);
        }
    }
    if starts >= state.tuning.starts_per_step {
        state.pass_due = true;
        return;
    }
    // 6. Elastic jobs: they give up what others need, and only then take what nobody needs.
    yielding::make_room(state);
    grow::grow(state);
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
