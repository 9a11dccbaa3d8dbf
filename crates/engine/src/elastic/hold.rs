//! Nodes are held for a job while others give tasks up for it, so that nobody takes what has come
//! together so far. When all of it has, the job starts there, unless someone of a better tier has
//! come meanwhile.

use muster_model::{JobId, Millis, NodeId, Time};

use crate::elastic::size;
use crate::order;
use crate::pass::start;
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

/// Starts those for whom all that was asked has been given up, and returns how many that were.
/// Where someone of a better tier waits, the nodes are let go and the order decides.
pub(crate) fn serve(state: &mut State) -> u32 {
    let is_complete = |hold: &Hold| !hold.givers.iter().any(|giver| is_giving(state, *giver));
    let holds = state.elastic.holds.iter().filter(|(_, hold)| is_complete(hold));
    let complete: Vec<(JobId, Vec<NodeId>)> =
        holds.map(|(id, hold)| (*id, hold.nodes.clone())).collect();
    let mut starts = 0;
    for (id, nodes) in complete {
        let line = state.jobs.known(id).line.expect("what is held is held for a queued job");
        let line = state.waiting.line(line);
        let (allowed, guaranteed) = (line.standing.allowed, line.standing.guaranteed);
        let tier = order::tier(guaranteed, state.catalog.class_rank(line.key.class));
        let is_first = state.waiting.heads(1).first().is_none_or(|(head, _)| head.tier >= tier);
        if is_first && allowed != 0 && start::start_held(state, id, allowed, &nodes) {
            starts += 1;
        } else {
            forget(state, id);
        }
    }
    starts
}

fn is_giving(state: &State, (giver, number): (JobId, u32)) -> bool {
    let run = state.jobs.get(giver).and_then(|job| job.record.run.as_ref());
    let elastic = run.and_then(|run| run.elastic.as_ref());
    elastic.is_some_and(|elastic| elastic.resize.is_some() && elastic.resizes == number)
}

/// When a job for which tasks are being given up will probably start: when its givers have had
/// the time they say a resize takes.
pub(crate) fn expected(state: &State, id: JobId) -> Option<Time> {
    let hold = state.elastic.holds.get(&id)?;
    let givers = hold.givers.iter().filter_map(|(giver, _)| state.jobs.get(*giver));
    let resizes = givers.map(|giver| giver.record.spec.scaling.resize);
    let longest = resizes.max().unwrap_or(Millis::ZERO);
    Some((state.now + longest).min(hold.until))
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
