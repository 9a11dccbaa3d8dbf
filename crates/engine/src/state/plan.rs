//! Rooms that are being made: what is held for whom, and who gives way for it.

use std::collections::BTreeMap;

use muster_model::{GpuSet, JobId};
use rustc_hash::FxHashMap;

use crate::action::TaskPlace;
use crate::snapshot::PlanRecord;
use crate::state::demand::Demand;
use crate::state::node::Part;

/// All rooms that are being made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plans {
    pub(crate) plans: BTreeMap<JobId, Plan>,
    /// For whom a job gives way.
    pub(crate) victims: BTreeMap<JobId, JobId>,
    /// For whom a job gives tasks back.
    pub(crate) givers: BTreeMap<JobId, JobId>,
    /// Jobs whose room is complete.
    pub(crate) ready: Vec<JobId>,
}

impl Plans {
    /// A job is launched. If it had given way, it does so no longer: what it has now is not what
    /// it was asked for.
    pub(crate) fn is_elsewhere(&mut self, victim: JobId) {
        let Some(by) = self.victims.remove(&victim) else { return };
        let plan = self.plans.get_mut(&by).expect("who gives way does so for a plan");
        plan.record.victims.retain(|other| *other != victim);
        plan.record.has_cost = true;
    }
}

/// A room that is being made.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) record: PlanRecord,
    /// What is wanted on each node of `record.holds`.
    pub(crate) wants: Vec<Want>,
    /// Nodes on which not all is held, or of which that has not been seen yet.
    pub(crate) missing: u32,
}

/// What is wanted on a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Want {
    pub(crate) part: Part,
    pub(crate) exclusive: bool,
}

impl Want {
    /// A task is wanted there too.
    pub(crate) fn add(&mut self, task: &TaskPlace, demand: &Demand) {
        let group = &demand.groups[usize::from(task.group)];
        self.part.gpus = self.part.gpus.or(task.gpus);
        self.part.cpus += group.cpus;
        self.part.memory += group.memory;
        self.exclusive |= group.exclusive;
    }
}

impl Plan {
    /// The plan of a record.
    pub(crate) fn new(record: PlanRecord, demand: &Demand) -> Plan {
        let mut at: FxHashMap<_, usize> = FxHashMap::default();
        for (index, hold) in record.holds.iter().enumerate() {
            at.insert(hold.node, index);
        }
        let mut wants = vec![Want::default(); record.holds.len()];
        for (node, task) in &record.tasks {
            wants[at[node]].add(task, demand);
        }
        let missing = u32::try_from(wants.len()).expect("a cluster has fewer than 2^32 nodes");
        Plan { record, wants, missing }
    }

    /// Whether all of it is there.
    pub(crate) fn is_ready(&self) -> bool {
        self.missing == 0 && self.record.givers.is_empty()
    }

    /// What is still to be held on the node at an index.
    pub(crate) fn rest(&self, at: usize) -> Part {
        let (want, held) = (&self.wants[at].part, &self.record.holds[at]);
        Part {
            gpus: want.gpus.minus(held.gpus),
            cpus: want.cpus - held.cpus,
            memory: want.memory - held.memory,
        }
    }

    /// Whether all that is wanted on the node at an index is held.
    pub(crate) fn is_complete(&self, at: usize) -> bool {
        let rest = self.rest(at);
        rest.gpus == GpuSet::EMPTY && rest.cpus == 0 && rest.memory == 0
    }

    /// What is held on the node at an index.
    pub(crate) fn held(&self, at: usize) -> Part {
        let held = &self.record.holds[at];
        Part { gpus: held.gpus, cpus: held.cpus, memory: held.memory }
    }
}
