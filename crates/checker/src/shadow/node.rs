//! A node in the shadow: what it has, whether it may be used, and who holds what on it.

use std::collections::{BTreeMap, BTreeSet};

use muster_engine::action::{SharePlace, TaskPlace};
use muster_engine::snapshot::Sight;
use muster_model::{GpuSet, JobId, NodeId, NodeSpec, TaskShape, Time};

/// One node.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) id: NodeId,
    pub(crate) spec: NodeSpec,
    pub(crate) sight: Sight,
    pub(crate) is_drained: bool,
    pub(crate) unhealthy: GpuSet,
    /// After a refusal it rests until then at least.
    pub(crate) rests_until: Time,
    /// Until when it rests by the engine's own latest word.
    pub(crate) rest_told: Time,
    /// Who holds what, by job, group and rank.
    pub(crate) tasks: BTreeMap<(JobId, u16, u32), Holding>,
    /// Jobs whose state is in its host memory.
    pub(crate) suspended: BTreeSet<JobId>,
}

/// What one task holds of its node.
#[derive(Clone, Debug)]
pub(crate) struct Holding {
    pub(crate) gpus: GpuSet,
    /// The part of its GPU it holds, if not all of it.
    pub(crate) share: Option<SharePlace>,
    pub(crate) cpus: u64,
    pub(crate) memory: u64,
    pub(crate) is_exclusive: bool,
}

impl Node {
    pub(crate) fn new(id: NodeId, spec: NodeSpec) -> Node {
        Node {
            id,
            spec,
            sight: Sight::Seen,
            is_drained: false,
            unhealthy: GpuSet::EMPTY,
            rests_until: Time(0),
            rest_told: Time(0),
            tasks: BTreeMap::new(),
            suspended: BTreeSet::new(),
        }
    }

    /// The jobs that hold something here, if only host memory.
    pub(crate) fn jobs(&self) -> BTreeSet<JobId> {
        let tasks = self.tasks.keys().map(|&(job, _, _)| job);
        tasks.chain(self.suspended.iter().copied()).collect()
    }

    /// Why nothing new may go here, if so.
    pub(crate) fn closed(&self, now: Time) -> Option<&'static str> {
        match self.sight {
            Sight::Unknown { .. } => Some("is out of sight"),
            Sight::Gone => Some("is gone"),
            Sight::Seen if self.is_drained => Some("is drained"),
            Sight::Seen if now < self.rests_until.max(self.rest_told) => {
                Some("rests after a refusal")
            }
            Sight::Seen => None,
        }
    }
}

impl Holding {
    /// What a task of this shape takes at a place.
    pub(crate) fn new(shape: &TaskShape, place: &TaskPlace) -> Holding {
        Holding {
            gpus: place.gpus,
            share: place.share,
            cpus: shape.cpus.0,
            memory: shape.memory.0,
            is_exclusive: shape.exclusive,
        }
    }
}
