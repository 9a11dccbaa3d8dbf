//! A node of the virtual cluster as it truly is, whatever the engine knows of it.

use std::collections::{BTreeMap, BTreeSet};

use muster_engine::command::{Command, Running};
use muster_model::{Attempt, GpuSet, JobId, NodeSpec, Time};

/// One node with its agent.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) spec: NodeSpec,
    /// What is on it, by job and attempt.
    pub(super) parts: BTreeMap<(JobId, Attempt), Part>,
    /// Which connection it is on; messages sent on an earlier one never arrive.
    pub(super) connection: u32,
    /// Set while it is cut off.
    pub(super) cut_off: Option<CutOff>,
    /// Whether an operator drained it.
    pub(super) drained: bool,
    /// GPUs that report errors.
    pub(super) unhealthy: GpuSet,
    /// Attempts that have come to their end here: nothing of them is launched again.
    pub(super) over: BTreeSet<(JobId, Attempt)>,
    /// Reports that wait for a connection.
    pub(super) unsent: Vec<Command>,
}

/// A node out of sight.
#[derive(Clone, Copy, Debug)]
pub(super) struct CutOff {
    /// When it ends its tasks by itself.
    pub(super) lease_ends: Time,
    /// Whether the engine was told.
    pub(super) noticed: bool,
}

/// The tasks of one attempt on one node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// GPUs it may be using, those it is leaving included.
    pub(super) gpus: GpuSet,
    pub(super) phase: Phase,
    /// The resize under way and the GPUs it leaves the part with.
    pub(super) resize: Option<(u32, GpuSet)>,
}

impl Part {
    /// Tasks that are being launched.
    pub(super) fn coming(gpus: GpuSet) -> Part {
        Part { gpus, phase: Phase::Coming, resize: None }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Being launched; nothing computes yet.
    Coming,
    Running,
    /// Asked to end.
    Going,
}

impl Node {
    pub(super) fn new(spec: NodeSpec) -> Node {
        Node {
            spec,
            parts: BTreeMap::new(),
            connection: 0,
            cut_off: None,
            drained: false,
            unhealthy: GpuSet::EMPTY,
            over: BTreeSet::new(),
            unsent: Vec::new(),
        }
    }

    /// What the agent says it is running.
    pub(super) fn running(&self) -> Vec<Running> {
        self.parts.keys().map(|&(job, attempt)| Running { job, attempt }).collect()
    }
}
