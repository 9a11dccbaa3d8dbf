//! The elastic jobs that something could be done with now.

use std::collections::{BTreeMap, BTreeSet};

use muster_model::JobId;

use crate::dense::ModelId;

/// Elastic jobs by what could be done with them.
#[derive(Clone, Debug)]
pub(crate) struct ElasticJobs {
    /// Those that run, are not being resized, and may grow.
    pub(crate) may_grow: BTreeSet<JobId>,
    /// Those that run, are not being resized, and have more than their fewest tasks, by the
    /// model these are on.
    pub(crate) may_shrink: BTreeSet<(ModelId, JobId)>,
    /// GPUs that the latter have beyond their fewest tasks, by model.
    pub(crate) spare: BTreeMap<ModelId, u64>,
    /// Jobs whose nodes were asked to change in this step: no order has reached them yet.
    pub(crate) asked_now: BTreeSet<JobId>,
    /// Who is looked at next for growing, where there are more than one pass looks at.
    pub(crate) grow_next: JobId,
}

impl Default for ElasticJobs {
    fn default() -> Self {
        ElasticJobs {
            may_grow: BTreeSet::new(),
            may_shrink: BTreeSet::new(),
            spare: BTreeMap::new(),
            asked_now: BTreeSet::new(),
            grow_next: JobId(0),
        }
    }
}

impl ElasticJobs {
    /// GPUs of a model that elastic jobs have beyond their fewest tasks.
    pub(crate) fn spare(&self, model: ModelId) -> u64 {
        self.spare.get(&model).copied().unwrap_or(0)
    }
}
