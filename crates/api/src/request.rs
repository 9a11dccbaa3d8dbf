//! What the HTTP API is sent.

use std::sync::Arc;

use muster_model::JobSpec;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::program::Program;

/// A job to accept: what the engine decides on and what its tasks run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Submission {
    /// The job.
    pub spec: Arc<JobSpec>,
    /// What it runs.
    pub program: Arc<Program>,
}
