//! Puts a gang back on its old place: what is still good stays, task by task, and the rest is
//! placed anew, as near as there is room.

use fixedbitset::FixedBitSet;
use muster_model::NodeId;

use crate::action::TaskPlace;
use crate::dense::ModelId;
use crate::place::{self, Placed, Search, domains};
use crate::repair::piece;
use crate::snapshot::{PlaceRecord, RepairRecord};
use crate::state::demand::GroupDemand;
use crate::state::node::Node;
use crate::state::shape::Shape;
use crate::transaction::Transaction;

/// A task with its node.
pub(crate) type Placing = (NodeId, TaskPlace);

/// Places a shape on what is left of its old place, by one of the given alternatives (as bits).
/// A spare is looked for elsewhere than on the nodes of `not_at_first` at first. On success the
/// transaction holds the place; on failure it is as before.
pub(crate) fn mend(
    transaction: &mut Transaction<'_>,
    shape: &Shape,
    repair: &RepairRecord,
    not_at_first: &FixedBitSet,
    (alternatives, node_depth): (u64, u8),
) -> Option<Placed> {
    let mark = transaction.mark();
    let (stay, go) = take_back(transaction, shape, repair);
    if stay.is_empty() {
        return None;
    }
    let models = models_of(transaction, shape, &stay);
    let matching = shape.demand.alternatives.iter().enumerate().filter(|(index, alternative)| {
        let mut pairs = alternative.models.iter().zip(&models);
        let is_same = pairs.all(|(model, has)| has.is_none_or(|has| has == *model));
        alternatives >> index & 1 == 1 && is_same
    });
    let risky = transaction.capacity().risky(&shape.demand);
    let mut not_at_first = not_at_first.clone();
    risky.iter().for_each(|risky| not_at_first.union_with(risky));
    if shape.demand.spread {
        // Its other nodes are the last it wants.
        not_at_first.extend(stay.iter().map(|(node, _)| node.index()));
    }
    for (index, alternative) in matching {
        let models = &alternative.models;
        let mut mender = Mender {
            transaction,
            shape,
            models,
            not_at_first: &not_at_first,
            node_depth,
            taken: Vec::new(),
        };
        if let Some(tasks) = mender.complete(&stay, &go) {
            let chosen = mender.record(&tasks);
            let risk = risky.as_ref().map(|risky| place::risk(risky, &tasks));
            return Some(Placed { alternative: index, tasks, chosen, runner_up: None, risk });
        }
    }
    transaction.roll_back(mark);
    None
}

/// Takes again what is still good of an old place; returns what stays and what has to go.
fn take_back(
    transaction: &mut Transaction<'_>,
    shape: &Shape,
    repair: &RepairRecord,
) -> (Vec<Placing>, Vec<Placing>) {
    let (mut stay, mut go) = (Vec::new(), Vec::new());
    let terms = transaction.capacity().terms(shape);
    for run in &repair.old {
        let is_lost = repair.lost.contains(&run.node);
        let is_let_in = shape.eligible.last().is_none_or(|(_, set)| set.contains(run.node.index()));
        // What an elastic job had grown by is not part of the gang that is placed.
        let is_wanted =
            |task: &&TaskPlace| task.rank < shape.demand.groups[usize::from(task.group)].tasks;
        for task in run.tasks.iter().filter(is_wanted) {
            let demand = &shape.demand.groups[usize::from(task.group)];
            let node = &transaction.capacity().nodes[run.node];
            let is_let_in = is_let_in && terms.are_met(&node.spans);
            if !is_lost && is_let_in && can_hold(node, demand, task) {
                transaction.take(run.node, demand.held(task));
                stay.push((run.node, *task));
            } else {
                go.push((run.node, *task));
            }
        }
        transaction.recount(run.node);
    }
    (stay, go)
}

/// Whether a node can hold a task just as it did before. A share is placed anew: it may have been
/// widened to close its GPU, which is decided again with what others have of it by now.
fn can_hold(node: &Node, demand: &GroupDemand, task: &TaskPlace) -> bool {
    let is_linked = || node.spec.links.nvlink.iter().any(|group| group.contains(task.gpus));
    task.share.is_none()
        && node.is_open()
        && node.claimed.is_none()
        && node.exclusive == 0
        && !(demand.exclusive && node.tasks > 0)
        && node.usable().contains(task.gpus)
        && node.cpus_free >= demand.cpus
        && node.memory_free >= demand.memory
        && (!demand.nvlink || is_linked())
}

/// The models that the groups of a gang have on the nodes where they stay.
fn models_of(
    transaction: &Transaction<'_>,
    shape: &Shape,
    stay: &[Placing],
) -> Vec<Option<ModelId>> {
    let mut models = vec![None; shape.demand.groups.len()];
    for (node, task) in stay {
        models[usize::from(task.group)] = Some(transaction.capacity().nodes[*node].model);
    }
    models
}

/// A gang being mended on trial.
pub(super) struct Mender<'t, 'c, 's> {
    pub(super) transaction: &'t mut Transaction<'c>,
    pub(super) shape: &'s Shape,
    pub(super) models: &'s [ModelId],
    /// Where a spare is not looked for at first.
    pub(super) not_at_first: &'s FixedBitSet,
    pub(super) node_depth: u8,
    /// Nodes that have a task already, of a gang whose tasks do not share any.
    pub(super) taken: Vec<NodeId>,
}

impl Mender<'_, '_, '_> {
    /// Places all that has to go; all tasks by group and rank, or nothing.
    fn complete(&mut self, stay: &[Placing], go: &[Placing]) -> Option<Vec<Placing>> {
        let mark = self.transaction.mark();
        let (mut tasks, pieces) = piece::pieces(self, stay, go);
        if self.shape.demand.is_apart {
            self.taken = stay.iter().map(|(node, _)| *node).collect();
        }
        for piece in pieces {
            let Some(placed) = piece::place(self, &piece) else {
                self.transaction.roll_back(mark);
                return None;
            };
            if self.shape.demand.is_apart {
                self.taken.extend(placed.iter().map(|(node, _)| *node));
            }
            tasks.extend(placed);
        }
        tasks.sort_unstable_by_key(|(_, task)| (task.group, task.rank));
        Some(tasks)
    }

    /// The narrowest domain that holds all tasks.
    fn record(&self, tasks: &[Placing]) -> PlaceRecord {
        let capacity = self.transaction.capacity();
        let topology = &capacity.topology;
        let node = tasks[0].0;
        if tasks.iter().all(|(other, _)| *other == node) {
            return PlaceRecord { node, depth: self.node_depth, left: 0 };
        }
        let mut domain = capacity.nodes[node].leaf;
        for (other, _) in tasks {
            let depth = topology.domains[domain].depth;
            let mut here = topology.ancestor(capacity.nodes[*other].leaf, depth);
            while here != domain {
                let above = |id| topology.domains[id].parent.expect("all meet in the root");
                (domain, here) = (above(domain), above(here));
            }
        }
        let (demand, node_depth) = (&*self.shape.demand, self.node_depth);
        let (models, terms) = (self.models, capacity.terms(self.shape));
        let search = Search { demand, models, eligible: None, avoid: None, terms, node_depth };
        let groups = 0..self.shape.demand.groups.len();
        let room = groups.map(|group| domains::room(topology, &search, group, domain)).min();
        let left = u32::try_from(room.unwrap_or(0)).unwrap_or(u32::MAX);
        PlaceRecord { node, depth: topology.domains[domain].depth, left }
    }
}
