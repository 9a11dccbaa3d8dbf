//! Who can give tasks back, and which: the jobs that lose least for each GPU come first. Asked
//! before anyone is paused.

use muster_model::{JobId, NodeId};

use crate::dense::ModelId;
use crate::elastic::size::{self, Range};
use crate::elastic::{speed, work};
use crate::order;
use crate::plan::loan;
use crate::state::State;
use crate::state::catalog::Catalog;
use crate::state::job::{Job, Jobs};
use crate::state::node::Held;
use crate::state::queue::{self, Queue};
use crate::state::shape::Shapes;
use crate::transaction::Transaction;

/// At most so many jobs are asked to give tasks back for one: a plan with more parts would take
/// long to come together.
pub(crate) const GIVERS_MAX: usize = 16;

/// At most so many jobs of one model are compared; beyond that the first are as good as any.
const LOOKED_AT_MAX: usize = 256;

/// What is asked for is made smaller by at most so many trials.
const TRIALS_MAX: u32 = 24;

/// A job that can give tasks back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Giver {
    pub(crate) job: JobId,
    pub(crate) range: Range,
    pub(crate) size: u32,
    /// Tasks it keeps in any case.
    pub(crate) least: u32,
    pub(crate) model: ModelId,
    /// Run time it would lose for each GPU by giving back all it can.
    pub(crate) loss: u64,
}

/// What is asked of one giver: to go down to so many tasks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask {
    pub(crate) giver: Giver,
    pub(crate) to: u32,
}

impl Giver {
    /// GPUs it can give back.
    pub(crate) fn gpus(&self) -> u64 {
        u64::from(self.size - self.least) * u64::from(self.range.gpus)
    }

    /// All it can give.
    pub(crate) fn all(self) -> Ask {
        Ask { giver: self, to: self.least }
    }

    /// The least it has to give so that nothing it can give is left on these nodes (ascending);
    /// `None` if nothing of it is there.
    pub(crate) fn clearing(self, state: &State, nodes: &[NodeId]) -> Option<Ask> {
        let run = state.jobs.known(self.job).record.run.as_ref()?;
        let tasks = size::tasks_from(run, &self.range, self.least);
        let lowest = tasks.iter().find(|(node, _)| nodes.binary_search(node).is_ok())?.1.rank;
        Some(Ask { giver: self, to: self.range.floor(lowest) })
    }
}

/// The jobs of this tier or lower ones that can give tasks of a model back to a job, cheapest
/// first. Whoever was lent GPUs that are reserved for it gives those back before, of any tier.
pub(crate) fn givers(state: &State, id: JobId, model: ModelId, tier: u16) -> Vec<Giver> {
    let of_model = (model, JobId(0))..=(model, JobId(u64::MAX));
    let listed = state.elastic.may_shrink.range(of_model).take(LOOKED_AT_MAX);
    let mut givers: Vec<Giver> = listed
        .map(|(_, id)| state.jobs.known(*id))
        .filter(|job| tier_of(state, job, model) >= tier)
        .map(|job| giver(state, job, model, fewest(job)))
        .collect();
    let lent = loan::asks(state, id).into_iter().map(|ask| ask.giver);
    let is_other = |giver: &Giver| givers.iter().all(|other| other.job != giver.job);
    let mut all: Vec<Giver> = lent.filter(|giver| giver.model == model).filter(is_other).collect();
    givers.sort_unstable_by_key(|giver| (giver.loss, giver.job));
    all.extend(givers);
    all.truncate(GIVERS_MAX);
    all
}

fn fewest(job: &Job) -> u32 {
    size::range(job).expect("only elastic jobs are listed").min
}

/// A job that can go down to so many tasks.
pub(crate) fn giver(state: &State, job: &Job, model: ModelId, least: u32) -> Giver {
    let range = size::range(job).expect("only elastic jobs are listed");
    let run = job.record.run.as_ref().expect("only running jobs are listed");
    let left = work::left(job, run, state.now, state.catalog.policy().estimate_default);
    let loss = saved(job, &range, left, (least, job.size));
    Giver { job: job.record.id, range, size: job.size, least, model, loss }
}

