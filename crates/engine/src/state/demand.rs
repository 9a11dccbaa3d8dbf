//! What a job asks for, with every name resolved: the problem that placement solves.

use muster_model::{JobSpec, Level, TaskShape};
use smallvec::SmallVec;

use crate::action::TaskPlace;
use crate::dense::{Key, ModelId};
use crate::state::capacity::Capacity;
use crate::state::catalog::Catalog;
pub(crate) use crate::state::group::GroupDemand;
use crate::state::node::Node;

/// The demand of a gang.
#[derive(Clone, Debug)]
pub(crate) struct Demand {
    /// Its groups, in the job's order.
    pub(crate) groups: SmallVec<[GroupDemand; 1]>,
    /// All inside one domain of this depth; 0 asks for nothing.
    pub(crate) require: u8,
    /// Near enough at this depth.
    pub(crate) prefer: u8,
    /// Blocks of tasks, each inside one domain of the depth.
    pub(crate) segment: Option<(u32, u8)>,
    pub(crate) spread: bool,
    /// No two of its tasks share a node.
    pub(crate) is_apart: bool,
    /// The acceptable combinations of models, best first.
    pub(crate) alternatives: Vec<Alternative>,
    /// Nobody has said which models he likes best.
    pub(crate) takes_any_model: bool,
    /// Whole GPUs of the whole gang.
    pub(crate) gpus: u64,
    /// Milli-GPUs of the whole gang on the models it likes best of those there are.
    pub(crate) milli: u64,
    /// The same on the models where shares are largest, whether or not there are any.
    milli_most: u64,
    /// The whole gang must sit on one node.
    pub(crate) one_node: bool,
    /// It may have one place only: that of a suspended job.
    pub(crate) is_pinned: bool,
}

/// An amount of what a node has.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Least {
    pub(crate) gpus: u32,
    pub(crate) cpus: u64,
    pub(crate) memory: u64,
    /// Milli-GPUs of one GPU, by mode of sharing.
    pub(crate) pieces: [u32; 3],
}

impl Least {
    /// The larger of each.
    pub(crate) fn widen(&mut self, other: &Least) {
        self.gpus = self.gpus.max(other.gpus);
        self.cpus = self.cpus.max(other.cpus);
        self.memory = self.memory.max(other.memory);
        for (most, piece) in self.pieces.iter_mut().zip(other.pieces) {
            *most = piece.max(*most);
        }
    }

    /// Whether this much is enough for that.
    pub(crate) fn covers(&self, other: &Least) -> bool {
        self.gpus >= other.gpus
            && self.cpus >= other.cpus
            && self.memory >= other.memory
            && self.pieces.iter().zip(&other.pieces).all(|(has, wants)| has >= wants)
    }
}

/// One way to choose a model for each group, and what that charges.
#[derive(Clone, Debug)]
pub(crate) struct Alternative {
    pub(crate) models: SmallVec<[ModelId; 1]>,
    pub(crate) charge: Charge,
}

/// What a whole gang takes from its queue.
#[derive(Clone, Debug, Default)]
pub(crate) struct Charge {
    /// Milli-GPUs of all models.
    pub(crate) gpus: u64,
    /// Milli-GPUs by model.
    pub(crate) models: SmallVec<[(ModelId, u64); 1]>,
    /// Milli-CPUs.
    pub(crate) cpus: u64,
    /// MiB.
    pub(crate) memory: u64,
}

/// Up to so many groups are tried in every order: 24 orders of four.
const GROUPS_PERMUTED_MAX: usize = 4;

/// At most so many alternatives are looked at; a set of them is one machine word.
const ALTERNATIVES_MAX: usize = 64;

