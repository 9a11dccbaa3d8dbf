//! Promise: what a job is told of its latest start holds.
//!
//! A job that was told when it will have started at the latest does not wait beyond that, unless
//! something broke since: it was itself held, requeued or taken out of the queue; a node was
//! lost, drained or changed; a GPU failed; a launch failed; a limit was changed; an attempt that
//! was asked to end did not.

use std::collections::BTreeMap;

use muster_engine::action::JobState;
use muster_model::{JobId, Time};

use crate::shadow::Shadow;
use crate::violation::{Findings, Promise};

/// Watches what jobs were told.
#[derive(Debug, Default)]
pub(crate) struct Monitor {
    told: BTreeMap<JobId, Told>,
}

#[derive(Debug)]
struct Told {
    latest: Time,
    /// The shadow's count of disturbances, and the job's of upsets, when it was told.
    disturbances: u64,
    upsets: u64,
    /// When the job was first seen waiting beyond it: the same moment may need several steps,
    /// so only a later one proves the delay.
    late_at: Option<Time>,
}

impl Monitor {
    /// A job is told its latest start; the tightest word counts, as long as nothing broke.
    pub(crate) fn tell(&mut self, shadow: &Shadow, id: JobId, latest: Time) {
        let Some(job) = shadow.jobs.get(&id) else { return };
        let (disturbances, upsets) = (shadow.disturbances, job.upsets);
        let before = self.told.remove(&id).filter(|told| told.holds(shadow, id));
        let told = match before {
            Some(told) if told.latest <= latest => told,
            _ => Told { latest, disturbances, upsets, late_at: None },
        };
        self.told.insert(id, told);
    }

    /// Judges, with the time of a new step, who waited beyond their time in an earlier one.
    pub(crate) fn before_step(&mut self, shadow: &Shadow, found: &mut Findings) {
        self.judge(shadow, |told| told.late_at.is_some_and(|late| late < shadow.now), found);
    }

    /// Notes who waits beyond their time, and forgets whom nothing was promised any more.
    pub(crate) fn after_step(&mut self, shadow: &Shadow) {
        self.told.retain(|id, told| told.holds(shadow, *id));
        for told in self.told.values_mut().filter(|told| told.latest < shadow.now) {
            told.late_at.get_or_insert(shadow.now);
        }
    }

    /// Judges when the engine has nothing left to do at this moment.
    pub(crate) fn at_rest(&mut self, shadow: &Shadow, found: &mut Findings) {
        self.judge(shadow, |told| told.late_at.is_some(), found);
    }

    /// Reports each late job once.
    fn judge(&mut self, shadow: &Shadow, is_late: impl Fn(&Told) -> bool, found: &mut Findings) {
        let late = |(id, told): (&JobId, &Told)| {
            (is_late(told) && told.holds(shadow, *id)).then_some((*id, told.latest))
        };
        let late: Vec<(JobId, Time)> = self.told.iter().filter_map(late).collect();
        if late.is_empty() || is_anyone_overstaying(shadow) {
            return;
        }
        for (id, latest) in late {
            self.told.remove(&id);
            let (now, latest) = (shadow.now.0, latest.0);
            let detail = format!("job {id} was to start by {latest} and waits at {now}");
            found.add(Promise::Floor, detail);
        }
    }
}

impl Told {
    /// Whether the job still waits and nothing broke since.
    fn holds(&self, shadow: &Shadow, id: JobId) -> bool {
        let Some(job) = shadow.jobs.get(&id) else { return false };
        job.state == Some(JobState::Queued)
            && job.upsets == self.upsets
            && shadow.disturbances == self.disturbances
    }
}

fn is_anyone_overstaying(shadow: &Shadow) -> bool {
    let grace = shadow.cluster.policy.stop_grace;
    let mut runs = shadow.jobs.values().filter_map(|job| job.run.as_ref());
    runs.any(|run| run.holds && run.is_overstaying(shadow.now, grace))
}
