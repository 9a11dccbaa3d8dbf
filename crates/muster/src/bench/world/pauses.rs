//! Counts what was paused, and for how many. Most of it shows in the states of jobs; by which
//! right it was done does not, and asking about every job would take the place of the engine's
//! own data in the caches between steps that are timed. For that the whole state is looked
//! through now and then.

use std::collections::BTreeSet;

use muster_engine::explain::{Cause, Paused};
use muster_model::{JobId, Millis, Time};

use super::World;

/// From one look through the whole state to the next. Who was paused twice in between is seen
/// once.
const LOOK_EVERY: Millis = Millis::minutes(10);

impl World {
    /// A job begins to give up what it holds, for whatever reason.
    pub(super) fn gives_way(&mut self, job: JobId) {
        self.counts.asked += 1;
        if let Some(live) = self.live.get_mut(&job) {
            live.gives_way.get_or_insert((self.steps, false));
        }
    }

    /// What a job gave up was for another, as it waits again or will. Nodes are not lost here, so
    /// there is no other reason to end an attempt and not the job.
    pub(super) fn count_pause(&mut self, job: JobId, was_ended: bool) {
        let Some(live) = self.live.get_mut(&job) else { return };
        let Some((step, is_counted @ false)) = &mut live.gives_way else { return };
        *is_counted = true;
        self.counts.pauses += 1;
        self.counts.requeues += u64::from(was_ended);
        self.counts.plans += u64::from(self.plans.insert(*step));
    }

    /// Counts reclaims if it is time to.
    pub(in crate::bench) fn count_reclaims_now_and_then(&mut self) {
        if self.now >= self.counted + LOOK_EVERY {
            self.count_reclaims();
        }
    }

    /// Counts those for whom a guarantee has reclaimed something since the last look.
    pub(in crate::bench) fn count_reclaims(&mut self) {
        let since = std::mem::replace(&mut self.counted, self.now);
        let mut reclaims: BTreeSet<(Time, JobId)> = BTreeSet::new();
        for job in self.engine.snapshot().jobs {
            let paused = job.pauses.map(|pauses| pauses.latest);
            if let Some(Paused { by, cause: Cause::Guarantee, at, .. }) = paused
                && at > since
            {
                reclaims.insert((at, by));
            }
        }
        self.counts.reclaims += reclaims.len() as u64;
    }
}
