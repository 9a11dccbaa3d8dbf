//! One queue: what it may use, what it uses, what it used.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::dense::{Dense, Key, LineId, ModelId, QueueId, UserId};
use crate::fairness::decay::Usage;
use crate::state::catalog::{Catalog, DenseQuota};
use crate::state::demand::Charge;

/// A queue.
#[derive(Debug)]
pub(crate) struct Queue {
    pub(crate) parent: Option<QueueId>,
    /// The leaves at or below it.
    pub(crate) leaves: Vec<QueueId>,
    pub(crate) guarantee: DenseQuota,
    pub(crate) limit: DenseQuota,
    pub(crate) user_limit: DenseQuota,
    pub(crate) weight: u32,
    /// Weight of it and its siblings together.
    pub(crate) weight_among: u64,
    pub(crate) used: Used,
    /// What each user uses; kept only where users are limited.
    pub(crate) users: FxHashMap<UserId, Used>,
    pub(crate) usage: Usage,
    /// Its fair-share term in the order, as of the last refresh.
    pub(crate) fair_share: i64,
    /// Its lines of waiting jobs.
    pub(crate) lines: Vec<LineId>,
}

/// Amounts in use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Used {
    pub(crate) gpus: u64,
    models: SmallVec<[u64; 4]>,
    pub(crate) cpus: u64,
    pub(crate) memory: u64,
}

impl Queue {
    fn new(weight: u32) -> Queue {
        Queue {
            parent: None,
            leaves: Vec::new(),
            guarantee: DenseQuota::default(),
            limit: DenseQuota::default(),
            user_limit: DenseQuota::default(),
            weight,
            weight_among: u64::from(weight),
            used: Used::default(),
            users: FxHashMap::default(),
            usage: Usage::default(),
            fair_share: 0,
            lines: Vec::new(),
        }
    }

    /// Whether how much it uses decides anything about those who wait in it.
    pub(crate) fn has_quota(&self) -> bool {
        !(self.guarantee.is_empty() && self.limit.is_empty() && self.user_limit.is_empty())
    }
}

impl Used {
    pub(crate) fn of(&self, model: ModelId) -> u64 {
        self.models.get(model.index()).copied().unwrap_or(0)
    }

    pub(crate) fn add(&mut self, charge: &Charge) {
        self.gpus += charge.gpus;
        self.cpus += charge.cpus;
        self.memory += charge.memory;
        for &(model, gpus) in &charge.models {
            if self.models.len() <= model.index() {
                self.models.resize(model.index() + 1, 0);
            }
            self.models[model.index()] += gpus;
        }
    }

    pub(crate) fn subtract(&mut self, charge: &Charge) {
        self.gpus -= charge.gpus;
        self.cpus -= charge.cpus;
        self.memory -= charge.memory;
        for &(model, gpus) in &charge.models {
            self.models[model.index()] -= gpus;
        }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.gpus == 0 && self.cpus == 0 && self.memory == 0
    }
}

/// Brings the queues in line with the catalog, keeping what they use and used.
pub(crate) fn configure(queues: &mut Dense<QueueId, Queue>, catalog: &Catalog) {
    let specs = &catalog.spec.queues;
    for spec in &specs[queues.len()..] {
        queues.push(Queue::new(spec.weight));
    }
    for (index, spec) in specs.iter().enumerate() {
        let parent = spec.name.parent().and_then(|name| catalog.queue(&name));
        let among = specs.iter().filter(|other| other.name.parent() == spec.name.parent());
        let weight_among = among.map(|other| u64::from(other.weight)).sum();
        let queue = &mut queues[QueueId::from_index(index)];
        queue.parent = parent;
        queue.weight = spec.weight;
        queue.weight_among = weight_among;
        queue.guarantee = catalog.dense(&spec.guarantee);
        queue.limit = catalog.dense(&spec.limit);
        queue.user_limit = catalog.dense(&spec.user_limit);
        queue.leaves.clear();
    }
    let leaves: Vec<QueueId> = (queues.iter())
        .filter(|(id, _)| !queues.iter().any(|(_, other)| other.parent == Some(*id)))
        .map(|(id, _)| id)
        .collect();
    for leaf in leaves {
        let mut here = Some(leaf);
        while let Some(id) = here {
            queues[id].leaves.push(leaf);
            here = queues[id].parent;
        }
    }
}
