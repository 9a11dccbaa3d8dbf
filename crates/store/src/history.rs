//! The history: what became of jobs and nodes, in tables that an admin can query. It is made from
//! the journal, up to a watermark, and can be made again from it as long as the entries are there.

mod rows;

pub use rows::{
    AttemptRow, Change, EventPosition, EventRow, JobDocument, JobRow, NodeRow, PlacementRow,
    StepRow, UsageRow,
};

use crate::error::Result;
use crate::journal::Sequence;

/// The longest page of any query, so that no request holds the memory of millions of rows.
pub const PAGE_ROWS_MAX: usize = 10_000;

/// The writing side of the history. One owner writes.
pub trait History: Send {
    /// The last entry of the journal whose changes are recorded.
    ///
    /// # Errors
    /// Only those of the database.
    fn watermark(&self) -> Result<Sequence>;

    /// Records the changes that followed from the journal up to entry `up_to`, and moves the
    /// watermark there, together or not at all. A batch that ends before the watermark has been
    /// recorded and is passed over. At the watermark itself changes may be added that no entry of
    /// the journal tells of, such as samples of usage.
    ///
    /// # Errors
    /// Nothing of the batch is recorded.
    fn record(&mut self, up_to: Sequence, changes: &[Change]) -> Result<()>;

    /// Puts the watermark back, for a journal that ends before it because its tail was cut. Events
    /// after it are forgotten; rows change when what is true now is recorded.
    ///
    /// # Errors
    /// Only those of the database.
    fn rewind(&mut self, to: Sequence) -> Result<()>;

    /// Makes everything recorded durable. Returns the watermark, up to which the journal may be
    /// pruned from now on.
    ///
    /// # Errors
    /// The journal must keep what it has.
    fn make_durable(&mut self) -> Result<Sequence>;

    /// Forgets jobs that ended before a time, with all that belongs to them, but never the latest
    /// `keep` of those that ended; events from before a time that are about no job; and sums up by
    /// days what was used before a time. A call does a bounded part, whole or not at all; repeat it
    /// while [`Forgotten::is_more`].
    ///
    /// # Errors
    /// Only those of the database.
    fn forget_before(&mut self, before: Before, keep: u64) -> Result<Forgotten>;

    /// Gives at most `pages` unused pages back to the file system. Returns how many are left.
    ///
    /// # Errors
    /// Only those of the database.
    fn compact(&mut self, pages: u32) -> Result<u64>;

    /// A reader that never waits for a writer, to be used by one thread at a time.
    ///
    /// # Errors
    /// Only those of the database.
    fn reader(&self) -> Result<Box<dyn HistoryReader>>;
}

/// The reading side of the history. Pages have at most [`PAGE_ROWS_MAX`] rows.
pub trait HistoryReader: Send {
    /// Jobs before number `before`, or the latest ones; newest first.
    ///
    /// # Errors
    /// Only those of the database, as for all that follows.
    fn jobs(&self, filter: &JobFilter, before: Option<u64>, limit: usize) -> Result<Vec<JobRow>>;

    /// One job.
    ///
    /// # Errors
    /// Only those of the database.
    fn job(&self, id: u64) -> Result<Option<JobRow>>;

    /// What one job is in full.
    ///
    /// # Errors
    /// Only those of the database.
    fn document(&self, id: u64) -> Result<Option<JobDocument>>;

    /// The attempts of a job, oldest first; the latest [`PAGE_ROWS_MAX`] of them.
    ///
    /// # Errors
    /// Only those of the database.
    fn attempts(&self, job_id: u64) -> Result<Vec<AttemptRow>>;

    /// The steps of a job, by attempt and number; the latest [`PAGE_ROWS_MAX`] of them.
    ///
    /// # Errors
    /// Only those of the database.
    fn steps(&self, job_id: u64) -> Result<Vec<StepRow>>;

    /// Where the tasks of an attempt were, by group and rank, after the one given.
    ///
    /// # Errors
    /// Only those of the database.
    fn placements(
        &self,
        job_id: u64,
        attempt: u64,
        after: Option<(u64, u64)>,
        limit: usize,
    ) -> Result<Vec<PlacementRow>>;

    /// Events on one side of a position: oldest first after it, newest first before it.
    ///
    /// # Errors
    /// Only those of the database.
    fn events(&self, filter: &EventFilter, page: EventPage, limit: usize) -> Result<Vec<EventRow>>;

    /// All nodes there ever were, by name.
    ///
    /// # Errors
    /// Only those of the database.
    fn nodes(&self) -> Result<Vec<NodeRow>>;

    /// What was used from `from_ms` until before `to_ms`, most first. A span that is partly in
    /// counts in part. What has been summed up is known by day, user and queue, and no longer by
    /// job: its job is the empty text.
    ///
    /// # Errors
    /// Only those of the database.
    fn usage(&self, by: UsageBy, from_ms: u64, to_ms: u64) -> Result<Vec<UsageTotal>>;
}

/// Which jobs to list. What is absent allows all.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct JobFilter {
    /// Any of these states; all if empty.
    pub states: Vec<String>,
    /// Submitted by this user.
    pub user: Option<String>,
    /// In this queue.
    pub queue: Option<String>,
    /// With a name that begins like this.
    pub name_prefix: Option<String>,
    /// Ended at this time or later, in milliseconds since 1970.
    pub ended_since_ms: Option<u64>,
}

/// Which events to list. What is absent allows all.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct EventFilter {
    /// About this job.
    pub job_id: Option<u64>,
    /// About this node.
    pub node: Option<String>,
}

/// Which side of a position to list.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum EventPage {
    /// What came after it, oldest first. From the beginning: after the default position.
    After(EventPosition),
    /// What came before it, newest first.
    Before(EventPosition),
    /// The newest, newest first.
    Latest,
}

/// What usage is summed up by.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum UsageBy {
    /// Who submitted.
    User,
    /// Where it was queued.
    Queue,
    /// The job's number, written out.
    Job,
}

/// What somebody used.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct UsageTotal {
    /// The user, queue or job.
    pub key: String,
    /// GPU-milliseconds held.
    pub allocated_gpu_ms: u64,
    /// GPU-milliseconds in which a GPU was busy; absent if nothing of it was measured.
    pub active_gpu_ms: Option<u64>,
    /// GPU-milliseconds that led to results; absent if nothing of it is known.
    pub useful_gpu_ms: Option<u64>,
}

/// How old what is forgotten must be, in milliseconds since 1970; nothing is from before 0.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Before {
    /// Jobs that ended before this, with their attempts, places, documents and events.
    pub jobs_ms: u64,
    /// Events before this that are about no job.
    pub events_ms: u64,
    /// Usage before this becomes one span a day.
    pub usage_ms: u64,
}

impl Before {
    /// The same time for everything.
    pub fn all(time_ms: u64) -> Before {
        Before { jobs_ms: time_ms, events_ms: time_ms, usage_ms: time_ms }
    }
}

/// What was forgotten in one call.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Forgotten {
    /// Jobs.
    pub jobs: u64,
    /// Events.
    pub events: u64,
    /// Spans of usage that are now part of a daily sum.
    pub usage: u64,
    /// Whether there is more to forget.
    pub is_more: bool,
}
