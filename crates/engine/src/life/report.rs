//! What nodes say about attempts. A report for another attempt, from another node, or about
//! what is already known changes nothing.

use muster_model::{Attempt, JobId, NodeId};

use crate::action::JobState;
use crate::command::Exit;
use crate::elastic::{index, settle};
use crate::life::{launch, stop};
use crate::pause::ladder;
use crate::repair;
use crate::snapshot::{NodeReport, Then};
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

/// Whether an attempt is the one that nodes have now, and not about to end.
pub(crate) fn is_current(state: &State, id: JobId, attempt: Attempt) -> bool {
    state.jobs.get(id).is_some_and(|job| {
        let run = job.record.run.as_ref();
        job.record.attempt == attempt && run.is_some_and(|run| run.then.is_none())
    })
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
    } else {
        ladder::part_ended(state, id);
    }
}

/// Parts of an attempt are gone with their nodes: it is lost once, however many they are.
pub(crate) fn lost(state: &mut State, id: JobId, parts: &[usize]) {
    if settle::lost(state, id, parts) {
        return;
    }
    for &part in parts {
        confirm(state, id, part, NodeReport::Ended);
    }
    let record = &state.jobs.known(id).record;
    let run = record.run.as_ref().expect("a lost attempt is placed");
    let nodes: Vec<NodeId> = parts.iter().map(|&part| run.nodes[part].node).collect();
    let is_stopping = record.state == JobState::Stopping;
    let then = if is_stopping { run.then } else { Some(stop::after_loss(state, id)) };
    if then == Some(Then::Again) {
        repair::lost(state, id, &nodes);
    }
    match then {
        Some(then) if !is_stopping => stop::stop(state, id, then),
        _ if state.jobs.known(id).unended == 0 => stop::finish(state, id),
        _ => {}
    }
}

/// Notes what a node says of its part; whether that is new.
pub(crate) fn confirm(state: &mut State, id: JobId, part: usize, report: NodeReport) -> bool {
    let job = state.jobs.known_mut(id);
    let run = job.record.run.as_mut().expect("a reported attempt is placed");
    let node = &mut run.nodes[part];
    let before = node.report;
    // That it was launched is no news of a part that has come further since.
    let is_news = report == NodeReport::Ended || before == NodeReport::Asked;
    if before == report || !is_news {
        return false;
    }
    node.report = report;
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
