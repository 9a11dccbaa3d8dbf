//! A plan that is carried out: what is free of a job's room is held at once, what others give up
//! as soon as they do, and when all of it is there the job starts. Nothing else can take it, and
//! if the plan cannot be kept it is given up as a whole.

use muster_model::{GpuSet, JobId, NodeId};
use rustc_hash::FxHashSet;

use crate::action::{JobState, TaskPlace};
use crate::elastic::giving;
use crate::explain::OrderTerms;
use crate::fairness::standing;
use crate::life::{launch, queueing};
use crate::order;
use crate::pass::floor;
use crate::pause::search::Found;
use crate::pause::{ladder, moved, rest};
use crate::place::Placed;
use crate::snapshot::{HoldRecord, MoveRecord, PlaceRecord, PlanRecord};
use crate::state::State;
use crate::state::node::{Node, Part};
use crate::state::plan::Plan;

/// Holds what is free of the room and asks the others to give way.
pub(crate) fn commit(state: &mut State, id: JobId, found: Found, order: OrderTerms) {
    let Found { placed, asks, offers, balance, moves } = found;
    let job = state.jobs.known(id);
    let (shape, queue, user) = (job.shape, job.queue, job.user);
    queueing::leave_line(state, id);
    let demand = std::sync::Arc::clone(&state.shapes.get(shape).demand);
    let charge = demand.alternatives[placed.alternative].charge.clone();
    let record = PlanRecord {
        job: id,
        made: state.now,
        holds: holds(&placed.tasks),
        tasks: placed.tasks,
        victims: offers.iter().map(|offer| offer.job).collect(),
        has_cost: false,
        givers: asks.iter().map(|ask| ask.giver.job).collect(),
        until: giving::until(state, &asks),
        chosen: placed.chosen,
        order,
    };
    let until = record.until;
    let plan = Plan::new(record, &demand);
    for (hold, want) in plan.record.holds.iter().zip(&plan.wants) {
        state.capacity.nodes[hold.node].begin_hold(want.exclusive);
        state.capacity.nodes[hold.node].await_for(id);
    }
    let nodes: Vec<NodeId> = plan.record.holds.iter().map(|hold| hold.node).collect();
    if plan.record.order.floor {
        floor::use_more(state, demand.size());
    }
    state.plans.plans.insert(id, plan);
    state.capacity.charge(queue, user, &charge);
    for node in nodes {
        fill(state, node);
        state.capacity.recount(node);
    }
    queueing::queue_used(state, (queue, user), charge.gpus, true);
    for (job, Placed { tasks, chosen, .. }) in moves {
        let made = state.now;
        moved::begin(state, MoveRecord { job, by: id, made, tasks, chosen });
    }
    giving::begin(state, id, until, &asks);
    for offer in offers {
        state.plans.victims.insert(offer.job, id);
        ladder::begin(state, &offer, id, balance);
    }
}

fn holds(tasks: &[(NodeId, TaskPlace)]) -> Vec<HoldRecord> {
    let mut holds: Vec<HoldRecord> = Vec::new();
    let mut seen: FxHashSet<NodeId> = FxHashSet::default();
    for (node, _) in tasks {
        if seen.insert(*node) {
            holds.push(HoldRecord { node: *node, gpus: GpuSet::EMPTY, cpus: 0, memory: 0 });
        }
    }
    holds
}

/// Takes what has become free on a node for those who wait for it. The caller counts the node
/// anew.
pub(crate) fn fill(state: &mut State, id: NodeId) {
    let awaited = state.capacity.nodes[id].awaited.clone();
    for job in awaited {
        let plan = state.plans.plans.get_mut(&job).expect("only a plan awaits something");
        let at = plan.record.holds.iter().position(|hold| hold.node == id);
        let at = at.expect("a plan awaits only its own nodes");
        let rest = plan.rest(at);
        let node = &mut state.capacity.nodes[id];
        let part = Part {
            gpus: rest.gpus.and(node.usable()),
            cpus: rest.cpus.min(node.cpus_free),
            memory: rest.memory.min(node.memory_free),
        };
        node.hold(part);
        let hold = &mut plan.record.holds[at];
        hold.gpus = hold.gpus.or(part.gpus);
        hold.cpus += part.cpus;
        hold.memory += part.memory;
        if is_complete(plan, at, node) {
            node.awaited.retain(|other| *other != job);
            plan.missing -= 1;
            if plan.is_ready() {
                state.plans.ready.push(job);
                state.pass_due = true;
            }
        }
    }
}

