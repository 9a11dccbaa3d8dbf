//! Room for those who have waited too long. The floor has others of their class, or of one behind
//! it, give way whatever their rank and whatever that is worth: nodes that drain for a gang until
//! the last on them has ended cost more. Only where nobody may be asked are nodes drained, and
//! those who are left there are asked as soon as they may be.

use muster_model::{JobId, Millis};

use crate::elastic::{giving, yielding};
use crate::pass::start;
use crate::pause::ladder::PATIENCE;
use crate::pause::search::{Found, Judged};
use crate::pause::seeker::{PLANS_MAX, RELEASE_MAX, Seeker};
use crate::pause::{exposure, hold, rest, together};
use crate::plan::claim;
use crate::state::State;
use crate::state::floor::Claim;

/// At most so many claims are looked at in one pass; the others when it is their turn again.
const CLAIMS_PER_PASS: usize = 4;

/// Room that is made is there, or the plan is given up, within this time: those who give way try
/// each of their rungs at most, and take back what they have begun of it.
pub(crate) fn making_max(state: &State) -> Millis {
    const RUNGS: u64 = 3;
    let each = RELEASE_MAX.0 * PATIENCE + state.catalog.policy().launch_timeout.0;
    Millis(2 * RUNGS * each)
}

/// Makes room for a starving job, if anyone may be asked; whether it does.
pub(crate) fn make_room(state: &mut State, id: JobId) -> bool {
    if rest::drains(state, id) || state.plans.plans.len() >= PLANS_MAX {
        return false;
    }
    if call_in(state, id) {
        return true;
    }
    let Some(seeker) = Seeker::new(state, id).and_then(|seeker| seeker.starving(state)) else {
        return false;
    };
    let Some(found) = find(state, &seeker) else { return false };
    commit(state, id, found);
    true
}

/// Makes room for a starving job of what elastic jobs can spare or were only lent; whether that is
/// enough. Nobody is paused or drained for that.
pub(crate) fn call_in(state: &mut State, id: JobId) -> bool {
    let is_full = state.plans.plans.len() >= PLANS_MAX;
    if is_full || yielding::nobody_can_give(state) || rest::drains(state, id) {
        return false;
    }
    let line = state.jobs.known(id).line.expect("a starving job is in line");
    let found = claim::without(state, stands_back(id), |state| yielding::find(state, id, line));
    let latest = state.now + making_max(state);
    let is_in_time = |found: &Found| giving::until(state, &found.asks) <= Some(latest);
    let Some(found) = found.filter(is_in_time) else { return false };
    commit(state, id, found);
    true
}

fn commit(state: &mut State, id: JobId, found: Found) {
    for node in found.placed.nodes() {
        claim::forget_reservation(state, node);
    }
    let order = start::order_terms(state, id, true);
    hold::commit(state, id, found, order);
}

/// Nodes that drain for a job are its own, and gangs that do not starve stand back.
fn stands_back(id: JobId) -> impl Fn(JobId, &Claim) -> bool {
    move |job, claim| job == id || claim.reserved.is_some()
}

/// The room that can be made.
fn find(state: &mut State, seeker: &Seeker) -> Option<Found> {
    claim::without(state, stands_back(seeker.id), |state| {
        let may_find = seeker.may_find(state);
        may_find.then(|| together::find(state, seeker, &mut Judged::default())).flatten()
    })
}

/// Nodes drain for a job: those on them are asked to give way as soon as they may be.
pub(crate) fn look_soon(state: &mut State, id: JobId) {
    let is_pausing = state.catalog.policy().pausing.on && exposure::weighs(state);
    if is_pausing && !rest::drains(state, id) {
        rest::look_soon(state, id);
    }
}

/// Makes room for those nodes drain for, where it has become possible.
pub(crate) fn serve_claims(state: &mut State) {
    let due = state.seekers.iter().filter(|job| state.floor.is_claimed(**job));
    let due: Vec<JobId> = due.copied().collect();
    for (turn, id) in due.into_iter().enumerate() {
        state.seekers.remove(&id);
        if turn >= CLAIMS_PER_PASS || !make_room(state, id) {
            look_soon(state, id);
        }
    }
}
