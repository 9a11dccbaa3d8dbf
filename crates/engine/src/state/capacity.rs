//! Nodes, the topology index and the queues' charges: the part of the state that a trial may
//! change and take back.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use muster_model::{Failures, JobId, Millis, Name, NodeId, NodeSpec, Time};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::action::TaskPlace;
use crate::dense::{Dense, Key, ModelId, QueueId, UserId};
use crate::fairness::decay::Usage;
use crate::place::placer;
use crate::snapshot::RunRecord;
use crate::state::booking::{Bookings, Terms};
use crate::state::catalog::{Catalog, NO_GPUS};
use crate::state::counting::Glance;
use crate::state::demand::{Charge, Demand};
use crate::state::hazard::Hazards;
use crate::state::mix::Mix;
use crate::state::node::{Held, Node};
use crate::state::queue::{self, Queue};
use crate::state::shape::Shape;
use crate::state::topology::Topology;

/// All there is to give, and who has been given what.
#[derive(Clone, Debug)]
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
    pub(crate) hazards: Hazards,
    failures: Failures,
    /// Nodes by how many GPUs they have.
    sizes: BTreeMap<u32, u32>,
    /// Nodes by model.
    pub(super) models: Vec<u32>,
    /// Installed GPUs, CPUs and memory, for dominant shares.
    pub(crate) installed: Charge,
    /// What was asked for lately.
    pub(crate) mix: Mix,
    /// Nodes that are set aside.
    pub(crate) bookings: Bookings,
    /// How places are chosen.
    pub(crate) placer: &'static placer::Rule,
    /// What is asked of every node, side by side.
    pub(super) glances: Dense<NodeId, Glance>,
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
            // Claimed nodes are counted as if they were of models of their own.
            topology: Topology::new(2 * catalog.models()),
            queues,
            whole: Usage::default(),
            half_life: catalog.policy().usage_half_life,
            hazards: Hazards::default(),
            failures: catalog.policy().failures,
            sizes: BTreeMap::new(),
            models: vec![0; catalog.models()],
            installed: Charge::default(),
            mix: Mix::default(),
            bookings: Bookings::new(catalog.policy()),
            placer: placer::rule(catalog.policy()),
            glances: Dense::new(),
            freed: Vec::new(),
        }
    }

    /// Adds a node that was not known.
    pub(crate) fn add_node(&mut self, spec: NodeSpec, catalog: &Catalog) -> NodeId {
        let id = NodeId::from_index(self.nodes.len());
        if self.nodes.len() == 0 {
            self.hazards.since = self.now;
        }
        let model = catalog.model_of(&spec);
        let leaf = self.topology.leaf(&spec.domains);
        let slot = self.topology.add_node(leaf, id);
        self.by_name.insert(spec.name.clone(), id);
        let (spans, is_closed) = self.bookings.cover(id, &spec);
        let mut node = Node::new(id, spec, model, leaf, slot);
        node.spans = spans.into();
        node.is_closed = is_closed;
        self.nodes.push(node);
        self.glances.push(Glance::new(model));
        self.topology.version += 1;
        self.add_installed(id);
        id
    }

    /// On what terms jobs of a shape that start now may be on nodes that are booked.
    pub(crate) fn terms(&self, shape: &Shape) -> Terms {
        self.bookings.terms(self.now, shape)
    }

    /// Whether any node is of a model.
    pub(crate) fn has_model(&self, model: ModelId) -> bool {
        self.models[model.index()] > 0
    }

    pub(crate) fn add_installed(&mut self, node: NodeId) {
        self.models[self.nodes[node].model.index()] += 1;
        let spec = &self.nodes[node].spec;
        *self.sizes.entry(spec.gpus).or_default() += 1;
        self.installed.gpus += u64::from(spec.gpus) * 1000;
        self.installed.cpus += spec.cpus.0;
        self.installed.memory += spec.memory.0;
    }

    pub(crate) fn forget_installed(&mut self, node: NodeId) {
        self.models[self.nodes[node].model.index()] -= 1;
        let spec = &self.nodes[node].spec;
        let alike = self.sizes.get_mut(&spec.gpus).expect("an installed node is counted");
        *alike -= 1;
        if *alike == 0 {
            self.sizes.remove(&spec.gpus);
        }
        self.installed.gpus -= u64::from(spec.gpus) * 1000;
        self.installed.cpus -= spec.cpus.0;
        self.installed.memory -= spec.memory.0;
    }

    /// A node has failed: lost for good, a launch refused by its fault, a GPU with errors.
    pub(crate) fn note_failure(&mut self, node: NodeId) {
        let half_life = self.failures.hazard_half_life;
        self.hazards.note(&mut self.nodes[node], self.now, half_life);
    }

    /// Whether a gang needs so many nodes that it keeps off those that fail often.
    pub(crate) fn is_large(&self, demand: &Demand) -> bool {
        let large = self.failures.large_nodes;
        // No gang needs more nodes than it has tasks, and most have few.
        demand.tasks() >= large && self.nodes_needed(demand) >= u64::from(large)
    }

    /// The fewest nodes that could hold a gang, by the GPUs of the largest node there is.
    fn nodes_needed(&self, demand: &Demand) -> u64 {
        let largest = u64::from(self.largest());
        let alone = demand.groups.iter().filter(|group| group.exclusive || group.apart);
        demand.gpus.div_ceil(largest).max(alone.map(|group| u64::from(group.tasks)).sum()).max(1)
    }

    /// The GPUs of the largest node there is, at least one.
    pub(crate) fn largest(&self) -> u32 {
        self.sizes.last_key_value().map_or(1, |(&gpus, _)| gpus.max(1))
    }

    /// The nodes that a large gang keeps off, if there are any.
    pub(crate) fn risky(&self, demand: &Demand) -> Option<FixedBitSet> {
        if self.hazards.has_no_suspects() || !self.is_large(demand) {
            return None;
        }
        self.hazards.risky(&self.nodes, self.now, self.failures.hazard_half_life)
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
        let tasks = run.nodes.iter();
        let tasks = tasks.flat_map(|node| node.tasks.iter().map(|task| (node.node, task)));
        let models = self.models_on(tasks.clone(), demand.groups.len());
        // How many tasks an elastic group has now, the attempt alone can say.
        let mut count: SmallVec<[u32; 1]> = SmallVec::from_elem(0, demand.groups.len());
        tasks.clone().for_each(|(_, task)| count[usize::from(task.group)] += 1);
        let mut charge = demand.charge_for(&count, &models);
        if demand.has_shares() {
            charge.set_shares(demand, &models, tasks.map(|(_, task)| task));
        }
        charge
    }

    /// What whole GPUs that are held for a gang take from its queue.
    pub(crate) fn charge_on(&self, tasks: &[(NodeId, TaskPlace)], demand: &Demand) -> Charge {
        demand.charge(&self.models_of(tasks, demand.groups.len()))
    }

    /// The models of the nodes that tasks of so many groups are on, by group.
    pub(crate) fn models_of(
        &self,
        tasks: &[(NodeId, TaskPlace)],
        groups: usize,
    ) -> SmallVec<[ModelId; 1]> {
        self.models_on(tasks.iter().map(|(node, task)| (*node, task)), groups)
    }

    /// The same of an attempt.
    pub(crate) fn models_of_run(&self, run: &RunRecord, groups: usize) -> SmallVec<[ModelId; 1]> {
        let parts = run.nodes.iter();
        let tasks = parts.flat_map(|node| node.tasks.iter().map(|task| (node.node, task)));
        self.models_on(tasks, groups)
    }

    fn models_on<'t>(
        &self,
        tasks: impl Iterator<Item = (NodeId, &'t TaskPlace)>,
        groups: usize,
    ) -> SmallVec<[ModelId; 1]> {
        let mut models = SmallVec::from_elem(NO_GPUS, groups);
        // Every group has a task of rank 0, and each is on one model only.
        for (node, task) in tasks.filter(|(_, task)| task.rank == 0).take(groups) {
            models[usize::from(task.group)] = self.nodes[node].model;
        }
        models
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
