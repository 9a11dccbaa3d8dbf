//! What the HTTP API is sent.

use std::sync::Arc;

use muster_model::JobSpec;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::program::Program;
use crate::signal::Reach;

/// A job to accept: what the engine decides on and what its tasks run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Submission {
    /// The job.
    pub spec: Arc<JobSpec>,
    /// What it runs.
    pub program: Arc<Program>,
}

/// A signal to the processes of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignalRequest {
    /// Its number.
    pub signal: u8,
    /// Who hears it.
    #[serde(default)]
    pub to: Reach,
}

/// How a job that only holds its places has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EndRequest {
    /// The exit code it is given.
    #[serde(default)]
    pub code: i32,
}
