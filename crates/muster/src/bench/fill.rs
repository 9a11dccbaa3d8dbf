//! The fill: an empty cluster gets one single-GPU job after the other until it is full.

use anyhow::{Result, ensure};
use muster_model::Millis;

use super::jobs::Jobs;
use super::layout::Layout;
use super::meter::Meter;
use super::world::World;

/// Between two submissions: short, so that nothing ends before the last is placed.
const PAUSE: Millis = Millis(1);

/// Placements for each second of CPU in the steps that submit, which place too. Confirming the
/// launches is not in it.
pub(super) fn placements_per_second(layout: Layout, seed: u64) -> Result<f64> {
    let (mut world, mut jobs) = (World::new(layout, seed), Jobs::new(layout, seed));
    let mut submissions = Meter::default();
    for _ in 0..layout.gpus() {
        let (spec, plan) = jobs.plain(1, world.now());
        world.take_meter();
        world.submit(spec, plan)?;
        submissions.absorb(world.take_meter());
        world.pass_time(PAUSE)?;
    }
    let placements = world.counts().placements;
    ensure!(
        placements == u64::from(layout.gpus()),
        "only {placements} of {} single-GPU jobs were placed in an empty cluster",
        layout.gpus()
    );
    Ok(submissions.per_second(placements))
}
