//! Words that only the pausing scenarios need: who may be paused and how, and who comes for them.

use muster_engine::snapshot::Snapshot;

use crate::support::*;

/// So many nodes of 8 GPUs, `n-1` and so on, each with 4 TiB of host memory for suspended work.
/// Every step is also taken by an engine made from the snapshot before it.
pub(super) fn nodes(count: u32) -> Setup {
    with_host_memory(count, gib(4096))
}

/// The same with so much host memory for suspended work on each.
pub(super) fn with_host_memory(count: u32, memory: Mib) -> Setup {
    cluster().nodes_with("n", count, "H100x8", |node| node.suspend_memory(memory)).doubted()
}

/// The same in racks `r1`, `r2` and so on, of so many nodes each.
pub(super) fn racks_of<const N: usize>(counts: [u32; N]) -> Setup {
    let mut setup = cluster().levels(["rack"]).doubted();
    for (index, count) in counts.into_iter().enumerate() {
        let rack = format!("r{}", index + 1);
        setup = setup.nodes_with(&rack, count, "H100x8", |node| node.suspend_memory(gib(4096)));
    }
    setup
}

/// A gang that says nothing of how it could be paused, of a long run time.
pub(super) fn stubborn(tasks: u32, gpus: u32) -> JobSpec {
    gang(tasks, gpus).class("batch").estimate(hours(20), hours(24))
}

/// A gang with a long run time that can be suspended within 20 seconds and is back in 10.
pub(super) fn trainer(tasks: u32, gpus: u32) -> JobSpec {
    stubborn(tasks, gpus).rung(Rung::Suspend, seconds(20), seconds(10))
}

/// A short gang of a class that goes before `batch`.
pub(super) fn urgent(tasks: u32, gpus: u32) -> JobSpec {
    gang(tasks, gpus).class("express").estimate(minutes(10), minutes(12))
}

/// A gang of the class that gives way at once.
pub(super) fn filler(tasks: u32, gpus: u32) -> JobSpec {
    gang(tasks, gpus).class("preemptible").estimate(hours(20), hours(24))
}

/// Lets all that runs outgrow the time in which it is left alone.
pub(super) fn settle_in(world: &mut World) {
    world.advance(minutes(11));
}

/// A world in which one job runs that may be paused, and that job.
pub(super) fn one_running(setup: Setup, spec: JobSpec) -> (World, JobId) {
    let mut world = setup.build();
    let job = world.run(spec);
    settle_in(&mut world);
    (world, job)
}

/// A world in which a trainer on one node is asked to suspend for an urgent job.
pub(super) fn being_suspended() -> (World, JobId, JobId) {
    let (mut world, victim) = one_running(nodes(1), trainer(1, 8));
    let job = world.submit(urgent(1, 8));
    assert_eq!((world.word(victim), world.word(job)), ("pausing", "queued"));
    (world, victim, job)
}

/// A world in which a trainer is suspended and an urgent job runs in its place.
pub(super) fn taken_over() -> (World, JobId, JobId) {
    let (mut world, victim, job) = being_suspended();
    world.give_way(victim);
    world.confirm(job);
    assert_eq!((world.word(victim), world.word(job)), ("paused", "running"));
    (world, victim, job)
}

/// A world in which a suspended trainer has its GPUs again and is being put back on them.
pub(super) fn coming_back() -> (World, JobId) {
    let (mut world, victim, job) = taken_over();
    world.finish(job);
    assert_eq!(world.word(victim), "resuming");
    (world, victim)
}

/// A world in which a trainer on two nodes is asked to suspend for an urgent gang.
pub(super) fn gang_being_suspended() -> (World, JobId, JobId) {
    let (mut world, victim) = one_running(nodes(2), trainer(2, 8));
    let job = world.submit(urgent(2, 8));
    assert_eq!((world.word(victim), world.word(job)), ("pausing", "queued"));
    (world, victim, job)
}

/// The orders to pause and to resume among these actions, as `n-1 freeze`, `n-1 back suspend`.
pub(super) fn orders(world: &World, actions: &[Action]) -> Vec<String> {
    let order = |action: &Action| match *action {
        Action::Pause { node, rung, .. } => Some(format!("{} {rung}", world.node_name(node))),
        Action::Resume { node, rung, .. } => Some(format!("{} back {rung}", world.node_name(node))),
        _ => None,
    };
    actions.iter().filter_map(order).collect()
}

/// The nodes that were told to stop a job.
pub(super) fn stops(world: &World, actions: &[Action], job: JobId) -> Vec<String> {
    let told = actions.iter().filter_map(|action| match action {
        Action::Stop { node, job: stopped, .. } if *stopped == job => Some(world.node_name(*node)),
        _ => None,
    });
    told.collect()
}

/// Whether these actions ask anyone to give way.
pub(super) fn takes_something(actions: &[Action]) -> bool {
    let takes = |action: &Action| matches!(action, Action::Pause { .. } | Action::Stop { .. });
    actions.iter().any(takes)
}

/// Why the weakest job that could make room for another is not paused.
pub(super) fn spared(world: &mut World, job: JobId) -> Option<(JobId, Spared)> {
    let reasons = world.reasons(job);
    reasons.into_iter().find_map(|reason| match reason {
        Reason::Spared { job, why } => Some((job, why)),
        _ => None,
    })
}

/// Asserts that a command leads to nothing and leaves the whole state as it was.
pub(super) fn changes_nothing(world: &mut World, command: Command) {
    let before = timeless(world.snapshot());
    let words = format!("{command:?}");
    let actions = world.step(command);
    assert_eq!(actions, [], "{words} should lead to nothing");
    assert_eq!(timeless(world.snapshot()), before, "{words} should change nothing");
}

/// A snapshot without what goes on by itself: time, and the accounts of usage kept up with it.
fn timeless(mut snapshot: Snapshot) -> Snapshot {
    (snapshot.now, snapshot.last_refresh, snapshot.refresh_next) = (Time(0), Time(0), 0);
    for usage in snapshot.usage.iter_mut().chain([&mut snapshot.usage_whole]) {
        (usage.decayed, usage.total, usage.fair_share) = (0, 0, 0);
        (usage.counted, usage.faded) = (Time(0), Time(0));
    }
    snapshot
}

/// Nobody gives way, nothing is held, and no host memory is set aside: as if nothing had been.
pub(super) fn nothing_is_left(world: &World) {
    let snapshot = world.snapshot();
    assert_eq!(snapshot.plans, [], "a plan is left");
    for node in &snapshot.nodes {
        let name = node.spec.name.as_str();
        assert_eq!(world.host_memory_used(name), 0, "host memory of {name} is still set aside");
    }
}