/// Run time that so much work takes less with the larger of two sizes, in thousandths of a
/// millisecond for each GPU more.
pub(crate) fn saved(
    job: &Job,
    range: &Range,
    left: muster_model::Millis,
    (small, large): (u32, u32),
) -> u64 {
    let slow = work::time_at(job, range, small, left).0;
    let fast = work::time_at(job, range, large, left).0;
    let gpus = u128::from(large - small) * u128::from(range.gpus);
    let each = u128::from(slow.saturating_sub(fast)) * 1000 / gpus.max(1);
    u64::try_from(each).unwrap_or(u64::MAX)
}

/// How well a job scales between two sizes, in thousandths.
pub(crate) fn parallel(job: &Job, range: &Range, (small, large): (u32, u32)) -> u64 {
    let ratio = u128::from(speed::speed(job, range, large)) * 1000;
    let ratio = ratio / u128::from(speed::speed(job, range, small));
    u64::try_from(ratio).unwrap_or(u64::MAX)
}

/// The tier of what a job has beyond its fewest tasks: within its queue's guarantee only as long
/// as all that the queue uses is.
fn tier_of(state: &State, job: &Job, model: ModelId) -> u16 {
    let class = &state.catalog.spec.classes[usize::from(job.class.0)];
    let guaranteed = class.guaranteed
        && queue::path(&state.capacity.queues, job.queue)
            .any(|(_, queue)| is_within_guarantee(queue, model));
    order::tier(guaranteed, state.catalog.class_rank(job.class))
}

fn is_within_guarantee(queue: &Queue, model: ModelId) -> bool {
    match queue.guarantee.gpus {
        Some(gpus) => queue.used.gpus <= gpus,
        None => (queue.guarantee.models.iter())
            .any(|&(named, gpus)| named == model && queue.used.of(model) <= gpus),
    }
}

/// Asks each for as little as does, the dearest first, as far as trials go; `fits` with all of it.
pub(crate) fn spare(asks: &mut Vec<Ask>, mut fits: impl FnMut(&[Ask]) -> bool) {
    let mut trials = TRIALS_MAX;
    for at in (0..asks.len()).rev() {
        let Giver { range, size, .. } = asks[at].giver;
        // With `enough` it fits; with `too_many` tasks left to the giver it does not.
        let (mut enough, mut too_many) = (asks[at].to, size + range.block);
        while trials > 0 && too_many - enough > range.block {
            trials -= 1;
            // The first guess is that nothing is needed of this one.
            let middle = if too_many > size { size } else { range.floor((enough + too_many) / 2) };
            asks[at].to = middle;
            if fits(asks) {
                enough = middle;
            } else {
                too_many = middle;
            }
        }
        asks[at].to = enough;
    }
    asks.retain(|ask| ask.to < ask.giver.size);
}

/// What a trial looks at beside the capacity it changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Books<'a> {
    pub(crate) jobs: &'a Jobs,
    pub(crate) shapes: &'a Shapes,
    pub(crate) catalog: &'a Catalog,
}

/// What the tasks hold that a job is asked for.
pub(crate) fn holdings(books: Books<'_>, ask: &Ask) -> Vec<(NodeId, Held)> {
    let Ask { giver: Giver { job, range, .. }, to } = *ask;
    let job = books.jobs.known(job);
    let group = &books.shapes.get(job.shape).demand.groups[range.group];
    let run = job.record.run.as_ref().expect("only running jobs give tasks back");
    let tasks = size::tasks_from(run, &range, to);
    tasks.into_iter().map(|(node, task)| (node, group.held(&task))).collect()
}

/// Gives back on trial what is asked.
pub(crate) fn give(transaction: &mut Transaction<'_>, books: Books<'_>, ask: &Ask) {
    for (node, held) in holdings(books, ask) {
        transaction.give_back(node, held);
    }
    let Ask { giver: Giver { job, range, size, model, .. }, to } = *ask;
    let job = books.jobs.known(job);
    let demand = &books.shapes.get(job.shape).demand;
    let charge = size::charge_of_tasks(demand, range.group, size - to, model);
    transaction.refund(job.queue, job.user, &charge);
}
