//! Jobs that become others.

use std::sync::Arc;

use muster_model::{JobId, JobSpec};

use super::Shadow;

impl Shadow {
    /// What was told of bounds before is void for all: others may go before them now.
    pub(crate) fn amended(&mut self, id: JobId, spec: &Arc<JobSpec>) {
        let (class, kind) = (self.class(spec).map_or(0, |class| class.value), self.kind_of(spec));
        let is_late = self.jobs.get(&id).is_some_and(|job| self.is_out_of_time(job));
        let Some(job) = self.jobs.get_mut(&id) else { return };
        if let Some(run) = job.run.as_mut().filter(|run| run.stopping_since.is_some()) {
            run.was_out_of_time |= is_late;
        }
        let name_of = |spec: &JobSpec| (spec.user.clone(), spec.name.clone());
        self.namesakes.entry(name_of(&job.spec)).or_default().remove(&id);
        self.namesakes.entry(name_of(spec)).or_default().insert(id);
        let array = job.element.map(|(array, _)| array);
        self.rethrottled.extend(array.filter(|_| job.spec.array != spec.array));
        job.spec = Arc::clone(spec);
        // One that is queued may stay so, and be compared with others from now on.
        if self.queued.entry(job.kind).or_default().remove(&(job.class, id)) {
            self.queued.entry(kind).or_default().insert((class, id));
        }
        (job.class, job.kind) = (class, kind);
        job.upsets += 1;
        self.disturbances += 1;
    }
}
