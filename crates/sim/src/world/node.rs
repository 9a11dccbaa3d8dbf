//! A node of the virtual cluster as it truly is, whatever the engine knows of it.

use std::collections::{BTreeMap, BTreeSet};

use muster_engine::action::TaskPlace;
use muster_engine::command::{Command, Exit, Running};
use muster_model::{Attempt, GpuSet, JobId, Millis, NodeSpec, Time};

/// So many ends an agent remembers: far more than can be on their way at once.
const ENDED_MAX: usize = 256;

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
    /// How what ended by itself has ended: whoever asks late is told the same.
    ended: BTreeMap<(JobId, Attempt), Exit>,
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
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Its tasks, those that are leaving included.
    pub(super) tasks: Vec<TaskPlace>,
    /// The resize under way, and the tasks it leaves the part with.
    pub(super) resize: Option<(u32, Vec<TaskPlace>)>,
    pub(super) phase: Phase,
    /// How often it has begun to compute: an end planned before does not count.
    pub(super) turn: u32,
    /// When it will be done if it computes, or how long it still has to.
    pub(super) ends: Time,
    pub(super) left: Millis,
    pub(super) exit: Exit,
    /// The latest order to pause or resume that it heard.
    pub(super) order: u32,
}

impl Part {
    pub(super) fn coming(tasks: Vec<TaskPlace>) -> Part {
        let exit = Exit::Code(0);
        let (phase, resize, ends, left) = (Phase::Coming, None, Time(0), Millis::ZERO);
        Part { tasks, resize, phase, turn: 0, ends, left, exit, order: 0 }
    }

    /// The GPUs it has, or has part of.
    pub(super) fn gpus(&self) -> GpuSet {
        self.tasks.iter().fold(GpuSet::EMPTY, |gpus, task| gpus.or(task.gpus))
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
            over: BTreeSet::new(),
            unsent: Vec::new(),
            ended: BTreeMap::new(),
        }
    }

    /// A GPU that has no room for a task of an attempt beside what others have there: held whole,
    /// shared in another mode, or given away by now.
    pub(super) fn crowded(&self, own: (JobId, Attempt), task: &TaskPlace) -> Option<u32> {
        // What is suspended is in host memory, and its GPUs are free.
        let others = self.parts.iter().filter(|(other, _)| **other != own);
        let there = others.filter(|(_, part)| part.phase != Phase::Suspended);
        let there = there.flat_map(|(_, part)| &part.tasks);
        let on = |gpu: u32| {
            there.clone().filter(move |other| !other.gpus.and(GpuSet::one(gpu)).is_empty())
        };
        task.gpus.iter().find(|&gpu| {
            let Some(share) = &task.share else { return on(gpu).next().is_some() };
            let is_beside = |other: &TaskPlace| other.share.is_some_and(|it| it.mode == share.mode);
            let given: u64 = on(gpu).filter_map(|other| Some(other.share?.milli.0)).sum();
            !on(gpu).all(is_beside) || given + share.milli.0 > 1000
        })
    }

    /// Tasks have ended by themselves, which the agent remembers for a while.
    pub(super) fn note_end(&mut self, job: JobId, attempt: Attempt, exit: Exit) {
        self.ended.insert((job, attempt), exit);
        if self.ended.len() > ENDED_MAX {
            self.ended.pop_first();
        }
    }

    /// How an attempt ended that is not there; what never was is as good as stopped.
    pub(super) fn exit_of(&self, job: JobId, attempt: Attempt) -> Exit {
        self.ended.get(&(job, attempt)).copied().unwrap_or(Exit::Stopped)
    }

    /// What the agent says it is running.
    pub(super) fn running(&self) -> Vec<Running> {
        self.parts.keys().map(|&(job, attempt)| Running { job, attempt }).collect()
    }
}
