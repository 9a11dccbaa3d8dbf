//! One scheduling pass, as numbered steps.

pub(crate) mod floor;
pub(crate) mod reach;
pub(crate) mod retry;
pub(crate) mod start;

use std::collections::BTreeSet;

use crate::elastic::{grow, yielding};
use crate::order;
use crate::pass::retry::{Candidate, Retry};
use crate::pause::{hold, moved, seeker};
use crate::plan::{backfill, reserve};
use crate::repair;
use crate::state::State;
use crate::state::line::OrderKey;

/// Runs a pass, and another where it has made room itself: whoever finds someone to take the
/// place of lets go of nodes that were claimed for him. Each time someone leaves the lines, so it
/// ends.
pub(crate) fn run(state: &mut State) {
    run_once(state);
    while !state.capacity.freed.is_empty() {
        run_once(state);
    }
}

/// One pass. It ends because every turn of its loop either starts a job or is done with a shape,
/// and there are finitely many of both.
fn run_once(state: &mut State) {
    state.pass_due = false;
    // 1. Plans: room that was made for someone is theirs, and so is where someone is moved to.
    let starts = hold::start_ready(state) + moved::start_ready(state);
    // 2. Floor: those who have waited too long come before all tiers, first those it holds
    // nodes for. Repair: who lost a node gets the old place back before anyone can take it.
    let freed = std::mem::take(&mut state.capacity.freed);
    let has_spare = freed.iter().any(|&node| state.capacity.nodes[node].claimed.is_some());
    let starts = starts + floor::serve_claims(state, &freed);
    let starts = repair::serve(state, starts);
    let mut starts = floor::serve(state, &freed, starts);
    let mut tried = BTreeSet::new();
    yielding::make_room_ahead(state, &mut tried);
    // 3. Heads: shapes that failed are worth another look where room was made.
    let mut retry = Retry::new(state, freed);
    // 4. Order: the best of what is open and what is worth another look, again and again.
    while let Some(candidate) = next(state, &mut retry) {
        if is_blocked(state, candidate.key) {
            retry.put_off(state, candidate);
            break;
        }
        // 5. Cap: at it, the pass goes on in the next step, which is due at once.
        if starts >= state.tuning.starts_per_step {
            retry.put_off(state, candidate);
            break;
        }
        // 6. Place on trial, all or nothing, and commit.
        if start::start(state, candidate.key, candidate.alternatives) {
            starts += 1;
            retry.started(state, candidate.shape);
            yielding::make_room_ahead(state, &mut tried);
        } else {
            state.waiting.fail(candidate.shape, candidate.alternatives);
            retry.gave_up(state, candidate.shape, candidate.alternatives);
        }
    }
    let has_spare = std::mem::take(&mut state.floor.lend_due) || has_spare;
    if starts >= state.tuning.starts_per_step {
        state.pass_due = true;
        state.floor.lend_due = has_spare;
        return;
    }
    // 7. Lend what is held for someone until it is needed.
    let most = state.tuning.starts_per_step - starts;
    let mut lent = backfill::lend(state, has_spare, most);
    // 8. Make room for the first of those who are left: elastic jobs give tasks back, and only
    // where that is not enough someone is looked for to take the place of.
    yielding::make_room(state);
    seeker::look(state);
    // 9. Reserve for the first gangs that found nobody, and lend that too.
    if reserve::make(state) {
        lent += backfill::lend(state, true, most - lent);
    }
    state.pass_due |= lent > 0;
    // 10. Grow: elastic jobs take what nobody needs.
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
