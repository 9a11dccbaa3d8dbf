//! What a snapshot holds of pauses: how attempts are paused, and the room that is made by it.

use muster_model::{GpuSet, JobId, Millis, NodeId, Rung, Time};
use serde::{Deserialize, Serialize};

use super::PlaceRecord;
use crate::action::TaskPlace;
use crate::explain::{OrderTerms, Paused};

/// The pauses of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PausesRecord {
    /// How many.
    pub count: u32,
    /// The latest, as it was decided.
    pub latest: Paused,
    /// It is not paused again before, unless a guarantee is reclaimed.
    pub spared_until: Time,
    /// It is to compute for so long after the latest before it is paused again.
    pub rest: Millis,
    /// What all of them have cost it.
    #[serde(default)]
    pub lost: Millis,
    /// When it was last asked to move elsewhere.
    pub moved: Option<Time>,
    /// Whether the latest is not over: the job has not run again since.
    pub is_open: bool,
}

/// How an attempt is being paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PauseRun {
    /// The rung it is to reach.
    pub rung: Rung,
    /// Whether the rungs are being undone.
    pub is_undone: bool,
    /// Whether its nodes were given an order for it: a job that saves by itself soon is only
    /// waited for.
    pub is_asked: bool,
    /// The number of the order its nodes were given last.
    pub order: u32,
    /// When it will have given up its GPUs, or have them back, at the latest.
    pub due: Time,
}

/// The place of a running attempt in the index of those that may be paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exposure {
    /// Weaker classes and larger ranks have larger numbers; 0 is only reclaimed.
    pub bucket: u16,
    /// When it is looked at anew, if ever.
    pub look_at: Option<Time>,
}

/// A job that searched in vain for someone to take the place of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestRecord {
    /// The job.
    pub job: JobId,
    /// How many nodes and jobs it has looked at.
    pub looked: u64,
    /// It does not look again before.
    pub until: Time,
    /// How often it has rested.
    pub times: u32,
    /// Whether it is to look then.
    pub is_noted: bool,
    /// Whether it had waited too long and room that was being made for it was given up: nodes are
    /// drained for it then.
    #[serde(default)]
    pub drains: bool,
}

/// Room being made for a job: what is free of it is held, what is not is being given up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanRecord {
    /// The job.
    pub job: JobId,
    /// Since when.
    pub made: Time,
    /// Where its tasks will be.
    pub tasks: Vec<(NodeId, TaskPlace)>,
    /// What is held on each node so far, in the order the nodes first appear.
    pub holds: Vec<HoldRecord>,
    /// Who gives way, by number; not those who have since started elsewhere.
    pub victims: Vec<JobId>,
    /// Whether someone has given way for it and has since started elsewhere.
    #[serde(default)]
    pub has_cost: bool,
    /// Who still has tasks to give back for it, by number.
    pub givers: Vec<JobId>,
    /// With givers it is given up then at the latest.
    pub until: Option<Time>,
    /// The place it will get.
    pub chosen: PlaceRecord,
    /// Its terms in the order when the plan was made.
    pub order: OrderTerms,
}

/// What is held on one node for a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HoldRecord {
    /// The node.
    pub node: NodeId,
    /// GPUs.
    pub gpus: GpuSet,
    /// Milli-CPUs.
    pub cpus: u64,
    /// MiB.
    pub memory: u64,
}
