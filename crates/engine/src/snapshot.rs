//! The engine's whole state as plain data: what a snapshot on disk holds, and what the checker
//! reads. It holds facts only; every index is rebuilt from it.

use std::sync::Arc;

use muster_model::{
    Attempt, ClusterSpec, Dependency, Estimate, GpuSet, JobId, JobSpec, Millis, Name, NodeId,
    NodeSpec, SpeedPoint, Time,
};
use serde::{Deserialize, Serialize};

use crate::action::{JobState, Outcome, TaskPlace};
use crate::command::Exit;
use crate::explain::OrderTerms;

/// The version of the form below; a reader of another version refuses.
pub const SNAPSHOT_VERSION: u32 = 1;

/// Everything the engine knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// [`SNAPSHOT_VERSION`] of the writer.
    pub version: u32,
    /// The latest time the engine was told.
    pub now: Time,
    /// The configuration, with queues as they are now.
    pub cluster: ClusterSpec,
    /// The number the next job or array will have.
    pub next_job: JobId,
    /// Jobs, by number; ended ones as long as they are remembered.
    pub jobs: Vec<JobRecord>,
    /// Arrays with elements that are not forgotten, by number.
    pub arrays: Vec<ArrayRecord>,
    /// Nodes, by number.
    pub nodes: Vec<NodeRecord>,
    /// Past usage of all queues together.
    pub usage_whole: UsageRecord,
    /// Past usage of each queue, in the order of the configuration.
    pub usage: Vec<UsageRecord>,
    /// The queue whose fair share is refreshed next.
    pub refresh_next: u32,
    /// Whether a pass was cut short and goes on in the next step.
    pub pass_due: bool,
    /// When fair shares were refreshed last.
    pub last_refresh: Time,
    /// Nodes held together for a starving job, by job.
    pub claims: Vec<ClaimRecord>,
    /// Nodes held for a job that others give tasks up for, by job.
    pub holds: Vec<HoldRecord>,
    /// The elastic job that is looked at next for growing.
    pub grow_next: JobId,
}

/// One job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobRecord {
    /// Its number.
    pub id: JobId,
    /// What was submitted.
    pub spec: Arc<JobSpec>,
    /// The array it is an element of, and its index there.
    pub element: Option<(JobId, u32)>,
    /// The prediction in use.
    pub estimate: Option<Estimate>,
    /// Where it is in its life.
    pub state: JobState,
    /// The attempt it is at; 0 before the first.
    pub attempt: Attempt,
    /// Whether someone holds it.
    pub held: bool,
    /// When it was accepted.
    pub submitted: Time,
    /// When it last became ready to start: the floor counts from here.
    pub ready_since: Time,
    /// Its own part of the key it is ordered by, as last computed.
    pub key: i64,
    /// When its urgency is looked at next.
    pub urgency_at: Option<Time>,
    /// It may not start before (earliest start, or the pause after a failure).
    pub not_before: Time,
    /// Attempts that were followed by another.
    pub requeues: u32,
    /// Launches refused in a row.
    pub launch_failures: u32,
    /// Run time of earlier attempts.
    pub served: Millis,
    /// The current attempt, if there is one; boxed, for most jobs wait most of the time.
    pub run: Option<Box<RunRecord>>,
    /// When it ended.
    pub ended: Option<Time>,
    /// Whether it has ever started, or ended without starting.
    pub has_started: bool,
    /// What it still waits for.
    pub unmet: Vec<Dependency>,
    /// How the worst of the current attempt's tasks ended so far.
    pub exit: Option<Exit>,
    /// Why the latest attempt got its place.
    pub decision: Option<Box<DecisionRecord>>,
    /// What reports have taught about it.
    pub learned: Option<Box<Learned>>,
}

/// What reports have taught about a job.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Learned {
    /// Its speed at sizes it has had, by size.
    pub speeds: Vec<SpeedPoint>,
    /// All its work, in run time at its fewest tasks, as of the last word on how much is done.
    pub work: Option<Millis>,
}

/// Why an attempt got its place, without the names that can be looked up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionRecord {
    /// The attempt.
    pub attempt: Attempt,
    /// When.
    pub at: Time,
    /// Its terms in the order.
    pub order: OrderTerms,
    /// The place it got.
    pub chosen: PlaceRecord,
    /// The next best.
    pub runner_up: Option<PlaceRecord>,
}

/// A domain by one of its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceRecord {
    /// A node in it.
    pub node: NodeId,
    /// Its depth in the topology: 0 is the whole cluster, the node comes after the last level.
    pub depth: u8,
    /// Tasks more that it could have held.
    pub left: u32,
}

