//! The rows of the history. Each is keyed, so that writing it a second time changes nothing.
//! Times are milliseconds since 1970; GPUs are counted in thousandths.

use super::ledger::{CapacityRow, Cause, HoldingRow, OverheadRow, SavedRow, ScatteredRow};
use crate::journal::Sequence;

/// A row to be written, in place of the one with the same key.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Change {
    /// A job as it is now.
    Job(JobRow),
    /// What was submitted; apart from the job, which changes more often and is listed without it.
    Document(JobDocument),
    /// An attempt as it is now.
    Attempt(AttemptRow),
    /// An attempt is over, or known to be about to end.
    Over(AttemptOver),
    /// Where a task of an attempt is.
    Placement(PlacementRow),
    /// A step as it is now.
    Step(StepRow),
    /// Something that happened.
    Event(EventRow),
    /// What was measured of an attempt on a node in a span of time.
    Sample(SampleRow),
    /// What a job holds from now on.
    Holding(HoldingRow),
    /// What a node is worth from now on.
    Capacity(CapacityRow),
    /// What stands free in pieces from now on, while a job waits that needs it together.
    Scattered(ScatteredRow),
    /// What an attempt does from now on that is not computing.
    Overhead(OverheadRow),
    /// An attempt's work was saved.
    Saved(SavedRow),
    /// A node as it is now.
    Node(NodeRow),
}

/// A job. Its key is `id`.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct JobRow {
    /// The job's number.
    pub id: u64,
    /// The array it is an element of.
    pub array_id: Option<u64>,
    /// Its number within the array.
    pub array_index: Option<u64>,
    /// Its name.
    pub name: String,
    /// Who submitted it.
    pub user: String,
    /// The team it is accounted to.
    pub team: String,
    /// The queue it is in.
    pub queue: String,
    /// The class it was submitted under.
    pub class: String,
    /// How many tasks it has.
    pub tasks: u64,
    /// How many thousandths of a GPU it has in all.
    pub gpus: u64,
    /// Its state, in the word that users see.
    pub state: String,
    /// How it ended.
    pub outcome: Option<String>,
    /// The exit code it ended with.
    pub exit: Option<i64>,
    /// When it was accepted.
    pub submitted_ms: u64,
    /// When it first ran.
    pub started_ms: Option<u64>,
    /// When it ended.
    pub ended_ms: Option<u64>,
    /// How many attempts there were.
    pub attempts: u64,
    /// The signal that ended it, by its name.
    pub exit_signal: Option<Box<str>>,
    /// Who cancelled it.
    pub cancelled_by: Option<Box<str>>,
}

/// What a job is in full, as JSON. Its key is `job_id`.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct JobDocument {
    /// The job.
    pub job_id: u64,
    /// What it asked for.
    pub spec: String,
    /// What it runs.
    pub program: Option<String>,
}

/// An attempt. Its key is `job_id` and `attempt`.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct AttemptRow {
    /// The job.
    pub job_id: u64,
    /// The number of the attempt.
    pub attempt: u64,
    /// When its nodes were asked to launch it.
    pub launched_ms: u64,
    /// When all of them had.
    pub started_ms: Option<u64>,
    /// When it was over everywhere.
    pub ended_ms: Option<u64>,
    /// How it ended.
    pub outcome: Option<String>,
    /// On how many nodes it was.
    pub nodes: u64,
    /// How many thousandths of a GPU it had.
    pub gpus: u64,
    /// Why it was not the last, for people.
    pub note: Option<String>,
    /// Why its work after its last save is lost, once it is over and did not complete.
    pub lost: Option<Cause>,
    /// When its work was last saved. It is read here, and written by [`SavedRow`] alone.
    pub saved_ms: Option<u64>,
}

/// The end of an attempt, of which the row is there; what is absent stays as it is.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct AttemptOver {
    /// The job.
    pub job_id: u64,
    /// The number of the attempt.
    pub attempt: u64,
    /// When it was over everywhere.
    pub ended_ms: Option<u64>,
    /// How it ended.
    pub outcome: Option<String>,
    /// Why it was not the last, for people.
    pub note: Option<String>,
    /// Why its work after its last save is lost.
    pub lost: Option<Cause>,
}

/// The place of a task. Its key is `job_id`, `attempt`, `group_index` and `rank`.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct PlacementRow {
    /// The job.
    pub job_id: u64,
    /// The attempt.
    pub attempt: u64,
    /// The node.
    pub node: String,
    /// The task group within the job.
    pub group_index: u64,
    /// The task within the group.
    pub rank: u64,
    /// Which GPUs of the node, such as `0,1`.
    pub gpus: String,
    /// How much of its GPU it has, if it shares one.
    pub share_milli: Option<u64>,
}

/// A program that ran inside a job. Its key is `job_id`, `attempt` and `step`.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct StepRow {
    /// The job.
    pub job_id: u64,
    /// The attempt.
    pub attempt: u64,
    /// The number of the step within it.
    pub step: u64,
    /// Its name.
    pub name: String,
    /// When it started.
    pub started_ms: Option<u64>,
    /// When it ended.
    pub ended_ms: Option<u64>,
    /// The whole of it, as JSON.
    pub view: String,
}

/// Something that happened. Its key is `at`.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct EventRow {
    /// Which entry of the journal it came from, and which of the events of that entry it is.
    pub at: EventPosition,
    /// When.
    pub time_ms: u64,
    /// What kind of event, in one word.
    pub kind: String,
    /// The job it is about.
    pub job_id: Option<u64>,
    /// The node it is about.
    pub node: Option<String>,
    /// What to tell people.
    pub text: String,
}

/// The place of an event among all events.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct EventPosition {
    /// The entry of the journal.
    pub sequence: Sequence,
    /// The event among those of the entry.
    pub part: u64,
}

/// What was measured. Its key is `job_id`, `attempt`, `node` and `from_ms`: a span that is still
/// going on is written again with a later end.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct SampleRow {
    /// The job.
    pub job_id: u64,
    /// The attempt.
    pub attempt: u64,
    /// The node.
    pub node: String,
    /// The beginning of the span.
    pub from_ms: u64,
    /// Its end.
    pub to_ms: u64,
    /// GPU-milliseconds that were held as the node saw it.
    pub held_gpu_ms: u64,
    /// GPU-milliseconds in which a GPU was busy, where it was measured.
    pub active_gpu_ms: Option<u64>,
    /// The same for each GPU, as far as that is known.
    pub gpus: Vec<GpuSample>,
}

/// How busy an attempt kept one GPU while it held it.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct GpuSample {
    /// Its number on the node.
    pub gpu: u32,
    /// Thousandths of that time, where it was measured. They are kept in steps of four.
    pub busy: Option<u32>,
}

/// A node. Its key is `name`.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct NodeRow {
    /// Its name.
    pub name: String,
    /// The model of its GPUs.
    pub model: String,
    /// How many GPUs it has, whole ones.
    pub gpus: u64,
    /// Its state, in the word that users see.
    pub state: String,
    /// When it first came. The earliest that was ever written is kept.
    pub first_joined_ms: u64,
    /// When it last came.
    pub last_joined_ms: u64,
    /// When it was last lost.
    pub last_lost_ms: Option<u64>,
}
