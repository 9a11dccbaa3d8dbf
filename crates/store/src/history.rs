//! The history: what became of jobs and nodes, in tables that an admin can query. It is made from
//! the journal, up to a watermark, and can be made again from it as long as the entries are there.

mod ledger;
mod rows;

pub use ledger::{
    ActivityQuestion, Amounts, ApartRow, CapacityRow, Cause, GONE, GpuActivity, GpuActivityRow,
    HeldPlace, HoldingRow, Ledger, LedgerBy, LedgerFilter, LedgerJob, LedgerQuestion, LedgerRow,
    OPEN_MS, OverheadRow, OwnedRow, SavedRow, ScatteredRow,
};
pub(crate) use ledger::{Cell, Fate, Holding, Sample, Span, pieces};

pub use rows::{
    AttemptOver, AttemptRow, Change, EventPosition, EventRow, GpuSample, JobDocument, JobRow,
    NodeRow, PlacementRow, SampleRow, StepRow,
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

    /// Brings the accounting in line with what is true at a time, whatever it was told before:
    /// after a journal that lost its end, or a history from before there were accounts. Jobs that
    /// are not named hold nothing, and nothing stands free in pieces while they wait.
    ///
    /// # Errors
    /// Nothing is changed.
    fn settle(
        &mut self,
        at_ms: u64,
        holdings: &[HoldingRow],
        capacity: &[CapacityRow],
        apart: &[ScatteredRow],
    ) -> Result<()>;

    /// Forgets jobs that ended before a time, with all that belongs to them, but never the latest
    /// `keep` of those that ended; events from before a time that are about no job; and sums up by
    /// hours and days what was measured before a time. A call does a bounded part, whole or not at
    /// all; repeat it while [`Forgotten::is_more`].
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

    /// What jobs used and what the cluster had in a span of time. What is partly in counts in part.
    /// Jobs that are forgotten are known by whole days: a span that cuts through such a day is
    /// widened to it.
    ///
    /// # Errors
    /// Only those of the database.
    fn ledger(&self, question: &LedgerQuestion) -> Result<Ledger>;

    /// How busy an attempt kept each of its GPUs.
    ///
    /// # Errors
    /// Only those of the database.
    fn activity(&self, question: &ActivityQuestion) -> Result<GpuActivity>;
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

/// How old what is forgotten must be, in milliseconds since 1970; nothing is from before 0.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Before {
    /// Jobs that ended before this, with their attempts, places, documents and events.
    pub jobs_ms: u64,
    /// Events before this that are about no job.
    pub events_ms: u64,
    /// Samples before this become one an hour.
    pub samples_ms: u64,
    /// Samples before this become one a day.
    pub hours_ms: u64,
}

impl Before {
    /// The same time for everything.
    pub fn all(time_ms: u64) -> Before {
        Before { jobs_ms: time_ms, events_ms: time_ms, samples_ms: time_ms, hours_ms: time_ms }
    }
}

/// What was forgotten in one call.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Forgotten {
    /// Jobs.
    pub jobs: u64,
    /// Events.
    pub events: u64,
    /// Samples that are now part of a sum.
    pub samples: u64,
    /// Whether there is more to forget.
    pub is_more: bool,
}
