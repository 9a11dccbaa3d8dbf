//! Loans to elastic jobs: while a reservation is far off, they grow onto its nodes, and shrink out
//! of them when its gang needs them. What they have without the loan stays as it is.

use std::cmp::Reverse;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use muster_model::{JobId, Millis, Rung, Time};

use crate::dense::ModelId;
use crate::elastic::shrink::{self, Ask};
use crate::elastic::size::{self, Range};
use crate::elastic::{giving, index};
use crate::snapshot::NodeRun;
use crate::state::State;
use crate::state::job::Job;

/// Reserved nodes with GPUs that nobody uses until then.
#[derive(Debug)]
pub(crate) struct Lender {
    /// For whom they are reserved.
    gang: JobId,
    /// When it is expected to start.
    start: Time,
    gpus: u64,
    pub(crate) nodes: FixedBitSet,
}

/// All reservations that have something to lend.
pub(crate) fn lenders(state: &State) -> Vec<Arc<Lender>> {
    if !state.capacity.has_spare() {
        return Vec::new();
    }
    let mut lenders = Vec::new();
    for (gang, claim) in state.floor.reservations() {
        let gpus = state.capacity.spare_on(&claim.nodes);
        let Some(reserved) = claim.reserved.filter(|_| gpus > 0) else { continue };
        let mut nodes = FixedBitSet::with_capacity(state.capacity.nodes.len());
        nodes.extend(claim.nodes.iter().map(|node| node.index()));
        lenders.push(Arc::new(Lender { gang, start: reserved.start, gpus, nodes }));
    }
    lenders
}

/// The lender that a job could stay with longest, and for how long: it can shrink out of these
/// nodes within the grace, and will have grown onto them and left them again before their start.
pub(crate) fn lender(
    state: &State,
    job: &Job,
    (range, model): (&Range, ModelId),
    lenders: &[Arc<Lender>],
) -> Option<(Arc<Lender>, Millis)> {
    let policy = state.catalog.policy();
    let run = job.record.run.as_ref()?;
    let claimed = state.capacity.claimed_model(model);
    let free = state.capacity.topology.domains[crate::state::topology::ROOT].free(claimed).gpus;
    let is_quick = job.record.spec.scaling.resize <= policy.reservations.grace;
    // What is called in as a whole needs no loan, and what may be suspended would wait for the very
    // GPUs it was only lent. Spreading looks at nodes by their own model.
    let is_suspended = |rung: Rung| matches!(rung, Rung::Freeze | Rung::Suspend);
    let stays = job.record.spec.checkpoint.rungs.iter().any(|cost| is_suspended(cost.rung));
    let is_spread = state.shapes.get(job.shape).demand.spread;
    if free < u64::from(range.gpus) || !is_quick || run.is_backfill || stays || is_spread {
        return None;
    }
    let leaves = state.now + giving::patience(state, job);
    (lenders.iter())
        .filter(|lender| lender.gpus >= u64::from(range.gpus))
        .map(|lender| (lender, lender.start.since(leaves)))
        // Until then, a growth that does not come to be is taken back.
        .filter(|(_, lasts)| *lasts >= policy.launch_timeout)
        .max_by_key(|(lender, lasts)| (*lasts, Reverse(lender.gang)))
        .map(|(lender, lasts)| (Arc::clone(lender), lasts))
}

/// A job is about to grow onto reserved nodes.
pub(crate) fn note(state: &mut State, id: JobId) {
    let job = state.jobs.known_mut(id);
    let from = job.size;
    let run = job.record.run.as_mut().expect("only a running job grows");
    size::of_run_mut(run).lent_from.get_or_insert(from);
    state.floor.loans.insert(id);
}

/// The resize of a job is over: what was lent may all be back, and if it is not, a gang may have
/// waited for the job to be ready to give it back.
pub(crate) fn resized(state: &mut State, id: JobId) {
    let job = state.jobs.known(id);
    let Some(from) = from(job) else { return };
    if job.size <= from {
        forget(state, id);
        return;
    }
    let node = lent_parts(job).map(|part| part.node);
    let claimed = { node }.find(|node| state.capacity.nodes[*node].claimed.is_some());
    claimed.into_iter().for_each(|node| state.capacity.changed(node));
}

/// An attempt is over or about to be, or what it has is all its own.
pub(crate) fn forget(state: &mut State, id: JobId) {
    if state.floor.loans.remove(&id) {
        let run = state.jobs.known_mut(id).record.run.as_mut().expect("what is lent is held");
        size::of_run_mut(run).lent_from = None;
    }
}

/// Puts a restored loan back.
pub(crate) fn restore(state: &mut State, id: JobId) {
    if from(state.jobs.known(id)).is_some() {
        state.floor.loans.insert(id);
    }
}

/// The rank from which on the tasks of a job were only lent to it.
pub(crate) fn from(job: &Job) -> Option<u32> {
    job.record.run.as_ref()?.elastic.as_ref()?.lent_from
}

/// Whether all that a job has on a node was lent to it.
pub(crate) fn is_lent(job: &Job, part: &NodeRun) -> bool {
    let Some((from, range)) = from(job).zip(size::range(job)) else { return false };
    part.tasks.iter().all(|task| range.is_from(task, from))
}

/// The parts of a job that have something that was lent.
fn lent_parts(job: &Job) -> impl Iterator<Item = &NodeRun> {
    let lent = from(job).zip(size::range(job));
    let parts = job.record.run.as_ref().into_iter().flat_map(|run| &run.nodes);
    parts.filter(move |part| {
        lent.is_some_and(|(from, range)| part.tasks.iter().any(|task| range.is_from(task, from)))
    })
}

/// What a job can ask for of what was lent: whatever is on its own nodes or on nobody's.
pub(crate) fn asks(state: &State, id: JobId) -> Vec<Ask> {
    let is_for_it = |part: &NodeRun| {
        let claimed = state.capacity.nodes[part.node].claimed;
        claimed.is_none_or(|claimer| claimer == id)
    };
    let jobs = state.floor.loans.iter().map(|borrower| state.jobs.known(*borrower));
    jobs.filter(|job| index::is_settled(job) && lent_parts(job).any(is_for_it))
        .filter_map(|job| {
            let (from, range) = from(job).zip(size::range(job))?;
            let model = size::model(state, job.record.id, &range);
            Some(shrink::giver(state, job, model, from).all())
        })
        .take(shrink::GIVERS_MAX)
        .collect()
}

/// GPUs of a model that a job would get of what was lent, at most.
pub(crate) fn gpus(state: &State, id: JobId, model: ModelId) -> u64 {
    if state.floor.loans.is_empty() {
        return 0;
    }
    let asks = asks(state, id);
    let of_model = asks.iter().filter(|ask| ask.giver.model == model);
    of_model.map(|ask| ask.giver.gpus()).sum()
}
