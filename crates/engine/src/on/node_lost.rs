//! Sight of a node is lost: nothing new goes there, and what runs there is taken to be alive
//! until the node's lease ends.

use muster_model::{NodeId, Time};

use crate::life::report;
use crate::on::{Refusals, known_node};
use crate::plan::claim;
use crate::snapshot::Sight;
use crate::state::State;
use crate::state::timer::Timer;

pub(crate) fn lost(state: &mut State, id: NodeId, lease_ends: Time) -> Result<(), Refusals> {
    known_node(state, id)?;
    let node = &mut state.capacity.nodes[id];
    match node.sight {
        // Nothing of ours is there any more, so there is nothing to wait for.
        Sight::Gone => return Ok(()),
        // A lease never gets shorter by hearing of the loss again.
        Sight::Unknown { lease_ends: before } if before >= lease_ends => return Ok(()),
        Sight::Unknown { lease_ends: before } => state.timers.clear(before, Timer::Lease(id)),
        Sight::Seen => {}
    }
    node.sight = Sight::Unknown { lease_ends };
    state.capacity.changed(id);
    claim::forget_node(state, id);
    if lease_ends > state.now {
        state.timers.set(lease_ends, Timer::Lease(id));
    } else {
        lease_ended(state, id);
    }
    Ok(())
}

/// The lease has ended: nothing of ours runs there any more.
pub(crate) fn lease_ended(state: &mut State, id: NodeId) {
    state.capacity.nodes[id].sight = Sight::Gone;
    let jobs = state.capacity.nodes[id].jobs();
    for job in jobs {
        let attempt = state.jobs.known(job).record.attempt;
        if let Some(part) = report::part(state, job, attempt, id) {
            report::lost(state, job, part);
        }
    }
}
