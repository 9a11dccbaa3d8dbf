//! The engine's whole state as plain data: what a snapshot on disk holds, and what the checker
//! reads. It holds facts only; every index is rebuilt from it.

mod booking;
mod counts;
mod decision;
mod elastic;
mod moving;
mod pausing;

use std::sync::Arc;

use muster_model::{
    Attempt, ClusterSpec, Dependency, Estimate, GpuSet, Isolation, JobId, JobSpec, Millis, NodeId,
    NodeSpec, Rung, Time, WhenIdle,
};
use serde::{Deserialize, Serialize};

use crate::action::{JobState, Outcome, TaskPlace};
use crate::command::Exit;

pub use booking::BookingRecord;
pub use counts::{FreeCount, SharedCount};
pub use decision::{DecisionRecord, PlaceRecord};
pub use elastic::{ElasticRun, Learned, ResizeRecord};
pub use moving::{DefragmentationRecord, MoveRecord};
pub use pausing::{Exposure, HoldRecord, PauseRun, PausesRecord, PlanRecord, RestRecord};

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
    /// The elastic job that is looked at next for growing.
    pub grow_next: JobId,
    /// The recent mix of demand.
    #[serde(default)]
    pub mix: Vec<MixRecord>,
    /// What the floor owes.
    pub floor_debt: FloorDebt,
    /// No reservation is looked for before: there was no room for one.
    pub reserve_after: Time,
    /// Jobs that the floor held nodes for in vain, and until when it passes them over.
    pub hopeless: Vec<(JobId, Time)>,
    /// Whether GPUs of claimed nodes have become free and were not lent yet.
    pub lend_due: bool,
    /// Gangs whose reserved start was put off too often, by number.
    pub late: Vec<JobId>,
    /// Rooms that are being made for jobs, by job.
    pub plans: Vec<PlanRecord>,
    /// Jobs on their way to another place, by job.
    pub moves: Vec<MoveRecord>,
    /// The books of defragmentation.
    pub defragmentation: DefragmentationRecord,
    /// Jobs that have yet to look for someone to take the place of, by number.
    pub seekers: Vec<JobId>,
    /// Jobs that looked in vain.
    pub rests: Vec<RestRecord>,
    /// Failures of all nodes together, fading.
    pub hazard: HazardRecord,
    /// When the first node joined.
    pub hazard_since: Time,
    /// Bookings that are not over, by number.
    #[serde(default)]
    pub bookings: Vec<BookingRecord>,
    /// How many bookings there have been.
    #[serde(default)]
    pub bookings_made: u32,
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
    /// Attempts in a row that failed by themselves soon after they started.
    pub crashes: u32,
    /// What an attempt that was lost with a node leaves for the next, until that is placed.
    pub repair: Option<Box<RepairRecord>>,
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
    /// How it was paused, if it ever was.
    pub pauses: Option<Box<PausesRecord>>,
    /// What reports have taught about it.
    pub learned: Option<Box<Learned>>,
}

/// What the floor has used beyond its size, in GPU-milliseconds, and when that was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FloorDebt {
    /// GPU-milliseconds.
    pub gpu_millis: u64,
    /// When.
    pub at: Time,
}

/// What an attempt that was lost with a node leaves for the next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepairRecord {
    /// The nodes it was lost with.
    pub lost: Vec<NodeId>,
    /// Its whole place, once every node has ended it.
    pub old: Vec<NodeRun>,
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
    /// How long it had run before it was last resumed; nothing for one that was never paused.
    pub ran: Millis,
    /// How long it had run when it last saved.
    pub saved: Option<Millis>,
    /// The pause or resumption under way, or the suspension.
    pub pause: Option<Box<PauseRun>>,
    /// Whether it is suspended: it holds host memory set aside for that, and nothing else.
    pub is_suspended: bool,
    /// Orders to pause and resume that its nodes were given.
    pub orders: u32,
    /// When it will have ended, for four of five such cases, as looked at last; only where
    /// reservations are made.
    pub expected: Option<Time>,
    /// Whether it uses GPUs that are reserved, and gives way as soon as they are needed.
    pub is_backfill: bool,
    /// Rungs that could not be taken, or not in time: it is not asked for them again.
    pub refused: Vec<Rung>,
    /// Whether it was waited for in vain to save by itself: it is asked to, until it has saved.
    pub missed_save: bool,
    /// What follows from its being idle, while it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle: Option<WhenIdle>,
    /// How strongly it is exposed to pausing, as it is indexed while it runs.
    pub exposure: Option<Exposure>,
    /// How its size changes, if it is elastic.
    pub elastic: Option<Box<ElasticRun>>,
}

impl RunRecord {
    /// Its parts that nodes still have.
    pub fn live(&self) -> impl Iterator<Item = &NodeRun> {
        self.nodes.iter().filter(|part| part.report != NodeReport::Ended)
    }
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
    /// That it is frozen.
    Frozen,
    /// That it is suspended.
    Suspended,
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
    /// How often it has failed, fading.
    pub hazard: HazardRecord,
}

/// Failures that fade by a half-life.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HazardRecord {
    /// How many as of the last one, in parts of 65,536.
    pub level: u64,
    /// When that was.
    pub at: Time,
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
    /// For a gang that does not starve: when it is expected to start.
    pub reserved: Option<ReservedRecord>,
}

/// The reserved start of a gang.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReservedRecord {
    /// When its nodes will have drained, for four of five such cases.
    pub start: Time,
    /// The start it was told first.
    pub first: Time,
    /// How often it was put off.
    pub slips: u32,
}

/// One kind of task that was asked for lately.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MixRecord {
    /// Whole GPUs of a task.
    pub gpus: u32,
    /// Part of one GPU instead: how isolated, and milli-GPUs.
    pub share: Option<(Isolation, u32)>,
    /// So many tasks at least must be inside one domain of this depth.
    pub depth: u8,
    /// Tasks, up to the next power of two; 1 where they need not be together.
    pub tasks: u32,
    /// Milli-CPUs of a task, those that came last counting most.
    pub cpus: u64,
    /// MiB of a task, likewise.
    pub memory: u64,
    /// Tasks asked for, in thousandths, fading with what comes after.
    pub weight: u64,
}
