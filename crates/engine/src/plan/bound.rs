//! The latest start a waiting job can be told.
//!
//! Let the floor be `c` GPUs, `q` its quantum, and `t` the longest time until a node has drained:
//! a launch, the longest limit, the grace, and before that an attempt to have others give way, of
//! which there is one. The floor serves starving jobs strictly in order.
//! The first in order either claims nodes, or waits for one of two things:
//!
//! - the floor is full: at least `c` GPUs are claimed or within their quantum. A job of `g` GPUs
//!   counts for at most `t + q`, so with `d` GPUs ahead this lasts at most `d (t + q) / c` in all;
//! - the nodes it could claim are held for others. No new claim is made meanwhile and every
//!   claim is over after `t`, so this lasts at most `t` for each job that may meet it.
//!
//! A larger gang exceeds the floor, and the floor serves nobody until that has come to `c` again on
//! average, which the first of these covers too; what it owes already, `o`, takes `o / c`.
//!
//! A claim then takes at most `t` until its job starts. So a job starts by
//! `(d (t + q) + o) / c + m t + t` after it starves, with `m` the jobs up to it that may find their
//! nodes held, as long as no node breaks and its queue lets it start.
//!
//! Nodes that are booked before a job that starts then would be gone count for nothing in this:
//! neither for itself nor for those ahead. What could only run on such nodes is passed over.

use std::collections::BTreeMap;

use muster_model::{JobId, Time};

use crate::dense::{QueueId, ShapeId};
use crate::pause::starving;
use crate::plan::drain::{self, Until};
use crate::state::State;
use crate::state::node::Node;
use crate::state::queue;
use crate::state::shape::Shape;

/// Each round leaves out more nodes, for a later bound; so many, and nothing is said.
const ROUNDS_MAX: u32 = 4;

/// The latest start of a queued job; `None` where the floor is off or a limit may keep it.
pub(crate) fn latest_start(state: &State, id: JobId) -> Option<Time> {
    let job = state.jobs.known(id);
    let floor = floor_gpus(state);
    // A suspended job waits for its own place, which may be held for others again and again.
    if floor == 0 || job.pinned.is_some() || is_limited(state, job.queue) {
        return None;
    }
    if state.capacity.bookings.is_empty() {
        return Some(latest_on(state, id, floor, Time(0)));
    }
    if job.record.spec.booking.is_some() {
        return None;
    }
    let mut latest = latest_on(state, id, floor, Time(0));
    for _ in 0..ROUNDS_MAX {
        let without = latest_on(state, id, floor, latest);
        if without <= latest {
            let shape = state.shapes.get(job.shape);
            let (all, node_depth) = (shape.demand.all(), state.catalog.node_depth());
            let until = Until::Before(latest);
            let found = drain::soonest(&state.capacity, shape, all, node_depth, until);
            return found.map(|_| latest);
        }
        latest = without;
    }
    None
}

/// The latest start by what nodes there are that are not booked before a job that has started by
/// `unbooked_until` would be gone.
fn latest_on(state: &State, id: JobId, floor: u64, unbooked_until: Time) -> Time {
    let policy = state.catalog.policy();
    let drain = state.capacity.bookings.drain.0 + starving::making_max(state).0;
    let starves = state.jobs.known(id).record.ready_since + policy.floor.wait;
    let ahead = ahead(state, id, floor, Time(unbooked_until.0.saturating_add(drain)));
    let each = u128::from(drain + policy.floor.quantum.0);
    let full = (u128::from(ahead.gpus) * each + u128::from(ahead.owes)).div_ceil(u128::from(floor));
    let held = (u128::from(ahead.may_be_held) + 1) * u128::from(drain);
    let span = u64::try_from(full + held).unwrap_or(u64::MAX);
    let from = starves.max(state.now);
    Time(from.0.saturating_add(span))
}

/// Whether a limit of its queue, or of one above it, may keep a job however long it has waited:
/// the floor holds nodes for a starving job, not quota.
fn is_limited(state: &State, queue: QueueId) -> bool {
    queue::path(&state.capacity.queues, queue)
        .any(|(_, queue)| !queue.limit.is_empty() || !queue.user_limit.is_empty())
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
    /// What the floor owes, in GPU-milliseconds.
    owes: u64,
    /// Jobs up to and with this one that may find their nodes held for others.
    may_be_held: u64,
}

