//! The last step of a pass: idle GPUs go to elastic jobs, where they save most run time first,
//! while nobody waits who could use them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use muster_model::{JobId, Millis, NodeId};
use smallvec::SmallVec;

use crate::action::TaskPlace;
use crate::dense::{ModelId, QueueId};
use crate::elastic::extend::{Growing, OWN_NODES_MAX};
use crate::elastic::shrink::{self, Books};
use crate::elastic::size::{self, Range};
use crate::elastic::wanted::Wanted;
use crate::elastic::{borrow, resize, speed, work};
use crate::fairness::standing;
use crate::plan::loan::{self, Lender};
use crate::state::State;
use crate::state::job::Job;
use crate::state::topology::ROOT;
use crate::transaction::Transaction;

/// At most so many jobs are looked at in one pass; the rest follow in the step that is due next.
const JOBS_MAX: usize = 32;

/// Idle GPUs are handed out in at most so many portions in one pass.
const PORTIONS_MAX: usize = 128;

/// A job grows by a quarter at a time, so that idle GPUs are divided finely and yet a large job
/// needs few portions.
const PORTION: u32 = 4;

/// A job that might grow in this pass.
#[derive(Debug)]
pub(crate) struct Grower {
    pub(crate) id: JobId,
    pub(crate) range: Range,
    models: SmallVec<[ModelId; 1]>,
    /// The first of the nodes it is on.
    own: Vec<NodeId>,
    left: Millis,
    /// How long it will probably keep what it gets.
    pub(crate) stay: Millis,
    /// Whose reserved nodes it grows onto, if any.
    pub(crate) lender: Option<Arc<Lender>>,
    /// Tasks it has, and would have.
    from: u32,
    size: u32,
    pub(crate) added: Vec<(NodeId, TaskPlace)>,
}

/// A portion someone could use: what it saves for each GPU, who scales worse among equals, who
/// came first, and of how many tasks it is.
type Bid = (u64, Reverse<u64>, Reverse<JobId>, usize, u32);

/// Hands out idle GPUs.
pub(crate) fn grow(state: &mut State) {
    if state.elastic.may_grow.is_empty() || state.catalog.policy().elastic.stay == Millis::ZERO {
        return;
    }
    let Some(wanted) = Wanted::look(state) else { return };
    let few = next_few(state);
    let growers: Vec<Grower> = few.iter().filter_map(|&id| bidder(state, id, &wanted)).collect();
    for grower in hand_out(state, growers) {
        // Nobody waits for GPUs of its model, so what it was lent has become its own.
        loan::forget(state, grower.id);
        resize::grow(state, grower.id, &grower.added);
    }
    borrow::borrow(state, &few, &wanted);
}

/// The jobs whose turn it is to be looked at.
fn next_few(state: &mut State) -> Vec<JobId> {
    let from = state.elastic.grow_next;
    let mut few: Vec<JobId> =
        state.elastic.may_grow.range(from..).take(JOBS_MAX + 1).copied().collect();
    let next = if few.len() > JOBS_MAX { few.pop() } else { None };
    state.pass_due |= next.is_some();
    state.elastic.grow_next = next.unwrap_or(JobId(0));
    few
}

/// A job as a bidder, if there is room of its model, nobody else wants it, and more tasks would
/// be worth the resize.
fn bidder(state: &State, id: JobId, wanted: &Wanted) -> Option<Grower> {
    let grower = Grower::new(state, id)?;
    let (job, model) = (state.jobs.known(id), grower.model());
    let free = state.capacity.topology.domains[ROOT].free(model).gpus;
    let has_room = free >= u64::from(grower.range.gpus);
    let is_free_to_grow = has_room && wanted.by_others(state, job, model).is_none();
    (is_free_to_grow && grower.first_portion(job).is_some()).then_some(grower)
}

impl Grower {
    /// A placed elastic job as it is.
    pub(crate) fn new(state: &State, id: JobId) -> Option<Grower> {
        let job = state.jobs.known(id);
        let range = size::range(job)?;
        let run = job.record.run.as_ref()?;
        let demand = &state.shapes.get(job.shape).demand;
        let models = size::models(&state.capacity, run, demand);
        let policy = state.catalog.policy();
        let left = work::left(job, run, state.now, policy.estimate_default);
        let own = run.nodes.iter().take(OWN_NODES_MAX).map(|part| part.node).collect();
        let (from, size, added) = (job.size, job.size, Vec::new());
        let stay = policy.elastic.stay;
        let lender = None;
        Some(Grower { id, range, models, own, left, stay, lender, from, size, added })
    }

    /// The model its tasks are on.
    pub(crate) fn model(&self) -> ModelId {
        self.models[self.range.group]
    }

    /// Whether a size is worth the resize: what it gains over the time it probably lasts is more
    /// than the time the job stands still.
    fn is_worth(&self, job: &Job, to: u32) -> bool {
        let stay = work::time_at(job, &self.range, to, self.left).min(self.stay);
        let before = u128::from(speed::speed(job, &self.range, self.from));
        let after = u128::from(speed::speed(job, &self.range, to));
        let gained = after.saturating_sub(before) * u128::from(stay.0);
        // What is lent costs another resize when it is given back.
        let resizes = if self.lender.is_some() { 2 } else { 1 };
        gained > before * u128::from(job.record.spec.scaling.resize.0) * resizes
    }

