//! Claims: nodes held for a starving job until it fits. What ends on them is given to nobody
//! else; a claim goes when its job starts or leaves the queue, or when a node of it breaks.

use fixedbitset::FixedBitSet;
use muster_model::{JobId, NodeId};

use crate::dense::LineId;
use crate::life::queueing;
use crate::pass::floor;
use crate::pause::hold;
use crate::plan::drain::{self, Until};
use crate::state::State;
use crate::state::capacity::Capacity;
use crate::state::demand::Demand;
use crate::state::floor::Claim;
use crate::state::timer::Timer;

/// What became of an attempt to claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claimed {
    /// Nodes are held.
    Yes,
    /// All nodes it could have are held for others; they will be free again.
    InTheWay,
    /// Nodes that could hold it are booked before it would have them and be gone again.
    TooLate,
    /// The nodes there are cannot hold it even if empty.
    Impossible,
}

/// Holds the nodes that drain soonest for a queued job.
pub(crate) fn claim(state: &mut State, id: JobId, line: LineId) -> Claimed {
    let (shape_id, allowed) = {
        let line = state.waiting.line(line);
        (line.key.shape, line.standing.allowed)
    };
    let shape = state.shapes.get(shape_id);
    let node_depth = state.catalog.node_depth();
    let found = drain::soonest(&state.capacity, shape, allowed, node_depth, Until::Limit);
    let Some(found) = found else {
        let fits =
            |until| drain::soonest(&state.capacity, shape, allowed, node_depth, until).is_some();
        return match fits(Until::Ever) {
            false => Claimed::Impossible,
            true if state.capacity.bookings.is_empty() || fits(Until::Held) => Claimed::InTheWay,
            true => Claimed::TooLate,
        };
    };
    let gpus = shape.demand.size();
    // A gang that does not starve stands back, and so does the reservation of this one.
    forget(state, id);
    for &node in &found.nodes {
        forget_reservation(state, node);
        state.capacity.set_claim(node, Some(id));
    }
    let since = state.now;
    state.floor.claims.insert(id, Claim { nodes: found.nodes, since, gpus, reserved: None });
    floor::use_more(state, gpus);
    let ready_since = state.jobs.known(id).record.ready_since;
    state.waiting.set_claimed(line, ready_since, id, true);
    queueing::replace_line(state, line);
    Claimed::Yes
}

/// Whether enough GPUs are free for a job that nodes are held for: on them, or for a starving one
/// anywhere. Told from counts, so that nothing is tried each time a node of many has drained.
pub(crate) fn may_hold(capacity: &Capacity, claim: &Claim, demand: &Demand) -> bool {
    let own = capacity.spare_on(&claim.nodes);
    let elsewhere = if claim.reserved.is_some() { 0 } else { capacity.gpus_free() };
    own + elsewhere >= demand.gpus
}

/// Lets go of the nodes held for a job, if any are.
pub(crate) fn forget(state: &mut State, id: JobId) {
    let Some(claim) = state.floor.claims.remove(&id) else { return };
    for node in claim.nodes {
        state.capacity.nodes[node].claimed = None;
        state.capacity.nodes[node].is_reserved = false;
        state.capacity.changed(node);
    }
    state.pass_due = true;
    if let Some(reserved) = claim.reserved {
        state.timers.clear(reserved.start, Timer::Slip(id));
        return;
    }
    floor::use_less(state, claim.gpus);
    state.floor.stuck = None;
    let job = state.jobs.known(id);
    if let Some(line) = job.line {
        state.waiting.set_claimed(line, job.record.ready_since, id, false);
        queueing::replace_line(state, line);
    }
}

/// Gives up the reservation a node is part of, if it is one.
pub(crate) fn forget_reservation(state: &mut State, node: NodeId) {
    let node = &state.capacity.nodes[node];
    if let Some(job) = node.claimed.filter(|_| node.is_reserved) {
        forget(state, job);
    }
}

/// Nodes are booked: what is held on one of them is held anew, where that is still in time.
pub(crate) fn forget_on(state: &mut State, nodes: &FixedBitSet) {
    let is_one = |node: &NodeId| nodes.contains(node.index());
    let claims = state.floor.claims.iter().filter(|(_, claim)| claim.nodes.iter().any(is_one));
    let claimers: Vec<JobId> = claims.map(|(&job, _)| job).collect();
    claimers.into_iter().for_each(|job| forget(state, job));
}

/// A node broke: the claim it is part of is made anew elsewhere, and so is room being made there.
pub(crate) fn forget_node(state: &mut State, node: NodeId) {
    if let Some(job) = state.capacity.nodes[node].claimed {
        forget(state, job);
    }
    hold::give_up_on(state, node);
}

/// Looks at things as they are for a job that nodes are reserved for: they are its own.
pub(crate) fn with_own_nodes<T>(
    state: &mut State,
    id: JobId,
    look: impl FnOnce(&mut State) -> T,
) -> T {
    without(state, |job, claim| job == id && claim.reserved.is_some(), look)
}

/// Looks at things as they are without some of the claims.
pub(crate) fn without<T>(
    state: &mut State,
    is_one: impl Fn(JobId, &Claim) -> bool,
    look: impl FnOnce(&mut State) -> T,
) -> T {
    let claims = state.floor.claims.iter().filter(|(job, claim)| is_one(**job, claim));
    let nodes = claims.flat_map(|(&job, claim)| claim.nodes.iter().map(move |&node| (job, node)));
    let nodes: Vec<(JobId, NodeId)> = nodes.collect();
    for &(_, node) in &nodes {
        state.capacity.set_claim(node, None);
    }
    let seen = look(state);
    for &(job, node) in &nodes {
        state.capacity.set_claim(node, Some(job));
    }
    seen
}