/// The current attempt of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRecord {
    /// Where it is, in the order of its tasks.
    pub nodes: Vec<NodeRun>,
    /// When it was placed.
    pub placed: Time,
    /// When every node had confirmed.
    pub started: Option<Time>,
    /// When its limit ends it, once it has started.
    pub limit_at: Option<Time>,
    /// The latest time it can still be on its nodes.
    pub until: Time,
    /// What follows when all its nodes have ended it, once it is stopping.
    pub then: Option<Then>,
    /// Whether the floor placed it, and so until when it counts against the floor.
    pub floor_until: Option<Time>,
    /// Dominant milli-GPUs it counts as usage.
    pub rate: u64,
    /// Whether it was warned of its limit.
    pub warned: bool,
    /// How its size changes, if it is elastic.
    pub elastic: Option<Box<ElasticRun>>,
}

/// The sizes of an elastic attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ElasticRun {
    /// When it may grow again, while that is to come.
    pub grow_at: Option<Time>,
    /// Resizes so far: the number of the latest.
    pub resizes: u32,
    /// The resize under way.
    pub resize: Option<ResizeRecord>,
    /// Work done up to `counted`, in run time at its fewest tasks.
    pub worked: Millis,
    /// Since when it computes at the size it has now.
    pub counted: Option<Time>,
}

/// A resize under way. Tasks from the lower of the two sizes up are on their way in or out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResizeRecord {
    /// Tasks that run in any case: those it had, or keeps if that is less.
    pub from: u32,
    /// Tasks it will have; every task of a higher rank leaves.
    pub to: u32,
    /// When it was decided.
    pub since: Time,
    /// Nodes that have not confirmed yet, ascending.
    pub waits_for: Vec<NodeId>,
}

/// An attempt on one node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeRun {
    /// The node.
    pub node: NodeId,
    /// Its tasks there.
    pub tasks: Vec<TaskPlace>,
    /// What the node has said.
    pub report: NodeReport,
}

/// What a node has said of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NodeReport {
    /// Nothing yet.
    Asked,
    /// That it runs.
    Started,
    /// That nothing of it runs there any more.
    Ended,
}

/// What follows a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Then {
    /// The job is over.
    End(Outcome),
    /// It is queued again for another attempt.
    Again,
}

/// One array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArrayRecord {
    /// Its number; its elements follow.
    pub id: JobId,
    /// How many elements it has.
    pub elements: u32,
    /// At most so many are queued or run at once.
    pub throttle: Option<u32>,
    /// Elements that are queued or hold a placement.
    pub admitted: u32,
    /// Elements that have started, or ended without starting.
    pub started: u32,
    /// Elements that have ended.
    pub ended: u32,
    /// Elements that ended without success.
    pub failed: u32,
    /// Elements that are not forgotten.
    pub remembered: u32,
}

/// One node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeRecord {
    /// Its number.
    pub id: NodeId,
    /// What it has.
    pub spec: NodeSpec,
    /// Whether it can be seen.
    pub sight: Sight,
    /// Whether an operator keeps new work off.
    pub drained: bool,
    /// GPUs that report errors.
    pub unhealthy: GpuSet,
    /// After a refused launch, nothing new goes there before this; 0 when it does not rest.
    pub rests_until: Time,
    /// Launches it refused in a row.
    pub refusals: u32,
}

/// Whether a node can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sight {
    /// It can.
    Seen,
    /// It cannot, and its tasks may run until its lease ends.
    Unknown {
        /// When the lease ends.
        lease_ends: Time,
    },
    /// Its lease has ended: nothing of ours runs there.
    Gone,
}

/// Past usage, in dominant milli-GPU-milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsageRecord {
    /// Decayed usage.
    pub decayed: u128,
    /// Usage without decay, for accounting.
    pub total: u128,
    /// Running work is counted up to then.
    pub counted: Time,
    /// `decayed` has faded up to then.
    pub faded: Time,
    /// The fair-share term in use, in thousandths of a doubling.
    pub fair_share: i64,
}

/// Nodes held together for a starving job until it fits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimRecord {
    /// The job.
    pub job: JobId,
    /// The nodes, ascending.
    pub nodes: Vec<NodeId>,
    /// Since when.
    pub since: Time,
}

/// Nodes held for a job until those who give tasks up for it have done so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HoldRecord {
    /// The job.
    pub job: JobId,
    /// The nodes, ascending.
    pub nodes: Vec<NodeId>,
    /// Who gives tasks up, each with the number of the resize.
    pub givers: Vec<(JobId, u32)>,
    /// It is given up then at the latest.
    pub until: Time,
}

/// What the engine's index says is free in one domain, for comparison with a recount.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FreeCount {
    /// Names from the widest level down; empty for the whole cluster.
    pub domain: Vec<Name>,
    /// The GPU model; `None` for nodes without GPUs.
    pub model: Option<Name>,
    /// `nodes[f]` = schedulable nodes with exactly `f` free GPUs.
    pub nodes: Vec<u32>,
}
