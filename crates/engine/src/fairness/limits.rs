//! What a quota lets in: checks of a charge against limits and guarantees.

use crate::state::catalog::DenseQuota;
use crate::state::demand::Charge;
use crate::state::queue::Used;

/// Where a limit would be exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exceeded {
    pub(crate) what: What,
    pub(crate) limit: u64,
    pub(crate) used: u64,
    pub(crate) wanted: u64,
}

/// What a quota counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Gpus,
    GpusOf(crate::dense::ModelId),
    Cpus,
    Memory,
}

/// The first part of a limit that a charge on top of what is used would exceed.
pub(crate) fn exceeded(limit: &DenseQuota, used: &Used, charge: &Charge) -> Option<Exceeded> {
    let over = |what, limit: Option<u64>, used: u64, wanted: u64| {
        // What asks for nothing more exceeds nothing, even where a limit was lowered below use.
        let limit = limit?;
        (wanted > 0 && used + wanted > limit).then_some(Exceeded { what, limit, used, wanted })
    };
    over(What::Gpus, limit.gpus, used.gpus, charge.gpus)
        .or_else(|| {
            limit.models.iter().find_map(|&(model, limit)| {
                let wanted = charge.models.iter().find(|(charged, _)| *charged == model)?.1;
                over(What::GpusOf(model), Some(limit), used.of(model), wanted)
            })
        })
        .or_else(|| over(What::Cpus, limit.cpus, used.cpus, charge.cpus))
        .or_else(|| over(What::Memory, limit.memory, used.memory, charge.memory))
}

/// Whether a charge on top of what is used stays inside a guarantee.
///
/// What a guarantee does not name is not guaranteed: one by model covers only its models, one of
/// GPUs covers no work without GPUs.
pub(crate) fn is_guaranteed(guarantee: &DenseQuota, used: &Used, charge: &Charge) -> bool {
    let names_gpus = guarantee.gpus.is_some() || !guarantee.models.is_empty();
    let names_host = guarantee.cpus.is_some() || guarantee.memory.is_some();
    let is_named = if charge.gpus > 0 { names_gpus } else { names_host };
    if !is_named {
        return false;
    }
    let covered = |&(model, _): &(crate::dense::ModelId, u64)| {
        guarantee.gpus.is_some() || guarantee.models.iter().any(|(named, _)| *named == model)
    };
    charge.models.iter().all(covered) && exceeded(guarantee, used, charge).is_none()
}
