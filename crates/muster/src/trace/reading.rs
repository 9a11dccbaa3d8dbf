//! How a trace is read: the options that all who read one have in common.

use std::path::Path;

use anyhow::Result;
use clap::{Args, ValueEnum};
use muster_trace::{Format, OnBadRow, ReadOptions, Trace, WithoutGpus};

/// Bad rows that are named on the way; the summary counts all.
const BAD_ROWS_SHOWN: usize = 5;

/// Options of reading.
#[derive(Debug, Args)]
pub(crate) struct Reading {
    /// The format of the input: venus, philly, itp, alibaba-2023, sacct, swf, simple or muster;
    /// told by the file's beginning where it is not named
    #[arg(long)]
    format: Option<Format>,

    /// Leave out rows that cannot be read, and count them, instead of stopping at the first
    #[arg(long)]
    skip_bad_rows: bool,

    /// What becomes of jobs without GPUs [default: kept in lists of pods and in our own format,
    /// left out elsewhere]
    #[arg(long, value_name = "WHAT")]
    jobs_without_gpus: Option<Choice>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Choice {
    Keep,
    LeaveOut,
}

impl Reading {
    /// Reads a file and says on stderr what was wrong with it.
    pub(crate) fn read(&self, path: &Path) -> Result<Trace> {
        let options = ReadOptions {
            format: self.format,
            on_bad_row: if self.skip_bad_rows { OnBadRow::Skip } else { OnBadRow::Fail },
            without_gpus: match self.jobs_without_gpus {
                None => WithoutGpus::ByFormat,
                Some(Choice::Keep) => WithoutGpus::Keep,
                Some(Choice::LeaveOut) => WithoutGpus::LeaveOut,
            },
        };
        let trace = Trace::open(path, &options)?;
        let tally = &trace.tally;
        for row in tally.first_bad.iter().take(BAD_ROWS_SHOWN) {
            eprintln!("warning: left out a bad row: {}: {row}", trace.name);
        }
        let shown = tally.first_bad.len().min(BAD_ROWS_SHOWN) as u64;
        if tally.bad > shown {
            eprintln!("warning: left out {} more bad rows", tally.bad - shown);
        }
        Ok(trace)
    }
}
