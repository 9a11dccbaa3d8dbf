//! The accounting: what jobs held, what of that computed, what of that was kept, and what the
//! cluster had in all. Rows are statements of what holds from a time on; asking is by sums over
//! any span of time.

mod measure;

pub use measure::{Amounts, Cause};
pub(crate) use measure::{Cell, Fate, Holding, Sample, Span, pieces};

/// The end of a span that goes on.
pub const OPEN_MS: u64 = i64::MAX as u64;

/// What a job holds from a time on: exactly this, until another row says otherwise.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct HoldingRow {
    /// The job.
    pub job_id: u64,
    /// The attempt.
    pub attempt: u64,
    /// Since when.
    pub at_ms: u64,
    /// What, by node; nothing once it has left.
    pub places: Vec<HeldPlace>,
}

/// What an attempt holds of a node.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct HeldPlace {
    /// The node.
    pub node: String,
    /// The model of its GPUs.
    pub model: String,
    /// Thousandths of GPUs.
    pub gpus: u64,
}

/// What a node is worth from a time on, until another row says otherwise.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct CapacityRow {
    /// The node.
    pub node: String,
    /// Since when.
    pub at_ms: u64,
    /// Its GPUs, whole ones.
    pub gpus: u64,
    /// Their model.
    pub model: String,
    /// Thousandths of its GPUs that no job holds and no job could get.
    pub unusable: u64,
    /// How it is, in a word; [`GONE`] is one that a node may not come back from.
    pub why: String,
}

/// What stands free in pieces from a time on while a job waits that needs it together, until
/// another row says otherwise.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ScatteredRow {
    /// The job.
    pub job_id: u64,
    /// Since when.
    pub at_ms: u64,
    /// Thousandths of GPUs by model: what the job would have of them. Nothing once it has started,
    /// or waits for something else.
    pub gpus: Vec<(String, u64)>,
}

/// The word for a node whose lease has ended out of sight.
pub const GONE: &str = "gone";

/// What an attempt does from a time on that is not computing.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct OverheadRow {
    /// The job.
    pub job_id: u64,
    /// The attempt.
    pub attempt: u64,
    /// Since when.
    pub at_ms: u64,
    /// What it does, in a word; nothing once it computes again, or has left.
    pub kind: Option<String>,
}

/// That the work of an attempt was saved at a time.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct SavedRow {
    /// The job.
    pub job_id: u64,
    /// The attempt.
    pub attempt: u64,
    /// When.
    pub at_ms: u64,
}

/// A question to the accounting.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct LedgerQuestion {
    /// From when.
    pub from_ms: u64,
    /// Until before when.
    pub to_ms: u64,
    /// What to sum up by.
    pub by: LedgerBy,
    /// How long the spans are that sums are made for; one sum over all where nothing is said.
    pub bucket_ms: Option<u64>,
    /// Which jobs.
    pub filter: LedgerFilter,
    /// A node that is gone for longer counts as removed, and no longer as owned.
    pub gone_ms: u64,
}

/// What amounts are summed up by.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum LedgerBy {
    /// The team a job is accounted to.
    #[default]
    Team,
    /// Who submitted it.
    User,
    /// Its number.
    Job,
    /// The number of the attempt.
    Attempt,
    /// Its class.
    Class,
    /// The model of the GPUs.
    Model,
    /// Its queue.
    Queue,
    /// The node.
    Node,
}

/// Which jobs to look at. What is absent allows all.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct LedgerFilter {
    /// This job only.
    pub job: Option<u64>,
    /// Of this team.
    pub team: Option<String>,
    /// Of this user.
    pub user: Option<String>,
    /// In this queue.
    pub queue: Option<String>,
    /// Of this class.
    pub class: Option<String>,
    /// On GPUs of this model.
    pub model: Option<String>,
    /// On this node.
    pub node: Option<String>,
}

/// A question of how busy an attempt kept its GPUs.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct ActivityQuestion {
    /// The job.
    pub job_id: u64,
    /// The attempt.
    pub attempt: u64,
    /// From when.
    pub from_ms: u64,
    /// Until before when.
    pub to_ms: u64,
    /// How long the steps are that it is told in.
    pub step_ms: u64,
    /// How many GPUs are told of at most.
    pub limit: usize,
}

/// The answer.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct GpuActivity {
    /// GPUs, those least busy first and those that nobody measured last.
    pub rows: Vec<GpuActivityRow>,
    /// How many there were besides.
    pub more: u64,
}

/// How busy an attempt kept one GPU.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct GpuActivityRow {
    /// The node.
    pub node: String,
    /// Its number there.
    pub gpu: u32,
    /// Thousandths of the time in which it was measured.
    pub busy: Option<u32>,
    /// The same for each step; nothing for one in which it was not measured.
    pub steps: Vec<Option<u32>>,
}

/// The answer.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Ledger {
    /// From when it is: earlier than asked where a day is known as a whole only.
    pub from_ms: u64,
    /// Until before when.
    pub to_ms: u64,
    /// What jobs used, by span, key and model.
    pub rows: Vec<LedgerRow>,
    /// What the cluster had, by span and model, or by node where that was asked for. It knows no
    /// jobs, so that of the filter only model and node count.
    pub owned: Vec<OwnedRow>,
    /// What stood free in pieces while jobs waited that needed it together, by span and model, and
    /// by job where that was asked for. Nothing where a node or a job was asked for.
    pub apart: Vec<ApartRow>,
}

/// What somebody used of one model in one span.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct LedgerRow {
    /// The beginning of the span.
    pub bucket_ms: u64,
    /// Who: what was summed up by, written out. By job, it is empty for all that are forgotten.
    pub key: String,
    /// More of the job, where jobs were asked for and this one is kept.
    pub job: Option<LedgerJob>,
    /// The model of the GPUs.
    pub model: String,
    /// How much.
    pub amounts: Amounts,
}

/// What a row says of its job.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct LedgerJob {
    /// Its name.
    pub name: String,
    /// Who submitted it.
    pub user: String,
    /// The team it is accounted to.
    pub team: String,
}

/// What the cluster had of one model in one span.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct OwnedRow {
    /// The beginning of the span.
    pub bucket_ms: u64,
    /// The node, where the sums are by node.
    pub node: Option<String>,
    /// The model.
    pub model: String,
    /// GPU-milliseconds there were.
    pub owned: u64,
    /// GPU-milliseconds of those that no job held and no job could get.
    pub unusable: u64,
}

/// What stood free in pieces of one model in one span.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ApartRow {
    /// The beginning of the span.
    pub bucket_ms: u64,
    /// The model.
    pub model: String,
    /// The job that waited and its number, where jobs were asked for and this one is kept.
    pub job: Option<(u64, LedgerJob)>,
    /// GPU-milliseconds: no more than the job would have held.
    pub gpu_ms: u64,
}
