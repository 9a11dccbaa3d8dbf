//! A whole gang on one node: the tightest node, in the fullest domain that has one.

use muster_model::NodeId;

use crate::action::TaskPlace;
use crate::dense::{DomainId, ModelId};
use crate::place::fill::Filler;
use crate::place::gradient::{self, Look};
use crate::place::share::{self, Pool, Pools};
use crate::place::{Placed, Search};
use crate::snapshot::PlaceRecord;
use crate::state::domain::{Domain, slots};
use crate::state::topology::ROOT;
use crate::transaction::Transaction;

/// Places a gang on one node.
pub(crate) fn place(transaction: &mut Transaction<'_>, search: &Search<'_>) -> Option<Placed> {
    let model = *search.models.first()?;
    if search.models.iter().any(|other| *other != model) {
        return None;
    }
    let pools = pools(&transaction.capacity().topology.domains[ROOT], search, model);
    let capacity = transaction.capacity();
    if capacity.placer.is_by_gradient(search.demand.has_shares(), &capacity.mix) {
        let look = Look { search: *search, model, pools: pools.clone() };
        if let Some((_, placed)) = by_gradient(transaction, &[look]) {
            return Some(placed);
        }
    }
    for pool in pools {
        let Some((node, tasks)) = descend(transaction, search, model, ROOT, pool) else {
            continue;
        };
        return Some(Placed {
            alternative: 0,
            tasks,
            chosen: record(transaction, search, node, pool, true),
            runner_up: runner_up(transaction, search, model, node, pool),
            risk: None,
        });
    }
    None
}

/// Places a gang of one group where it leaves the least behind that is of no use, and says by which
/// of the looks. Only a few nodes are compared; where none of them will do, it is for all to be
/// looked at.
pub(crate) fn by_gradient(
    transaction: &mut Transaction<'_>,
    looks: &[Look<'_>],
) -> Option<(usize, Placed)> {
    let gradient::Choice { look, node, gpu, pool } =
        gradient::choose(transaction.capacity(), looks)?;
    let Look { search, model, .. } = &looks[look];
    let mut filler = Filler::new(transaction, search);
    filler.start_group(0);
    match gpu {
        Some(gpu) => filler.put_on(node, gpu),
        None => filler.put(node, search.demand.groups[0].tasks),
    }
    let tasks = filler.into_tasks();
    let placed = Placed {
        alternative: 0,
        tasks,
        chosen: record(transaction, search, node, pool, true),
        runner_up: runner_up(transaction, search, *model, node, pool),
        risk: None,
    };
    Some((look, placed))
}

/// The pools of nodes to look at, the tightest first.
pub(crate) fn pools(domain: &Domain, search: &Search<'_>, model: ModelId) -> Pools {
    if let [group] = search.demand.groups.as_slice()
        && let Some(need) = group.need(model)
    {
        return share::pools(domain, model, need);
    }
    let least = u32::try_from(search.demand.gpus).unwrap_or(u32::MAX);
    let free = domain.free(model);
    (least..free.span()).filter(|gpus| free.has(*gpus)).map(Pool::Whole).collect()
}

/// A node of a pool, with how many tasks more it could hold; `is_on` where the gang is on it.
fn record(
    transaction: &Transaction<'_>,
    search: &Search<'_>,
    node: NodeId,
    pool: Pool,
    is_on: bool,
) -> PlaceRecord {
    let group = &search.demand.groups[0];
    let left = match pool {
        Pool::Whole(free) if group.share.is_none() => {
            let over = u64::from(free).saturating_sub(search.demand.gpus);
            u32::try_from(over / u64::from(group.gpus.max(1))).unwrap_or(u32::MAX)
        }
        _ => {
            let room = search.capacity(&transaction.capacity().nodes[node], group, 1);
            if is_on { room } else { room.saturating_sub(group.tasks) }
        }
    };
    PlaceRecord { node, depth: search.node_depth, left }
}

/// Looks for a node of a pool below a domain, in the child with the fewest GPUs free first, so
/// that emptier domains stay whole.
fn descend(
    transaction: &mut Transaction<'_>,
    search: &Search<'_>,
    model: ModelId,
    domain: DomainId,
    pool: Pool,
) -> Option<(NodeId, Vec<(NodeId, TaskPlace)>)> {
    let topology = &transaction.capacity().topology;
    let here = &topology.domains[domain];
    if !pool.is_in(here, model) {
        return None;
    }
    if here.children.is_empty() {
        for slot in slots(&pool.members(here, model)) {
            let node = transaction.capacity().topology.domains[domain].nodes[slot];
            if let Some(tasks) = try_node(transaction, search, node) {
                return Some((node, tasks));
            }
        }
        return None;
    }
    let key = |child: &DomainId| (topology.domains[*child].free(model).gpus, *child);
    let in_pool = |child: &&DomainId| pool.is_in(&topology.domains[**child], model);
    let first = here.children.iter().filter(in_pool).map(key).min()?;
    if let Some(found) = descend(transaction, search, model, first.1, pool) {
        return Some(found);
    }
    // CPUs, memory or the constraint were in the way: look through the rest in the same order.
    let topology = &transaction.capacity().topology;
    let key = |child: &DomainId| (topology.domains[*child].free(model).gpus, *child);
    let mut rest: Vec<(u64, DomainId)> =
        topology.domains[domain].children.iter().map(key).filter(|&child| child != first).collect();
    rest.sort_unstable();
    rest.into_iter().find_map(|(_, child)| descend(transaction, search, model, child, pool))
}

/// Places all groups on a node, or none.
fn try_node(
    transaction: &mut Transaction<'_>,
    search: &Search<'_>,
    node: NodeId,
) -> Option<Vec<(NodeId, TaskPlace)>> {
    if !might_fit(transaction, search, node) {
        return None;
    }
    let mark = transaction.mark();
    let mut filler = Filler::new(transaction, search);
    for group in search.demand.placing_order() {
        filler.start_group(group);
        let tasks = search.demand.groups[group].tasks;
        if filler.capacity(node) < tasks {
            transaction.roll_back(mark);
            return None;
        }
        filler.put(node, tasks);
    }
    Some(filler.into_tasks())
}

fn might_fit(transaction: &Transaction<'_>, search: &Search<'_>, node: NodeId) -> bool {
    let node = &transaction.capacity().nodes[node];
    let groups = &search.demand.groups;
    groups.iter().all(|group| search.capacity(node, group, 1) >= group.tasks)
}

/// The next best node near the chosen one.
fn runner_up(
    transaction: &Transaction<'_>,
    search: &Search<'_>,
    model: ModelId,
    chosen: NodeId,
    pool: Pool,
) -> Option<PlaceRecord> {
    let leaf = transaction.capacity().nodes[chosen].leaf;
    let domain = &transaction.capacity().topology.domains[leaf];
    let pools = pools(domain, search, model);
    // The pool may be gone from the domain with what was taken; the rest is in order.
    let from = pools.iter().position(|other| *other >= pool).unwrap_or(pools.len());
    for &pool in &pools[from..] {
        let members = pool.members(domain, model);
        let mut others = slots(&members).map(|slot| domain.nodes[slot]);
        let found = others.find(|&node| node != chosen && might_fit(transaction, search, node));
        if let Some(node) = found {
            return Some(record(transaction, search, node, pool, false));
        }
    }
    None
}
