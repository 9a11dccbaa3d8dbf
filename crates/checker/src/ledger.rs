//! What queues and users use, as plain sums over the jobs that hold a placement.

use std::collections::BTreeMap;

use muster_engine::action::TaskPlace;
use muster_engine::reason::Resource;
use muster_model::{JobSpec, Name, QueueName, Quota};

/// Amounts in the units of quotas: milli-GPU, milli-CPU, MiB.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    gpus: u64,
    models: BTreeMap<Name, u64>,
    cpus: u64,
    memory: u64,
}

impl Usage {
    /// What one task takes of a node with GPUs of this model, in milli-GPU.
    pub(crate) fn add_task(&mut self, spec: &JobSpec, group: u16, gpus: u64, model: Option<&Name>) {
        self.gpus += gpus;
        if let Some(model) = model.filter(|_| gpus > 0) {
            *self.models.entry(model.clone()).or_default() += gpus;
        }
        if let Some(group) = spec.groups.get(usize::from(group)) {
            self.cpus += group.task.cpus.0;
            self.memory += group.task.memory.0;
        }
    }

    /// What a job's tasks on one node take.
    pub(crate) fn add_tasks(&mut self, spec: &JobSpec, tasks: &[TaskPlace], model: Option<&Name>) {
        for task in tasks {
            let whole = u64::from(task.gpus.count()) * 1000;
            let gpus = task.share.map_or(whole, |share| share.milli.0);
            self.add_task(spec, task.group, gpus, model);
        }
    }

    pub(crate) fn add(&mut self, other: &Usage) {
        self.gpus += other.gpus;
        self.cpus += other.cpus;
        self.memory += other.memory;
        for (model, gpus) in &other.models {
            *self.models.entry(model.clone()).or_default() += gpus;
        }
    }

    pub(crate) fn subtract(&mut self, other: &Usage) {
        self.gpus -= other.gpus;
        self.cpus -= other.cpus;
        self.memory -= other.memory;
        for (model, gpus) in &other.models {
            *self.models.entry(model.clone()).or_default() -= gpus;
        }
    }

    /// The first resource of which this is more than `quota`, if `wanted` takes part in it: a
    /// limit that was lowered below the usage binds only those who want more.
    pub(crate) fn excess(&self, quota: &Quota, wanted: &Usage) -> Option<String> {
        let single = [
            (Resource::Gpus, quota.gpus.map(|gpus| gpus.0), self.gpus, wanted.gpus),
            (Resource::Cpus, quota.cpus.map(|cpus| cpus.0), self.cpus, wanted.cpus),
            (Resource::Memory, quota.memory.map(|memory| memory.0), self.memory, wanted.memory),
        ];
        let of = |usage: &Usage, model| usage.models.get(model).copied().unwrap_or(0);
        let models = quota.models.iter().map(|(model, limit)| {
            let (used, wanted) = (of(self, model), of(wanted, model));
            (Resource::GpusOf(model.clone()), Some(limit.0), used, wanted)
        });
        single.into_iter().chain(models).find_map(|(resource, limit, used, wanted)| {
            let limit = limit.filter(|&limit| wanted > 0 && used > limit)?;
            Some(format!("{} of {} {resource}", resource.amount(used), resource.amount(limit)))
        })
    }
}

/// Usage of every queue, with that of the queues below it, in all and by user.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    queues: BTreeMap<QueueName, Usage>,
    users: BTreeMap<(QueueName, Name), Usage>,
}

impl Ledger {
    pub(crate) fn charge(&mut self, spec: &JobSpec, usage: &Usage) {
        for queue in chain(&spec.queue) {
            self.queues.entry(queue.clone()).or_default().add(usage);
            self.users.entry((queue, spec.user.clone())).or_default().add(usage);
        }
    }

    pub(crate) fn release(&mut self, spec: &JobSpec, usage: &Usage) {
        for queue in chain(&spec.queue) {
            self.queues.entry(queue.clone()).or_default().subtract(usage);
            self.users.entry((queue, spec.user.clone())).or_default().subtract(usage);
        }
    }

    pub(crate) fn of_queue(&self, queue: &QueueName) -> Usage {
        self.queues.get(queue).cloned().unwrap_or_default()
    }

    pub(crate) fn of_user(&self, queue: &QueueName, user: &Name) -> Usage {
        self.users.get(&(queue.clone(), user.clone())).cloned().unwrap_or_default()
    }
}

/// A queue and all above it.
pub(crate) fn chain(queue: &QueueName) -> impl Iterator<Item = QueueName> {
    std::iter::successors(Some(queue.clone()), QueueName::parent)
}
