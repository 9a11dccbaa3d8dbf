//! What it costs to look at a busy cluster beside deciding in it: for GPUs that stand free in
//! pieces, as a server does at most once a second, at what runs next, and at why one job waits.
//! All of it is CPU time of the one thread, taken in turns with the steps of a churn.

use std::time::Duration;

use anyhow::Result;

use super::churn::{Backlog, Churn};
use super::clock;
use super::cluster::Figures;
use super::figures::Target;
use super::gang::{self, Holes};
use super::layout::{Layout, QUEUES};
use super::meter::Meter;
use super::world::World;

/// Looks between which the churn goes on: what is free is another each time.
const LOOKS: u64 = 20;

/// Gangs that wait where GPUs are free in pieces: more than a look asks.
const GANGS: u64 = 100;

/// Starts that a plan looks at, as a server's does.
const STARTS: usize = 100;

/// A look comes between decisions, so it may take no longer than a few of them.
const AIM: Option<Target> = Some(Target::Below(5.0));

/// Fills a cluster, churns it, and looks.
pub(super) fn measure(
    layout: Layout,
    seed: u64,
    backlog: Backlog,
    placements: u64,
) -> Result<Figures> {
    let mut churn = Churn::begin(World::new(layout, seed), layout, seed, backlog)?;
    churn.run(placements, "warming up")?;
    let mut steps = Meter::default();
    let [mut looks, mut copies, mut plans, mut whys] = [(); 4].map(|()| Meter::default());
    let (mut found, mut waiting) = (0, 0);
    for _ in 0..LOOKS {
        let churned = churn.run(placements.div_ceil(LOOKS), "measuring")?;
        steps.absorb(churned.meter);
        waiting = churned.pending;
        let engine = churn.world.engine();
        found += timed(&mut looks, || engine.scattered()).len();
        // As a server does it: decisions wait for the copy, and go on beside the plan.
        let mut copy = timed(&mut copies, || engine.clone());
        let outlook = timed(&mut plans, || copy.outlook(STARTS));
        if let Some(first) = outlook.next.first() {
            timed(&mut whys, || engine.why(first.job));
        }
    }
    let among_holes = match gang::fits(layout) {
        true => Some(among_holes(layout, seed)?),
        false => None,
    };
    let mean_us = |meter: &Meter| meter.total_us() / meter.steps().max(1) as f64;
    let step_us = mean_us(&steps);
    let look_us = mean_us(&looks);
    let figures = Figures::of("looks")
        .count("gpus", layout.gpus())
        .count("nodes", layout.nodes())
        .count("queues", QUEUES)
        .count("pending", waiting as u64)
        .count("seed", seed)
        .count("looks", looks.steps() as u64)
        .count("scattered_jobs_found", found as u64)
        .count("steps", steps.steps() as u64)
        .measure("step_mean_us", step_us, None)
        .spread("step", steps, [None; 2])
        .measure("look_mean_us", look_us, None)
        .measure("look_per_step", look_us / step_us.max(f64::MIN_POSITIVE), None)
        .spread("look", looks, [AIM, None])
        .spread("copy", copies, [None; 2])
        .spread("plan", plans, [None; 2])
        .spread("why", whys, [None; 2]);
    let Some((looks, found)) = among_holes else { return Ok(figures) };
    let look_us = mean_us(&looks);
    Ok(figures
        .count("holes_scattered_jobs_found", found as u64)
        .measure("holes_look_per_step", look_us / step_us.max(f64::MIN_POSITIVE), None)
        .spread("holes_look", looks, [AIM, None]))
}

/// Looks where there is most to find: half of all nodes are free and others have holes, and gangs
/// wait, each of a shape of its own, which no block can hold. What the last look found.
fn among_holes(layout: Layout, seed: u64) -> Result<(Meter, usize)> {
    let mut holes = Holes::new(World::new(layout, seed), layout, seed)?;
    holes.end(gang::ENDED_WITHOUT_ROOM)?;
    for round in 0..GANGS {
        let (spec, plan) = gang::gang(round);
        holes.world.submit(spec, plan)?;
    }
    let (mut looks, mut found) = (Meter::default(), 0);
    for _ in 0..LOOKS {
        found = timed(&mut looks, || holes.world.engine().scattered()).len();
    }
    Ok((looks, found))
}

/// Does something, and notes what it cost.
fn timed<T>(meter: &mut Meter, look: impl FnOnce() -> T) -> T {
    let before = clock::thread_cpu();
    let seen = look();
    // A clock that has not moved has measured something shorter than it can tell.
    meter.add(clock::thread_cpu().saturating_sub(before).max(Duration::from_nanos(1)));
    seen
}
