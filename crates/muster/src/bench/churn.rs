//! The churn: a full cluster with a long queue, where every end makes room for the next start.

use anyhow::{Result, ensure};
use muster_model::{JobId, Millis};

use super::jobs::Jobs;
use super::layout::Layout;
use super::meter::Meter;
use super::world::{Counts, World};

/// Submissions that fill the cluster and the queue come at this pace.
const PAUSE: Millis = Millis(500);

/// How much shall wait throughout, at least.
#[derive(Clone, Copy, Debug)]
pub(super) struct Backlog {
    pub(super) jobs: usize,
    /// GPUs of all who wait, paused ones among them.
    pub(super) gpus: u64,
}

impl Backlog {
    /// Whether one part of so many waits.
    fn is_reached(self, world: &mut World, part: u64) -> bool {
        world.engine().queued() as u64 >= self.jobs as u64 / part
            && world.counts().milli_waiting >= self.gpus * 1_000 / part
    }
}

/// Of the jobs that shall wait, the part that comes as the mix is; the others are such as a
/// busy cluster leaves waiting.
const FRESH_PART: u64 = 10;

/// A progress line is printed this many times in a phase.
const PROGRESS_LINES: u64 = 4;

/// A full cluster with its queue.
#[derive(Debug)]
pub(super) struct Churn {
    pub(super) world: World,
    jobs: Jobs,
    backlog: Backlog,
}

/// What a span of churn came to.
#[derive(Debug)]
pub(super) struct Churned {
    /// What happened in it, and what is the case at its end.
    pub(super) counts: Counts,
    /// Jobs that wait at its end.
    pub(super) pending: usize,
    pub(super) virtual_time: Millis,
    pub(super) meter: Meter,
}

impl Churn {
    /// Submits to an empty cluster until it is full and enough waits.
    pub(super) fn begin(
        world: World,
        layout: Layout,
        seed: u64,
        backlog: Backlog,
    ) -> Result<Churn> {
        let mut churn = Churn { world, jobs: Jobs::new(layout, seed), backlog };
        while !backlog.is_reached(&mut churn.world, 1) {
            let now = churn.world.now();
            let (spec, plan) = match backlog.is_reached(&mut churn.world, FRESH_PART) {
                false => churn.jobs.next(now),
                true => churn.jobs.leftover(now),
            };
            churn.world.submit(spec, plan)?;
            churn.world.pass_time(PAUSE)?;
        }
        Ok(churn)
    }

    /// Goes on for so many placements; whenever less waits, someone submits.
    pub(super) fn run(&mut self, placements: u64, what: &str) -> Result<Churned> {
        self.world.count_reclaims();
        let (before, begin) = (self.world.counts(), self.world.now());
        self.world.take_meter();
        let (mut done, mut lines) = (0, 0);
        while done < placements {
            let goes_on = self.world.go_on()?;
            ensure!(goes_on, "nothing runs and nothing starts: the mix does not fit the cluster");
            while !self.backlog.is_reached(&mut self.world, 1) {
                self.submit()?;
            }
            self.world.count_reclaims_now_and_then();
            done = self.world.counts().placements - before.placements;
            if done * PROGRESS_LINES > lines * placements {
                eprintln!("  {what}: {done} of {placements} placements");
                lines += 1;
            }
        }
        self.world.count_reclaims();
        Ok(Churned {
            counts: self.world.counts().since(before),
            pending: self.world.engine().queued(),
            virtual_time: self.world.now().since(begin),
            meter: self.world.take_meter(),
        })
    }

    fn submit(&mut self) -> Result<JobId> {
        let (spec, plan) = self.jobs.next(self.world.now());
        self.world.submit(spec, plan)
    }
}

#[cfg(test)]
mod tests;