/// Whether all that a plan wants on a node is held, and nobody is left there with whom it could
/// not share it.
fn is_complete(plan: &Plan, at: usize, node: &Node) -> bool {
    let wants_alone = plan.wants[at].exclusive;
    let is_alone = node.tasks == 1 || !wants_alone;
    plan.is_complete(at) && is_alone && node.exclusive == u32::from(wants_alone)
}

/// Starts the jobs whose room is complete.
pub(crate) fn start_ready(state: &mut State) -> u32 {
    let mut ready = std::mem::take(&mut state.plans.ready);
    ready.sort_unstable();
    let mut starts = 0;
    for &id in &ready {
        let nodes = state.plans.plans[&id].record.holds.iter().map(|hold| hold.node);
        if !is_in_time(state, id, nodes) || has_been_passed(state, id) {
            give_up_and_wait(state, id);
            continue;
        }
        starts += 1;
        let PlanRecord { tasks, chosen, order, .. } = let_go(state, id).record;
        let placed = take(state, id, tasks, chosen);
        let quantum = order.floor.then_some(state.catalog.policy().floor.quantum);
        launch::launch(state, id, placed, (order, None), quantum);
    }
    starts
}

/// Takes the place that was held for a job until now.
pub(crate) fn take(
    state: &mut State,
    id: JobId,
    tasks: Vec<(NodeId, TaskPlace)>,
    chosen: PlaceRecord,
) -> Placed {
    let demand = &state.shapes.get(state.jobs.known(id).shape).demand;
    for (node, task) in &tasks {
        state.capacity.take(*node, demand.groups[usize::from(task.group)].held(task));
    }
    let models = state.capacity.models_of(&tasks, demand.groups.len());
    let alternative = demand.alternative_of(&models).expect("its models are still there");
    let placed = Placed { alternative, tasks, chosen, runner_up: None, risk: None };
    for node in placed.nodes() {
        state.capacity.recount(node);
    }
    placed
}

/// Whether no booking takes any of these nodes from a job before it will have gone.
pub(super) fn is_in_time(
    state: &State,
    id: JobId,
    mut nodes: impl Iterator<Item = NodeId>,
) -> bool {
    let terms = state.capacity.terms(state.shapes.get(state.jobs.known(id).shape));
    nodes.all(|node| terms.are_met(&state.capacity.nodes[node].spans))
}

/// Whether someone of a better tier has come while others gave tasks back for a job: then the order
/// decides, unless it had waited too long. Nobody was paused for it, so nothing is lost by that.
fn has_been_passed(state: &State, id: JobId) -> bool {
    let record = &state.plans.plans[&id].record;
    let class_rank = state.catalog.class_rank(state.jobs.known(id).class);
    let tier = order::tier(record.order.guaranteed, class_rank);
    let is_free = record.victims.is_empty() && !record.has_cost;
    is_free && !record.order.floor && state.waiting.head().is_some_and(|head| head.tier < tier)
}

/// Gives up the room of a job, if one is being made: what is held is free again, those who have
/// not given way yet go on, and those who have will be resumed in their turn. The caller decides
/// where the job waits.
pub(crate) fn give_up(state: &mut State, id: JobId) {
    if !state.plans.plans.contains_key(&id) {
        return;
    }
    let plan = let_go(state, id);
    state.plans.ready.retain(|ready| *ready != id);
    let job = state.jobs.known(id);
    let (queue, user) = (job.queue, job.user);
    let demand = std::sync::Arc::clone(&state.shapes.get(job.shape).demand);
    let charge = state.capacity.charge_on(&plan.record.tasks, &demand);
    state.capacity.refund(queue, user, &charge);
    for hold in &plan.record.holds {
        fill(state, hold.node);
        state.capacity.changed(hold.node);
    }
    for victim in plan.record.victims {
        moved::call_off(state, victim);
        if state.jobs.get(victim).is_some_and(|job| job.record.state == JobState::Pausing) {
            ladder::undo(state, victim);
        }
    }
    queueing::queue_used(state, (queue, user), charge.gpus, false);
    state.pass_due = true;
}

