//! Closing ranges: a share that may be larger takes what its GPU has left, if that closes the
//! GPU. Whether a gang fits is decided before, with the least it asks for, so what is known of a
//! shape does not depend on whose turn it is.

use crate::place::Placed;
use crate::state::demand::{Charge, Demand};
use crate::transaction::Transaction;

/// Widens the shares of a gang where that leaves nothing of their GPU behind and where `allows`
/// lets the whole gang be charged so much. What would still leave something is not taken: the
/// larger the rest, the more others can do with it.
pub(crate) fn close(
    transaction: &mut Transaction<'_>,
    demand: &Demand,
    placed: &mut Placed,
    allows: impl Fn(&Transaction<'_>, &Charge) -> bool,
) {
    let models = &demand.alternatives[placed.alternative].models;
    for index in 0..placed.tasks.len() {
        let (node, task) = placed.tasks[index];
        let group = &demand.groups[usize::from(task.group)];
        let Some(need) = group.need(models[usize::from(task.group)]) else { continue };
        let Some(gpu) = task.gpus.iter().next().filter(|_| need.most > need.milli) else {
            continue;
        };
        let shared = &transaction.capacity().nodes[node].shared;
        let left = shared.iter().find(|shared| shared.gpu == gpu).map_or(0, |gpu| gpu.milli_free);
        if left == 0 || need.milli + left > need.most {
            continue;
        }
        let mut wider = task;
        wider.share = Some(need.place(need.milli + left, 0));
        placed.tasks[index].1 = wider;
        if !allows(transaction, &placed.charge(demand)) {
            placed.tasks[index].1 = task;
            continue;
        }
        transaction.give_back(node, group.held(&task));
        transaction.take(node, group.held(&wider));
        transaction.recount(node);
    }
}
