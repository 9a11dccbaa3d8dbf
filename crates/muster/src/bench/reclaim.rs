//! `muster bench engine --reclaim`: a cluster full of borrowed work, and a queue that claims what
//! it is guaranteed. What is measured is the decision: from the submission to the committed plan,
//! when the first job is on its way to give up what it holds.

mod figures;
#[cfg(test)]
mod tests;

use anyhow::{Result, ensure};
use muster_engine::command::Exit;
use muster_model::{JobId, JobSpec, Millis, QueueSpec, Quota};

use super::chance::Chance;
use super::jobs::{Plan, contract};
use super::layout::{Layout, Load, NODE_GPUS};
use super::meter::Meter;
use super::world::World;
use figures::Reclaims;

/// Claims measured for each size unless asked otherwise: the p99 is then the third longest.
pub(super) const ROUNDS: u32 = 200;

/// GPUs of a claim, with what deciding on it may cost in microseconds.
const CLAIMS: [(u32, f64); 3] = [(1, 100.0), (64, 1_000.0), (4_096, 20_000.0)];

/// The queue that has lent all it is guaranteed, and the one that has borrowed it.
const OWNER: &str = "owner";
const BORROWER: &str = "borrower";

/// The owner is guaranteed this part of the cluster, in tenths.
const GUARANTEED_TENTHS: u32 = 9;

/// GPUs of borrowed jobs.
const SIZES: [(u32, u64); 7] =
    [(1, 300), (2, 150), (4, 150), (8, 200), (16, 100), (32, 60), (64, 40)];

/// All jobs run longer than the measuring takes.
const RUNS: Millis = Millis::days(20);

/// What was asked for is given up, and what was given up is taken again, within this time.
const SETTLE: Millis = Millis::minutes(6);

/// Measures and prints one size of cluster.
pub(super) fn run(gpus: u32, seed: u64, rounds: u32, json: bool) -> Result<()> {
    let layout = Layout::with_load(gpus, Load::Overload);
    eprintln!("{} GPUs: borrowing", layout.gpus());
    let mut lent = Lent::new(layout, seed)?;
    for (claim, limit) in CLAIMS {
        if claim > guaranteed(layout) {
            continue;
        }
        eprintln!("{} GPUs: claims on {claim}", layout.gpus());
        let reclaims = lent.claims(claim, rounds, limit)?;
        if json {
            println!("{}", serde_json::to_string(&reclaims)?);
        } else {
            print!("{}", reclaims.table());
        }
    }
    Ok(())
}

fn guaranteed(layout: Layout) -> u32 {
    layout.gpus() / 10 * GUARANTEED_TENTHS
}

/// A cluster full of borrowed work.
#[derive(Debug)]
struct Lent {
    world: World,
    chance: Chance,
    layout: Layout,
    seed: u64,
}

impl Lent {
    fn new(layout: Layout, seed: u64) -> Result<Lent> {
        let owned = Quota::of_gpus(u64::from(guaranteed(layout)));
        let queues = [QueueSpec::new(OWNER).guarantee(owned), QueueSpec::new(BORROWER)];
        let engine = layout.engine_of(layout.cluster_of(queues));
        let world = World::around(engine, seed);
        let mut lent = Lent { world, chance: Chance::new(seed), layout, seed };
        lent.fill()?;
        Ok(lent)
    }

    /// Borrows all that is free: jobs of the mix until one does not fit, then single GPUs.
    fn fill(&mut self) -> Result<()> {
        while self.borrow_as_mixed()? {}
        while self.borrow(1)? {}
        self.world.pass_time(SETTLE)
    }

    fn borrow_as_mixed(&mut self) -> Result<bool> {
        let most = self.layout.gang_gpus_max();
        let gpus = self.chance.pick(&SIZES).min(most);
        self.borrow(gpus)
    }

    /// Submits a job that borrows; whether it found room. One that did not is taken back.
    fn borrow(&mut self, gpus: u32) -> Result<bool> {
        let each = gpus.min(NODE_GPUS);
        let spec = JobSpec::gang("borrowed", gpus / each, each).queue(BORROWER);
        let spec = contract(&mut self.chance, timed(spec));
        let job = self.submit(spec)?;
        let is_placed = self.world.gpus_of(job) > 0;
        if !is_placed {
            self.world.cancel(job);
        }
        Ok(is_placed)
    }

    fn submit(&mut self, spec: JobSpec) -> Result<JobId> {
        self.world.submit(spec, Plan { duration: RUNS, exit: Exit::Code(0) })
    }

    /// The costs of so many claims on so many GPUs, one after the other.
    fn claims(&mut self, gpus: u32, rounds: u32, limit_us: f64) -> Result<Reclaims> {
        let (mut meter, mut waited) = (Meter::default(), Millis::ZERO);
        let (mut steps, mut pauses) = (0, 0);
        for _ in 0..rounds {
            let before = self.world.counts();
            let (job, decided) = self.claim(gpus)?;
            pauses += self.world.counts().since(before).asked;
            steps += decided.steps();
            meter.add(decided.total());
            waited = waited.max(self.wait_for(job)?);
            self.world.cancel(job);
            self.world.pass_time(SETTLE)?;
            self.refill()?;
        }
        let spread = meter.spread();
        Ok(Reclaims {
            gpus: self.layout.gpus(),
            reclaim_gpus: gpus,
            rounds,
            seed: self.seed,
            reclaim_cpu_us_p50: spread.p50,
            reclaim_cpu_us_p99: spread.p99,
            reclaim_cpu_us_max: spread.max,
            reclaim_cpu_us_limit: limit_us,
            steps,
            pauses,
            reclaim_wait_s_max: waited.0 as f64 / 1_000.0,
        })
    }

    /// Submits a claim; what all steps until the plan was committed cost together.
    fn claim(&mut self, gpus: u32) -> Result<(JobId, Meter)> {
        let each = gpus.min(NODE_GPUS);
        let spec = JobSpec::gang("claim", gpus / each, each).queue(OWNER);
        let asked = self.world.counts().asked;
        self.world.take_meter();
        let job = self.submit(timed(spec))?;
        let mut decided = self.world.take_meter();
        // A long search goes on in a step that is due at once.
        while self.world.counts().asked == asked && self.world.wake_once() {
            decided.absorb(self.world.take_meter());
        }
        ensure!(
            self.world.counts().asked > asked,
            "a claim on {gpus} borrowed GPUs leads to no plan"
        );
        Ok((job, decided))
    }

    /// Lets time pass until a claim has its GPUs; how long that took.
    fn wait_for(&mut self, job: JobId) -> Result<Millis> {
        let begin = self.world.now();
        while self.world.gpus_of(job) == 0 {
            let waited = self.world.now().since(begin);
            ensure!(waited <= SETTLE, "a claim has not got its GPUs after {waited}");
            ensure!(self.world.go_on()?, "nothing is to come and a claim still waits");
        }
        let waited = self.world.now().since(begin);
        self.world.pass_time(SETTLE)?;
        Ok(waited)
    }

    /// Those who did not get their place again are replaced.
    fn refill(&mut self) -> Result<()> {
        for job in self.world.idle() {
            self.world.cancel(job);
        }
        self.fill()
    }
}

fn timed(spec: JobSpec) -> JobSpec {
    spec.estimate(Millis(RUNS.0 / 2), RUNS)
}
