//! Words that only the moving scenarios need.

use muster_model::DefragmentationMode;

use crate::support::*;

/// So many nodes of 8 GPUs, `n-1` and so on, on which jobs are moved. Every step is also taken by
/// an engine made from the snapshot before it.
pub(super) fn nodes(count: u32) -> Setup {
    moving(cluster().nodes("n", count, "H100x8"))
}

/// The same in racks `r1`, `r2` and so on, of so many nodes each.
pub(super) fn racks_of<const N: usize>(counts: [u32; N]) -> Setup {
    let mut setup = cluster().levels(["rack"]);
    for (index, count) in counts.into_iter().enumerate() {
        setup = setup.nodes(&format!("r{}", index + 1), count, "H100x8");
    }
    moving(setup)
}

fn moving(setup: Setup) -> Setup {
    mode(setup, DefragmentationMode::On).doubted()
}

/// With jobs moved, or not, or told which would be.
pub(super) fn mode(setup: Setup, mode: DefragmentationMode) -> Setup {
    setup.policy(|policy| policy.defragmentation.mode = mode)
}

/// A gang with a long run time that saves within 20 seconds when it is asked to and is back in 10.
pub(super) fn saver(tasks: u32, gpus: u32) -> JobSpec {
    big(tasks, gpus).rung(Rung::Checkpoint, seconds(20), seconds(10))
}

/// A gang with a long run time that says nothing of how it could be paused.
pub(super) fn big(tasks: u32, gpus: u32) -> JobSpec {
    gang(tasks, gpus).class("batch").estimate(hours(20), hours(24))
}

/// Two nodes, each half taken by a job that can be moved: `n-1` by the first, `n-2` by the second.
pub(super) fn halves(setup: Setup, spec: JobSpec) -> (World, JobId, JobId) {
    let mut world = setup.build();
    let first = world.run(spec.clone());
    let between = world.run(big(1, 4));
    let second = world.run(spec);
    world.finish(between);
    assert_eq!((world.nodes_of(first), world.nodes_of(second)), (vec!["n-1".into()], vec!["n-2".into()]));
    world.advance(minutes(11));
    (world, first, second)
}
