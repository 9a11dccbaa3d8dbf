//! What was asked for, as it is now, and by whom.

use std::sync::Arc;

use muster_api::Program;
use muster_engine::action::JobState;
use muster_model::{JobId, JobSpec};

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
