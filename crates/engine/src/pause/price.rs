//! What each rung of the ladder would cost a job now, and the cheapest that gives up its GPUs in
//! time.

use muster_model::{Millis, Rung};

use crate::pause::suspend;
use crate::snapshot::RunRecord;
use crate::state::State;
use crate::state::job::Job;

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

/// The cheapest way to pause a running job within a time. `is_forced` allows to end it and start
/// it again even where its contract does not.
pub(crate) fn cheapest(
    state: &State,
    job: &Job,
    within: Millis,
    is_forced: bool,
) -> Result<Price, NoPrice> {
    let checkpoint = &job.record.spec.checkpoint;
    let run = job.record.run.as_ref().expect("a running job is placed");
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
                if let Some(wait) = next_save(state, job, run) {
                    prices.push(price(false, wait, cost.restore));
                }
            }
            Rung::Requeue => {
                let wait = state.catalog.policy().stop_grace;
                prices.push(price(false, wait, unsaved + cost.restore));
            }
        }
    }
    let may_end = job.record.spec.requeue.when_lost;
    if is_forced && may_end && !checkpoint.rungs.iter().any(|cost| cost.rung == Rung::Requeue) {
        let wait = state.catalog.policy().stop_grace;
        prices.push(Price { rung: Rung::Requeue, asks: false, wait, loses: unsaved });
    }
    let in_time = prices.into_iter().filter(|price| price.wait <= within);
    let best = in_time.min_by_key(|price| (price.loses, price.wait, price.rung));
    best.ok_or(if busy { NoPrice::Saving } else { NoPrice::Contract })
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
    let most = u64::from(state.catalog.policy().pausing.gpus_saving_max);
    run.nodes.iter().any(|part| {
        let leaf = state.capacity.nodes[part.node].leaf;
        u64::from(state.capacity.topology.domains[leaf].saving) >= most
    })
}
