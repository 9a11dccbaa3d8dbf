//! Nodes, the topology index and the queues' charges: the part of the state that a trial may
//! change and take back.

use muster_model::{JobId, Millis, Name, NodeId, NodeSpec, Time};
use rustc_hash::FxHashMap;

use crate::dense::{Dense, Key, ModelId, QueueId, UserId};
use crate::fairness::decay::Usage;
use crate::snapshot::RunRecord;
use crate::state::catalog::{Catalog, NO_GPUS};
use crate::state::demand::{Charge, Demand, GroupDemand};
use crate::state::node::{Held, Node};
use crate::state::queue::{self, Queue};
use crate::state::topology::Topology;

/// All there is to give, and who has been given what.
#[derive(Debug)]
pub(crate) struct Capacity {
    /// The time of the current step.
    pub(crate) now: Time,
    pub(crate) nodes: Dense<NodeId, Node>,
    pub(crate) by_name: FxHashMap<Name, NodeId>,
    pub(crate) topology: Topology,
    pub(crate) queues: Dense<QueueId, Queue>,
    /// Usage of all queues together.
    pub(crate) whole: Usage,
    pub(crate) half_life: Millis,
    /// Nodes by model.
    models: Vec<u32>,
    /// Installed GPUs, CPUs and memory, for dominant shares.
    pub(crate) installed: Charge,
    /// Nodes where room was made since the last pass: only there can a shape that failed
    /// before fit now.
    pub(crate) freed: Vec<NodeId>,
}

impl Capacity {
    pub(crate) fn new(catalog: &Catalog) -> Capacity {
        let mut queues = Dense::new();
        queue::configure(&mut queues, catalog);
        Capacity {
            now: Time(0),
            nodes: Dense::new(),
            by_name: FxHashMap::default(),
            topology: Topology::new(catalog.models()),
            queues,
            whole: Usage::default(),
            half_life: catalog.policy().usage_half_life,
            models: vec![0; catalog.models()],
            installed: Charge::default(),
            freed: Vec::new(),
        }
    }

    /// Adds a node that was not known.
    pub(crate) fn add_node(&mut self, spec: NodeSpec, catalog: &Catalog) -> NodeId {
        let id = NodeId::from_index(self.nodes.len());
        let model = catalog.model_of(&spec);
        let leaf = self.topology.leaf(&spec.domains);
        let slot = self.topology.add_node(leaf, id);
        self.by_name.insert(spec.name.clone(), id);
        self.nodes.push(Node::new(id, spec, model, leaf, slot));
        self.topology.version += 1;
        self.add_installed(id);
        id
    }

    /// Whether any node is of a model.
    pub(crate) fn has_model(&self, model: ModelId) -> bool {
        self.models[model.index()] > 0
    }

    pub(crate) fn add_installed(&mut self, node: NodeId) {
        self.models[self.nodes[node].model.index()] += 1;
        let spec = &self.nodes[node].spec;
        self.installed.gpus += u64::from(spec.gpus) * 1000;
        self.installed.cpus += spec.cpus.0;
        self.installed.memory += spec.memory.0;
    }

    pub(crate) fn forget_installed(&mut self, node: NodeId) {
        self.models[self.nodes[node].model.index()] -= 1;
        let spec = &self.nodes[node].spec;
        self.installed.gpus -= u64::from(spec.gpus) * 1000;
        self.installed.cpus -= spec.cpus.0;
        self.installed.memory -= spec.memory.0;
    }

    /// Counts a node anew after something about it changed, and remembers it as freed if there
    /// is more room on it than before.
    pub(crate) fn changed(&mut self, node: NodeId) {
        let before = self.nodes[node].counted;
        self.recount(node);
        let after = self.nodes[node].counted;
        // On a claimed node, room is made for the job it is held for.
        let is_claimed = self.nodes[node].claimed.is_some();
        if is_claimed || (after.is_some() && (before.is_none() || after >= before)) {
            self.freed.push(node);
        }
    }

