//! The latest start a waiting job can be told.
//!
//! Let the floor be `c` GPUs, `q` its quantum, and `t` the longest time until a node has drained:
//! a launch, the longest limit, the grace. The floor serves starving jobs strictly in order.
//! The first in order either claims nodes, or waits for one of two things:
//!
//! - the floor is full: at least `c` GPUs are claimed or within their quantum. A job of `g` GPUs
//!   counts for at most `t + q`, so with `d` GPUs ahead this lasts at most `d (t + q) / c` in all;
//! - the nodes it could claim are held for others. No new claim is made meanwhile and every
//!   claim is over after `t`, so this lasts at most `t` for each job that may meet it.
//!
//! A claim then takes at most `t` until its job starts. So a job starts by
//! `d (t + q) / c + m t + t` after it starves, with `m` the jobs up to it that may find their
//! nodes held, as long as no node breaks and its queue lets it start.

use std::collections::BTreeMap;

use muster_model::{JobId, Millis, Time};

use crate::dense::{QueueId, ShapeId};
use crate::state::State;
use crate::state::demand::Demand;
use crate::state::node::Node;

/// The latest start of a queued job; `None` where the floor is off or a limit may keep it.
pub(crate) fn latest_start(state: &State, id: JobId) -> Option<Time> {
    let policy = state.catalog.policy();
    let job = state.jobs.known(id);
    let floor = floor_gpus(state);
    if floor == 0 || is_limited(state, job.queue) {
        return None;
    }
    let drain = (policy.launch_timeout + policy.limit_max + policy.stop_grace).0;
    let starves = job.record.ready_since + policy.floor.wait;
    let ahead = ahead(state, id, floor);
    let each = u128::from(drain + policy.floor.quantum.0);
    let full = (u128::from(ahead.gpus) * each).div_ceil(u128::from(floor));
    let held = (u128::from(ahead.may_be_held) + 1) * u128::from(drain);
    let span = u64::try_from(full + held).unwrap_or(u64::MAX);
    Some(starves.max(state.now) + Millis(span))
}

/// Whether a limit of its queue, or of one above it, may keep a job however long it has waited:
/// the floor holds nodes for a starving job, not quota.
fn is_limited(state: &State, queue: QueueId) -> bool {
    let mut here = Some(queue);
    while let Some(id) = here {
        let queue = &state.capacity.queues[id];
        if !queue.limit.is_empty() || !queue.user_limit.is_empty() {
            return true;
        }
        here = queue.parent;
    }
    false
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

/// What the floor serves or has to serve before a job.
#[derive(Default)]
struct Ahead {
    /// GPUs of jobs ahead, claimed, or within their quantum.
    gpus: u64,
    /// Jobs up to and with this one that may find their nodes held for others.
    may_be_held: u64,
}

fn ahead(state: &State, id: JobId, floor: u64) -> Ahead {
    if state.floor.claims.contains_key(&id) {
        return Ahead::default();
    }
    let since = state.jobs.known(id).record.ready_since;
    let demand = |job: JobId| &state.shapes.get(state.jobs.known(job).shape).demand;
    // The floor passes over what the nodes there are cannot hold.
    let version = state.capacity.topology.version;
    let is_possible = |job: &JobId| {
        let shape = state.jobs.known(*job).shape;
        state.floor.impossible.get(&(shape, demand(*job).all())) != Some(&version)
    };
    let ahead = state.waiting.since_before((since, id));
    let jobs: Vec<JobId> = ahead.filter(is_possible).collect();
    let gpus = jobs.iter().map(|&job| demand(job).gpus.max(1)).sum::<u64>();
    // The floor may be exceeded once, by the largest of them; no claim has more nodes than GPUs.
    let largest = jobs.iter().map(|&job| demand(job).gpus.max(1)).max().unwrap_or(0);
    let held_most = floor + largest.max(state.floor.gpus_in_use);
    let mut known: BTreeMap<ShapeId, bool> = BTreeMap::new();
    let mut may_be_held = 0;
    for job in jobs.into_iter().chain([id]) {
        let shape = state.jobs.known(job).shape;
        let may = *known.entry(shape).or_insert_with(|| may_be_held_up(state, shape, held_most));
        may_be_held += u64::from(may);
    }
    Ahead { gpus: gpus + state.floor.gpus_in_use, may_be_held }
}

/// Whether claims on `held_most` nodes could leave a shape no nodes to claim.
fn may_be_held_up(state: &State, shape: ShapeId, held_most: u64) -> bool {
    let shape = state.shapes.get(shape);
    let demand = &shape.demand;
    let is_single = demand.one_node;
    let needs_one_domain = demand.require > 0 && !is_single;
    if needs_one_domain || demand.segment.is_some() || demand.groups.len() > 1 {
        return true;
    }
    let eligible = shape.eligible.last().map(|(_, set)| set);
    let model = demand.alternatives.first().map(|alternative| alternative.models[0]);
    let matches = |node: &&Node| {
        Some(node.model) == model
            && eligible.is_none_or(|set| set.contains(node.id.index()))
            && fits_in_part(demand, node, is_single)
    };
    let nodes = state.capacity.nodes.iter().map(|(_, node)| node).filter(matches).count() as u64;
    let needed = if is_single { 1 } else { u64::from(demand.tasks()) };
    nodes < held_most + needed
}

fn fits_in_part(demand: &Demand, node: &Node, is_single: bool) -> bool {
    if is_single { demand.fits_empty(node) } else { node.capacity_empty(&demand.groups[0], 1) > 0 }
}
