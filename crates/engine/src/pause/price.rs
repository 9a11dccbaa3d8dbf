//! What each rung of the ladder would cost a job now, and the cheapest that gives up its GPUs in
//! time.

use muster_model::{JobId, Millis, Rung};
use rustc_hash::FxHashMap;

use crate::dense::DomainId;
use crate::pause::{ladder, suspend};
use crate::snapshot::RunRecord;
use crate::state::State;
use crate::state::job::Job;

/// GPUs that a plan will let save, by lowest domain.
pub(crate) type Saving = FxHashMap<DomainId, u32>;

/// A way to pause a job, and what it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Price {
    pub(crate) rung: Rung,
    /// Whether the application is asked to save; otherwise its next save is waited for.
    pub(crate) asks: bool,
    /// Time until the GPUs are given up.
    pub(crate) wait: Millis,
    /// Time it costs the job: saving, restoring, and work done twice.
    pub(crate) loses: Millis,
}

/// Why there is no price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoPrice {
    Contract,
    Saving,
}

/// The cheapest way to pause a running job within a time, for one that will probably use its GPUs
/// for the time of `stay`. `is_forced` allows to end it and start it again even where its contract
/// does not.
pub(crate) fn cheapest(
    state: &State,
    job: &Job,
    (within, stay): (Millis, Millis),
    is_forced: bool,
) -> Result<Price, NoPrice> {
    let run = job.record.run.as_ref().expect("a running job is placed");
    let mut prices = prices(state, job, run);
    let may_end = job.record.spec.requeue.when_lost;
    let rungs = &job.record.spec.checkpoint.rungs;
    if is_forced && may_end && !rungs.iter().any(|cost| cost.rung == Rung::Requeue) {
        let unsaved = unsaved(state, job, run);
        let wait = state.catalog.policy().stop_grace;
        prices.push(Price { rung: Rung::Requeue, asks: false, wait, loses: unsaved });
    }
    best(state, run, prices, (within, stay))
}

/// The cheapest way to end a running job within a time so that it can go on elsewhere: what is in
/// the host memory of its nodes stays there.
pub(crate) fn to_move(state: &State, job: &Job, within: Millis) -> Result<Price, NoPrice> {
    let run = job.record.run.as_ref().expect("a running job is placed");
    let mut prices = prices(state, job, run);
    prices.retain(|price| matches!(price.rung, Rung::Checkpoint | Rung::Requeue));
    best(state, run, prices, (within, Millis::ZERO))
}

fn best(
    state: &State,
    run: &RunRecord,
    prices: Vec<Price>,
    (within, stay): (Millis, Millis),
) -> Result<Price, NoPrice> {
    let in_time = prices.into_iter().filter(|price| price.wait <= within);
    // While GPUs are waited for, those that are free already are held. Who has saved can go on
    // elsewhere; who has not is late by the time the other uses its GPUs, if there is an elsewhere.
    let nodes = state.capacity.nodes.len() as u64;
    let elsewhere = nodes.saturating_sub(run.nodes.len() as u64);
    let late = stay.0.saturating_mul(elsewhere) / nodes.max(1);
    let stuck = |rung| if rung == Rung::Checkpoint { 0 } else { late };
    let whole = |price: &Price| {
        price.loses.0.saturating_add(price.wait.0).saturating_add(stuck(price.rung))
    };
    let best = in_time.min_by_key(|price| (whole(price), price.rung));
    best.ok_or(if is_saving_full(state, run) { NoPrice::Saving } else { NoPrice::Contract })
}

/// What the rungs of a job's contract would cost it now.
fn prices(state: &State, job: &Job, run: &RunRecord) -> Vec<Price> {
    let checkpoint = &job.record.spec.checkpoint;
    let unsaved = unsaved(state, job, run);
    let busy = is_saving_full(state, run);
    let mut prices: Vec<Price> = Vec::new();
    let is_possible = |rung: Rung| !run.refused.contains(&rung);
    for cost in checkpoint.rungs.iter().filter(|cost| is_possible(cost.rung)) {
        let price = |asks, wait, loses| Price { rung: cost.rung, asks, wait, loses };
        match cost.rung {
            // A frozen job keeps its memory on the GPU, so nobody else could have it whole.
            Rung::Freeze => {}
            Rung::Suspend if suspend::has_room(state, job) => {
                prices.push(price(false, cost.save, cost.save + cost.restore));
            }
            Rung::Suspend => {}
            Rung::Checkpoint => {
                if !busy {
                    prices.push(price(true, cost.save, cost.save + cost.restore));
                }
                if let Some(wait) = next_save(state, job, run).filter(|_| !run.missed_save) {
                    prices.push(price(false, wait, cost.restore));
                }
            }
            Rung::Requeue => {
                let wait = state.catalog.policy().stop_grace;
                prices.push(price(false, wait, unsaved + cost.restore));
            }
        }
    }
    prices
}

/// Run time since a job last saved, as it told or as it says it does.
pub(crate) fn unsaved(state: &State, job: &Job, run: &RunRecord) -> Millis {
    let computed = job.computed(state.now);
    match (run.saved, job.record.spec.checkpoint.every) {
        (Some(saved), _) => computed.saturating_sub(saved),
        (None, Some(every)) => Millis(computed.0 % every.0),
        (None, None) => computed,
    }
}

/// Time until a job saves by itself, where it says how often it does.
fn next_save(state: &State, job: &Job, run: &RunRecord) -> Option<Millis> {
    let every = job.record.spec.checkpoint.every?;
    Some(every.saturating_sub(unsaved(state, job, run)))
}

/// Whether the storage that a job would save to is busy with others.
fn is_saving_full(state: &State, run: &RunRecord) -> bool {
    is_full_beside(state, run, &Saving::default())
}

fn is_full_beside(state: &State, run: &RunRecord, others: &Saving) -> bool {
    let most = state.catalog.policy().pausing.gpus_saving_max;
    run.nodes.iter().any(|part| {
        let leaf = state.capacity.nodes[part.node].leaf;
        let planned = others.get(&leaf).copied().unwrap_or(0);
        state.capacity.topology.domains[leaf].saving + planned >= most
    })
}

/// Whether a job may save as priced beside those of the same plan who are noted in `others`; notes
/// it too if so. Who is only waited for saves anyway.
pub(crate) fn may_save_beside(
    state: &State,
    job: JobId,
    price: Price,
    others: &mut Saving,
) -> bool {
    let run = state.jobs.known(job).record.run.as_ref().expect("a running job is placed");
    if price.asks && is_full_beside(state, run, others) {
        return false;
    }
    for (leaf, gpus) in ladder::saving(state, run) {
        *others.entry(leaf).or_default() += gpus;
    }
    true
}
