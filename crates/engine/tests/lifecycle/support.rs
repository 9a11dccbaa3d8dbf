//! Words that only the lifecycle scenarios need: what a step did to a job, and that it did nothing.

use muster_engine::snapshot::Snapshot;
use muster_model::{Attempt, Invalid, Requeue};

use crate::support::*;

/// A way to get a job to some point of its life.
pub(super) type Make = fn(&mut World) -> JobId;

/// Something that happens to a job.
pub(super) type Happen = fn(&mut World, JobId);

/// Two nodes of 8 GPUs, `n-1` and `n-2`, that do nothing by themselves.
pub(super) fn pair() -> World {
    nodes(2)
}

/// So many nodes of 8 GPUs, `n-1` and so on, that do nothing by themselves.
pub(super) fn nodes(count: u32) -> World {
    cluster().nodes("n", count, "H100x8").build()
}

/// A gang of one 8-GPU task on each of so many nodes.
pub(super) fn wide(nodes: u32) -> JobSpec {
    gang(nodes, 8)
}

/// The states a job went through in these actions.
pub(super) fn moves(actions: &[Action], job: JobId) -> Vec<JobState> {
    let moved = actions.iter().filter_map(|action| match action {
        Action::Moved { job: moved, state, .. } if *moved == job => Some(*state),
        _ => None,
    });
    moved.collect()
}

/// Who was told to stop what, in order: node, job, attempt.
pub(super) fn stops(world: &World, actions: &[Action]) -> Vec<(String, JobId, u32)> {
    let told = actions.iter().filter_map(|action| match action {
        Action::Stop { node, job, attempt, .. } => Some((world.node_name(*node), *job, attempt.0)),
        _ => None,
    });
    told.collect()
}

/// The nodes that were asked to launch a job, in order.
pub(super) fn launches(world: &World, actions: &[Action], job: JobId) -> Vec<String> {
    let asked = actions.iter().filter_map(|action| match action {
        Action::Launch { node, job: launched, .. } if *launched == job => {
            Some(world.node_name(*node))
        }
        _ => None,
    });
    asked.collect()
}

/// The one error a rejected command was answered with.
pub(super) fn error(actions: &[Action]) -> Invalid {
    match actions {
        [Action::Rejected { errors }] if errors.len() == 1 => errors[0].clone(),
        other => panic!("expected one rejection and nothing else, got {other:?}"),
    }
}

/// Asserts that a command leads to nothing and leaves the whole state as it was.
pub(super) fn changes_nothing(world: &mut World, command: &Command) {
    let before = timeless(world.snapshot());
    let actions = world.step(command.clone());
    assert_eq!(actions, [], "{command:?} should lead to nothing");
    assert_eq!(timeless(world.snapshot()), before, "{command:?} should change nothing");
}

/// Asserts that a command is rejected with this field, value and allowance, and that the whole
/// state is left as it was.
pub(super) fn is_rejected(world: &mut World, command: &Command, words: (&str, &str, &str)) {
    let before = timeless(world.snapshot());
    let actions = world.step(command.clone());
    let error = error(&actions);
    let found = (error.field.as_str(), error.value.as_str(), error.allowed.as_str());
    assert_eq!(found, words, "{command:?}");
    assert_eq!(timeless(world.snapshot()), before, "{command:?} should change nothing");
}

/// A snapshot without what goes on by itself: time, and the accounts of usage kept up with it.
pub(super) fn timeless(mut snapshot: Snapshot) -> Snapshot {
    (snapshot.now, snapshot.last_refresh, snapshot.refresh_next) = (Time(0), Time(0), 0);
    for usage in snapshot.usage.iter_mut().chain([&mut snapshot.usage_whole]) {
        (usage.decayed, usage.total, usage.fair_share) = (0, 0, 0);
        (usage.counted, usage.faded) = (Time(0), Time(0));
    }
    snapshot
}

/// Starts the engine of a world anew from its own snapshot, as after a crash.
pub(super) fn restart(world: &mut World) {
    let snapshot = world.snapshot();
    let tuning = world.tuning;
    world.engine =
        muster_engine::Engine::restore(snapshot, tuning).expect("an engine's snapshot restores");
}

/// Another attempt after a loss, after a failure, at most so many.
pub(super) fn again(when_lost: bool, when_failed: bool, most: u32) -> Requeue {
    Requeue { when_lost, when_failed, most }
}

/// A report that a node runs its part of an attempt.
pub(super) fn started(world: &World, node: &str, job: JobId, attempt: u32) -> Command {
    Command::Started { node: world.node(node), job, attempt: Attempt(attempt) }
}

/// A report that a node's part of an attempt has ended.
pub(super) fn ended(world: &World, node: &str, job: JobId, attempt: u32, exit: Exit) -> Command {
    Command::Ended { node: world.node(node), job, attempt: Attempt(attempt), exit }
}

/// A report that a node did not launch its part of an attempt, by its own fault.
pub(super) fn refused(world: &World, node: &str, job: JobId, attempt: u32) -> Command {
    let refusal = Refusal::Node("disk-full".into());
    Command::Refused { node: world.node(node), job, attempt: Attempt(attempt), refusal }
}