impl Demand {
    /// The demand of a validated job. An elastic group asks for its fewest tasks.
    pub(crate) fn new(spec: &JobSpec, catalog: &Catalog, capacity: &Capacity) -> Demand {
        let group = |group| GroupDemand::new(group, spec.topology.apart, catalog);
        let groups: SmallVec<[GroupDemand; 1]> = spec.groups.iter().map(group).collect();
        let depth = |level: &Option<Level>| {
            level.as_ref().map(|level| catalog.depth(level).expect("levels were validated"))
        };
        let topology = &spec.topology;
        let require = depth(&topology.require).unwrap_or(0);
        let prefer = depth(&topology.prefer).unwrap_or(catalog.node_depth()).max(require);
        let segment = (topology.segment.as_ref()).map(|segment| {
            let level = catalog.depth(&segment.level).expect("levels were validated");
            (segment.tasks, level)
        });
        let gpus = groups.iter().map(GroupDemand::total_gpus).sum();
        let tasks: u32 = groups.iter().map(|group| group.tasks).sum();
        let one_node = require == catalog.node_depth() || tasks == 1;
        let is_apart = topology.apart && tasks > 1;
        // No node is near enough for tasks that must not share one.
        let prefer = if is_apart { prefer.min(catalog.node_depth() - 1) } else { prefer };
        let alternatives = alternatives(spec, &groups, catalog, capacity);
        let milli_most = groups.iter().map(GroupDemand::total_milli).sum();
        Demand {
            milli: alternatives.first().map_or(milli_most, |first| first.charge.gpus),
            milli_most,
            alternatives,
            takes_any_model: spec.groups.iter().all(|group| group.task.models.is_empty()),
            groups,
            require,
            prefer,
            segment,
            spread: topology.spread,
            is_apart,
            gpus,
            one_node,
            is_pinned: false,
        }
    }

    /// Leaves only the alternative of these models, for a place that is fixed.
    pub(crate) fn keep_only(&mut self, models: &[ModelId]) {
        let charge = self.charge(models);
        self.alternatives = vec![Alternative { models: models.into(), charge }];
        self.is_pinned = true;
    }

    /// Which alternative has these models.
    pub(crate) fn alternative_of(&self, models: &[ModelId]) -> Option<usize> {
        self.alternatives.iter().position(|alternative| alternative.models.as_slice() == models)
    }

    /// The alternatives, as bits.
    pub(crate) fn all(&self) -> u64 {
        match self.alternatives.len() {
            ALTERNATIVES_MAX => u64::MAX,
            count => (1 << count) - 1,
        }
    }

    /// What the gang takes from its queue on nodes of these models.
    pub(crate) fn charge(&self, models: &[ModelId]) -> Charge {
        charge(self.groups.iter().zip(models.iter().copied()))
    }

    /// What so many tasks of each group take from their queue on nodes of these models.
    pub(crate) fn charge_for(&self, tasks: &[u32], models: &[ModelId]) -> Charge {
        let mut charge = Charge::default();
        for ((group, &tasks), &model) in self.groups.iter().zip(tasks).zip(models) {
            charge.add(group, tasks, model);
        }
        charge
    }

    /// The same gang with so many tasks in each group.
    pub(crate) fn with_tasks(&self, tasks: &[u32]) -> Demand {
        let mut demand = self.clone();
        for (group, &tasks) in demand.groups.iter_mut().zip(tasks) {
            group.tasks = tasks;
        }
        demand.gpus = demand.groups.iter().map(GroupDemand::total_gpus).sum();
        demand
    }

    /// GPUs it counts for against the service floor: at least one, and the same whatever nodes
    /// come and go.
    pub(crate) fn size(&self) -> u64 {
        self.milli_most.div_ceil(1000).max(1)
    }

    /// Milli-GPUs of one task of a group on the model it likes best of those there are.
    pub(crate) fn milli_each(&self, group: usize) -> u64 {
        let best = self.alternatives.first().map(|first| first.models[group]);
        let group = &self.groups[group];
        best.map_or(group.milli_each(), |model| group.milli_on(model))
    }