fn ahead(state: &State, id: JobId, floor: u64, unbooked_until: Time) -> Ahead {
    if state.floor.is_claimed(id) {
        return Ahead::default();
    }
    let since = state.jobs.known(id).record.ready_since;
    let demand = |job: JobId| &state.shapes.get(state.jobs.known(job).shape).demand;
    // The floor passes over what the nodes there are cannot hold.
    let version = state.capacity.topology.version;
    let is_possible = |job: &JobId| {
        let shape = state.jobs.known(*job).line_shape();
        state.floor.impossible.get(&(shape, demand(*job).all())) != Some(&version)
    };
    let ahead = state.waiting.since_before((since, id));
    let jobs: Vec<JobId> = ahead.filter(is_possible).collect();
    let gpus = jobs.iter().map(|&job| demand(job).size()).sum::<u64>();
    let kinds = kinds(state, unbooked_until);
    let may_be_held = may_be_held(state, &jobs, (id, floor), &kinds);
    let owes = state.floor.owes(state.now, floor);
    Ahead { gpus: gpus + state.floor.gpus_in_use, owes, may_be_held }
}

/// How many of the jobs ahead and this one may find the nodes they could claim held for others.
fn may_be_held(
    state: &State,
    ahead: &[JobId],
    (id, floor): (JobId, u64),
    kinds: &[(&Node, u64)],
) -> u64 {
    let demand = |job: JobId| &state.shapes.get(state.jobs.known(job).shape).demand;
    let jobs = || ahead.iter().copied().chain([id]);
    // A claim has at most as many nodes as tasks. Where tasks have no GPUs, claims on many nodes
    // count for little against the floor, so nothing can be said.
    if jobs().any(|job| demand(job).gpus < u64::from(demand(job).tasks())) {
        return ahead.len() as u64 + 1;
    }
    // The floor may be exceeded once, by the largest of them.
    let largest = jobs().map(|job| demand(job).gpus).max().unwrap_or(0);
    let held_most = floor + largest.max(state.floor.gpus_in_use);
    let mut known: BTreeMap<ShapeId, bool> = BTreeMap::new();
    let mut count = 0;
    for job in jobs() {
        let id = state.jobs.known(job).line_shape();
        let shape = state.shapes.get(id);
        let may = *known.entry(id).or_insert_with(|| may_be_held_up(shape, kinds, held_most));
        count += u64::from(may);
    }
    count
}

/// Nodes that are alike, by one of them, with how many there are that are not booked until a time.
fn kinds(state: &State, unbooked_until: Time) -> Vec<(&Node, u64)> {
    let mut kinds = BTreeMap::new();
    let is_unbooked = |node: &Node| node.spans.iter().all(|span| span.from >= unbooked_until);
    let nodes = state.capacity.nodes.iter().map(|(_, node)| node);
    for node in nodes.filter(|node| is_unbooked(node)) {
        let spec = &node.spec;
        let size = (spec.gpus, spec.cpus, spec.memory);
        let kind = (node.model, size, spec.sharing, node.unhealthy.count());
        kinds.entry(kind).or_insert((node, 0)).1 += 1;
    }
    kinds.into_values().collect()
}

/// Whether claims on `held_most` nodes could leave a shape no nodes to claim. What asks for more
/// than some nodes of a kind is always taken to be in danger.
fn may_be_held_up(shape: &Shape, kinds: &[(&Node, u64)], held_most: u64) -> bool {
    let demand = &shape.demand;
    let ([group], [first, ..]) = (demand.groups.as_slice(), demand.alternatives.as_slice()) else {
        return true;
    };
    let needs_one_domain = demand.require > 0 && !demand.one_node;
    let is_picky = shape.pin.is_some()
        || shape.booking().is_some()
        || needs_one_domain
        || demand.segment.is_some()
        || !shape.eligible.is_empty();
    if is_picky || group.nvlink || group.exclusive || group.apart {
        return true;
    }
    let fits = |node: &Node| match demand.one_node {
        true => demand.fits_empty(node),
        false => node.capacity_empty(group, 1) > 0,
    };
    let matching = kinds.iter().filter(|(node, _)| node.model == first.models[0] && fits(node));
    let nodes: u64 = matching.map(|(_, count)| count).sum();
    let needed = if demand.one_node { 1 } else { u64::from(demand.tasks()) };
    nodes < held_most + needed
}
