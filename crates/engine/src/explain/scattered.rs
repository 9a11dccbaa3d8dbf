//! GPUs that stand free in pieces while a job waits that needs them together: what fragmentation
//! costs. Who waits for another reason, such as a limit or CPUs, does not count.

use std::collections::BTreeMap;

use muster_model::{JobId, Name};

use crate::dense::{ModelId, ShapeId};
use crate::explain::Scattered;
use crate::explain::why::{line_reasons, missing_for};
use crate::pause::defragment;
use crate::reason::Reason;
use crate::state::State;
use crate::state::topology::ROOT;

/// So many of the first heads are looked at: those behind them wait for those as well.
const HEADS_MAX: usize = 16;

/// So many of them are asked what keeps them, which may take a look at every node.
const ASKED_MAX: usize = 4;

/// GPUs by model.
type Gpus = BTreeMap<ModelId, u64>;

/// The jobs that would have started if what is free were in one piece. What one of them could have
/// had is not counted for another.
pub(crate) fn scattered(state: &mut State) -> Vec<Scattered> {
    let heads = state.waiting.heads().take(HEADS_MAX).map(|(key, shape)| (key.job, shape));
    let heads: Vec<(JobId, ShapeId)> = heads.collect();
    let (mut taken, mut found, mut asked) = (Gpus::new(), Vec::new(), 0);
    for (job, shape) in heads {
        let Some((alternative, wanted)) = wanted(state, (job, shape), &taken) else { continue };
        if asked == ASKED_MAX {
            break;
        }
        asked += 1;
        if is_apart(state, (job, shape), alternative) {
            found.push(Scattered { job, gpus: named(state, &wanted) });
            wanted.into_iter().for_each(|(model, gpus)| *taken.entry(model).or_default() += gpus);
        }
    }
    found
}

/// The first alternative that a job may have and of which as much is free and not taken, and what
/// it wants of each model there.
fn wanted(state: &State, (job, shape): (JobId, ShapeId), taken: &Gpus) -> Option<(usize, Gpus)> {
    if !defragment::fits_by_count(state, job, shape) {
        return None;
    }
    let demand = &state.shapes.get(shape).demand;
    let root = &state.capacity.topology.domains[ROOT];
    let line = state.waiting.line(state.jobs.known(job).line?);
    let may = |index: usize| line.standing.allowed >> index & 1 == 1;
    let mut alternatives = demand.alternatives.iter().enumerate().filter(|(index, _)| may(*index));
    alternatives.find_map(|(index, alternative)| {
        let mut wanted = Gpus::new();
        for (group, model) in demand.groups.iter().zip(&alternative.models) {
            *wanted.entry(*model).or_default() += group.total_gpus();
        }
        let is_free = |(model, gpus): (&ModelId, &u64)| {
            gpus + taken.get(model).unwrap_or(&0) <= root.free(*model).gpus
        };
        wanted.iter().all(is_free).then_some((index, wanted))
    })
}

/// Whether a job would start if what is free of an alternative lay together: nothing else keeps it.
fn is_apart(state: &mut State, (job, shape): (JobId, ShapeId), alternative: usize) -> bool {
    let is_pieces =
        |reason: &Reason| matches!(reason, Reason::Fragments { .. } | Reason::Level { .. });
    let is_room =
        |reason: &Reason| matches!(reason, Reason::Gpus { .. } | Reason::HostResources { .. });
    // What it is told is missing may be so for another alternative.
    if !line_reasons(state, job).iter().all(|reason| is_pieces(reason) || is_room(reason)) {
        return false;
    }
    let missing = missing_for(state, state.shapes.get(shape), alternative);
    !missing.is_empty() && missing.iter().all(is_pieces)
}

fn named(state: &State, gpus: &Gpus) -> Vec<(Name, u64)> {
    let name = |(model, gpus): (&ModelId, &u64)| {
        Some((state.catalog.model_name(*model)?.clone(), *gpus)).filter(|(_, gpus)| *gpus > 0)
    };
    gpus.iter().filter_map(name).collect()
}
