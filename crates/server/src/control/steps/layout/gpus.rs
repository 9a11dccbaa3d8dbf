//! Which GPUs a step has on a node, and which of them each task sees.

use muster_api::step::{GpuBinding, StepRequest};
use muster_model::{GpuSet, Invalid};

use super::Room;

/// What no other step has.
pub(super) fn free(room: &Room) -> GpuSet {
    room.gpus.minus(room.used.gpus)
}

/// The GPUs of a part with so many tasks, and those that others may not have beside it. A step that
/// asks for none in particular sees all the job has there, and keeps none of them.
pub(super) fn of_part(
    request: &StepRequest,
    room: &Room,
    tasks: u32,
    (index, nodes): (u32, u32),
) -> Result<(GpuSet, GpuSet), Invalid> {
    let size = &request.size;
    let dealt = |all: u32| all / nodes + u32::from(index < all % nodes);
    let asked = match (size.gpus_per_task, size.gpus_per_node, size.gpus) {
        (Some(each), _, _) => ("gpus-per-task", each.saturating_mul(tasks)),
        (None, Some(here), _) => ("gpus-per-node", here),
        (None, None, Some(all)) => ("gpus", dealt(all)),
        (None, None, None) => return Ok((room.gpus, GpuSet::EMPTY)),
    };
    let (field, count) = asked;
    let free = free(room);
    if count > free.count() {
        let allowed = format!("expected at most {} on node {}", free.count(), room.name);
        return Err(Invalid::new(field, count.to_string(), allowed));
    }
    let gpus = free.lowest(count);
    Ok((gpus, gpus))
}

/// The GPUs that a task sees of those its step has on the node.
pub(super) fn of_task(binding: &GpuBinding, gpus: GpuSet, local_rank: u32) -> GpuSet {
    let all: Vec<u32> = gpus.iter().collect();
    let at = |index: u32| {
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        all.get(index % all.len()).map_or(GpuSet::EMPTY, |gpu| GpuSet::one(*gpu))
    };
    if all.is_empty() {
        return GpuSet::EMPTY;
    }
    match binding {
        GpuBinding::All => gpus,
        GpuBinding::PerTask(own) => {
            let first = local_rank.saturating_mul(*own);
            (0..*own).map(|index| at(first.saturating_add(index))).fold(GpuSet::EMPTY, GpuSet::or)
        }
        GpuBinding::Single(tasks) => at(local_rank / (*tasks).max(1)),
        GpuBinding::Map(list) => {
            let index = usize::try_from(local_rank).unwrap_or(usize::MAX) % list.len().max(1);
            list.get(index).map_or(gpus, |index| at(*index))
        }
    }
}
