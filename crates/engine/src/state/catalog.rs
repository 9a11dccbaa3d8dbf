//! The configuration with its names resolved to dense numbers.

use std::sync::Arc;

use muster_model::known::{Kind, Known, QueuePlace};
use muster_model::{
    Class, ClusterSpec, Level, Millis, Name, NodeSpec, Policy, QueueName, Quota, Share,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::dense::{ClassId, Key, ModelId, QueueId};
use crate::state::need::Need;

/// The model number of nodes without GPUs.
pub(crate) const NO_GPUS: ModelId = ModelId(0);

/// The configuration, and where each name is in it.
#[derive(Clone, Debug)]
pub(crate) struct Catalog {
    pub(crate) spec: ClusterSpec,
    models: FxHashMap<Name, ModelId>,
    classes: FxHashMap<Name, ClassId>,
    queues: FxHashMap<QueueName, QueueId>,
    levels: FxHashMap<Name, u8>,
    class_ranks: Vec<u8>,
    /// Queues that have others below them.
    inner: FxHashSet<QueueName>,
}

/// A quota with its models resolved.
#[derive(Clone, Debug, Default)]
pub(crate) struct DenseQuota {
    pub(crate) gpus: Option<u64>,
    pub(crate) models: Vec<(ModelId, u64)>,
    pub(crate) cpus: Option<u64>,
    pub(crate) memory: Option<u64>,
}

impl Catalog {
    pub(crate) fn new(spec: ClusterSpec) -> Catalog {
        let numbered = |index: usize| u8::try_from(index).expect("bounded by validation");
        let models = (spec.gpu_models.iter().enumerate())
            .map(|(index, model)| (model.name.clone(), ModelId::from_index(index + 1)))
            .collect();
        let classes = (spec.classes.iter().enumerate())
            .map(|(index, class)| (class.name.clone(), ClassId(numbered(index))))
            .collect();
        let queues = (spec.queues.iter().enumerate())
            .map(|(index, queue)| (queue.name.clone(), QueueId::from_index(index)))
            .collect();
        let levels = (spec.levels.iter().enumerate())
            .map(|(index, level)| (level.clone(), numbered(index + 1)))
            .collect();
        let above = |value| spec.classes.iter().filter(|class| class.value > value).count();
        let class_ranks = spec.classes.iter().map(|class| numbered(above(class.value))).collect();
        let inner = spec.queues.iter().filter_map(|queue| queue.name.parent()).collect();
        Catalog { models, classes, queues, levels, class_ranks, inner, spec }
    }

    pub(crate) fn policy(&self) -> &Policy {
        &self.spec.policy
    }

    pub(crate) fn model(&self, name: &Name) -> Option<ModelId> {
        self.models.get(name).copied()
    }

    /// The model of a validated node.
    pub(crate) fn model_of(&self, node: &NodeSpec) -> ModelId {
        node.gpu_model
            .as_ref()
            .map_or(NO_GPUS, |name| self.model(name).expect("models were validated"))
    }

    pub(crate) fn model_name(&self, model: ModelId) -> Option<&Name> {
        model.index().checked_sub(1).map(|index| &self.spec.gpu_models[index].name)
    }

    /// Memory of one GPU of a model, in MiB.
    pub(crate) fn gpu_memory(&self, model: ModelId) -> u64 {
        model.index().checked_sub(1).map_or(0, |index| self.spec.gpu_models[index].memory.0)
    }

    /// How many model numbers there are, the one for no GPUs included.
    pub(crate) fn models(&self) -> usize {
        self.spec.gpu_models.len() + 1
    }

    /// What a share comes to on each model, by model number.
    pub(crate) fn needs(&self, share: &Share) -> Arc<[Option<Need>]> {
        let models = self.spec.gpu_models.iter().map(|model| Need::new(share, model));
        [None].into_iter().chain(models).collect()
    }

    pub(crate) fn class(&self, name: &Name) -> Option<ClassId> {
        self.classes.get(name).copied()
    }

    pub(crate) fn class_spec(&self, class: ClassId) -> &Class {
        &self.spec.classes[class.index()]
    }

    /// Place of a class among all: 0 goes first.
    pub(crate) fn class_rank(&self, class: ClassId) -> u8 {
        self.class_ranks[class.index()]
    }

    pub(crate) fn queue(&self, name: &QueueName) -> Option<QueueId> {
        self.queues.get(name).copied()
    }

    /// Adds or replaces a queue; the caller has validated the whole.
    pub(crate) fn set_queue(&mut self, queue: muster_model::QueueSpec) -> QueueId {
        if let Some(id) = self.queue(&queue.name) {
            self.spec.queues[id.index()] = queue;
            return id;
        }
        let id = QueueId::from_index(self.spec.queues.len());
        self.inner.extend(queue.name.parent());
        self.queues.insert(queue.name.clone(), id);
        self.spec.queues.push(queue);
        id
    }

    /// Depth of a level in the topology: 0 is the whole cluster, one more for each level, the
    /// node below the last.
    pub(crate) fn depth(&self, level: &Level) -> Option<u8> {
        match level {
            Level::Named(name) => self.levels.get(name).copied(),
            Level::Node => Some(self.node_depth()),
        }
    }

    /// Depth of a single node.
    pub(crate) fn node_depth(&self) -> u8 {
        u8::try_from(self.spec.levels.len() + 1).expect("levels are bounded by validation")
    }

    /// The level at a depth; `None` for the whole cluster.
    pub(crate) fn level_at(&self, depth: u8) -> Option<Level> {
        match usize::from(depth).checked_sub(1)? {
            index if index < self.spec.levels.len() => {
                Some(Level::Named(self.spec.levels[index].clone()))
            }
            _ => Some(Level::Node),
        }
    }

    pub(crate) fn dense(&self, quota: &Quota) -> DenseQuota {
        DenseQuota {
            gpus: quota.gpus.map(|gpus| gpus.0),
            models: (quota.models.iter())
                .filter_map(|(name, gpus)| Some((self.model(name)?, gpus.0)))
                .collect(),
            cpus: quota.cpus.map(|cpus| cpus.0),
            memory: quota.memory.map(|memory| memory.0),
        }
    }
}

/// Validation asks by hash instead of looking through lists.
impl Known for Catalog {
    fn queue(&self, name: &QueueName) -> Option<QueuePlace> {
        self.queues.get(name)?;
        Some(if self.inner.contains(name) { QueuePlace::Inner } else { QueuePlace::Leaf })
    }

    fn class(&self, name: &Name) -> bool {
        self.classes.contains_key(name)
    }

    fn model(&self, name: &Name) -> bool {
        self.models.contains_key(name)
    }

    fn mig(&self, model: Option<&Name>, profile: &Name) -> bool {
        self.spec.mig(model, profile)
    }

    fn level(&self, name: &Name) -> Option<usize> {
        self.levels.get(name).map(|depth| usize::from(depth - 1))
    }

    fn team(&self, name: &Name) -> bool {
        self.spec.team(name)
    }

    fn limit_max(&self) -> Millis {
        self.spec.policy.limit_max
    }

    fn names(&self, kind: Kind) -> Vec<&str> {
        self.spec.names(kind)
    }
}

impl DenseQuota {
    /// Whether it says more than how many GPUs there are in all.
    pub(crate) fn is_detailed(&self) -> bool {
        !self.models.is_empty() || self.cpus.is_some() || self.memory.is_some()
    }

    /// Whether the quota says nothing at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.gpus.is_none()
            && self.models.is_empty()
            && self.cpus.is_none()
            && self.memory.is_none()
    }
}
