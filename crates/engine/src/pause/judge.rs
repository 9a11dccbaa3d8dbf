//! Who may be asked to give way to a seeker, and who is spared and why.

use muster_model::{JobId, Millis, Rung};

use crate::action::JobState;
use crate::dense::{Dense, QueueId};
use crate::elastic::size;
use crate::explain::Cause;
use crate::fairness::limits;
use crate::fixed;
use crate::pause::exposure;
use crate::pause::price::{self, NoPrice, Price};
use crate::pause::seeker::{self, Seeker};
use crate::plan::estimate;
use crate::reason::Spared;
use crate::snapshot::{NodeRun, RunRecord, Sight};
use crate::state::State;
use crate::state::demand::Charge;
use crate::state::job::Job;
use crate::state::queue::{self, Queue};

/// A job that may be asked, and what that would cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offer {
    pub(crate) job: JobId,
    pub(crate) cause: Cause,
    pub(crate) price: Price,
    /// Milli-GPUs it uses.
    pub(crate) rate: u64,
    /// The weight of its class.
    pub(crate) weight: u64,
    /// What it has left to run, by its median.
    pub(crate) left: Millis,
    /// Its class and rank, where the last in the order give way first whatever that costs.
    pub(crate) rank: Option<(u8, i64)>,
}

impl Offer {
    /// What the pause itself costs, in GPU-milliseconds.
    pub(crate) fn cost(&self) -> u64 {
        gpu_millis(self.rate, self.price.loses)
    }

    /// When it is its turn to give way, the smallest first, if so many of its GPUs are of use.
    pub(crate) fn turn(&self, useful: u64) -> u128 {
        /// Numbers of jobs are told apart up to here: there will never be more.
        const JOB_BITS: u32 = 56;
        if self.cause == Cause::Idle {
            return 0;
        }
        let Some((class_rank, rank)) = self.rank else {
            return u128::from(self.cost()) * 64 / u128::from(useful);
        };
        let class = u128::from(u8::MAX - class_rank);
        let rank = u128::from(i64::MAX.abs_diff(rank));
        let job = ((1 << JOB_BITS) - 1u64).saturating_sub(self.job.0);
        class << (64 + JOB_BITS) | rank << JOB_BITS | u128::from(job)
    }
}

impl From<NoPrice> for Spared {
    fn from(why: NoPrice) -> Spared {
        match why {
            NoPrice::Contract => Spared::Contract,
            NoPrice::Saving => Spared::Saving,
        }
    }
}

/// GPU-milliseconds of so many milli-GPUs over a span.
pub(crate) fn gpu_millis(rate: u64, span: Millis) -> u64 {
    u64::try_from(u128::from(rate) * u128::from(span.0) / 1000).unwrap_or(u64::MAX)
}

/// Whether a running job may be asked to give way.
pub(crate) fn judge(state: &State, seeker: &Seeker, id: JobId) -> Result<Offer, Spared> {
    check_there(state, id)?;
    let job = state.jobs.known(id);
    let run = job.record.run.as_ref().ok_or(Spared::Changing)?;
    let cause = right(state, seeker, job)?;
    // Nobody loses work so that another of its class has a turn.
    let is_filler = cause != Cause::Floor && exposure::is_filler(state, job);
    let is_forced = cause == Cause::Guarantee || is_filler;
    // Who computes nothing loses nothing by waiting, and needs no rest.
    let is_free = is_forced || cause == Cause::Idle;
    if !is_free {
        check_rest(state, job)?;
    }
    let price = price::cheapest(state, job, (seeker.within, seeker.length), is_forced)?;
    let left = estimate::expected_left(state, job);
    if !is_free {
        check_worth(state, job, price, left)?;
    }
    let class_rank = state.catalog.class_rank(job.class);
    let offer = Offer {
        job: id,
        cause,
        price,
        rate: run.rate,
        weight: if cause == Cause::Idle { 0 } else { seeker::price(state, job.class) },
        left,
        rank: (!seeker.weighs).then(|| (class_rank, exposure::rank(state, job))),
    };
    if cause == Cause::Rank && !seeker.is_late {
        check_rank(state, seeker, job, &offer)?;
    }
    check_in_sight(state, run)?;
    Ok(offer)
}

/// Whether a job can be seen on all its nodes: what is out of sight cannot be asked, and is not
/// taken for dead. Asked last, since a gang has many.
pub(crate) fn check_in_sight(state: &State, run: &RunRecord) -> Result<(), Spared> {
    let in_sight = |part: &NodeRun| state.capacity.nodes[part.node].sight == Sight::Seen;
    if run.nodes.iter().all(in_sight) { Ok(()) } else { Err(Spared::Changing) }
}

/// Whether a job runs and is asked nothing else.
pub(crate) fn check_there(state: &State, id: JobId) -> Result<(), Spared> {
    let job = state.jobs.known(id);
    let run = job.record.run.as_ref().ok_or(Spared::Changing)?;
    if job.record.state != JobState::Running
        || state.plans.victims.contains_key(&id)
        || size::under_way(job).is_some()
    {
        return Err(Spared::Changing);
    }
    if run.floor_until.is_some() {
        return Err(Spared::Floor);
    }
    Ok(())
}