    /// Counts a node anew in the index.
    pub(crate) fn recount(&mut self, id: NodeId) {
        let node = &mut self.nodes[id];
        let schedulable = node.claimed.is_none() && node.exclusive == 0 && node.is_open();
        let after = schedulable.then(|| node.usable().count());
        if after != node.counted {
            let (leaf, slot, model, before) = (node.leaf, node.slot, node.model, node.counted);
            node.counted = after;
            self.topology.recount(leaf, slot, model, before, after);
        }
    }

    /// A task takes part of a node. The caller recounts the node when it is done with it.
    pub(crate) fn take(&mut self, node: NodeId, held: Held) {
        self.nodes[node].take(held);
    }

    pub(crate) fn give_back(&mut self, node: NodeId, held: Held) {
        self.nodes[node].give_back(held);
    }

    pub(crate) fn set_claim(&mut self, node: NodeId, claim: Option<JobId>) {
        self.nodes[node].claimed = claim;
        self.recount(node);
    }

    /// A gang takes its charge from its queue and all above it.
    pub(crate) fn charge(&mut self, queue: QueueId, user: UserId, charge: &Charge) {
        queue::on_path(&mut self.queues, queue, |queue| {
            queue.used.add(charge);
            if !queue.user_limit.is_empty() {
                queue.users.entry(user).or_default().add(charge);
            }
        });
    }

    pub(crate) fn refund(&mut self, queue: QueueId, user: UserId, charge: &Charge) {
        queue::on_path(&mut self.queues, queue, |queue| {
            queue.used.subtract(charge);
            if let Some(used) = queue.users.get_mut(&user) {
                used.subtract(charge);
                if used.is_zero() {
                    queue.users.remove(&user);
                }
            }
        });
    }

    /// What an attempt takes from its queue, by the models of the nodes it is on.
    pub(crate) fn charge_of(&self, run: &RunRecord, demand: &Demand) -> Charge {
        // Every group has a task of rank 0, and each on one model only; how many tasks it has
        // now, the attempt alone can say.
        let mut groups: smallvec::SmallVec<[(GroupDemand, ModelId); 1]> = demand
            .groups
            .iter()
            .map(|group| (GroupDemand { tasks: 0, ..*group }, NO_GPUS))
            .collect();
        for node in &run.nodes {
            for task in &node.tasks {
                let (group, model) = &mut groups[usize::from(task.group)];
                group.tasks += 1;
                if task.rank == 0 {
                    *model = self.nodes[node.node].model;
                }
            }
        }
        Charge::of(groups)
    }

    /// A gang starts or stops counting as usage, at `rate` dominant milli-GPUs.
    pub(crate) fn use_from_now(&mut self, queue: QueueId, rate: u64, starts: bool) {
        let (now, half_life) = (self.now, self.half_life);
        let change = |usage: &mut Usage| {
            if starts {
                usage.raise(now, half_life, rate);
            } else {
                usage.lower(now, half_life, rate);
            }
        };
        change(&mut self.whole);
        queue::on_path(&mut self.queues, queue, |queue| change(&mut queue.usage));
    }

    /// Counts a restored gang as in use; the usage so far is in the books already.
    pub(crate) fn restore_rate(&mut self, queue: QueueId, rate: u64) {
        self.whole.rate += rate;
        queue::on_path(&mut self.queues, queue, |queue| queue.usage.rate += rate);
    }

    /// What a charge comes to in milli-GPUs when its dominant resource is what counts: CPUs or
    /// memory that strand GPUs are paid for as those GPUs.
    pub(crate) fn dominant(&self, charge: &Charge) -> u64 {
        let as_gpus = |amount: u64, installed: u64| {
            let scaled = u128::from(amount) * u128::from(self.installed.gpus);
            scaled.checked_div(u128::from(installed)).unwrap_or(0)
        };
        let most = u128::from(charge.gpus)
            .max(as_gpus(charge.cpus, self.installed.cpus))
            .max(as_gpus(charge.memory, self.installed.memory));
        u64::try_from(most).unwrap_or(u64::MAX)
    }
}
