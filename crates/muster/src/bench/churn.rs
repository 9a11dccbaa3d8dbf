//! The churn: a full cluster with a long queue, where every end makes room for the next start.

use anyhow::{Result, ensure};
use muster_model::{JobId, Millis};

use super::jobs::Jobs;
use super::layout::Layout;
use super::meter::Meter;
use super::world::World;

/// Submissions that fill the cluster and the queue come at this pace.
const PAUSE: Millis = Millis(500);

/// Of the jobs that shall wait, the part that comes as the mix is; the others are such as a
/// busy cluster leaves waiting.
const FRESH_PART: usize = 10;

/// A progress line is printed this many times in a phase.
const PROGRESS_LINES: u64 = 4;

/// A full cluster with its queue.
#[derive(Debug)]
pub(super) struct Churn {
    pub(super) world: World,
    jobs: Jobs,
    pending: usize,
}

/// What a span of churn came to.
#[derive(Debug)]
pub(super) struct Churned {
    pub(super) placements: u64,
    pub(super) floor_placements: u64,
    pub(super) gpus_placed: u64,
    /// GPUs in use at its end.
    pub(super) gpus_busy: u64,
    pub(super) virtual_time: Millis,
    pub(super) meter: Meter,
}

impl Churn {
    /// Submits to an empty cluster until it is full and so many jobs wait.
    pub(super) fn begin(world: World, layout: Layout, seed: u64, pending: usize) -> Result<Churn> {
        let mut churn = Churn { world, jobs: Jobs::new(layout, seed), pending };
        loop {
            let (now, queued) = (churn.world.now(), churn.world.engine().queued());
            if queued >= pending {
                return Ok(churn);
            }
            let is_fresh = queued < pending / FRESH_PART;
            let (spec, plan) =
                if is_fresh { churn.jobs.next(now) } else { churn.jobs.leftover(now) };
            churn.world.submit(spec, plan)?;
            churn.world.pass_time(PAUSE)?;
        }
    }

    /// Goes on for so many placements; whenever fewer jobs wait, someone submits.
    pub(super) fn run(&mut self, placements: u64, what: &str) -> Result<Churned> {
        let (before, begin) = (self.world.counts(), self.world.now());
        self.world.take_meter();
        let (mut done, mut lines) = (0, 0);
        while done < placements {
            let goes_on = self.world.go_on()?;
            ensure!(goes_on, "nothing runs and nothing starts: the mix does not fit the cluster");
            while self.world.engine().queued() < self.pending {
                self.submit()?;
            }
            done = self.world.counts().placements - before.placements;
            if done * PROGRESS_LINES > lines * placements {
                eprintln!("  {what}: {done} of {placements} placements");
                lines += 1;
            }
        }
        let after = self.world.counts();
        Ok(Churned {
            placements: after.placements - before.placements,
            floor_placements: after.floor_placements - before.floor_placements,
            gpus_placed: after.gpus_placed - before.gpus_placed,
            gpus_busy: after.gpus_busy(),
            virtual_time: self.world.now().since(begin),
            meter: self.world.take_meter(),
        })
    }

    fn submit(&mut self) -> Result<JobId> {
        let (spec, plan) = self.jobs.next(self.world.now());
        self.world.submit(spec, plan)
    }
}
