//! The largest gang with a required level: what placing it costs, what refusing it costs, and
//! what saying why costs.

use anyhow::{Result, ensure};
use muster_engine::command::Exit;
use muster_model::{Expression, JobId, JobSpec, Mib, Millis, Name};

use super::chance::Chance;
use super::churn::Churn;
use super::clock;
use super::jobs::{Jobs, Plan};
use super::layout::{self, BLOCK_NODES, GANG_GPUS, Layout, NODE_GPUS, UNLIMITED_QUEUE};
use super::meter::Meter;
use super::world::World;

/// Each figure is the median of so many gangs.
const ROUNDS: u64 = 25;

/// Long enough for all nodes to confirm or end what they were asked to.
const SETTLE: Millis = Millis::seconds(10);

/// Of ten jobs that fill the cluster for this case, so many take a whole node.
const WHOLE_NODES: u64 = 4;

/// Thousandths of the whole-node jobs that have ended when no block has room for the gang, and
/// when every block has; the others ended as often as `SMALL_ENDED` says.
pub(super) const ENDED_WITHOUT_ROOM: u64 = 500;
pub(super) const ENDED_WITH_ROOM: u64 = 900;
const SMALL_ENDED: u64 = 500;

/// Median costs in microseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct GangCosts {
    pub(super) placed: f64,
    pub(super) refused: f64,
    pub(super) why: f64,
}

impl GangCosts {
    /// What placing or refusing costs, whichever is more.
    pub(super) fn larger(self) -> f64 {
        self.placed.max(self.refused)
    }
}

/// Whether a block of the cluster is large enough for the gang.
pub(super) fn fits(layout: Layout) -> bool {
    layout.nodes().min(BLOCK_NODES) * NODE_GPUS >= GANG_GPUS
}

/// Measures in a cluster with holes everywhere, and in the churned one with its queue. Refusals
/// are of three kinds, and the dearest counts: no block has enough whole nodes; every block has,
/// but too few with the label that is asked for, which only trying them shows; the cluster is
/// full and many others wait.
pub(super) fn costs(layout: Layout, seed: u64, churn: &mut Churn) -> Result<GangCosts> {
    let mut holes = Holes::new(World::new(layout, seed), layout, seed)?;
    holes.end(ENDED_WITHOUT_ROOM)?;
    let by_room = refused(&mut holes.world, gang)?;
    holes.end(ENDED_WITH_ROOM)?;
    let placed = placed(&mut holes.world)?;
    let by_label = refused(&mut holes.world, picky_gang)?;
    let by_queue = refused(&mut churn.world, gang)?;
    let refusals = [by_room, by_label, by_queue];
    let most = |figure: fn(&Refused) -> f64| refusals.iter().map(figure).fold(0.0, f64::max);
    Ok(GangCosts { placed, refused: most(|case| case.step), why: most(|case| case.why) })
}

/// The gang of the given round; each has a shape of its own, so that no answer is remembered.
pub(super) fn gang(round: u64) -> (JobSpec, Plan) {
    let spec = JobSpec::gang("largest", GANG_GPUS / NODE_GPUS, NODE_GPUS)
        .queue(&layout::queue_name(UNLIMITED_QUEUE))
        .class("inference")
        .models(["H100"])
        .memory(Mib::gib(512 - round))
        .require("block")
        .limit(Millis::hours(8));
    (spec, Plan { duration: Millis::hours(4), exit: Exit::Code(0) })
}

/// The same for fast disks only, which half of the racks have.
fn picky_gang(round: u64) -> (JobSpec, Plan) {
    let (spec, plan) = gang(round);
    let fast = Expression::Is(Name::from("disk"), vec![Name::from("fast")]);
    (spec.only_on(fast), plan)
}

fn placed(world: &mut World) -> Result<f64> {
    let mut meter = Meter::default();
    for round in 0..ROUNDS {
        let job = submit(world, gang(round), &mut meter)?;
        let gpus = world.gpus_of(job);
        ensure!(gpus == u64::from(GANG_GPUS), "the gang was not placed where there is room");
        world.pass_time(SETTLE)?;
        world.cancel(job);
        world.pass_time(SETTLE)?;
    }
    Ok(meter.median().unwrap_or_default())
}

/// Median costs of one kind of refusal.
struct Refused {
    step: f64,
    why: f64,
}

fn refused(world: &mut World, gang: fn(u64) -> (JobSpec, Plan)) -> Result<Refused> {
    let (mut step, mut why) = (Meter::default(), Meter::default());
    for round in 0..ROUNDS {
        let mut submitted = Meter::default();
        let job = submit(world, gang(round), &mut submitted)?;
        ensure!(world.gpus_of(job) == 0, "the gang was placed where there is no room");
        // Refused means told the reason as well.
        let begin = clock::thread_cpu();
        let reasons = world.engine().reasons(job);
        let told = clock::thread_cpu().saturating_sub(begin);
        ensure!(!reasons.is_empty(), "the engine gives no reason why the gang waits");
        step.add(submitted.total() + told);
        let begin = clock::thread_cpu();
        let answer = world.engine().why(job);
        why.add(clock::thread_cpu().saturating_sub(begin));
        ensure!(
            answer.is_some_and(|why| !why.reasons.is_empty()),
            "the engine does not say why the gang waits"
        );
        world.cancel(job);
    }
    let median = |meter: Meter| meter.median().unwrap_or_default();
    Ok(Refused { step: median(step), why: median(why) })
}

fn submit(world: &mut World, gang: (JobSpec, Plan), meter: &mut Meter) -> Result<JobId> {
    let (spec, plan) = gang;
    world.take_meter();
    let job = world.submit(spec, plan)?;
    meter.absorb(world.take_meter());
    Ok(job)
}

/// A cluster that was full of small jobs, many of which have ended: whole nodes are free
/// everywhere, and holes of all sizes between them.
#[derive(Debug)]
pub(super) struct Holes {
    pub(super) world: World,
    /// Each job, whether it has a whole node, and when it ends, in thousandths.
    jobs: Vec<(JobId, bool, u64)>,
}

impl Holes {
    /// Fills an empty cluster.
    pub(super) fn new(mut world: World, layout: Layout, seed: u64) -> Result<Holes> {
        let (mut chance, mut jobs) = (Chance::new(seed), Jobs::new(layout, seed));
        let mut made = Vec::new();
        let mut free = layout.gpus();
        while free > 0 {
            let is_whole = chance.below(10) < WHOLE_NODES && free >= NODE_GPUS;
            let wanted = if is_whole { NODE_GPUS } else { 1 << chance.below(3) };
            let gpus = if wanted > free { 1 } else { wanted };
            let (spec, mut plan) = jobs.plain(gpus, world.now());
            plan.duration = Millis::days(1);
            made.push((world.submit(spec, plan)?, is_whole, chance.below(1_000)));
            free -= gpus;
        }
        world.pass_time(SETTLE)?;
        Ok(Holes { world, jobs: made })
    }

    /// Ends so many thousandths of the whole-node jobs, and the usual part of the others.
    pub(super) fn end(&mut self, thousandths: u64) -> Result<()> {
        let (ending, staying) = std::mem::take(&mut self.jobs)
            .into_iter()
            .partition(|(_, whole, at)| *at < if *whole { thousandths } else { SMALL_ENDED });
        self.jobs = staying;
        for (job, ..) in ending {
            self.world.end(job);
        }
        self.world.pass_time(SETTLE)
    }
}
