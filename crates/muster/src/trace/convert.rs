//! `muster trace convert`: any trace into our own format.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use muster_trace::Written;

use super::reading::Reading;

/// Convert a trace into Muster's own format, as CSV or JSON lines
///
/// Jobs are written in order of submission; those of the same moment keep the order of the file.
#[derive(Debug, Args)]
#[command(after_help = "Example: muster trace convert jobs.csv.gz --format venus venus.jsonl")]
pub(crate) struct Convert {
    /// The trace to read; gzip and Zstandard are unpacked
    #[arg(value_name = "IN")]
    input: PathBuf,

    /// The file to write: .csv or .jsonl, with .gz behind for gzip
    #[arg(value_name = "OUT")]
    output: PathBuf,

    #[command(flatten)]
    reading: Reading,
}

impl Convert {
    pub(crate) fn run(&self) -> Result<()> {
        // A name that says nothing is refused before a long file is read.
        Written::by_name(&self.output)?;
        let trace = self.reading.read(&self.input)?;
        trace.save(&self.output)?;
        let tally = &trace.tally;
        eprintln!(
            "{}: {} rows, {} jobs written, {} bad, {} left out",
            self.output.display(),
            tally.rows,
            tally.jobs,
            tally.bad,
            tally.left_out_in_all()
        );
        Ok(())
    }
}
