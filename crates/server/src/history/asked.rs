//! What was asked for, as it is kept: when it is submitted, and when it is changed.

use std::sync::Arc;

use muster_api::Program;
use muster_model::{JobId, JobSpec};
use muster_store::history::{Change, JobDocument};

use super::Telling;
use crate::entry::Entry;

impl Telling<'_> {
    pub(super) fn accepted(&mut self, entry: &Entry, job: JobId) {
        let Entry::Submitted { spec, program, .. } = entry else { return };
        self.document(job, spec, Some(program));
        let text = format!("job {job} `{}` submitted by {}", spec.name, spec.user);
        self.event("job-submitted", Some(job), None, text);
    }

    /// A job has become another one: what is kept of it says so.
    pub(super) fn amended(&mut self, job: JobId, by: &str) {
        let Some((spec, _)) = self.control.present(job) else { return };
        self.document(job, &spec, self.control.program_of(job));
        if let Some(known) = self.control.job(job) {
            let view = self.control.job_view(known);
            self.views.insert(job, view);
        }
        self.event("job-changed", Some(job), None, format!("job {job} changed by {by}"));
    }

    fn document(&mut self, job: JobId, spec: &Arc<JobSpec>, program: Option<&Arc<Program>>) {
        let text = |value: serde_json::Result<String>| value.unwrap_or_default();
        let program = program.map(|program| text(serde_json::to_string(program)));
        let spec = text(serde_json::to_string(spec));
        self.changes.push(Change::Document(JobDocument { job_id: job.0, spec, program }));
    }
}
