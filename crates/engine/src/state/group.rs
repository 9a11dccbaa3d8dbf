//! The tasks of one shape within a gang, and what one of them takes.

use std::sync::Arc;

use muster_model::TaskGroup;

use crate::action::TaskPlace;
use crate::dense::{Key, ModelId};
use crate::state::catalog::Catalog;
use crate::state::need::Need;
use crate::state::node::Held;
use crate::state::shared;

/// Tasks of one shape.
#[derive(Clone, Debug)]
pub(crate) struct GroupDemand {
    pub(crate) tasks: u32,
    pub(crate) gpus: u32,
    /// Part of one GPU instead: what it comes to on each model that can give it.
    pub(crate) share: Option<Arc<[Option<Need>]>>,
    pub(crate) cpus: u64,
    pub(crate) memory: u64,
    pub(crate) nvlink: bool,
    pub(crate) exclusive: bool,
    /// No other task of the job is on the same node.
    pub(crate) apart: bool,
}

impl GroupDemand {
    pub(super) fn new(group: &TaskGroup, apart: bool, catalog: &Catalog) -> GroupDemand {
        let task = &group.task;
        GroupDemand {
            tasks: group.tasks.min,
            gpus: task.gpus,
            share: task.share.as_ref().map(|share| catalog.needs(share)),
            cpus: task.cpus.0,
            memory: task.memory.0,
            nvlink: task.nvlink,
            exclusive: task.exclusive,
            apart,
        }
    }

    /// GPUs of all its tasks.
    pub(crate) fn total_gpus(&self) -> u64 {
        u64::from(self.gpus) * u64::from(self.tasks)
    }

    /// What one of its tasks holds at a place.
    pub(crate) fn held(&self, task: &TaskPlace) -> Held {
        Held {
            gpus: task.gpus,
            share: task.share,
            cpus: self.cpus,
            memory: self.memory,
            exclusive: self.exclusive,
        }
    }

    /// What a share comes to on a model; `None` for whole GPUs, and where it cannot be had.
    pub(crate) fn need(&self, model: ModelId) -> Option<&Need> {
        self.share.as_ref()?[model.index()].as_ref()
    }

    /// Milli-GPUs of one of its tasks on nodes of a model.
    pub(super) fn milli_on(&self, model: ModelId) -> u64 {
        let share = self.need(model).map_or(0, |need| u64::from(need.milli));
        u64::from(self.gpus) * 1000 + share
    }

    /// Milli-GPUs of one of its tasks, where it takes most.
    pub(crate) fn milli_each(&self) -> u64 {
        let shares = self.share.iter().flat_map(|needs| needs.iter().flatten());
        let share = shares.map(|need| u64::from(need.milli)).max().unwrap_or(0);
        u64::from(self.gpus) * 1000 + share
    }

    /// Milli-GPUs of all its tasks, where they take most.
    pub(crate) fn total_milli(&self) -> u64 {
        self.milli_each() * u64::from(self.tasks)
    }

    /// The smallest piece of a GPU that could help one of its tasks, by mode of sharing.
    pub(super) fn least_piece(&self) -> [u32; 3] {
        let mut pieces = [0; 3];
        let needs = || self.share.iter().flat_map(|needs| needs.iter().flatten());
        if let Some(least) = needs().map(|need| need.milli).min()
            && let Some(need) = needs().next()
        {
            pieces[shared::index(need.mode)] = least;
        }
        pieces
    }
}
