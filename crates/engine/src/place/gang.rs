//! A whole gang: from the narrowest level that will do to the widest that is allowed.

use muster_model::NodeId;

use crate::action::TaskPlace;
use crate::dense::DomainId;
use crate::place::domains::{self, Candidate};
use crate::place::fill::Filler;
use crate::place::{Placed, Search, one_node};
use crate::snapshot::PlaceRecord;
use crate::transaction::Transaction;

/// Places a gang inside one domain, the narrowest level first.
pub(crate) fn place(transaction: &mut Transaction<'_>, search: &Search<'_>) -> Option<Placed> {
    let demand = search.demand;
    let widest = demand.require;
    // Spreading asks for many nodes, so there is nothing to gain from a narrow domain.
    let narrowest = if demand.spread { widest } else { demand.prefer };
    for depth in (widest..=narrowest).rev() {
        let placed = if depth == search.node_depth {
            one_node::place(transaction, search)
        } else {
            within(transaction, search, depth)
        };
        if placed.is_some() {
            return placed;
        }
    }
    None
}

/// Places a gang inside the best-fitting domain of a depth.
fn within(transaction: &mut Transaction<'_>, search: &Search<'_>, depth: u8) -> Option<Placed> {
    let topology = &transaction.capacity().topology;
    let mut candidates = domains::candidates(topology, search, depth);
    let mut best = take_best(&mut candidates)?;
    loop {
        let next = take_best(&mut candidates);
        let fits = domains::fits_each(transaction.capacity(), search, best.domain);
        let tasks = if fits { inside(transaction, search, best.domain) } else { None };
        if let Some(tasks) = tasks {
            let record = |candidate: Candidate| PlaceRecord {
                node: domains::some_node(&transaction.capacity().topology, candidate.domain),
                depth,
                left: u32::try_from(candidate.left).unwrap_or(u32::MAX),
            };
            return Some(Placed {
                alternative: 0,
                tasks,
                chosen: record(best),
                runner_up: next.map(record),
                risk: None,
            });
        }
        best = next?;
    }
}

/// Takes the tightest candidate out: the least room left over, then the fewest GPUs free.
fn take_best(candidates: &mut Vec<Candidate>) -> Option<Candidate> {
    let best = (candidates.iter().enumerate())
        .min_by_key(|(_, candidate)| **candidate)
        .map(|(index, _)| index)?;
    Some(candidates.swap_remove(best))
}

/// Places all groups inside one domain, or none, in the first order that works out.
fn inside(
    transaction: &mut Transaction<'_>,
    search: &Search<'_>,
    domain: DomainId,
) -> Option<Vec<(NodeId, TaskPlace)>> {
    let orders = search.demand.placing_orders();
    orders.iter().find_map(|order| in_order(transaction, search, domain, order))
}

/// Places the groups one after the other, all of them or none.
fn in_order(
    transaction: &mut Transaction<'_>,
    search: &Search<'_>,
    domain: DomainId,
    order: &[usize],
) -> Option<Vec<(NodeId, TaskPlace)>> {
    let mark = transaction.mark();
    let mut filler = Filler::new(transaction, search);
    for &group in order {
        filler.start_group(group);
        let wanted = search.demand.groups[group].tasks;
        if filler.fill(domain, wanted) < wanted {
            transaction.roll_back(mark);
            return None;
        }
    }
    Some(filler.into_tasks())
}
