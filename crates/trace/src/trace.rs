//! A trace: its jobs in order of submission, and the account of every row it was read from.

use std::collections::BTreeMap;
use std::fmt;

use muster_model::{Millis, Time};

use crate::job::{Job, Text};

/// Jobs with a name for all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Its name: the file's, or how it was made.
    pub name: String,
    /// The jobs in order of submission; those submitted at the same moment in the order of the
    /// file, which some published figures depend on.
    pub jobs: Vec<Job>,
    /// What became of the rows.
    pub tally: Tally,
}

/// The account of the rows of a trace: `rows` is the sum of the jobs, the bad rows and those
/// left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Rows read, without the header, comments and blank lines.
    pub rows: u64,
    /// Rows that became jobs.
    pub jobs: u64,
    /// Rows that could not be read.
    pub bad: u64,
    /// The first of them, at most [`FIRST_BAD_MAX`].
    pub first_bad: Vec<BadRow>,
    /// Rows that were left out on purpose.
    pub left_out: BTreeMap<LeftOut, u64>,
}

impl Tally {
    /// Rows left out, for whatever reason.
    pub fn left_out_in_all(&self) -> u64 {
        self.left_out.values().sum()
    }

    /// Counts a row that is left out.
    pub(crate) fn leave_out(&mut self, why: LeftOut) {
        self.rows += 1;
        *self.left_out.entry(why).or_default() += 1;
    }
}

/// Bad rows that are kept to be shown; a thousandth is not read any more.
pub const FIRST_BAD_MAX: usize = 100;

/// A row that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRow {
    /// The line it begins on, from 1.
    pub line: u64,
    /// The column that is wrong, if it is one.
    pub column: Option<String>,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for BadRow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}: ", self.line)?;
        if let Some(column) = &self.column {
            write!(formatter, "{column}: ")?;
        }
        formatter.write_str(&self.reason)
    }
}

/// Why a row that can be read is no job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftOut {
    /// It is a step of a job that has a row of its own.
    Step,
    /// The job asked for no GPU, and such jobs were not wanted.
    WithoutGpus,
    /// The job never started, so nobody knows how long it would have run.
    NeverStarted,
}

impl LeftOut {
    /// The reason in words, as a plural.
    pub const fn words(self) -> &'static str {
        match self {
            LeftOut::Step => "steps of jobs",
            LeftOut::WithoutGpus => "jobs without GPUs",
            LeftOut::NeverStarted => "jobs that never started",
        }
    }
}

impl Trace {
    /// A trace of these jobs, brought into order.
    pub fn new(name: impl Into<String>, mut jobs: Vec<Job>) -> Trace {
        // Stable: jobs of the same moment keep their order.
        jobs.sort_by_key(|job| job.submit);
        let count = jobs.len() as u64;
        let tally = Tally { rows: count, jobs: count, ..Tally::default() };
        Trace { name: name.into(), jobs, tally }
    }

    /// The first and the last submission.
    pub fn span(&self) -> Option<(Time, Time)> {
        Some((self.jobs.first()?.submit, self.jobs.last()?.submit))
    }

    /// From the first submission to the last.
    pub fn length(&self) -> Millis {
        self.span().map_or(Millis::ZERO, |(first, last)| last.since(first))
    }

    /// The pools that jobs name, in order of their names.
    pub fn pools(&self) -> Vec<Text> {
        let mut pools: Vec<Text> = self.jobs.iter().filter_map(|job| job.pool.clone()).collect();
        pools.sort_unstable();
        pools.dedup();
        pools
    }
}
