//! Words that only the moving scenarios need.

use muster_engine::snapshot::MoveRecord;
use muster_model::{Defragmentation, DefragmentationMode};

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

/// A cluster on which jobs are moved.
pub(super) fn moving(setup: Setup) -> Setup {
    mode(setup, DefragmentationMode::On).doubted()
}

/// With the policy on moves changed in some way.
pub(super) fn policy(setup: Setup, change: impl FnOnce(&mut Defragmentation)) -> Setup {
    setup.policy(|policy| change(&mut policy.defragmentation))
}

/// With jobs moved, or not, or told which would be.
pub(super) fn mode(setup: Setup, mode: DefragmentationMode) -> Setup {
    policy(setup, |moves| moves.mode = mode)
}

/// A gang with a long run time that saves within 20 seconds when it is asked to and is back in 10.
pub(super) fn saver(tasks: u32, gpus: u32) -> JobSpec {
    big(tasks, gpus).rung(Rung::Checkpoint, seconds(20), seconds(10))
}

/// A gang with a long run time that says nothing of how it could be paused.
pub(super) fn big(tasks: u32, gpus: u32) -> JobSpec {
    gang(tasks, gpus).class("batch").estimate(hours(20), hours(24))
}

/// Runs a job on a node that it could leave: all others are drained until it is there.
pub(super) fn run_on(world: &mut World, node: &str, spec: JobSpec) -> JobId {
    let names = world.snapshot().nodes.into_iter().map(|node| node.spec.name.to_string());
    let others: Vec<String> = names.filter(|name| name != node).collect();
    others.iter().for_each(|name| drop(world.drain(name)));
    let job = world.run(spec);
    others.iter().for_each(|name| drop(world.resume(name)));
    assert_eq!(world.nodes_of(job), [node]);
    job
}

/// The node of a job on one node.
pub(super) fn node_of(world: &World, job: JobId) -> String {
    let nodes = world.nodes_of(job);
    assert_eq!(nodes.len(), 1, "job {job} is on one node");
    nodes[0].clone()
}

/// Lets all that runs outgrow the time in which it is left alone.
pub(super) fn settle_in(world: &mut World) {
    world.advance(minutes(11));
}

/// Two small jobs on `n-1` are to move, one to `n-2` and one to `n-3`, for a job that needs a node.
pub(super) fn two_moving_out() -> (World, Vec<JobId>, JobId) {
    let mut world = nodes(3).build();
    let small: Vec<JobId> = (0..2).map(|_| run_on(&mut world, "n-1", saver(1, 2))).collect();
    run_on(&mut world, "n-2", big(1, 6));
    run_on(&mut world, "n-3", big(1, 6));
    settle_in(&mut world);
    let gang = world.submit(big(1, 8));
    assert_eq!(world.victims_of(gang), small);
    (world, small, gang)
}

/// Two nodes, each half taken by a job that can be moved: `n-1` by the first, `n-2` by the second.
pub(super) fn halves(setup: Setup, spec: JobSpec) -> (World, JobId, JobId) {
    let mut world = setup.build();
    let first = run_on(&mut world, "n-1", spec.clone());
    let second = run_on(&mut world, "n-2", spec);
    settle_in(&mut world);
    (world, first, second)
}

/// The same with a job that needs a whole node, and for which the first is asked to move.
pub(super) fn moving_out(setup: Setup) -> (World, JobId, JobId) {
    let (mut world, first, _) = halves(setup, saver(1, 4));
    let gang = world.submit(big(1, 8));
    assert_eq!((world.word(first), world.word(gang)), ("pausing", "queued"));
    assert_eq!(moves(&world), [(first, "n-2".to_owned())]);
    (world, first, gang)
}

/// Jobs on their way to another place, with the nodes they go to.
pub(super) fn moves(world: &World) -> Vec<(JobId, String)> {
    let records = world.snapshot().moves;
    let nodes = |record: &MoveRecord| {
        let mut nodes: Vec<String> =
            record.tasks.iter().map(|(node, _)| world.node_name(*node)).collect();
        nodes.dedup();
        nodes.join(" ")
    };
    records.iter().map(|record| (record.job, nodes(record))).collect()
}

/// The previews among these actions: for whom, and who would move.
pub(super) fn previews(actions: &[Action]) -> Vec<(JobId, Vec<JobId>)> {
    let preview = |action: &Action| match action {
        Action::Previewed { job, movable } => Some((*job, movable.jobs.clone())),
        _ => None,
    };
    actions.iter().filter_map(preview).collect()
}
