//! The place of a suspended job: its own, and no other.

use crate::place::Placed;
use crate::snapshot::PlaceRecord;
use crate::state::demand::Demand;
use crate::state::shape::Pin;
use crate::transaction::Transaction;

/// Takes the place again if all of it is free.
pub(crate) fn place(
    transaction: &mut Transaction<'_>,
    demand: &Demand,
    pin: &Pin,
) -> Option<Placed> {
    let mark = transaction.mark();
    for (id, task) in pin {
        let held = demand.groups[usize::from(task.group)].held(task);
        let node = &transaction.capacity().nodes[*id];
        let is_free = node.counted.is_some()
            && node.usable().contains(held.gpus)
            && node.cpus_free >= held.cpus
            && node.memory_free >= held.memory
            && !(held.exclusive && node.tasks > 0);
        if !is_free {
            transaction.roll_back(mark);
            return None;
        }
        transaction.take(*id, held);
    }
    for (id, _) in pin {
        transaction.recount(*id);
    }
    let (first, _) = pin.first()?;
    let chosen = PlaceRecord { node: *first, depth: 0, left: 0 };
    Some(Placed { alternative: 0, tasks: pin.clone(), chosen, runner_up: None, risk: None })
}
