//! Words that only repairs need.

use crate::support::*;

/// A node is lost and its lease ends at once; the rest of a gang is told to stop.
pub(super) fn lose_now(world: &mut World, node: &str) {
    world.lose(node, Millis::ZERO);
}

/// A gang loses a node for good and its other nodes confirm that they have ended it.
pub(super) fn lose_from(world: &mut World, job: JobId, node: &str) -> Vec<Action> {
    lose_now(world, node);
    assert_eq!(world.word(job), "stopping", "the others are told to stop");
    world.stopped(job)
}

/// What a repaired job has of its old place: tasks that stayed, tasks that moved.
pub(super) fn repaired(world: &World, job: JobId) -> Option<(u32, u32)> {
    world.decision(job).repair.map(|repair| (repair.stayed, repair.moved))
}

/// The engine is replaced by one restored from its snapshot.
pub(super) fn restart(world: &mut World) {
    let (snapshot, tuning) = (world.snapshot(), world.tuning);
    world.engine =
        muster_engine::Engine::restore(snapshot, tuning).expect("an engine's snapshot restores");
}
