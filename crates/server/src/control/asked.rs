//! What was asked for, as it is now, and by whom.

use std::sync::Arc;

use muster_api::Program;
use muster_engine::action::JobState;
use muster_model::{Attempt, JobId, JobSpec};

use super::{Control, Job};

impl Control {
    /// What a job is, which is what was submitted unless it was changed since.
    pub fn spec<'a>(&'a self, job: &'a Job) -> &'a Arc<JobSpec> {
        self.book.spec(job)
    }

    /// Whose a job or array is, and in which queue.
    pub fn owner(&self, job: JobId) -> Option<(String, String)> {
        let known = self.book.get(job).or_else(|| self.book.of_array(job).next())?;
        let spec = self.book.spec(known);
        Some((spec.user.to_string(), spec.queue.to_string()))
    }

    /// Whose an attempt is, which is the job's current one and has nodes; and the queue in which
    /// its programs may submit, any where nothing is said.
    pub(crate) fn acts_for(&self, of: (JobId, Attempt)) -> Option<(String, Option<String>)> {
        let (job, attempt) = of;
        self.engine.job(job).filter(|record| record.attempt == attempt)?.run.as_ref()?;
        let known = self.book.get(job)?;
        let spec = self.book.spec(known);
        let queue = (!self.book.submitted(known).anywhere).then(|| spec.queue.to_string());
        Some((spec.user.to_string(), queue))
    }

    /// The program of a job or array.
    pub fn program_of(&self, job: JobId) -> Option<&Arc<Program>> {
        let known = self.book.get(job).or_else(|| self.book.of_array(job).next())?;
        Some(&self.book.submitted(known).program)
    }

    /// What a job that is not over is, or the first such element of an array, and whether any of
    /// it has nodes.
    pub fn present(&self, job: JobId) -> Option<(Arc<JobSpec>, bool)> {
        let meant = self.book.of_array(job).map(|job| job.id).chain([job]);
        let records = meant.filter_map(|id| self.engine.job(id));
        let mut live = records.filter(|one| !matches!(one.state, JobState::Ended(_))).peekable();
        let spec = Arc::clone(&live.peek()?.spec);
        Some((spec, live.any(|one| one.run.is_some())))
    }
}
