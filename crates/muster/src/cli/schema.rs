//! `muster schema`: the JSON schema of job files, for editors and checks.

use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use muster_api::job_file;

use super::print;

/// Print the JSON schema of job files
#[derive(Debug, Args)]
#[command(after_help = "Example: muster schema > job-file.schema.json")]
pub(crate) struct Schema {}

impl Schema {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let schema = serde_json::to_string_pretty(&job_file::schema());
        print::text(&format!("{}\n", schema.context("cannot print the schema")?))?;
        Ok(ExitCode::SUCCESS)
    }
}