    /// Whether any of its tasks have part of a GPU.
    pub(crate) fn has_shares(&self) -> bool {
        self.groups.iter().any(|group| group.share.is_some())
    }

    /// What is charged by its alternatives, each amount of milli-GPUs once.
    pub(crate) fn charged(&self) -> SmallVec<[u64; 2]> {
        let mut amounts: SmallVec<[u64; 2]> =
            self.alternatives.iter().map(|alternative| alternative.charge.gpus).collect();
        amounts.sort_unstable();
        amounts.dedup();
        amounts
    }

    /// What a node must have free to be of any help: room for a task, or for everything where
    /// one node must hold it. Several groups are worth a look in every pass.
    pub(crate) fn least(&self) -> Least {
        let [group] = self.groups.as_slice() else { return Least::default() };
        let times = if self.one_node { u64::from(group.tasks) } else { 1 };
        Least {
            gpus: u32::try_from(u64::from(group.gpus) * times).unwrap_or(u32::MAX),
            cpus: group.cpus.saturating_mul(times),
            memory: group.memory.saturating_mul(times),
            pieces: group.least_piece(),
        }
    }

    /// Tasks that must find room together in a domain of the required level: all of a gang of
    /// one group that may use several nodes, otherwise none that this could be said of.
    pub(crate) fn tasks_together(&self) -> u32 {
        if self.one_node || self.groups.len() > 1 { 0 } else { self.tasks() }
    }

    /// The models it accepts, best first; one may come again.
    pub(crate) fn models(&self) -> impl Iterator<Item = ModelId> {
        self.alternatives.iter().flat_map(|alternative| alternative.models.iter().copied())
    }

    /// Tasks of all groups.
    pub(crate) fn tasks(&self) -> u32 {
        self.groups.iter().map(|group| group.tasks).sum()
    }

    /// Whether a node would hold the whole gang if nothing were on it.
    pub(crate) fn fits_empty(&self, node: &Node) -> bool {
        let sum = |of: fn(&GroupDemand) -> u64| -> u64 {
            self.groups.iter().map(|group| of(group).saturating_mul(u64::from(group.tasks))).sum()
        };
        let shares_alone = self.tasks() > 1 && self.groups.iter().any(|group| group.exclusive);
        !shares_alone
            && !self.is_apart
            && self.groups.iter().all(|group| node.capacity_empty(group, 1) >= group.tasks)
            && self.gpus <= u64::from(node.spec.gpus - node.unhealthy.count())
            && sum(|group| group.cpus) <= node.spec.cpus.0
            && sum(|group| group.memory) <= node.spec.memory.0
    }

    /// In which order the groups are placed: the most GPUs per task first, for they are the
    /// hardest to fit.
    pub(crate) fn placing_order(&self) -> SmallVec<[usize; 1]> {
        let mut order: SmallVec<[usize; 1]> = (0..self.groups.len()).collect();
        order.sort_by_key(|&index| std::cmp::Reverse(self.groups[index].gpus));
        order
    }

    /// All orders worth trying: a group that fits on few nodes must not find them taken by one
    /// that fits on all. Gangs have few groups; of many only each one first is tried.
    pub(crate) fn placing_orders(&self) -> Vec<SmallVec<[usize; 1]>> {
        let first = self.placing_order();
        if first.len() > GROUPS_PERMUTED_MAX {
            let rotated = |by: usize| {
                let mut order = first.clone();
                order.rotate_left(by);
                order
            };
            return (0..first.len()).map(rotated).collect();
        }
        let mut orders: Vec<SmallVec<[usize; 1]>> = vec![SmallVec::new()];
        for _ in 0..first.len() {
            orders = (orders.iter())
                .flat_map(|begun| {
                    let rest = first.iter().filter(|group| !begun.contains(group));
                    rest.map(|&group| {
                        let mut order = begun.clone();
                        order.push(group);
                        order
                    })
                })
                .collect();
        }
        orders
    }

