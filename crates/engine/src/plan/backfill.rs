//! Lending claimed GPUs until they are needed: to jobs that will have ended by then, or that give
//! way within the grace. GPUs that wait for a gang do not idle.

use fixedbitset::FixedBitSet;
use muster_model::{JobId, JobSpec, Millis, NodeId, Rung, Time};

use crate::action::Action;
use crate::life::{launch, queueing};
use crate::pass::start;
use crate::pause::exposure;
use crate::place;
use crate::plan::estimate;
use crate::plan::remaining::Quantile;
use crate::state::State;
use crate::state::floor::Claim;
use crate::state::job::Job;
use crate::transaction::Transaction;

/// So many of the first heads are asked when GPUs of claimed nodes have become free.
const HEADS_MAX: usize = 64;

/// So many of them are tried in one step.
const TRIES_MAX: usize = 8;

/// Starts waiting jobs on claimed nodes as far as they may be there; how many. `anyone` may have
/// a chance after GPUs there have become free; otherwise only those who have just come.
pub(crate) fn lend(state: &mut State, anyone: bool, most: u32) -> u32 {
    if state.floor.claims.is_empty() || !state.capacity.has_spare() {
        return 0;
    }
    let heads: Vec<JobId> = match anyone {
        true => state.waiting.heads().take(HEADS_MAX).map(|(key, _)| key.job).collect(),
        false => state.seekers.iter().copied().take(HEADS_MAX).collect(),
    };
    let (mut starts, mut tries) = (0, 0);
    for id in heads {
        // One after the other of a line, until one does not fit.
        let mut next = Some(id);
        while let Some(id) = next.filter(|_| tries < TRIES_MAX && starts < most) {
            let line = state.jobs.get(id).and_then(|job| job.line);
            let Some(line) = line else { break };
            if state.waiting.head_of(line).is_none_or(|head| head.job != id) || !may_fit(state, id)
            {
                break;
            }
            tries += 1;
            if !start(state, id) {
                break;
            }
            starts += 1;
            let is_left = state.waiting.has_line(line);
            next = is_left.then(|| state.waiting.head_of(line)).flatten().map(|head| head.job);
        }
    }
    starts
}

/// Whether there are enough GPUs on claimed nodes at all.
fn may_fit(state: &State, id: JobId) -> bool {
    let job = state.jobs.known(id);
    let shape = state.shapes.get(job.line_shape());
    let demand = &shape.demand;
    let root = &state.capacity.topology.domains[crate::state::topology::ROOT];
    // Spreading and shares look at nodes by their own model.
    let is_plain =
        shape.pin.is_none() && !demand.spread && !demand.has_shares() && demand.groups.len() == 1;
    is_plain
        && !state.floor.claims.contains_key(&id)
        && demand.alternatives.iter().any(|alternative| {
            let model = state.capacity.claimed_model(alternative.models[0]);
            let group = &demand.groups[0];
            root.free(model).tasks(group.gpus, 1) >= u64::from(group.tasks)
        })
}

