//! Which elastic jobs something could be done with now: kept in sets, so that a pass asks only
//! those. A job is put where it belongs whenever a fact about it changes.

use muster_model::JobId;

use crate::action::JobState;
use crate::elastic::size;
use crate::state::State;
use crate::state::job::Job;

/// Puts a job into the sets it belongs to by its facts, and out of the others.
pub(crate) fn list(state: &mut State, id: JobId) {
    let Some(range) = state.jobs.get(id).and_then(size::range) else { return };
    strike(state, id);
    let job = state.jobs.known(id);
    let Some(run) = job.record.run.as_ref().filter(|_| is_settled(job)) else { return };
    let elastic = size::of_run(run);
    // What was lent is asked for apart.
    let own = elastic.lent_from.map_or(job.size, |from| job.size.min(from));
    let (is_below, is_above) = (job.size < range.max, own > range.min);
    let may_grow_now = elastic.grow_at.is_none();
    if is_below && may_grow_now {
        state.elastic.may_grow.insert(id);
    }
    if is_above {
        let model = size::model(state, id, &range);
        state.elastic.may_shrink.insert((model, id));
        let job = state.jobs.known_mut(id);
        let gpus = u64::from(own - range.min) * u64::from(range.gpus);
        job.may_shrink = Some((model, gpus));
        *state.elastic.spare.entry(model).or_default() += gpus;
    }
}

/// Whether a job runs whole and no resize of it is under way.
pub(crate) fn is_settled(job: &Job) -> bool {
    let Some(run) = &job.record.run else { return false };
    let is_whole = job.unconfirmed == 0 && job.unended as usize == run.nodes.len();
    job.record.state == JobState::Running && is_whole && size::under_way(job).is_none()
}

/// Takes a job out of all sets.
fn strike(state: &mut State, id: JobId) {
    state.elastic.may_grow.remove(&id);
    if let Some((model, gpus)) = state.jobs.known_mut(id).may_shrink.take() {
        state.elastic.may_shrink.remove(&(model, id));
        *state.elastic.spare.entry(model).or_default() -= gpus;
    }
}

/// Somebody who waited does no longer: that may be the last in the way of growing.
pub(crate) fn someone_left(state: &mut State) {
    state.pass_due |= !state.elastic.may_grow.is_empty();
}
