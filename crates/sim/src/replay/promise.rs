//! What jobs are told when they begin to wait, held against what becomes of it: the latest start
//! that the service floor promises. The checker does so for every answer in tests; here all jobs
//! of a trace ask.

use muster_model::JobId;

use super::world::World;

/// How many were told what, and for whom it did not hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Promises {
    /// Times that a job began to wait and asked.
    pub asked: u64,
    /// Times that it was told when it will have started at the latest.
    pub told: u64,
    /// Of those, the times that it had not.
    pub broken: u64,
}

impl World<'_> {
    /// A job that waits asks when it will have started at the latest, where that is wanted.
    pub(super) fn ask(&mut self, pool: usize, job: JobId) {
        let Some(promises) = &mut self.promises else { return };
        if self.pools[pool].live(job).is_none_or(|live| live.holds) {
            return;
        }
        let latest = self.pools[pool].latest_start(job);
        promises.asked += 1;
        promises.told += u64::from(latest.is_some());
        if let Some(live) = self.pools[pool].live(job) {
            live.told = latest;
        }
    }

    /// A job has its GPUs, or the replay is over: was that in time?
    pub(super) fn judge(&mut self, pool: usize, job: JobId) {
        let (now, Some(promises)) = (self.now, &mut self.promises) else { return };
        let told = self.pools[pool].live(job).and_then(|live| live.told.take());
        promises.broken += u64::from(told.is_some_and(|told| now > told));
    }

    /// What is still waited for when the replay is over may be late already.
    pub(super) fn judge_who_waits(&mut self) {
        let (now, Some(promises)) = (self.now, &mut self.promises) else { return };
        for pool in &mut self.pools {
            let late = |told: muster_model::Time| now > told;
            let broken = pool.all_live().filter(|live| live.told.is_some_and(late)).count();
            promises.broken += broken as u64;
        }
    }
}
