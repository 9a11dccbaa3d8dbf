//! A pause harms nobody more than it must.

use muster_checker::Promise::Pause;
use muster_engine::action::{Action, JobState};
use muster_engine::command::Command;
use muster_engine::explain::{Cause, Paused};
use muster_engine::snapshot::PausesRecord;
use muster_model::{
    Attempt, Checkpoint, JobId, JobSpec, Mib, Millis, NodeId, Rung, RungCost, Time,
};

use crate::act::{ALL, job, moved, node};
use crate::plan::plan_for;
use crate::stage::{Stage, broken, kept};

/// A job that can be suspended: 10 GiB on each of its GPUs, 1 GiB of its own.
fn pausable(tasks: u32, gpus: u32) -> JobSpec {
    let (save, restore) = (Millis::seconds(20), Millis::seconds(10));
    let rungs = vec![RungCost { rung: Rung::Suspend, save, restore }];
    let checkpoint = Checkpoint { rungs, every: None, state: Some(Mib::gib(10)) };
    JobSpec { checkpoint, ..job(tasks, gpus) }
}

pub(crate) fn pause(id: JobId, node: NodeId, order: u32, rung: Rung) -> Action {
    Action::Pause { node, job: id, attempt: Attempt(1), order, rung }
}

fn back(id: JobId, node: NodeId, order: u32, rung: Rung) -> Action {
    Action::Resume { node, job: id, attempt: Attempt(1), order, rung }
}

fn done(id: JobId, node: NodeId, order: u32, rung: Rung) -> Command {
    Command::Paused { node, job: id, attempt: Attempt(1), order, rung }
}

fn undone(id: JobId, node: NodeId, order: u32, rung: Rung) -> Command {
    Command::Resumed { node, job: id, attempt: Attempt(1), order, rung }
}

/// Two nodes with host memory, a gang that runs on both, and a job that waits for their GPUs.
fn stage_with(memory: Mib) -> (Stage, [NodeId; 2], JobId, JobId) {
    let mut stage = Stage::new();
    let nodes = ["n0", "n1"].map(|name| {
        let mut spec = node(name, "z", "r");
        spec.suspend_memory = memory;
        stage.join(spec)
    });
    let gang = stage.submit(pausable(2, 8));
    stage.run(gang, &[(nodes[0], &[(0, ALL)]), (nodes[1], &[(1, ALL)])]);
    let waiting = stage.submit(job(2, 8));
    (stage, nodes, gang, waiting)
}

fn stage() -> (Stage, [NodeId; 2], JobId, JobId) {
    stage_with(Mib::gib(200))
}

/// The gang is asked to freeze, with a plan that names it.
fn freezing() -> (Stage, [NodeId; 2], JobId, JobId) {
    let (mut stage, nodes, gang, waiting) = stage();
    let mut actions = Vec::from(nodes.map(|node| pause(gang, node, 1, Rung::Freeze)));
    actions.push(moved(gang, 1, JobState::Pausing));
    stage.play(&Command::Tick, &actions);
    plan_for(&mut stage, waiting, &[gang], &[(nodes[0], ALL), (nodes[1], ALL)]);
    (stage, nodes, gang, waiting)
}

/// The gang is frozen everywhere and asked to suspend.
fn suspending() -> (Stage, [NodeId; 2], JobId, JobId) {
    let (mut stage, nodes, gang, waiting) = freezing();
    stage.play(&done(gang, nodes[0], 1, Rung::Freeze), &[]);
    let orders = nodes.map(|node| pause(gang, node, 2, Rung::Suspend));
    stage.play(&done(gang, nodes[1], 1, Rung::Freeze), &orders);
    (stage, nodes, gang, waiting)
}

#[test]
fn a_gang_that_freezes_before_it_suspends_is_kept() {
    let (mut stage, nodes, gang, waiting) = suspending();
    stage.play(&done(gang, nodes[0], 2, Rung::Suspend), &[]);
    let paused = [moved(gang, 1, JobState::Paused)];
    kept(stage.try_step(&done(gang, nodes[1], 2, Rung::Suspend), &paused));
    assert!(stage.snapshot.jobs.iter().any(|job| job.id == waiting));
}

#[test]
fn a_node_asked_to_suspend_before_all_have_frozen_is_seen() {
    let (mut stage, nodes, gang, _) = freezing();
    let orders = nodes.map(|node| pause(gang, node, 2, Rung::Suspend));
    let verdict = stage.try_step(&done(gang, nodes[0], 1, Rung::Freeze), &orders);
    broken(verdict, Pause, "node 0 is asked to suspend job 1, and node 1 is not so far");
}

