//! Arrays: how far their elements have got, and which of them may go.

use std::collections::{BTreeMap, BTreeSet};

use muster_model::JobId;

use crate::snapshot::ArrayRecord;

/// One array.
#[derive(Clone, Debug)]
pub(crate) struct ArrayState {
    pub(crate) record: ArrayRecord,
    /// Elements kept back by the throttle alone.
    pub(crate) throttled: BTreeSet<JobId>,
}

/// All arrays with elements that are remembered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrays {
    pub(crate) arrays: BTreeMap<JobId, ArrayState>,
}

impl Arrays {
    pub(crate) fn get(&self, id: JobId) -> Option<&ArrayState> {
        self.arrays.get(&id)
    }

    pub(crate) fn get_mut(&mut self, id: JobId) -> Option<&mut ArrayState> {
        self.arrays.get_mut(&id)
    }

    pub(crate) fn add(&mut self, record: ArrayRecord) {
        let throttled = BTreeSet::new();
        self.arrays.insert(record.id, ArrayState { record, throttled });
    }
}

impl ArrayState {
    /// The numbers of its elements.
    pub(crate) fn elements(&self) -> impl DoubleEndedIterator<Item = JobId> + use<> {
        let first = self.record.id.0 + 1;
        (first..first + u64::from(self.record.elements)).map(JobId)
    }

    /// How many more elements are queued or run than may.
    pub(crate) fn beyond(&self) -> usize {
        let most = self.record.throttle.unwrap_or(u32::MAX);
        usize::try_from(self.record.admitted.saturating_sub(most)).expect("elements are few")
    }

    /// Whether one more element may be queued or run.
    pub(crate) fn has_room(&self) -> bool {
        self.record.throttle.is_none_or(|most| self.record.admitted < most)
    }
}
