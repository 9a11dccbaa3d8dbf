//! The service floor's books: what is claimed for whom, and what counts against the floor.

use std::collections::BTreeMap;

use muster_model::{JobId, NodeId, Time};

use crate::dense::ShapeId;

/// What the floor is doing.
#[derive(Debug, Default)]
pub(crate) struct Floor {
    /// Nodes held together for starving jobs, in the order the jobs are served.
    pub(crate) claims: BTreeMap<JobId, Claim>,
    /// GPUs claimed, and GPUs of jobs it placed that are still within their quantum.
    pub(crate) gpus_in_use: u64,
    /// The job that found the nodes it could claim held for others: nothing changes for it
    /// until a claim goes or nodes change.
    pub(crate) stuck: Option<Stuck>,
    /// Shapes that the nodes there are cannot hold, by which version of the nodes.
    pub(crate) impossible: BTreeMap<(ShapeId, u64), u64>,
}

/// A job that cannot claim, and under which version of the nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stuck {
    pub(crate) job: JobId,
    pub(crate) version: u64,
    /// The alternatives its queue allowed it, as bits.
    pub(crate) allowed: u64,
}

/// Nodes held for one job.
#[derive(Debug)]
pub(crate) struct Claim {
    /// Ascending.
    pub(crate) nodes: Vec<NodeId>,
    pub(crate) since: Time,
    pub(crate) gpus: u64,
}
