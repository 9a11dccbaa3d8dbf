//! Which jobs may be left when everything else is over: those that can never start on a cluster
//! where nothing changes any more, and those that wait for one of them.

use std::collections::BTreeSet;

use muster_engine::reason::Reason;
use muster_engine::snapshot::{JobRecord, Snapshot};
use muster_model::{JobId, JobSpec};

/// A job that is left, among those that are left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Left<'a> {
    pub(crate) jobs: &'a BTreeSet<JobId>,
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) job: JobId,
}

impl Left<'_> {
    /// Whether one of the reasons is another job that is left.
    pub(crate) fn waits_for_another(&self, reasons: &[Reason]) -> bool {
        reasons.iter().any(|reason| match reason {
            Reason::Dependency { on, .. } => self.elements(*on).any(|job| self.is_other(job)),
            Reason::Singleton { behind } | Reason::Behind { head: behind } => {
                self.is_other(*behind)
            }
            Reason::Throttle { .. } => {
                let (array, _) = self.record().element.expect("only elements are throttled");
                self.elements(array).any(|job| self.is_other(job))
            }
            // The booking it runs in is no more.
            Reason::Unopened { opens: None, .. } => true,
            _ => false,
        })
    }

    /// What was submitted.
    pub(crate) fn spec(&self) -> &JobSpec {
        &self.record().spec
    }

    fn record(&self) -> &JobRecord {
        let record = self.snapshot.jobs.iter().find(|record| record.id == self.job);
        record.expect("a job that is left is known")
    }

    fn is_other(&self, job: JobId) -> bool {
        job != self.job && self.jobs.contains(&job)
    }

    /// The job itself, and where it is an array, its elements.
    fn elements(&self, job: JobId) -> impl Iterator<Item = JobId> {
        let of_array = move |element: Option<(JobId, u32)>| element.is_some_and(|of| of.0 == job);
        let records = self.snapshot.jobs.iter();
        records.filter(move |record| of_array(record.element)).map(|record| record.id).chain([job])
    }
}