/// By which right the seeker may take from a job. What a queue is guaranteed is taken by nobody
/// but its own, unless its own rule lends what is idle.
fn right(state: &State, seeker: &Seeker, job: &Job) -> Result<Cause, Spared> {
    if exposure::is_lent(job) {
        return Ok(Cause::Idle);
    }
    if is_covered(state, &state.capacity.queues, seeker, job) {
        return Err(Spared::Guaranteed);
    }
    if seeker.guaranteed && may_reclaim(state, seeker, job) {
        return Ok(Cause::Guarantee);
    }
    match state.catalog.class_rank(job.class).cmp(&seeker.class_rank) {
        std::cmp::Ordering::Greater => Ok(Cause::Class),
        std::cmp::Ordering::Equal if seeker.starves => Ok(Cause::Floor),
        std::cmp::Ordering::Equal => Ok(Cause::Rank),
        std::cmp::Ordering::Less => Err(Spared::Rank),
    }
}

/// Whether a queue that guarantees the seeker its room is none of the job's: what is guaranteed
/// to both of them is no right of the one against the other.
fn may_reclaim(state: &State, seeker: &Seeker, job: &Job) -> bool {
    let queues = &state.capacity.queues;
    let demand = &state.shapes.get(seeker.shape).demand;
    let first = seeker.allowed.trailing_zeros() as usize;
    let Some(alternative) = demand.alternatives.get(first) else { return false };
    queue::path(queues, seeker.queue).any(|(id, queue)| {
        !queue::path(queues, job.queue).any(|(other, _)| other == id)
            && limits::is_guaranteed(&queue.guarantee, &queue.used, &alternative.charge)
    })
}

/// Whether what a job uses, or part of it, is guaranteed to a queue on its path that is not the
/// seeker's as well.
pub(crate) fn is_covered(
    state: &State,
    queues: &Dense<QueueId, Queue>,
    seeker: &Seeker,
    job: &Job,
) -> bool {
    if !state.catalog.class_spec(job.class).guaranteed || exposure::is_lent(job) {
        return false;
    }
    let run = job.record.run.as_ref().expect("a running job is placed");
    let charge = state.capacity.charge_of(run, &state.shapes.get(job.shape).demand);
    let is_shared = |id| queue::path(queues, seeker.queue).any(|(other, _)| other == id);
    queue::path(queues, job.queue).any(|(id, queue)| !is_shared(id) && reaches_into(queue, &charge))
}

/// Whether a queue without a charge would use less than it is guaranteed.
fn reaches_into(queue: &Queue, charge: &Charge) -> bool {
    let guarantee = &queue.guarantee;
    let below = |guaranteed: u64, used: u64, charged: u64| {
        charged > 0 && used - charged.min(used) < guaranteed
    };
    guarantee.gpus.is_some_and(|gpus| below(gpus, queue.used.gpus, charge.gpus))
        || guarantee.models.iter().any(|&(model, gpus)| {
            let charged = charge.models.iter().find(|(charged, _)| *charged == model);
            charged.is_some_and(|&(_, charged)| below(gpus, queue.used.of(model), charged))
        })
}

pub(crate) fn check_rest(state: &State, job: &Job) -> Result<(), Spared> {
    if job.record.spec.checkpoint.rungs.is_empty() {
        return Err(Spared::Contract);
    }
    let lately = job.record.pauses.as_ref().map(|pauses| pauses.spared_until);
    let until = exposure::spared_until(state, job);
    if until > state.now {
        return Err(match lately == Some(until) {
            true => Spared::Lately { until },
            false => Spared::JustStarted { until },
        });
    }
    Ok(())
}

/// A job that is done before it has paid for being paused, or that would lose too much, goes on,
/// where pauses are weighed.
pub(crate) fn check_worth(
    state: &State,
    job: &Job,
    price: Price,
    left: Millis,
) -> Result<(), Spared> {
    if !exposure::weighs(state) {
        return Ok(());
    }
    if left <= price.loses {
        let attained = job.attained(state.now).0;
        let done = u128::from(attained) * 1_000_000 / u128::from(attained + left.0).max(1);
        let done_ppm = u32::try_from(done).unwrap_or(1_000_000);
        return Err(Spared::NearEnd { done_ppm, left });
    }
    let run = job.record.run.as_ref().expect("a running job is placed");
    let lost = price::unsaved(state, job, run);
    if price.rung == Rung::Requeue && lost > state.catalog.policy().pausing.interval {
        return Err(Spared::Unsaved { lost });
    }
    Ok(())
}

/// Far enough behind; where pauses are weighed, `R_v >= 2 (R_j + cost)`, in logarithms.
fn check_rank(state: &State, seeker: &Seeker, job: &Job, offer: &Offer) -> Result<(), Spared> {
    let pauses = exposure::pauses(state).ok_or(Spared::Rank)?;
    let rank = match pauses.weighs {
        true => fixed::log2(fixed::exp2(seeker.rank) + u128::from(offer.cost())),
        false => seeker.rank,
    };
    let needed = rank.saturating_add(pauses.hysteresis);
    if exposure::rank(state, job) < needed { Err(Spared::Rank) } else { Ok(()) }
}
