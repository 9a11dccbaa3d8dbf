//! `muster schema`: what job files and the HTTP API look like, for editors, checks and programs.

use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use muster_api::job_file;

use super::print;

/// Print the JSON schema of job files, or the description of the HTTP API
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  muster schema > job-file.schema.json
  muster schema api > openapi.json")]
pub(crate) struct Schema {
    /// Of what
    #[arg(value_enum, default_value = "job-file")]
    what: What,
}

/// What can be described.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum What {
    /// Job files, as JSON schema
    JobFile,
    /// The HTTP API, as OpenAPI 3.1
    Api,
}

impl Schema {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let described = match self.what {
            What::JobFile => job_file::schema(),
            What::Api => muster_server::openapi(),
        };
        let text = serde_json::to_string_pretty(&described).context("cannot print the schema")?;
        print::text(&format!("{text}\n"))?;
        Ok(ExitCode::SUCCESS)
    }
}
