//! One file per kind of command: what each does to the state.

pub(crate) mod amend;
pub(crate) mod booking_set;
pub(crate) mod estimated;
pub(crate) mod gpu_health;
pub(crate) mod idle;
pub(crate) mod node_drained;
pub(crate) mod node_joined;
pub(crate) mod node_lost;
pub(crate) mod queue_set;
pub(crate) mod refused;
pub(crate) mod request;
pub(crate) mod submit;
pub(crate) mod tick;

use muster_model::{Invalid, NodeId};

use crate::action::Action;
use crate::command::Command;
use crate::elastic::{progress, settle};
use crate::life::report;
use crate::pause::{ladder, resume, suspend};
use crate::state::State;

/// Why a command was not accepted.
pub(crate) type Refusals = Vec<Invalid>;

/// Routes a command; one that is not accepted changes nothing.
pub(crate) fn apply(state: &mut State, command: Command) {
    let result = match command {
        Command::Submit { spec } => submit::submit(state, &spec),
        Command::Cancel { job } => request::each(state, job, request::cancel),
        Command::Hold { job } => request::each(state, job, request::hold),
        Command::Release { job } => request::each(state, job, request::release),
        Command::Requeue { job } => request::each(state, job, request::requeue),
        Command::Amend { job, spec } => amend::amend(state, job, &spec),
        Command::Estimated { job, estimate } => estimated::estimated(state, job, estimate),
        Command::NodeJoined { spec, running } => node_joined::joined(state, spec, &running),
        Command::NodeReturned { node, running } => node_joined::returned(state, node, &running),
        Command::NodeLost { node, lease_ends } => node_lost::lost(state, &[node], lease_ends),
        Command::NodesLost { nodes, lease_ends } => node_lost::lost(state, &nodes, lease_ends),
        Command::NodeDrained { node } => node_drained::set(state, node, true),
        Command::NodeResumed { node } => node_drained::set(state, node, false),
        Command::GpuUnhealthy { node, gpu } => gpu_health::set(state, node, gpu, false),
        Command::GpuHealthy { node, gpu } => gpu_health::set(state, node, gpu, true),
        Command::Started { node, job, attempt } => {
            if let Some(part) = report::part(state, job, attempt, node) {
                report::started(state, job, part);
            }
            Ok(())
        }
        Command::Ended { node, job, attempt, exit } => {
            if let Some(part) = report::part(state, job, attempt, node) {
                report::ended(state, job, part, exit);
            }
            Ok(())
        }
        Command::Refused { node, job, attempt, refusal } => {
            if let Some(part) = report::part(state, job, attempt, node) {
                refused::refused(state, job, part, &refusal);
            }
            Ok(())
        }
        Command::Saved { job, attempt } => {
            if report::is_current(state, job, attempt) {
                ladder::saved(state, job);
            }
            Ok(())
        }
        Command::Idle { job, attempt, is_idle } => {
            if report::is_current(state, job, attempt) {
                idle::idle(state, job, is_idle);
            }
            Ok(())
        }
        Command::Paused { node, job, attempt, order, rung } => {
            if let Some(part) = ladder::part(state, job, attempt, order, node) {
                suspend::done(state, job, part, rung);
            }
            Ok(())
        }
        Command::PauseRefused { node, job, attempt, order, .. } => {
            if ladder::part(state, job, attempt, order, node).is_some() {
                ladder::refused(state, job);
            }
            Ok(())
        }
        Command::Resumed { node, job, attempt, order, rung } => {
            if let Some(part) = ladder::part(state, job, attempt, order, node) {
                resume::undone(state, job, part, rung);
            }
            Ok(())
        }
        Command::Resized { node, job, attempt, resize } => {
            if let Some(part) = report::part(state, job, attempt, node) {
                settle::resized(state, job, part, resize);
            }
            Ok(())
        }
        Command::Progress { job, attempt, rate, done_ppm } => {
            progress::progress(state, job, attempt, rate, done_ppm)
        }
        Command::QueueSet { queue } => queue_set::set(state, queue),
        Command::BookingSet { booking } => booking_set::set(state, booking),
        Command::BookingRemoved { name } => booking_set::remove(state, &name),
        Command::Tick => Ok(()),
    };
    if let Err(errors) = result {
        state.actions.push(Action::Rejected { errors });
    }
}

/// A node that must be known.
pub(crate) fn known_node(state: &State, node: NodeId) -> Result<(), Refusals> {
    match state.capacity.nodes.get(node) {
        Some(_) => Ok(()),
        None => Err(vec![Invalid::new(
            "node",
            node.to_string(),
            "expected the number of a node that has joined",
        )]),
    }
}