    /// The size of the blocks each single node must hold whole.
    pub(crate) fn unit(&self, node_depth: u8) -> u32 {
        match self.segment {
            Some((tasks, depth)) if depth == node_depth => tasks,
            _ => 1,
        }
    }
}

/// The combinations of models for which there are nodes, the most preferred first: by the sum
/// of the places of their models in the groups' lists.
fn alternatives(
    spec: &JobSpec,
    groups: &[GroupDemand],
    catalog: &Catalog,
    capacity: &Capacity,
) -> Vec<Alternative> {
    let choices: Vec<Vec<ModelId>> = (spec.groups.iter().zip(groups))
        .map(|(group, demand)| models(&group.task, demand, catalog, capacity))
        .collect();
    let mut combinations: Vec<(usize, SmallVec<[ModelId; 1]>)> = vec![(0, SmallVec::new())];
    for choice in &choices {
        combinations = (combinations.iter())
            .flat_map(|(rank, models)| {
                choice.iter().enumerate().map(move |(place, &model)| {
                    let mut models = models.clone();
                    models.push(model);
                    (rank + place, models)
                })
            })
            .collect();
        combinations.sort_by_key(|(rank, _)| *rank);
        combinations.truncate(ALTERNATIVES_MAX);
    }
    let alternative = |(_, models): (usize, SmallVec<[ModelId; 1]>)| {
        let charge = charge(groups.iter().zip(models.iter().copied()));
        Alternative { models, charge }
    };
    combinations.into_iter().map(alternative).collect()
}

/// The models a task accepts that the cluster has and that can give it its share, best first. A
/// task without GPUs accepts every node, those that have none first.
fn models(
    task: &TaskShape,
    demand: &GroupDemand,
    catalog: &Catalog,
    capacity: &Capacity,
) -> Vec<ModelId> {
    let mut models: Vec<ModelId> = if !task.models.is_empty() {
        task.models.iter().map(|name| catalog.model(name).expect("models were validated")).collect()
    } else {
        let first = usize::from(task.gpus > 0 || task.share.is_some());
        (first..catalog.models()).map(ModelId::from_index).collect()
    };
    let can_give = |model| demand.share.is_none() || demand.need(model).is_some();
    models.retain(|&model| capacity.has_model(model) && can_give(model));
    models
}

/// What groups on nodes of these models take from their queue.
fn charge<'a>(groups: impl Iterator<Item = (&'a GroupDemand, ModelId)>) -> Charge {
    let mut charge = Charge::default();
    for (group, model) in groups {
        charge.add(group, group.tasks, model);
    }
    charge
}

impl Charge {
    /// Counts shares as they were given: of a range, that may be more than the least.
    pub(crate) fn set_shares<'a>(
        &mut self,
        demand: &Demand,
        models: &[ModelId],
        tasks: impl Iterator<Item = &'a TaskPlace>,
    ) {
        for task in tasks {
            let (group, model) =
                (&demand.groups[usize::from(task.group)], models[usize::from(task.group)]);
            if let Some(share) = task.share {
                self.add_gpus(model, share.milli.0.saturating_sub(group.milli_on(model)));
            }
        }
    }

    /// So many tasks of a group more, on nodes of a model.
    pub(crate) fn add(&mut self, group: &GroupDemand, tasks: u32, model: ModelId) {
        let tasks = u64::from(tasks);
        self.cpus += group.cpus * tasks;
        self.memory += group.memory * tasks;
        self.add_gpus(model, group.milli_on(model) * tasks);
    }

    /// Milli-GPUs of a model more.
    pub(crate) fn add_gpus(&mut self, model: ModelId, milli: u64) {
        self.gpus += milli;
        if milli == 0 {
            return;
        }
        match self.models.iter_mut().find(|(charged, _)| *charged == model) {
            Some((_, sum)) => *sum += milli,
            None => self.models.push((model, milli)),
        }
    }
}
