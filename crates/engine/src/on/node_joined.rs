//! A node is there: for the first time, again after its agent restarted, or again after it was
//! lost. Either way its word on what runs there is compared with ours until both agree.

use muster_model::{GpuSet, Invalid, NodeId, NodeSpec};

use crate::action::{Action, JobState};
use crate::command::Running;
use crate::elastic::settle;
use crate::life::{queueing, report};
use crate::on::{Refusals, known_node};
use crate::pause::{ladder, seeker};
use crate::plan::claim;
use crate::snapshot::{NodeReport, Sight};
use crate::state::State;

pub(crate) fn joined(
    state: &mut State,
    spec: NodeSpec,
    running: &[Running],
) -> Result<(), Refusals> {
    spec.validate(&state.catalog.spec)?;
    let node = match state.capacity.by_name.get(&spec.name).copied() {
        None => {
            let is_new = !state.capacity.has_model(state.catalog.model_of(&spec));
            let node = state.capacity.add_node(spec.clone(), &state.catalog);
            state.shapes.node_changed(node, &spec, &state.capacity);
            if is_new {
                queueing::model_appeared(state);
            }
            node
        }
        Some(node) => {
            if state.capacity.nodes[node].spec != spec {
                change(state, node, &spec)?;
            }
            node
        }
    };
    state.actions.push(Action::NodeAccepted { node, name: spec.name });
    see(state, node, running);
    Ok(())
}

pub(crate) fn returned(
    state: &mut State,
    node: NodeId,
    running: &[Running],
) -> Result<(), Refusals> {
    known_node(state, node)?;
    see(state, node, running);
    Ok(())
}

/// A known node declares something else than before: only while nothing of ours is on it, and
/// only in the place it has.
fn change(state: &mut State, id: NodeId, spec: &NodeSpec) -> Result<(), Refusals> {
    let node = &state.capacity.nodes[id];
    if !node.jobs().is_empty() || node.spec.domains != spec.domains {
        return Err(vec![Invalid::new(
            "node",
            spec.name.to_string(),
            "a known node may declare something new only while nothing runs on it, and not \
             another place; drain it first, or let it join by another name",
        )]);
    }
    claim::forget_node(state, id);
    state.capacity.replace_node(id, spec.clone(), &state.catalog);
    state.shapes.node_changed(id, spec, &state.capacity);
    queueing::model_appeared(state);
    Ok(())
}

/// The node can be seen again: whatever its word and ours disagree on is settled.
fn see(state: &mut State, id: NodeId, running: &[Running]) {
    let node = &mut state.capacity.nodes[id];
    if let Sight::Unknown { lease_ends } = node.sight {
        state.leases.call_off(id, lease_ends, &mut state.timers);
    }
    node.sight = Sight::Seen;
    state.capacity.topology.version += 1;
    state.capacity.changed(id);
    let grace = state.catalog.policy().stop_grace;
    let mut has_lost = false;
    let ours = state.capacity.nodes[id].jobs();
    for job in ours {
        let attempt = state.jobs.known(job).record.attempt;
        let Some(part) = report::part(state, job, attempt, id) else { continue };
        let is_stopping = state.jobs.known(job).record.state == JobState::Stopping;
        if is_stopping {
            // The order to stop may have been lost with the sight; it is harmless twice.
            state.actions.push(Action::Stop { node: id, job, attempt, grace });
        }
        ladder::repeat(state, job, part);
        let run = state.jobs.known(job).record.run.as_ref().expect("a part belongs to a run");
        let was_asked = run.nodes[part].report == NodeReport::Asked;
        match running.contains(&Running { job, attempt }) {
            true => report::started(state, job, part),
            // The launch may still be on its way; if not, it runs into its time-out.
            false if was_asked => {}
            false => {
                has_lost = true;
                report::lost(state, job, &[part]);
            }
        }
        settle::remind(state, job, id);
    }
    if has_lost {
        state.capacity.note_failure(id);
    }
    // Who runs there can be asked to give way again.
    seeker::note_best(state, u16::MAX);
    for &Running { job, attempt } in running {
        if report::part(state, job, attempt, id).is_none() {
            state.actions.push(Action::Stop { node: id, job, attempt, grace });
        }
    }
}

impl crate::state::capacity::Capacity {
    /// Puts another declaration in the place of a node on which nothing runs.
    fn replace_node(
        &mut self,
        id: NodeId,
        spec: NodeSpec,
        catalog: &crate::state::catalog::Catalog,
    ) {
        self.forget_installed(id);
        self.topology.version += 1;
        let node = &mut self.nodes[id];
        if let Some(before) = node.counted.take() {
            self.topology.recount(node.leaf, node.slot, node.model, Some(before), None);
        }
        let pieces = std::mem::take(&mut node.counted_pieces);
        let nothing = crate::state::shared::Pieces::default();
        self.topology.recount_pieces(node.leaf, node.slot, node.model, &pieces, &nothing);
        node.model = catalog.model_of(&spec);
        node.free = GpuSet::first(spec.gpus);
        node.unhealthy = node.unhealthy.and(node.free);
        node.cpus_free = spec.cpus.0;
        node.memory_free = spec.memory.0;
        node.suspend_free = spec.suspend_memory.0;
        node.spec = spec;
        self.add_installed(id);
    }
}
