//! The latest start a waiting job can be told.
//!
//! Let the floor be `c` GPUs, and `t` the longest time until a node has drained: a launch, the
//! longest limit, the grace. A starving job at the head of the floor's order waits at most `t`
//! for nodes that are held for others, and at most `t` for its own to drain. While it is not
//! yet the head, at least `c` GPUs are claimed or within their quantum `q`, and each job ahead
//! counts for at most `2t + q`. So with `d` GPUs ahead it is the head after `d (2t + q) / c`,
//! and starts at most `2t` later, if no node breaks meanwhile.

use muster_model::{JobId, Millis, Time};

use crate::state::State;

/// The latest start of a queued job; `None` where the floor is off.
pub(crate) fn latest_start(state: &State, id: JobId) -> Option<Time> {
    let policy = state.catalog.policy();
    let job = state.jobs.known(id);
    let gpus = floor_gpus(state);
    if gpus == 0 {
        return None;
    }
    let drain = 2 * (policy.launch_timeout + policy.limit_max + policy.stop_grace).0;
    let starves = job.record.ready_since + policy.floor.wait;
    let from = starves.max(state.now);
    let each = u128::from(drain + policy.floor.quantum.0);
    let ahead = u128::from(gpus_ahead(state, id));
    let until_head = (ahead * each).div_ceil(u128::from(gpus));
    let until_head = u64::try_from(until_head).unwrap_or(u64::MAX);
    Some(from + Millis(until_head.saturating_add(drain)))
}

/// The floor's size in GPUs; at least one where there is a floor and a GPU.
pub(crate) fn floor_gpus(state: &State) -> u64 {
    let installed = u128::from(state.capacity.installed.gpus) / 1000;
    let share = u128::from(state.catalog.policy().floor.share_ppm);
    if installed == 0 || share == 0 {
        return 0;
    }
    u64::try_from((installed * share).div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

/// GPUs that the floor serves or has to serve before a job.
fn gpus_ahead(state: &State, id: JobId) -> u64 {
    if state.floor.claims.contains_key(&id) {
        return 0;
    }
    let since = state.jobs.known(id).record.ready_since;
    let gpus = |other| state.shapes.get(state.jobs.known(other).shape).demand.gpus.max(1);
    let waiting: u64 = state.waiting.since_before((since, id)).map(gpus).sum();
    waiting + state.floor.gpus_in_use
}
