//! Where a gang could go soonest if everything on its nodes ran to its limit: the nodes a
//! claim holds.

mod block;
mod plain;

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use muster_model::{NodeId, Time};
use smallvec::{SmallVec, smallvec};

use crate::action::TaskPlace;
use crate::dense::{DomainId, ModelId};
use crate::state::booking::Terms;
use crate::state::capacity::Capacity;
use crate::state::demand::{Demand, GroupDemand};
use crate::state::node::Node;
use crate::state::shape::{Pin, Shape};
use crate::state::topology::ROOT;
use block::{Block, join_blocks};

/// Nodes that will hold a gang, and when they will have drained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Drain {
    pub(crate) ready: Time,
    pub(crate) nodes: Vec<NodeId>,
}

/// Until when nodes are waited for, and which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    /// Until everything on them has ended at the latest; those the floor holds for others are
    /// left out, those reserved for gangs that do not starve are not.
    Limit,
    /// Until everything on them has probably ended; those held for anyone are left out.
    Expected,
    /// As with `Limit`, and those held for others too: is it only a matter of their going?
    Held,
    /// For ever, and all of them: would it fit?
    Ever,
    /// For ever, those that no booking takes from it before a time: is it sure to fit?
    Before(Time),
}

/// The soonest drain for a shape by one of its alternatives (as bits).
pub(crate) fn soonest(
    capacity: &Capacity,
    shape: &Shape,
    alternatives: u64,
    node_depth: u8,
    until: Until,
) -> Option<Drain> {
    let look = Look::new(capacity, shape, node_depth, until);
    let found = look.soonest(alternatives);
    match found {
        Some(drain) if look.is_in_time(&drain) => Some(drain),
        // Nodes that are booked may be in time each for itself and not together.
        Some(_) => Look { only_unbooked: true, ..look }.soonest(alternatives),
        None => None,
    }
}

/// Tasks that all nodes together could not hold even if nothing ran, by the best of the
/// alternatives (as bits).
pub(crate) fn missing(
    capacity: &Capacity,
    shape: &Shape,
    alternatives: u64,
    node_depth: u8,
) -> u32 {
    let look = Look::new(capacity, shape, node_depth, Until::Ever);
    if let Some(pin) = &shape.pin {
        return if look.own(pin).is_some() { 0 } else { shape.demand.tasks() };
    }
    if look.surely_fits(alternatives) {
        return 0;
    }
    look.best(alternatives).map_or(shape.demand.tasks(), |found| found.missing)
}

/// A look for nodes to drain.
struct Look<'a> {
    capacity: &'a Capacity,
    demand: &'a Demand,
    eligible: Option<&'a FixedBitSet>,
    node_depth: u8,
    /// The orders in which groups are placed, the usual one first.
    orders: Vec<SmallVec<[usize; 1]>>,
    until: Until,
    pin: Option<&'a Pin>,
    terms: Terms,
    /// Nodes are left out that are booked before a job would be gone that starts when any node will
    /// have drained.
    only_unbooked: bool,
}

/// The best that was found, and the tasks for which there is no room even there.
struct Found {
    missing: u32,
    drain: Drain,
}

/// Nodes that groups placed before have a part of, as they will be with those on them.
type Shared = BTreeMap<NodeId, Node>;

