//! One queue: what it may use, what it uses, what it used.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::dense::{Dense, Key, LineId, ModelId, QueueId, UserId};
use crate::fairness::decay::Usage;
use crate::state::catalog::{Catalog, DenseQuota};
use crate::state::demand::Charge;

/// A queue.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    pub(crate) parent: Option<QueueId>,
    is_leaf: bool,
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
    /// Lines of waiting jobs in it and below it, by the milli-GPUs each of their jobs takes.
    pub(crate) lines: BTreeSet<(u64, LineId)>,
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
            is_leaf: true,
            guarantee: DenseQuota::default(),
            limit: DenseQuota::default(),
            user_limit: DenseQuota::default(),
            weight,
            weight_among: u64::from(weight),
            used: Used::default(),
            users: FxHashMap::default(),
            usage: Usage::default(),
            fair_share: 0,
            lines: BTreeSet::new(),
        }
    }

    /// Whether it has jobs of its own instead of queues below it.
    pub(crate) fn is_leaf(&self) -> bool {
        self.is_leaf
    }

    /// The lines whose standing may change when a user's use of GPUs has just changed by so much:
    /// those that fitted into the room left before and do not now, or the other way round.
    pub(crate) fn lines_to_look_at(
        &self,
        user: UserId,
        gpus: u64,
        was_charged: bool,
    ) -> Vec<LineId> {
        let quotas = [&self.limit, &self.guarantee, &self.user_limit];
        if quotas.iter().any(|quota| quota.is_detailed()) {
            return self.lines.iter().map(|(_, line)| *line).collect();
        }
        let by_user = self.users.get(&user).map_or(0, |used| used.gpus);
        let used = [self.used.gpus, self.used.gpus, by_user];
        let mut lines = Vec::new();
        for (quota, used) in quotas.into_iter().zip(used) {
            let Some(quota) = quota.gpus else { continue };
            let before = if was_charged { used - gpus } else { used + gpus };
            let rooms = [before, used].map(|used| quota.saturating_sub(used));
            let (least, most) = (rooms[0].min(rooms[1]), rooms[0].max(rooms[1]));
            let between = (least + 1, LineId(0))..=(most, LineId(u32::MAX));
            if least < most {
                lines.extend(self.lines.range(between).map(|(_, line)| *line));
            }
        }
        lines
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

/// A queue and all above it, with their numbers.
pub(crate) fn path(
    queues: &Dense<QueueId, Queue>,
    queue: QueueId,
) -> impl Iterator<Item = (QueueId, &Queue)> {
    std::iter::successors(Some(queue), |id| queues[*id].parent).map(|id| (id, &queues[id]))
}

/// Does something to a queue and all above it.
pub(crate) fn on_path(
    queues: &mut Dense<QueueId, Queue>,
    queue: QueueId,
    mut act: impl FnMut(&mut Queue),
) {
    let mut here = Some(queue);
    while let Some(id) = here {
        act(&mut queues[id]);
        here = queues[id].parent;
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
        queue.is_leaf = !specs.iter().any(|other| other.name.parent().as_ref() == Some(&spec.name));
    }
}
