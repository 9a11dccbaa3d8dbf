//! A node of the virtual cluster as it truly is, whatever the engine knows of it.

use std::collections::BTreeMap;

use muster_engine::command::{Command, Exit, Running};
use muster_model::{Attempt, GpuSet, JobId, Millis, NodeSpec, Time};

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
    pub(super) gpus: GpuSet,
    pub(super) phase: Phase,
    /// How often it has begun to compute: an end planned before does not count.
    pub(super) turn: u32,
    /// When it will be done if it computes, or how long it still has to.
    pub(super) ends: Time,
    pub(super) left: Millis,
    pub(super) exit: Exit,
}

impl Part {
    pub(super) fn coming(gpus: GpuSet) -> Part {
        let exit = Exit::Code(0);
        Part { gpus, phase: Phase::Coming, turn: 0, ends: Time(0), left: Millis::ZERO, exit }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Being launched; nothing computes yet.
    Coming,
    Running,
    /// Not computing; its memory is on the GPUs.
    Frozen,
    /// Its memory is in the host's.
    Suspended,
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
            unsent: Vec::new(),
        }
    }

    /// What the agent says it is running.
    pub(super) fn running(&self) -> Vec<Running> {
        self.parts.keys().map(|&(job, attempt)| Running { job, attempt }).collect()
    }
}