fn start(state: &mut State, id: JobId) -> bool {
    let job = state.jobs.known(id);
    let gives_way = gives_way(state, job);
    let spared_until = job.record.pauses.as_ref().map_or(Time(0), |pauses| pauses.spared_until);
    let is_filler = exposure::is_filler(state, job);
    let yields = |claim: &Claim| {
        let start = claim.reserved.map(|reserved| reserved.start);
        gives_way && start.is_some_and(|start| is_filler || spared_until <= start)
    };
    let (mut admitted, mut cuts) = (Vec::new(), Vec::new());
    for claim in state.floor.claims.values() {
        if yields(claim) || ends_before(state, job, claim) {
            admitted.extend(&claim.nodes);
        } else if let Some(cut) = cut_before(state, job, claim) {
            admitted.extend(&claim.nodes);
            cuts.extend(claim.nodes.iter().map(|node| (*node, cut)));
        }
    }
    let shape = state.shapes.get(job.shape);
    let group = &shape.demand.groups[0];
    let room = |&node: &NodeId| {
        let spare = state.capacity.nodes[node].spare.unwrap_or(0);
        spare.checked_div(group.gpus).unwrap_or(group.tasks)
    };
    if admitted.is_empty() || admitted.iter().map(room).sum::<u32>() < group.tasks {
        return false;
    }
    let mut nodes = FixedBitSet::with_capacity(state.capacity.nodes.len());
    nodes.extend(admitted.iter().map(|node| node.index()));
    let line = job.line.expect("a head is in line");
    let allowed = state.waiting.line(line).standing.allowed;
    let (queue, user, node_depth) = (job.queue, job.user, state.catalog.node_depth());
    let demand = std::sync::Arc::clone(&shape.demand);
    let mut transaction = Transaction::new(&mut state.capacity);
    let placed = place::place_on(&mut transaction, shape, allowed, node_depth, (nodes, true));
    let Some(placed) = placed else { return false };
    let charge = &demand.alternatives[placed.alternative].charge;
    transaction.charge(queue, user, charge);
    transaction.commit();
    let is_used = |node: NodeId| placed.tasks.iter().any(|(other, _)| *other == node);
    let used = cuts.into_iter().filter(|(node, _)| is_used(*node));
    let cut = used.map(|(_, cut)| cut).min();
    let terms = start::order_terms(state, id, false);
    if let Some(limit) = cut {
        shorten(state, id, limit);
    }
    launch::launch(state, id, placed, (terms, None), None);
    let run = state.jobs.known_mut(id).record.run.as_mut().expect("it was just launched");
    run.is_backfill = gives_way;
    queueing::queue_used(state, (queue, user), charge.gpus, true);
    true
}

/// The limit with which a job that takes less than its own will have ended for certain when a
/// claim is due.
fn cut_before(state: &State, job: &Job, claim: &Claim) -> Option<Millis> {
    let least = job.record.spec.timing.limit_min?;
    let policy = state.catalog.policy();
    let due = claim.reserved.map(|reserved| reserved.start).or_else(|| drained(state, claim))?;
    let left = due.since(state.now + policy.launch_timeout + policy.stop_grace);
    (left >= least).then(|| left.min(job.limit))
}

/// Gives a job less time, from now on and for good: it agreed to that.
fn shorten(state: &mut State, id: JobId, limit: Millis) {
    let job = state.jobs.known_mut(id);
    let mut spec = JobSpec::clone(&job.record.spec);
    spec.timing.limit = Some(limit);
    spec.timing.warning = spec.timing.warning.filter(|warning| warning.before < limit);
    job.record.spec = spec.into();
    job.limit = limit;
    let spec = std::sync::Arc::clone(&job.record.spec);
    state.actions.push(Action::Amended { job: id, spec });
    queueing::reshape(state, id);
}

/// When the last who is on the nodes of a claim will have gone.
fn drained(state: &State, claim: &Claim) -> Option<Time> {
    let nodes = claim.nodes.iter().map(|&node| &state.capacity.nodes[node]);
    nodes.map(|node| node.drains_at(state.now)).max()
}

/// Whether a job gives up its GPUs within the grace whenever it is asked.
fn gives_way(state: &State, job: &Job) -> bool {
    let grace = state.catalog.policy().reservations.grace;
    let may_give = state.catalog.policy().pausing.on && exposure::pauses(state).is_some();
    let in_time = |cost: &muster_model::RungCost| match cost.rung {
        Rung::Freeze | Rung::Suspend => false,
        Rung::Checkpoint => cost.save <= grace,
        Rung::Requeue => state.catalog.policy().stop_grace <= grace,
    };
    let rungs = &job.record.spec.checkpoint.rungs;
    may_give && (exposure::is_filler(state, job) || rungs.iter().any(in_time))
}

/// Whether a job will have ended when a claim is due: for a reserved gang in nine of ten such
/// cases, for a starving job for certain.
fn ends_before(state: &State, job: &Job, claim: &Claim) -> bool {
    let policy = state.catalog.policy();
    match claim.reserved {
        Some(reserved) => {
            state.now + policy.stop_grace + estimate::left(state, job, Quantile::Nine)
                <= reserved.start
        }
        None => {
            let until = state.now + policy.launch_timeout + job.limit + policy.stop_grace;
            drained(state, claim).is_some_and(|drained| until <= drained)
        }
    }
}