#[test]
fn a_gang_said_to_be_paused_before_all_have_suspended_is_seen() {
    let (mut stage, nodes, gang, _) = suspending();
    let paused = [moved(gang, 1, JobState::Paused)];
    let verdict = stage.try_step(&done(gang, nodes[0], 2, Rung::Suspend), &paused);
    broken(verdict, Pause, "job 1 is told to be Paused, and node 1 is not so far");
}

#[test]
fn a_node_asked_to_compute_before_all_have_restored_is_seen() {
    let (mut stage, nodes, gang, _) = suspending();
    let orders = nodes.map(|node| back(gang, node, 3, Rung::Suspend));
    stage.play(&Command::Tick, &orders);
    let early = nodes.map(|node| back(gang, node, 4, Rung::Freeze));
    let verdict = stage.try_step(&undone(gang, nodes[0], 3, Rung::Suspend), &early);
    broken(verdict, Pause, "node 0 is asked to let compute job 1, and node 1 is not so far");
}

#[test]
fn a_node_that_may_have_suspended_is_restored_before_it_computes() {
    let (mut stage, nodes, gang, _) = suspending();
    let early = nodes.map(|node| back(gang, node, 3, Rung::Freeze));
    broken(stage.try_tick(&early), Pause, "is asked to let compute job 1");
}

#[test]
fn a_freeze_is_undone_at_once() {
    let (mut stage, nodes, gang, _) = freezing();
    let orders = nodes.map(|node| back(gang, node, 2, Rung::Freeze));
    kept(stage.try_tick(&orders));
}

#[test]
fn a_gang_said_to_run_before_all_compute_is_seen() {
    let (mut stage, nodes, gang, _) = freezing();
    let orders = nodes.map(|node| back(gang, node, 2, Rung::Freeze));
    stage.play(&Command::Tick, &orders);
    let running = [moved(gang, 1, JobState::Running)];
    let verdict = stage.try_step(&undone(gang, nodes[0], 2, Rung::Freeze), &running);
    broken(verdict, Pause, "job 1 is told to be Running, and node 1 is not so far");
}

#[test]
fn an_order_whose_number_does_not_grow_is_seen() {
    let (mut stage, nodes, gang, _) = freezing();
    for number in [0, 1] {
        let order = [pause(gang, nodes[0], number, Rung::Freeze)];
        let words = format!("order {number} for job 1 on node 0 is not new");
        broken(stage.try_tick(&order), Pause, &words);
    }
}

#[test]
fn an_order_is_repeated_for_a_node_that_comes_back() {
    let (mut stage, nodes, gang, _) = freezing();
    let again = [pause(gang, nodes[0], 1, Rung::Freeze)];
    let running = vec![muster_engine::command::Running { job: gang, attempt: Attempt(1) }];
    let returned = Command::NodeReturned { node: nodes[0], running };
    kept(stage.try_step(&returned, &again));
}

#[test]
fn an_order_to_a_node_that_has_no_part_is_seen() {
    let (mut stage, _, gang, _) = freezing();
    let third = stage.join(node("n2", "z", "r"));
    let order = [pause(gang, third, 2, Rung::Freeze)];
    broken(stage.try_tick(&order), Pause, "node 2 is ordered to pause or resume job 1, not on it");
}

#[test]
fn host_memory_that_is_not_there_is_seen() {
    // On each node 8 x 10 GiB and 1 GiB of its own.
    for (memory, is_kept) in [(81, true), (80, false), (0, false)] {
        let (mut stage, nodes, gang, waiting) = stage_with(Mib::gib(memory));
        let mut actions = Vec::from(nodes.map(|node| pause(gang, node, 1, Rung::Freeze)));
        actions.push(moved(gang, 1, JobState::Pausing));
        stage.play(&Command::Tick, &actions);
        plan_for(&mut stage, waiting, &[gang], &[(nodes[0], ALL), (nodes[1], ALL)]);
        match is_kept {
            true => kept(stage.try_compare()),
            false => broken(stage.try_compare(), Pause, "MiB of suspended work"),
        }
    }
}

/// The record of a pause, as the engine gives it.
pub(crate) fn paused(count: u32, by: JobId, cause: Cause, at: Time) -> Box<PausesRecord> {
    let latest = Paused { by, cause, rung: Rung::Suspend, at, cost: 0, costs: 0, benefit: 0 };
    let rest = Millis::ZERO;
    Box::new(PausesRecord {
        count,
        latest,
        spared_until: at,
        rest,
        lost: rest,
        moved: None,
        is_open: true,
    })
}