    /// Whether the size it has come to is worth the resize.
    pub(crate) fn is_worth_it(&self, job: &Job) -> bool {
        self.size > self.from && self.is_worth(job, self.size)
    }

    /// The smallest portion that is worth a resize.
    pub(crate) fn first_portion(&self, job: &Job) -> Option<u32> {
        let most = self.range.max - self.from;
        let mut tasks = self.portion();
        while !self.is_worth(job, self.from + tasks) {
            if tasks == most {
                return None;
            }
            tasks = (tasks * 2).min(most);
        }
        Some(tasks)
    }

    /// A quarter of what it has, in whole segments and not beyond its most.
    fn portion(&self) -> u32 {
        let Range { block, max, .. } = self.range;
        (self.size / PORTION / block * block).max(block).min(max - self.size)
    }

    fn bid(&self, job: &Job, index: usize, tasks: u32) -> Bid {
        let sizes = (self.size, self.size + tasks);
        let value = shrink::saved(job, &self.range, self.left, sizes);
        let parallel = shrink::parallel(job, &self.range, sizes);
        (value, Reverse(parallel), Reverse(self.id), index, tasks)
    }

    /// The next portion, if it makes the job any faster.
    fn next_bid(&self, job: &Job, index: usize) -> Option<Bid> {
        let tasks = self.portion();
        let faster = speed::speed(job, &self.range, self.size + tasks)
            > speed::speed(job, &self.range, self.size);
        (tasks > 0 && faster).then(|| self.bid(job, index, tasks))
    }
}

/// Gives portion after portion to whoever it saves most, on trial, and makes final what is worth
/// a resize. Ends after so many portions: each bid is taken, made smaller or dropped.
pub(crate) fn hand_out(state: &mut State, mut growers: Vec<Grower>) -> Vec<Grower> {
    if growers.is_empty() {
        return growers;
    }
    let books = Books { jobs: &state.jobs, shapes: &state.shapes, catalog: &state.catalog };
    let mut transaction = Transaction::new(&mut state.capacity);
    let mut bids: BinaryHeap<Bid> = (growers.iter().enumerate())
        .filter_map(|(index, grower)| {
            let job = books.jobs.known(grower.id);
            grower.first_portion(job).map(|tasks| grower.bid(job, index, tasks))
        })
        .collect();
    for _ in 0..PORTIONS_MAX {
        let Some((value, parallel, id, index, tasks)) = bids.pop() else { break };
        let grower = &mut growers[index];
        match take(&mut transaction, books, grower, tasks) {
            Taken::Yes => bids.extend(grower.next_bid(books.jobs.known(grower.id), index)),
            Taken::TooMany(fewer) => bids.push((value, parallel, id, index, fewer)),
            Taken::Limited(_) | Taken::No => {}
        }
    }
    let keep = |grower: &Grower| grower.is_worth_it(books.jobs.known(grower.id));
    for grower in growers.iter().filter(|grower| !keep(grower)) {
        put_back(&mut transaction, books, grower);
    }
    transaction.commit();
    growers.retain(|grower| keep(grower));
    growers
}

/// What became of a portion.
pub(crate) enum Taken {
    Yes,
    /// A limit is in the way; so many may still fit.
    TooMany(u32),
    /// Even a single segment is more than a limit allows.
    Limited(QueueId),
    No,
}

/// Places and charges so many tasks more on trial, or as many of them as there is room for.
pub(crate) fn take(
    transaction: &mut Transaction<'_>,
    books: Books<'_>,
    grower: &mut Grower,
    tasks: u32,
) -> Taken {
    let job = books.jobs.known(grower.id);
    let shape = books.shapes.get(job.shape);
    let range = grower.range;
    let growing = Growing {
        shape,
        range,
        models: &grower.models,
        own: &grower.own,
        lent: grower.lender.as_ref().map(|lender| &lender.nodes),
        node_depth: books.catalog.node_depth(),
    };
    let mark = transaction.mark();
    let placed = growing.place(transaction, grower.size, tasks);
    let count = u32::try_from(placed.len()).expect("tasks are bounded by validation");
    if count == 0 {
        return Taken::No;
    }
    let model = grower.model();
    let charge = size::charge_of_tasks(&shape.demand, range.group, count, model);
    let queues = &transaction.capacity().queues;
    if let Some(blocking) = standing::blocking(queues, job.queue, job.user, &charge) {
        transaction.roll_back(mark);
        let fewer = count / 2 / range.block * range.block;
        return if fewer > 0 { Taken::TooMany(fewer) } else { Taken::Limited(blocking.queue) };
    }
    transaction.charge(job.queue, job.user, &charge);
    grower.added.extend(placed);
    grower.size += count;
    Taken::Yes
}

/// Gives back what was taken for a job that does not grow after all.
fn put_back(transaction: &mut Transaction<'_>, books: Books<'_>, grower: &Grower) {
    let job = books.jobs.known(grower.id);
    let demand = &books.shapes.get(job.shape).demand;
    let group = grower.range.group;
    for (node, task) in &grower.added {
        transaction.give_back(*node, demand.groups[group].held(task));
    }
    let tasks = grower.size - grower.from;
    let charge = size::charge_of_tasks(demand, group, tasks, grower.models[group]);
    transaction.refund(job.queue, job.user, &charge);
}