impl<'a> Look<'a> {
    fn new(capacity: &'a Capacity, shape: &'a Shape, node_depth: u8, until: Until) -> Look<'a> {
        let (demand, orders) = (&shape.demand, shape.demand.placing_orders());
        let eligible = shape.eligible.last().map(|(_, set)| set);
        let (pin, terms, only_unbooked) = (shape.pin.as_ref(), capacity.terms(shape), false);
        Look { capacity, demand, eligible, node_depth, orders, until, pin, terms, only_unbooked }
    }

    fn soonest(&self, alternatives: u64) -> Option<Drain> {
        if let Some(pin) = self.pin {
            return self.own(pin);
        }
        self.best(alternatives).filter(|found| found.missing == 0).map(|found| found.drain)
    }

    /// Whether no booking takes the nodes of a drain from a job that starts when all are ready.
    fn is_in_time(&self, drain: &Drain) -> bool {
        let mut nodes = drain.nodes.iter().map(|&node| &self.capacity.nodes[node]);
        let terms = match self.until {
            Until::Ever | Until::Before(_) => return true,
            Until::Limit | Until::Held | Until::Expected => {
                self.terms.put_off(drain.ready.since(self.capacity.now))
            }
        };
        nodes.all(|node| terms.are_met(&node.spans))
    }

    /// The own place of a suspended job.
    fn own(&self, pin: &Pin) -> Option<Drain> {
        let mut ready = self.capacity.now;
        let mut nodes = Vec::new();
        for (id, task) in pin {
            let node = &self.capacity.nodes[*id];
            if !self.counts(node) || !node.unhealthy.and(task.gpus).is_empty() {
                return None;
            }
            ready = ready.max(self.ready(node));
            nodes.push(*id);
        }
        nodes.sort_unstable();
        nodes.dedup();
        Some(Drain { ready, nodes })
    }

    /// Whether a plain gang of one group fits the first large enough domain if that is empty:
    /// most of the time all that has to be known, and cheap to find out.
    fn surely_fits(&self, alternatives: u64) -> bool {
        let [group] = self.demand.groups.as_slice() else { return false };
        if self.demand.segment.is_some() || self.demand.one_node {
            return false;
        }
        let choices = self.demand.alternatives.iter().enumerate();
        let mut models = choices
            .filter(|(index, _)| alternatives >> index & 1 == 1)
            .map(|(_, alternative)| alternative.models[0]);
        let places = self.capacity.topology.domains_at(ROOT, self.demand.require);
        models.any(|model| places.iter().any(|&id| self.holds_if_empty(id, model, group)))
    }

    fn holds_if_empty(&self, domain: DomainId, model: ModelId, group: &GroupDemand) -> bool {
        let mut rest = group.tasks;
        self.matching_below(domain, model).any(|node| {
            rest = rest.saturating_sub(node.capacity_empty(group, 1));
            rest == 0
        })
    }

    /// Nodes of a model below a domain that can be waited for.
    fn matching_below(&self, domain: DomainId, model: ModelId) -> impl Iterator<Item = &Node> {
        let nodes = self.capacity.topology.nodes_below(domain).map(|id| &self.capacity.nodes[id]);
        nodes.filter(move |node| node.model == model && self.counts(node))
    }

    fn best(&self, alternatives: u64) -> Option<Found> {
        (0..self.demand.alternatives.len())
            .filter(|index| alternatives >> index & 1 == 1)
            .filter_map(|index| {
                if self.demand.one_node { self.one_node(index) } else { self.one_domain(index) }
            })
            .min_by_key(Found::rank)
    }

    /// Whether a node can be waited for.
    fn counts(&self, node: &Node) -> bool {
        node.is_usable()
            && match self.until {
                Until::Held | Until::Ever | Until::Before(_) => true,
                Until::Limit => node.claimed.is_none() || node.is_reserved,
                Until::Expected => node.claimed.is_none(),
            }
            && self.eligible.is_none_or(|set| set.contains(node.id.index()))
            && self.admits(node)
    }

    /// Whether no booking takes a node from a job that starts when that is ready.
    fn admits(&self, node: &Node) -> bool {
        let now = self.capacity.now;
        let terms = match self.until {
            _ if self.only_unbooked => self.terms.put_off(self.capacity.bookings.drain),
            _ if node.spans.is_empty() => self.terms,
            Until::Ever => self.terms,
            Until::Before(time) => self.terms.put_off(time.since(now)),
            Until::Limit | Until::Held | Until::Expected => {
                self.terms.put_off(self.ready(node).since(now))
            }
        };
        terms.are_met(&node.spans)
    }

    fn ready(&self, node: &Node) -> Time {
        let now = self.capacity.now;
        let ready = match self.until {
            Until::Expected => self.capacity.expected_at(node.id),
            _ => node.drains_at(now),
        };
        ready.max(node.rests_until)
    }

    fn one_node(&self, alternative: usize) -> Option<Found> {
        let models = &self.demand.alternatives[alternative].models;
        let nodes = || {
            let all = self.capacity.nodes.iter().map(|(_, node)| node);
            all.filter(|node| self.counts(node) && models.iter().all(|model| *model == node.model))
                .map(|node| (self.ready(node), node))
        };
        if let [group] = self.demand.groups.as_slice() {
            let holds = |(_, node): &(Time, &Node)| node.capacity_empty(group, 1) >= group.tasks;
            let soonest = nodes().filter(holds).min_by_key(|(ready, node)| (*ready, node.id));
            if let Some((ready, node)) = soonest {
                return Some(Found { missing: 0, drain: Drain { ready, nodes: vec![node.id] } });
            }
        }
        let mut nodes: Vec<(Time, &Node)> = nodes().collect();
        nodes.sort_unstable_by_key(|(ready, node)| (*ready, node.id));
        let mut best: Option<Found> = None;
        for (ready, node) in nodes {
            let found = self.by_any_order(|order| {
                let missing = self.missing_on(node, order);
                Found { missing, drain: Drain { ready, nodes: vec![node.id] } }
            });
            let is_whole = found.missing == 0;
            if best.as_ref().is_none_or(|best| found.missing < best.missing) {
                best = Some(found);
            }
            if is_whole {
                break;
            }
        }
        best
    }

    /// Tasks of the whole gang that one node could not hold.
    fn missing_on(&self, node: &Node, order: &[usize]) -> u32 {
        let mut shared = Shared::new();
        let mut missing = 0;
        for &group in order {
            let wanted = self.demand.groups[group].tasks;
            let tasks = self.room(group, node, &shared).min(wanted);
            self.share(group, node.id, tasks, &mut shared);
            missing += wanted - tasks;
        }
        missing
    }

    /// Looks with the groups in one order after the other until nothing is left out, as placing
    /// does.
    fn by_any_order(&self, look: impl Fn(&[usize]) -> Found) -> Found {
        let mut best = look(&self.orders[0]);
        for order in &self.orders[1..] {
            if best.missing == 0 {
                break;
            }
            let found = look(order);
            if found.rank() < best.rank() {
                best = found;
            }
        }
        best
    }

    fn one_domain(&self, alternative: usize) -> Option<Found> {
        let places = self.capacity.topology.domains_at(ROOT, self.demand.require);
        let found = |id| match self.is_plain() {
            true => self.soonest_inside(alternative, id),
            false => self.by_any_order(|order| self.inside(alternative, id, order)),
        };
        places.into_iter().map(found).min_by_key(Found::rank)
    }

    /// The nodes of one domain that drain first and together hold every group. A group first
    /// gets what those before it have left on their nodes.
    fn inside(&self, alternative: usize, domain: DomainId, order: &[usize]) -> Found {
        let mut shared = Shared::new();
        let mut nodes: Vec<NodeId> = Vec::new();
        let (mut missing, mut ready) = (0, self.capacity.now);
        for &group in order {
            let mut blocks = self.blocks(alternative, group, domain, &shared);
            blocks.sort_unstable();
            let mut rest = self.demand.groups[group].tasks;
            for block in blocks {
                if rest == 0 {
                    break;
                }
                let tasks = block.tasks.min(rest);
                // With several groups there are no segments: a block is one node.
                self.share(group, block.nodes[0], tasks, &mut shared);
                rest -= tasks;
                ready = ready.max(block.ready);
                nodes.extend(block.nodes);
            }
            missing += rest;
        }
        nodes.sort_unstable();
        nodes.dedup();
        Found { missing, drain: Drain { ready, nodes } }
    }

    /// What can be had piece by piece: single nodes, or for segments the nodes of one domain
    /// that together hold a block.
    fn blocks(
        &self,
        alternative: usize,
        group: usize,
        domain: DomainId,
        shared: &Shared,
    ) -> Vec<Block> {
        let model = self.demand.alternatives[alternative].models[group];
        let segment = self.demand.segment.filter(|(_, depth)| *depth < self.node_depth);
        let Some((size, depth)) = segment else {
            return self.nodes_below(group, model, domain, shared);
        };
        let places = self.capacity.topology.domains_at(domain, depth);
        let joined = |id| join_blocks(self.nodes_below(group, model, id, shared), size);
        places.into_iter().flat_map(joined).collect()
    }

    /// The nodes below a domain that hold a task of a group, each for itself.
    fn nodes_below(
        &self,
        group: usize,
        model: ModelId,
        domain: DomainId,
        shared: &Shared,
    ) -> Vec<Block> {
        let block = |node: &Node| {
            // What is waited for anyway takes no longer.
            let is_shared = shared.contains_key(&node.id);
            let ready = if is_shared { self.capacity.now } else { self.ready(node) };
            Block { ready, tasks: self.room(group, node, shared), nodes: smallvec![node.id] }
        };
        let blocks = self.matching_below(domain, model).map(block);
        blocks.filter(|block| block.tasks > 0).collect()
    }

    /// How many tasks of a group a node will hold beside those of the groups before it.
    fn room(&self, group: usize, node: &Node, shared: &Shared) -> u32 {
        let demand = &self.demand.groups[group];
        let unit = self.demand.unit(self.node_depth);
        match shared.get(&node.id) {
            Some(_) if demand.apart => 0,
            Some(shared) => shared.capacity(demand, unit),
            None => node.capacity_empty(demand, unit),
        }
    }

    /// Notes tasks of a group on a node, where there are other groups to share it with.
    fn share(&self, group: usize, id: NodeId, tasks: u32, shared: &mut Shared) {
        if self.demand.groups.len() == 1 || tasks == 0 {
            return;
        }
        let demand = &self.demand.groups[group];
        let node = shared.entry(id).or_insert_with(|| emptied(&self.capacity.nodes[id]));
        for _ in 0..tasks {
            let (gpus, share) = node.choose(demand);
            node.take(demand.held(&TaskPlace { group: 0, rank: 0, gpus, share }));
        }
    }
}

impl Found {
    /// Whole gangs before parts of them, and what is ready sooner before what is later.
    fn rank(&self) -> (u32, Time) {
        (self.missing, self.drain.ready)
    }
}

/// A node as it will be once it has drained.
fn emptied(node: &Node) -> Node {
    let mut empty = Node::new(node.id, node.spec.clone(), node.model, node.leaf, node.slot);
    empty.unhealthy = node.unhealthy;
    empty
}
