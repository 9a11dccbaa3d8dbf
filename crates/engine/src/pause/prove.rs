//! The proof of a plan: with these jobs gone, the placer really places the seeker. Those whose
//! room it does not touch are left alone.

use muster_model::{GpuSet, JobId, Millis, NodeId};
use rustc_hash::FxHashMap;

use crate::elastic::shrink::{self, Ask, Books};
use crate::pause::judge;
use crate::pause::seeker::Seeker;
use crate::place::{self, Placed};
use crate::snapshot::RunRecord;
use crate::state::State;
use crate::state::booking::Terms;
use crate::state::capacity::Capacity;
use crate::state::demand::Demand;
use crate::state::node::Held;
use crate::state::shape::Shape;
use crate::transaction::Transaction;

/// Room that is made is there within this time, or the job for which it was made may be there too
/// long for a booking.
const START_MAX: Millis = Millis::hours(2);

/// A place that a seeker gets if some jobs give way.
#[derive(Debug)]
pub(crate) struct Proof {
    pub(crate) placed: Placed,
    /// Those who have to, in the order they were given.
    pub(crate) needed: Vec<JobId>,
    /// GPUs of the place that are free already.
    pub(crate) idle: u64,
}

/// On what terms jobs of a shape may be on nodes that are booked once room is made.
pub(crate) fn terms(capacity: &Capacity, shape: &Shape) -> Terms {
    capacity.terms(shape).put_off(START_MAX)
}

/// Tries whether a seeker fits when these jobs have given way and these tasks were given back.
/// Nothing changes.
pub(crate) fn prove(
    state: &mut State,
    seeker: &Seeker,
    victims: &[JobId],
    asks: &[Ask],
) -> Option<Proof> {
    if guarantee_is_broken(state, seeker, victims) {
        return None;
    }
    fits(state, seeker, victims, asks)
}

/// The same, whatever the queues of those who give way are guaranteed. Nothing changes.
pub(crate) fn fits(
    state: &mut State,
    seeker: &Seeker,
    victims: &[JobId],
    asks: &[Ask],
) -> Option<Proof> {
    let node_depth = state.catalog.node_depth();
    let (jobs, shapes) = (&state.jobs, &state.shapes);
    let books = Books { jobs, shapes, catalog: &state.catalog };
    let runs: Vec<(JobId, &RunRecord, &Demand)> = (victims.iter())
        .map(|&id| {
            let job = jobs.known(id);
            let run = job.record.run.as_deref().expect("a victim runs");
            (id, run, &*shapes.get(job.shape).demand)
        })
        .collect();
    let mut transaction = Transaction::new(&mut state.capacity);
    let own = state.floor.claims.get(&seeker.id).into_iter().flat_map(|claim| &claim.nodes);
    own.for_each(|&node| transaction.unclaim(node));
    asks.iter().for_each(|ask| shrink::give(&mut transaction, books, ask));
    for (_, run, demand) in &runs {
        for (node, held) in holdings(run, demand) {
            transaction.give_back(node, held);
        }
    }
    let shape = shapes.get(seeker.shape);
    let placed =
        place::place_by(&mut transaction, shape, seeker.allowed, node_depth, seeker.terms)?;
    let used = used_on(&placed);
    let mut needed = Vec::new();
    let back = asks.iter().flat_map(|ask| shrink::holdings(books, ask));
    let mut given: u64 = used_of(&used, back);
    // The last are the most expensive: they are the first to be left alone.
    for (id, run, demand) in runs.iter().rev() {
        let is_spare = holdings(run, demand).all(|(node, held)| {
            let node = &transaction.capacity().nodes[node];
            node.free.contains(held.gpus)
                && node.cpus_free >= held.cpus
                && node.memory_free >= held.memory
                && !(held.exclusive && node.tasks > 0)
                && node.exclusive == 0
        });
        // Several tasks on one node are checked one by one and taken together: their sum counts.
        if is_spare && takes_back(&mut transaction, run, demand) {
            continue;
        }
        needed.push(*id);
        given += used_of(&used, holdings(run, demand));
    }
    needed.reverse();
    let all: u64 = placed.tasks.iter().map(|(_, task)| u64::from(task.gpus.count())).sum();
    Some(Proof { placed, needed, idle: all - given })
}

/// Takes back what a job holds, all of it or nothing.
fn takes_back(transaction: &mut Transaction<'_>, run: &RunRecord, demand: &Demand) -> bool {
    let mark = transaction.mark();
    for (node, held) in holdings(run, demand) {
        let state = &transaction.capacity().nodes[node];
        if state.cpus_free < held.cpus || state.memory_free < held.memory {
            transaction.roll_back(mark);
            return false;
        }
        transaction.take(node, held);
        transaction.recount(node);
    }
    true
}

/// What the tasks of an attempt hold.
fn holdings<'a>(
    run: &'a RunRecord,
    demand: &'a Demand,
) -> impl Iterator<Item = (NodeId, Held)> + 'a {
    run.nodes.iter().flat_map(move |part| {
        let held =
            |task: &crate::action::TaskPlace| demand.groups[usize::from(task.group)].held(task);
        part.tasks.iter().map(move |task| (part.node, held(task)))
    })
}

/// The GPUs of a place by node.
fn used_on(placed: &Placed) -> FxHashMap<NodeId, GpuSet> {
    let mut used: FxHashMap<NodeId, GpuSet> = FxHashMap::default();
    for (node, task) in &placed.tasks {
        let gpus = used.entry(*node).or_default();
        *gpus = gpus.or(task.gpus);
    }
    used
}

/// How many GPUs of a place someone holds.
fn used_of(used: &FxHashMap<NodeId, GpuSet>, holds: impl Iterator<Item = (NodeId, Held)>) -> u64 {
    let of = |(node, held): (NodeId, Held)| Some(used.get(&node)?.and(held.gpus).count());
    holds.filter_map(of).map(u64::from).sum()
}

/// Whether all of them together would take from a queue what it is guaranteed.
fn guarantee_is_broken(state: &mut State, seeker: &Seeker, victims: &[JobId]) -> bool {
    let mut refunds = Vec::new();
    let mut is_broken = false;
    // What fillers use is guaranteed to nobody, and does not stand for what others give up: they
    // go first. Of the rest the order does not matter.
    let counts = |id: &JobId| state.catalog.class_spec(state.jobs.known(*id).class).guaranteed;
    let (counted, others): (Vec<JobId>, Vec<JobId>) = victims.iter().partition(|id| counts(id));
    for id in others.into_iter().chain(counted) {
        let job = state.jobs.known(id);
        is_broken = judge::is_covered(state, &state.capacity.queues, seeker, job);
        if is_broken {
            break;
        }
        let run = job.record.run.as_ref().expect("a victim runs");
        let charge = state.capacity.charge_of(run, &state.shapes.get(job.shape).demand);
        refunds.push((job.queue, job.user, charge));
        let (queue, user, charge) = refunds.last().expect("it was just pushed");
        state.capacity.refund(*queue, *user, charge);
    }
    for (queue, user, charge) in &refunds {
        state.capacity.charge(*queue, *user, charge);
    }
    is_broken
}