/// Gives up every plan that counts on a node, whose jobs wait again as long as before.
pub(crate) fn give_up_on(state: &mut State, node: NodeId) {
    give_up_on_any(state, |other| other == node);
}

/// The same for several nodes.
pub(crate) fn give_up_on_any(state: &mut State, is_one: impl Fn(NodeId) -> bool) {
    let counts = |plan: &Plan| plan.record.holds.iter().any(|hold| is_one(hold.node));
    let plans = state.plans.plans.iter().filter(|(_, plan)| counts(plan));
    let jobs: Vec<JobId> = plans.map(|(&job, _)| job).collect();
    for job in jobs {
        give_up_and_wait(state, job);
    }
    moved::give_up_on_any(state, is_one);
}

/// Gives up rooms that limits do not allow any more, those made last first.
pub(crate) fn give_up_beyond_limits(state: &mut State) {
    let made = |(&job, plan): (&JobId, &Plan)| (plan.record.made, job);
    let mut plans: Vec<_> = state.plans.plans.iter().map(made).collect();
    plans.sort_unstable();
    for (_, id) in plans.into_iter().rev() {
        let job = state.jobs.known(id);
        let (queue, user) = (job.queue, job.user);
        let demand = &state.shapes.get(job.shape).demand;
        let plan = &state.plans.plans[&id];
        let charge = state.capacity.charge_on(&plan.record.tasks, demand);
        state.capacity.refund(queue, user, &charge);
        let is_beyond = standing::blocking(&state.capacity.queues, queue, user, &charge).is_some();
        state.capacity.charge(queue, user, &charge);
        if is_beyond {
            give_up_and_wait(state, id);
        }
    }
}

/// Gives up the room of a job, which waits again as long as before.
pub(crate) fn give_up_and_wait(state: &mut State, job: JobId) {
    let is_owed = state.plans.plans.get(&job).is_some_and(|plan| plan.record.order.floor);
    give_up(state, job);
    queueing::reenter_line(state, job);
    if is_owed {
        // What it has waited too long for is not put off by one plan after the other.
        rest::drain_for(state, job);
    }
}

/// Lets go of all that is held for a job, and forgets its plan.
fn let_go(state: &mut State, id: JobId) -> Plan {
    let plan = state.plans.plans.remove(&id).expect("a plan is let go once");
    for (at, hold) in plan.record.holds.iter().enumerate() {
        let node = &mut state.capacity.nodes[hold.node];
        node.awaited.retain(|other| *other != id);
        node.let_go(plan.held(at), plan.wants[at].exclusive);
    }
    for victim in &plan.record.victims {
        state.plans.victims.remove(victim);
    }
    if plan.record.order.floor {
        let gpus = state.shapes.get(state.jobs.known(id).shape).demand.size();
        floor::use_less(state, gpus);
    }
    giving::forget(state, id, &plan.record.givers, plan.record.until);
    plan
}

/// Puts a restored plan where it was.
pub(crate) fn restore(state: &mut State, record: PlanRecord) {
    let job = state.jobs.known(record.job);
    let (id, queue, user) = (record.job, job.queue, job.user);
    let demand = std::sync::Arc::clone(&state.shapes.get(job.shape).demand);
    let charge = state.capacity.charge_on(&record.tasks, &demand);
    state.capacity.charge(queue, user, &charge);
    for &victim in &record.victims {
        state.plans.victims.insert(victim, id);
    }
    if record.order.floor {
        state.floor.gpus_in_use += demand.size();
    }
    giving::restore(state, id, &record.givers, record.until);
    let mut plan = Plan::new(record, &demand);
    for (at, hold) in plan.record.holds.iter().enumerate() {
        let node = &mut state.capacity.nodes[hold.node];
        node.begin_hold(plan.wants[at].exclusive);
        node.hold(plan.held(at));
        match is_complete(&plan, at, node) {
            true => plan.missing -= 1,
            false => node.await_for(id),
        }
    }
    if plan.is_ready() {
        state.plans.ready.push(id);
    }
    state.plans.plans.insert(id, plan);
}
