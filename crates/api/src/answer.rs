//! What the HTTP API answers besides the views, and where a running server can be found.

use std::path::PathBuf;
use std::sync::Arc;

use muster_model::JobSpec;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::program::Program;
use crate::secret::Secret;
use crate::view::{AttemptView, JobView};

/// A submission was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Accepted {
    /// The number of the job, or of the array.
    pub id: u64,
    /// How many elements an array has, which have the numbers that follow; 0 for a single job.
    #[serde(default)]
    pub elements: u32,
}

/// All there is to know about one job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JobDetail {
    /// The job.
    pub job: JobView,
    /// Its tries, first to last.
    pub attempts: Vec<AttemptView>,
    /// What was asked for; nothing where that is forgotten.
    #[serde(default)]
    pub spec: Option<Arc<JobSpec>>,
    /// What it runs.
    #[serde(default)]
    pub program: Option<Arc<Program>>,
}

/// Who a token stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Identity {
    /// The user.
    pub user: String,
    /// What they may do, at least one thing.
    pub grants: Vec<GrantView>,
}

/// What someone may do somewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GrantView {
    /// `agent`, `viewer`, `user`, `operator` or `admin`.
    pub role: String,
    /// The only queue they may do it in, with those below it, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue: Option<String>,
}

impl std::fmt::Display for GrantView {
    /// `user in vision`.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}", self.role)?;
        self.queue.iter().try_for_each(|queue| write!(formatter, " in {queue}"))
    }
}

/// What `muster up` and `muster server` leave in their data directory while they run, so that
/// who may read it finds them with nothing to configure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endpoint {
    /// Where the server listens.
    pub url: String,
    /// Its process.
    pub pid: u32,
    /// A token for whoever may read the file.
    pub token: Secret,
    /// The certificate that vouches for the server's, where the cluster has an authority of its
    /// own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ca: Option<PathBuf>,
}

/// The name of the file that holds an [`Endpoint`].
pub const ENDPOINT_FILE: &str = "endpoint.json";