/// The gang is paused and computes again, then is paused a second time after a while.
fn paused_twice(after: Millis, cause: Cause) -> Stage {
    let (mut stage, nodes, gang, waiting) = freezing();
    let now = stage.now;
    stage.job_record(gang).pauses = Some(paused(1, waiting, cause, now));
    stage.wake = Some(now);
    kept(stage.try_compare());
    let orders = nodes.map(|node| back(gang, node, 2, Rung::Freeze));
    stage.play(&Command::Tick, &orders);
    stage.play(&undone(gang, nodes[0], 2, Rung::Freeze), &[]);
    let running = [moved(gang, 1, JobState::Running)];
    stage.play(&undone(gang, nodes[1], 2, Rung::Freeze), &running);
    stage.wait(after.0);
    let mut actions = Vec::from(nodes.map(|node| pause(gang, node, 3, Rung::Freeze)));
    actions.push(moved(gang, 1, JobState::Pausing));
    stage.play(&Command::Tick, &actions);
    let now = stage.now;
    stage.job_record(gang).pauses = Some(paused(2, waiting, cause, now));
    stage
}

#[test]
fn a_second_pause_before_the_first_is_paid_for_is_seen() {
    // 30 seconds are a twentieth of ten minutes.
    let mut soon = paused_twice(Millis(599_999), Cause::Class);
    broken(
        soon.try_compare(),
        Pause,
        "job 1 is paused by Class after 9m59s999ms, which cost it 30s before",
    );
    kept(paused_twice(Millis::minutes(10), Cause::Class).try_compare());
    let mut soon = paused_twice(Millis::minutes(9), Cause::Rank);
    broken(soon.try_compare(), Pause, "which cost it 30s before");
}

#[test]
fn what_is_reclaimed_need_not_be_paid_for() {
    kept(paused_twice(Millis(1), Cause::Guarantee).try_compare());
}

#[test]
fn two_suspended_for_each_other_are_seen() {
    let (mut stage, nodes, gang, waiting) = suspending();
    kept(stage.try_compare());
    stage.play(&done(gang, nodes[0], 2, Rung::Suspend), &[]);
    let is_paused = [moved(gang, 1, JobState::Paused)];
    stage.play(&done(gang, nodes[1], 2, Rung::Suspend), &is_paused);
    stage.snapshot.plans.clear();
    stage.run(waiting, &[(nodes[0], &[(0, ALL)]), (nodes[1], &[(1, ALL)])]);
    let now = stage.now;
    stage.job_record(gang).run.as_mut().expect("it has an attempt").is_suspended = true;
    stage.job_record(gang).pauses = Some(paused(1, waiting, Cause::Rank, now));
    kept(stage.try_compare());
    stage.job_record(gang).pauses = Some(paused(1, gang, Cause::Rank, now));
    broken(stage.try_compare(), Pause, "job 1 is suspended for one suspended for it");
}

/// Jobs of four GPUs, each on its own node in a rack, where so many GPUs may save at once.
fn savers<const N: usize>(most: u32, racks: [&str; N]) -> (Stage, [(JobId, NodeId); N]) {
    let mut policy = muster_model::Policy::default();
    policy.pausing.gpus_saving_max = most;
    let mut stage = Stage::with(muster_model::ClusterSpec { policy, ..Default::default() });
    let names: [usize; N] = std::array::from_fn(|at| at);
    let nodes = names.map(|at| stage.join(node(&format!("n{at}"), "z", racks[at])));
    let savers = nodes.map(|node| {
        let id = stage.submit(job(1, 4));
        stage.run(id, &[(node, &[(0, 0b1111)])]);
        (id, node)
    });
    (stage, savers)
}

/// What asks one of them to save.
fn asked_to_save((job, node): (JobId, NodeId)) -> [Action; 2] {
    [pause(job, node, 1, Rung::Checkpoint), moved(job, 1, JobState::Pausing)]
}

#[test]
fn more_who_save_than_may_at_once_are_seen() {
    // Two jobs of four GPUs in one rack, the first of which saves.
    for (most, is_kept) in [(5, true), (4, false)] {
        let (mut stage, savers) = savers(most, ["r", "r"]);
        let saves = |at: usize| asked_to_save(savers[at]);
        stage.play(&Command::Tick, &saves(0));
        match is_kept {
            true => kept(stage.try_tick(&saves(1))),
            false => {
                let words = "job 2 is asked to save on node 1 beside 4 GPUs of 4";
                broken(stage.try_tick(&saves(1)), Pause, words);
            }
        }
    }
}

#[test]
fn who_saves_in_another_rack_or_has_saved_is_not_beside() {
    let (mut stage, savers) = savers(4, ["r", "r", "other"]);
    let saves = |at: usize| asked_to_save(savers[at]);
    stage.play(&Command::Tick, &saves(2));
    stage.play(&Command::Tick, &saves(0));
    stage.play(&Command::Tick, &[moved(savers[0].0, 1, JobState::Running)]);
    kept(stage.try_tick(&saves(1)));
}
