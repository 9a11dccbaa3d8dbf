//! What nodes say about attempts. A report for another attempt, from another node, or about
//! what is already known changes nothing.

use muster_model::{Attempt, JobId, NodeId};

use crate::action::JobState;
use crate::command::Exit;
use crate::elastic::{index, settle};
use crate::life::{launch, stop};
use crate::snapshot::NodeReport;
use crate::state::State;

/// The part of the current attempt that a report is about, if it is news.
pub(crate) fn part(state: &State, id: JobId, attempt: Attempt, node: NodeId) -> Option<usize> {
    let job = state.jobs.get(id)?;
    if job.record.attempt != attempt {
        return None;
    }
    let nodes = &job.record.run.as_ref()?.nodes;
    nodes.iter().position(|run| run.node == node && run.report != NodeReport::Ended)
}

/// A node runs its part.
pub(crate) fn started(state: &mut State, id: JobId, part: usize) {
    if !confirm(state, id, part, NodeReport::Started) {
        return;
    }
    let job = state.jobs.known(id);
    if job.record.state == JobState::Launching && job.unconfirmed == 0 {
        launch::begin(state, id);
    }
}

/// A node's part has ended.
pub(crate) fn ended(state: &mut State, id: JobId, part: usize, exit: Exit) {
    confirm(state, id, part, NodeReport::Ended);
    settle::ended(state, id, part);
    let job = state.jobs.known_mut(id);
    if job.record.exit.is_none_or(Exit::is_success) {
        job.record.exit = Some(exit);
    }
    if job.record.state != JobState::Stopping && !exit.is_success() {
        // An attempt that was stopped without our asking was taken away, it did not fail.
        let then = match exit {
            Exit::Stopped => stop::after_loss(state, id),
            _ => stop::after_failure(state, id, exit),
        };
        stop::stop(state, id, then);
        return;
    }
    if state.jobs.known(id).record.state == JobState::Launching
        && state.jobs.known(id).unconfirmed == 0
    {
        launch::begin(state, id);
    }
    if state.jobs.known(id).unended == 0 {
        stop::finish(state, id);
    }
}

/// A node's part is gone with the node.
pub(crate) fn lost(state: &mut State, id: JobId, part: usize) {
    if settle::lost(state, id, part) {
        return;
    }
    confirm(state, id, part, NodeReport::Ended);
    if state.jobs.known(id).record.state != JobState::Stopping {
        let then = stop::after_loss(state, id);
        stop::stop(state, id, then);
    } else if state.jobs.known(id).unended == 0 {
        stop::finish(state, id);
    }
}

/// Notes what a node says of its part; whether that is new.
pub(crate) fn confirm(state: &mut State, id: JobId, part: usize, report: NodeReport) -> bool {
    let job = state.jobs.known_mut(id);
    let run = job.record.run.as_mut().expect("a reported attempt is placed");
    let node = &mut run.nodes[part];
    let before = std::mem::replace(&mut node.report, report);
    if before == report {
        return false;
    }
    if before == NodeReport::Asked {
        job.unconfirmed -= 1;
    }
    if report == NodeReport::Ended {
        job.unended -= 1;
    } else {
        state.capacity.nodes[node.node].refusals = 0;
    }
    index::list(state, id);
    true
}
