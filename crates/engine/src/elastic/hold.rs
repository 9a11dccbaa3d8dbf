//! Nodes are held for a job while others give tasks up for it, so that nobody takes what has come
//! together so far. Then they are let go all at once, and the pass gives them to whoever is first
//! in order: the job they were held for, unless someone better has come.

use muster_model::{JobId, NodeId};

use crate::elastic::size;
use crate::state::State;
use crate::state::elastic::Hold;
use crate::state::timer::Timer;

/// Holds nodes for a job until its givers have done what they were just asked.
pub(crate) fn hold(state: &mut State, id: JobId, nodes: Vec<NodeId>, givers: &[JobId]) {
    for &node in &nodes {
        state.capacity.set_claim(node, Some(id));
    }
    let number = |&giver: &JobId| {
        let run = state.jobs.known(giver).record.run.as_ref();
        (giver, size::of_run(run.expect("a giver is placed")).resizes)
    };
    let givers = givers.iter().map(number).collect();
    let until = state.now + state.catalog.policy().launch_timeout;
    state.timers.set(until, Timer::Held(id));
    state.elastic.holds.insert(id, Hold { nodes, givers, until });
}

/// Lets go of what is held where nothing is left to wait for.
pub(crate) fn release_complete(state: &mut State) {
    if state.elastic.holds.is_empty() {
        return;
    }
    let is_complete = |hold: &Hold| !hold.givers.iter().any(|giver| is_giving(state, *giver));
    let complete: Vec<JobId> = (state.elastic.holds.iter())
        .filter(|(_, hold)| is_complete(hold))
        .map(|(id, _)| *id)
        .collect();
    for id in complete {
        forget(state, id);
    }
}

fn is_giving(state: &State, (giver, number): (JobId, u32)) -> bool {
    let run = state.jobs.get(giver).and_then(|job| job.record.run.as_ref());
    let elastic = run.and_then(|run| run.elastic.as_ref());
    elastic.is_some_and(|elastic| elastic.resize.is_some() && elastic.resizes == number)
}

/// Lets go of what is held for a job, if anything is.
pub(crate) fn forget(state: &mut State, id: JobId) {
    let Some(hold) = state.elastic.holds.remove(&id) else { return };
    state.timers.clear(hold.until, Timer::Held(id));
    state.floor.stuck = None;
    for node in hold.nodes {
        state.capacity.nodes[node].claimed = None;
        state.capacity.changed(node);
    }
    state.pass_due = true;
}
