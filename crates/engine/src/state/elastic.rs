//! The elastic jobs that something could be done with now, and what is held while one of them
//! gives tasks up.

use std::collections::{BTreeMap, BTreeSet};

use muster_model::{JobId, NodeId, Time};

use crate::dense::ModelId;

/// Elastic jobs by what could be done with them.
#[derive(Debug)]
pub(crate) struct ElasticJobs {
    /// Those that run, are not being resized, and may grow.
    pub(crate) may_grow: BTreeSet<JobId>,
    /// Those that run, are not being resized, and have more than their fewest tasks, by the
    /// model these are on.
    pub(crate) may_shrink: BTreeSet<(ModelId, JobId)>,
    /// Nodes held for a job until others have given tasks up for it.
    pub(crate) holds: BTreeMap<JobId, Hold>,
    /// Jobs whose nodes were asked to change in this step: no order has reached them yet.
    pub(crate) asked_now: BTreeSet<JobId>,
    /// Who is looked at next for growing, where there are more than one pass looks at.
    pub(crate) grow_next: JobId,
}

/// Nodes held for one job.
#[derive(Clone, Debug)]
pub(crate) struct Hold {
    /// Ascending.
    pub(crate) nodes: Vec<NodeId>,
    /// Who gives tasks up, each with the number of the resize.
    pub(crate) givers: Vec<(JobId, u32)>,
    pub(crate) until: Time,
}

impl Default for ElasticJobs {
    fn default() -> Self {
        ElasticJobs {
            may_grow: BTreeSet::new(),
            may_shrink: BTreeSet::new(),
            holds: BTreeMap::new(),
            asked_now: BTreeSet::new(),
            grow_next: JobId(0),
        }
    }
}
