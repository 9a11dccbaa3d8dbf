//! A node did not launch its part: the whole attempt is taken back, and whoever is at fault is
//! not tried again at once.

use muster_model::JobId;

use crate::action::{JobState, Outcome};
use crate::command::Refusal;
use crate::elastic::settle;
use crate::life::{queueing, report, stop};
use crate::pause::hold;
use crate::snapshot::{NodeReport, Sight, Then};
use crate::state::State;
use crate::state::timer::Timer;

/// A job whose own fault it is that launches are refused ends after so many in a row.
const LAUNCH_FAILURES_MAX: u32 = 3;

pub(crate) fn refused(state: &mut State, id: JobId, part: usize, refusal: &Refusal) {
    if settle::refused(state, id, part, refusal) {
        return;
    }
    let run = state.jobs.known(id).record.run.as_ref().expect("a part belongs to a run");
    if run.nodes[part].report != NodeReport::Asked {
        // It runs there: a refusal that arrives later is of no account.
        return;
    }
    report::confirm(state, id, part, NodeReport::Ended);
    if let Refusal::Node(_) = refusal {
        rest(state, id, part);
    }
    if state.jobs.known(id).record.state == JobState::Stopping {
        if state.jobs.known(id).unended == 0 {
            stop::finish(state, id);
        }
        return;
    }
    let then = match refusal {
        Refusal::Node(_) => Then::Again,
        Refusal::Job(_) => after_own_fault(state, id),
    };
    stop::stop(state, id, then);
}

fn after_own_fault(state: &mut State, id: JobId) -> Then {
    let record = &mut state.jobs.known_mut(id).record;
    record.launch_failures += 1;
    let failures = record.launch_failures;
    if failures >= LAUNCH_FAILURES_MAX {
        return Then::End(Outcome::LaunchFailed);
    }
    let until = state.now + stop::pause(state, failures);
    queueing::pause_until(state, id, until);
    Then::Again
}

/// A node that refused is left alone for a while, longer each time, so that it does not draw
/// in job after job.
pub(crate) fn rest(state: &mut State, id: JobId, part: usize) {
    let run = state.jobs.known(id).record.run.as_ref().expect("a refused attempt is placed");
    let node = run.nodes[part].node;
    let times = state.capacity.nodes[node].refusals + 1;
    let until = state.now + stop::pause(state, times);
    let node_state = &mut state.capacity.nodes[node];
    node_state.refusals = times;
    state.timers.clear(node_state.rests_until, Timer::Rested(node));
    node_state.rests_until = until;
    state.timers.set(until, Timer::Rested(node));
    state.capacity.changed(node);
    hold::give_up_on(state, node);
    // Silence of a node that cannot be seen says nothing of the node.
    if state.capacity.nodes[node].sight == Sight::Seen {
        state.capacity.note_failure(node);
    }
}
