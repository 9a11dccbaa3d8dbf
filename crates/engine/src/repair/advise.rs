//! What the failures seen so far mean for a gang: how long it runs undisturbed, how often it
//! should save, how many spare nodes would see it through. Figures for people; nothing is
//! decided by them.

use muster_model::{Millis, Rung};

use crate::explain::Advice;
use crate::fixed;
use crate::state::State;
use crate::state::hazard::{self, FAILURE};
use crate::state::job::Job;

/// Before anything was seen, a node is taken to fail once in so many days, as published for
/// large clusters: 6.5 failures in a thousand days of nodes. It weighs as much as one failure.
const EXPECTED_DAYS: u64 = 154;

/// Spares run out in at most one of so many cases.
const RUNS_OUT_ONE_IN: u128 = 100;

/// The advice for a job that holds nodes; nothing for a small one that says not what a save
/// costs.
pub(crate) fn advice(state: &State, job: &Job) -> Option<Advice> {
    let run = job.record.run.as_ref()?;
    let demand = &state.shapes.get(job.shape).demand;
    let checkpoint = &job.record.spec.checkpoint.rungs;
    let save = checkpoint.iter().find(|cost| cost.rung == Rung::Checkpoint).map(|cost| cost.save);
    let is_large = state.capacity.is_large(demand);
    if save.is_none() && !is_large {
        return None;
    }
    let nodes = u64::try_from(run.nodes.len()).expect("a gang has fewer than 2^64 nodes").max(1);
    let of_one = node_mttf(state);
    let mttf = Millis(of_one.0 / nodes);
    Some(Advice {
        mttf,
        save_every: save.map(|save| save_every(save, mttf)),
        spares: is_large
            .then(|| spares(nodes, of_one, state.catalog.policy().failures.repair_time)),
    })
}

/// The mean time between failures of one node, as measured.
fn node_mttf(state: &State) -> Millis {
    let half_life = state.catalog.policy().failures.hazard_half_life;
    let hazards = &state.capacity.hazards;
    let failures = hazard::level(hazards.whole, state.now, half_life);
    let span = fixed::decayed_span(state.now.since(hazards.since).0, half_life.0);
    mean_time(span * state.capacity.nodes.len() as u128, failures)
}

/// Time of nodes by failures seen in it, with what is expected beforehand as one failure more.
fn mean_time(time: u128, failures: u64) -> Millis {
    let time = time + u128::from(Millis::days(EXPECTED_DAYS).0);
    let each = time * u128::from(FAILURE) / (u128::from(failures) + u128::from(FAILURE));
    Millis(u64::try_from(each).unwrap_or(u64::MAX))
}

/// How often to save, so that saving and work done anew together cost least: the root of twice
/// the cost of a save and the mean time between failures (Young's rule).
pub(crate) fn save_every(save: Millis, mttf: Millis) -> Millis {
    let square = 2 * u128::from(save.0) * u128::from(mttf.0);
    Millis(u64::try_from(square.isqrt()).expect("the root of a 128-bit number has 64 bits"))
}

/// The fewest spare nodes that are enough for all that break within a repair time, but for one
/// case in a hundred. Failures are taken to be independent (Poisson).
pub(crate) fn spares(nodes: u64, of_one: Millis, repair: Millis) -> u32 {
    /// Bits of fraction in the mean.
    const MEAN_BITS: u32 = 20;
    let expected = u128::from(nodes) * u128::from(repair.0);
    let mean = (expected << MEAN_BITS) / u128::from(of_one.0.max(1));
    let weights = poisson(mean, MEAN_BITS, nodes);
    let whole: u128 = weights.iter().map(|(_, weight)| weight).sum();
    let mut beyond = 0;
    // From the most failures down: the first whose omission would be too likely is needed.
    for (failures, weight) in weights.into_iter().rev() {
        beyond += weight;
        if beyond * RUNS_OUT_ONE_IN > whole {
            return u32::try_from(failures).unwrap_or(u32::MAX);
        }
    }
    0
}

/// How likely so many failures are, relative to each other, by the number of failures. Counted
/// away from the most likely number until nothing is left; never beyond `most`.
fn poisson(mean: u128, bits: u32, most: u64) -> Vec<(u64, u128)> {
    /// The most likely number weighs this much; what is smaller by it is nothing.
    const TOP: u128 = 1 << 40;
    let likely = u64::try_from(mean >> bits).unwrap_or(u64::MAX).min(most);
    let mut below = Vec::new();
    let (mut failures, mut weight) = (likely, TOP);
    while failures > 0 && weight > 0 {
        // A mean of nothing has no failures below its likely number, which is none.
        weight = weight * (u128::from(failures) << bits) / mean;
        failures -= 1;
        below.push((failures, weight));
    }
    below.reverse();
    below.push((likely, TOP));
    let (mut failures, mut weight) = (likely, TOP);
    while failures < most && weight > 0 {
        failures += 1;
        weight = weight * mean / (u128::from(failures) << bits);
        below.push((failures, weight));
    }
    below
}

#[cfg(test)]
mod tests;
