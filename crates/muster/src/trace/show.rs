//! `muster trace show`: what is in a trace.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use muster_trace::Summary;

use super::reading::Reading;

/// Show what is in a trace: jobs, GPU time, sizes, outcomes, users, bad rows
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The trace to read; gzip and Zstandard are unpacked
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    reading: Reading,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(crate) fn run(&self) -> Result<()> {
        let summary = Summary::of(&self.reading.read(&self.file)?);
        if self.json {
            println!("{}", serde_json::to_string(&summary).context("cannot print the summary")?);
        } else {
            print!("{summary}");
        }
        Ok(())
    }
}
