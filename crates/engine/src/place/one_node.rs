//! A whole gang on one node: the tightest node, in the fullest domain that has one.

use muster_model::NodeId;

use crate::action::TaskPlace;
use crate::dense::{DomainId, ModelId};
use crate::place::fill::Filler;
use crate::place::{Placed, Search};
use crate::snapshot::PlaceRecord;
use crate::state::domain::slots;
use crate::state::topology::ROOT;
use crate::transaction::Transaction;

/// Places a gang on one node.
pub(crate) fn place(transaction: &mut Transaction<'_>, search: &Search<'_>) -> Option<Placed> {
    let model = *search.models.first()?;
    if search.models.iter().any(|other| *other != model) {
        return None;
    }
    let least = u32::try_from(search.demand.gpus).ok()?;
    let span = transaction.capacity().topology.domains[ROOT].free(model).span();
    for free in least..span {
        let Some((node, tasks)) = descend(transaction, search, model, ROOT, free) else {
            continue;
        };
        return Some(Placed {
            alternative: 0,
            tasks,
            chosen: record(search, node, free),
            runner_up: runner_up(transaction, search, model, node, free),
            risk: None,
        });
    }
    None
}

fn record(search: &Search<'_>, node: NodeId, free: u32) -> PlaceRecord {
    let each = search.demand.groups[0].gpus.max(1);
    let over = u64::from(free).saturating_sub(search.demand.gpus);
    let left = u32::try_from(over / u64::from(each)).unwrap_or(u32::MAX);
    PlaceRecord { node, depth: search.node_depth, left }
}

/// Looks for a node with exactly `free` GPUs free below a domain, in the child with the fewest
/// GPUs free first, so that emptier domains stay whole.
fn descend(
    transaction: &mut Transaction<'_>,
    search: &Search<'_>,
    model: ModelId,
    domain: DomainId,
    free: u32,
) -> Option<(NodeId, Vec<(NodeId, TaskPlace)>)> {
    let topology = &transaction.capacity().topology;
    let here = &topology.domains[domain];
    if !here.free(model).has(free) {
        return None;
    }
    if here.children.is_empty() {
        for slot in slots(&here.free(model).members(free)) {
            let node = transaction.capacity().topology.domains[domain].nodes[slot];
            if let Some(tasks) = try_node(transaction, search, node) {
                return Some((node, tasks));
            }
        }
        return None;
    }
    let key = |child: &DomainId| (topology.domains[*child].free(model).gpus, *child);
    let with_free = |child: &&DomainId| topology.domains[**child].free(model).has(free);
    let first = here.children.iter().filter(with_free).map(key).min()?;
    if let Some(found) = descend(transaction, search, model, first.1, free) {
        return Some(found);
    }
    // CPUs, memory or the constraint were in the way: look through the rest in the same order.
    let topology = &transaction.capacity().topology;
    let key = |child: &DomainId| (topology.domains[*child].free(model).gpus, *child);
    let mut rest: Vec<(u64, DomainId)> =
        topology.domains[domain].children.iter().map(key).filter(|&child| child != first).collect();
    rest.sort_unstable();
    rest.into_iter().find_map(|(_, child)| descend(transaction, search, model, child, free))
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
    free: u32,
) -> Option<PlaceRecord> {
    let leaf = transaction.capacity().nodes[chosen].leaf;
    let domain = &transaction.capacity().topology.domains[leaf];
    for free in free..domain.free(model).span() {
        let members = domain.free(model).members(free);
        let mut others = slots(&members).map(|slot| domain.nodes[slot]);
        let found = others.find(|&node| node != chosen && might_fit(transaction, search, node));
        if let Some(node) = found {
            return Some(record(search, node, free));
        }
    }
    None
}
