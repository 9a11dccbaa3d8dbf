//! Who could be moved, what that costs, and the proof that all of them have a place to go to at
//! once and that the gang then fits.

use fixedbitset::FixedBitSet;
use muster_model::{JobId, Millis, Time};

use crate::explain::Cause;
use crate::pause::balance::Balance;
use crate::pause::judge::{self, Offer};
use crate::pause::price;
use crate::pause::prove::{self, Proof};
use crate::pause::search::{self, Found};
use crate::pause::seeker::{self, Seeker};
use crate::place::{self, Placed};
use crate::plan::estimate;
use crate::reason::Spared;
use crate::state::State;
use crate::state::job::Job;
use crate::transaction::Transaction;

/// At most so many jobs are moved for one: each is a risk, and a trial.
const MOVERS_MAX: usize = 32;

/// Whether a running job may be moved. Whom it is moved for does not matter, for it runs on.
pub(crate) fn judge(state: &State, seeker: &Seeker, id: JobId) -> Result<Offer, Spared> {
    judge::check_there(state, id)?;
    let job = state.jobs.known(id);
    let run = job.record.run.as_ref().ok_or(Spared::Changing)?;
    // Who is held would not start again.
    if job.record.held {
        return Err(Spared::Changing);
    }
    judge::check_rest(state, job)?;
    if let Some(until) = stays_until(state, job).filter(|until| *until > state.now) {
        return Err(Spared::Lately { until });
    }
    let price = price::to_move(state, job, seeker.within)?;
    if price.loses > state.catalog.policy().defragmentation.loss_max {
        return Err(Spared::Contract);
    }
    let left = estimate::expected_left(state, job);
    judge::check_worth(state, job, price, left)?;
    Ok(Offer {
        job: id,
        cause: Cause::Move { sooner: Millis::ZERO },
        price,
        rate: run.rate,
        weight: seeker::price(state, job.class),
        left,
        rank: None,
    })
}

/// Until when a job that was moved is not moved again.
pub(crate) fn stays_until(state: &State, job: &Job) -> Option<Time> {
    let moved = job.record.pauses.as_ref()?.moved?;
    Some(moved + state.catalog.policy().defragmentation.interval)
}

/// A set of jobs proven to make room by moving elsewhere, and worth it, without those who need
/// not move.
pub(crate) fn weigh(state: &mut State, seeker: &Seeker, offers: &[Offer]) -> Option<Found> {
    if offers.len() > MOVERS_MAX {
        return None;
    }
    let offers = &search::side_by_side(state, offers);
    let movers: Vec<JobId> = offers.iter().map(|offer| offer.job).collect();
    let Proof { placed, needed, idle } = prove::fits(state, seeker, &movers, &[])?;
    let is_needed = |offer: &&Offer| needed.contains(&offer.job);
    let mut offers: Vec<Offer> = offers.iter().filter(is_needed).copied().collect();
    let charge = &state.shapes.get(seeker.shape).demand.alternatives[placed.alternative].charge;
    let (balance, sooner) = Balance::of_moves(seeker, &offers, charge.gpus, idle * 1000);
    if offers.is_empty() || !balance.exceeds(state.catalog.policy().defragmentation.margin_ppm) {
        return None;
    }
    let moves = places(state, &placed, &needed)?;
    offers.iter_mut().for_each(|offer| offer.cause = Cause::Move { sooner });
    Some(Found { placed, asks: Vec::new(), offers, balance, moves })
}

/// Places for all of some running jobs on what is free now, elsewhere than where the gang will be;
/// with the models they have, so that their queues are charged as before.
fn places(state: &mut State, gang: &Placed, movers: &[JobId]) -> Option<Vec<(JobId, Placed)>> {
    let node_depth = state.catalog.node_depth();
    let mut avoid = FixedBitSet::with_capacity(state.capacity.nodes.len());
    avoid.extend(gang.tasks.iter().map(|(node, _)| node.index()));
    // The largest first: what they leave does for the others.
    let size = |id: &JobId| state.shapes.get(state.jobs.known(*id).shape).demand.gpus;
    let mut movers = movers.to_vec();
    movers.sort_by_key(|id| (std::cmp::Reverse(size(id)), *id));
    let mut transaction = Transaction::new(&mut state.capacity);
    let mut moves = Vec::new();
    for id in movers {
        let job = state.jobs.known(id);
        let shape = state.shapes.get(job.shape);
        let run = job.record.run.as_ref().expect("a mover runs");
        let models = transaction.capacity().models_of_run(run, shape.demand.groups.len());
        let alternative = shape.demand.alternative_of(&models)?;
        let terms = prove::terms(transaction.capacity(), shape);
        let by = (1 << alternative, node_depth, terms);
        moves.push((id, place::place_off(&mut transaction, shape, by, &avoid)?));
    }
    moves.sort_by_key(|(id, _)| *id);
    Some(moves)
}
