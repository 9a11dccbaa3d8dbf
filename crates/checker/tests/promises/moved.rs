//! Who is moved goes straight to a place that waits for it.

use muster_checker::Promise::Moved;
use muster_engine::action::{Action, JobState};
use muster_engine::command::{Command, Exit};
use muster_engine::explain::{Cause, Paused};
use muster_engine::snapshot::{MoveRecord, PausesRecord, PlaceRecord};
use muster_model::{ClusterSpec, DefragmentationMode, GpuSet, JobId, Millis, NodeId, Rung};

use crate::act::{ALL, HIGH, LOW, job, launch, moved, node, place, stop};
use crate::pause::pause;
use crate::plan::plan_for;
use crate::stage::{Stage, Verdict, broken, kept};

/// 16 GPUs for an hour are 57,600,000 GPU-milliseconds, of which 0.5 % may be spent.
const BUDGET: u64 = 288_000;

fn moving() -> ClusterSpec {
    let mut cluster = ClusterSpec::default();
    cluster.policy.defragmentation.mode = DefragmentationMode::On;
    cluster
}

/// Two nodes, each half taken: a job of the first is asked to save and move to the second, for one
/// that needs a whole node.
fn moving_out(cluster: ClusterSpec) -> (Stage, [NodeId; 2], [JobId; 3]) {
    let mut stage = Stage::with(cluster);
    let nodes = ["n0", "n1"].map(|name| stage.join(node(name, "z", "r")));
    let mover = stage.submit(job(1, 4));
    stage.run(mover, &[(nodes[0], &[(0, LOW)])]);
    let other = stage.submit(job(1, 4));
    stage.run(other, &[(nodes[1], &[(0, HIGH)])]);
    let gang = stage.submit(job(1, 8));
    let jobs = [mover, other, gang];
    ask(&mut stage, nodes, jobs, 1);
    (stage, nodes, jobs)
}

/// The mover is asked to move, for the so manieth time.
fn ask(stage: &mut Stage, nodes: [NodeId; 2], [mover, _, gang]: [JobId; 3], order: u32) {
    let asked =
        [pause(mover, nodes[0], order, Rung::Checkpoint), moved(mover, 1, JobState::Pausing)];
    stage.play(&Command::Tick, &asked);
    plan_for(stage, gang, &[mover], &[(nodes[0], ALL)]);
    stage.snapshot.plans[0].holds[0].gpus = GpuSet(HIGH);
    let (by, at) = (gang, stage.now);
    let cause = Cause::Move { sooner: Millis::hours(1) };
    let (cost, costs, benefit) = (100_000, 100_000, 150_000);
    let latest = Paused { by, cause, rung: Rung::Checkpoint, at, cost, costs, benefit };
    let (rest, is_open) = (Millis::ZERO, true);
    let (spared_until, moved) = (at, Some(at));
    let pauses =
        PausesRecord { count: order, latest, spared_until, rest, lost: rest, moved, is_open };
    stage.job_record(mover).pauses = Some(Box::new(pauses));
    stage.snapshot.moves.push(MoveRecord {
        job: mover,
        by: gang,
        made: at,
        tasks: vec![(nodes[1], place(0, 0, LOW))],
        chosen: PlaceRecord { node: nodes[1], depth: 2, left: 0 },
    });
}

/// The verdict on the account after a change to its only move.
fn changed(change: impl FnOnce(&mut MoveRecord)) -> Verdict {
    let (mut stage, ..) = moving_out(moving());
    change(&mut stage.snapshot.moves[0]);
    stage.try_compare()
}

#[test]
fn a_move_to_a_free_place_is_kept() {
    kept(changed(|_| {}));
}

#[test]
fn a_place_that_is_anothers_is_seen() {
    let taken = changed(|record| record.tasks[0].1.gpus = GpuSet(HIGH));
    broken(taken, Moved, "job 1 is to move to node 1, which has someone on those GPUs");
    let held = changed(|record| record.tasks[0] = (NodeId(0), place(0, 0, HIGH)));
    broken(held, Moved, "the place of job 1 on node 0 is held for another too");
}

#[test]
fn a_place_for_less_than_all_of_it_is_seen() {
    let nothing = changed(|record| record.tasks.clear());
    broken(nothing, Moved, "not all of job 1 has a place to move to");
    let smaller = changed(|record| record.tasks[0].1.gpus = GpuSet(0b11));
    broken(smaller, Moved, "task 0.0 of job 1 has a wrong place to move to");
}

#[test]
fn a_place_on_a_node_in_trouble_is_seen() {
    let (mut stage, nodes, _) = moving_out(moving());
    stage.play(&Command::NodeDrained { node: nodes[1] }, &[]);
    broken(stage.try_compare(), Moved, "job 1 is to move to node 1, which is drained");
    let (mut stage, nodes, _) = moving_out(moving());
    stage.play(&Command::GpuUnhealthy { node: nodes[1], gpu: 0 }, &[]);
    broken(stage.try_compare(), Moved, "job 1 is to move to node 1, which has errors");
}

#[test]
fn a_move_of_a_job_that_does_not_leave_is_seen() {
    let words = "a place is held for job 2, which is running";
    broken(changed(|record| record.job = JobId(2)), Moved, words);
    let (mut stage, ..) = moving_out(moving());
    stage.snapshot.plans[0].victims.clear();
    broken(stage.try_compare(), Moved, "a place is held for job 1, which is pausing");
}

#[test]
fn a_move_against_the_policy_is_seen() {
    for mode in [DefragmentationMode::Off, DefragmentationMode::Preview] {
        let mut cluster = moving();
        cluster.policy.defragmentation.mode = mode;
        let (mut stage, ..) = moving_out(cluster);
        broken(stage.try_compare(), Moved, "job 1 is moved against the policy");
    }
    let mut cluster = moving();
    cluster.policy.pausing.on = false;
    let (mut stage, ..) = moving_out(cluster);
    broken(stage.try_compare(), Moved, "job 1 is moved against the policy");
}

#[test]
fn a_move_that_brings_too_little_is_seen() {
    let words = "the move of job 1 is not said to be worth it";
    let (mut stage, _, [mover, ..]) = moving_out(moving());
    stage.job_record(mover).pauses.as_mut().unwrap().latest.benefit = 149_998;
    broken(stage.try_compare(), Moved, words);
    let (mut stage, _, [mover, ..]) = moving_out(moving());
    stage.job_record(mover).pauses.as_mut().unwrap().latest.cause = Cause::Class;
    broken(stage.try_compare(), Moved, words);
}

#[test]
fn a_move_beyond_the_budget_is_seen() {
    for (cost, is_kept) in [(BUDGET, true), (BUDGET + 1, false)] {
        let (mut stage, _, [mover, ..]) = moving_out(moving());
        stage.job_record(mover).pauses.as_mut().unwrap().latest.cost = cost;
        match is_kept {
            true => kept(stage.try_compare()),
            false => broken(stage.try_compare(), Moved, "beyond the budget"),
        }
    }
}

/// The mover is called off, and after a while asked again.
fn asked_twice(after: Millis) -> Stage {
    let (mut stage, nodes, jobs) = moving_out(moving());
    stage.wake = Some(stage.now);
    kept(stage.try_compare());
    stage.play(&Command::Tick, &[moved(jobs[0], 1, JobState::Running)]);
    stage.snapshot.plans.clear();
    stage.snapshot.moves.clear();
    kept(stage.try_compare());
    stage.wait(after.0);
    ask(&mut stage, nodes, jobs, 2);
    stage
}

#[test]
fn a_second_move_within_the_interval_is_seen() {
    let mut soon = asked_twice(Millis(Millis::hours(4).0 - 1));
    broken(soon.try_compare(), Moved, "job 1 is moved twice within the interval");
    kept(asked_twice(Millis::hours(4)).try_compare());
}

/// The mover has saved and is stopping; then its node has ended it, and these actions follow.
fn left(follow: impl FnOnce(JobId, JobId) -> Vec<Action>) -> (Stage, Verdict) {
    let (mut stage, nodes, [mover, _, gang]) = moving_out(moving());
    let stopping = [stop(mover, 1, nodes[0]), moved(mover, 1, JobState::Stopping)];
    stage.play(&Command::Tick, &stopping);
    kept(stage.try_compare());
    let ended = stage.end(nodes[0], mover, Exit::Stopped);
    let mut actions = vec![moved(mover, 1, JobState::Queued)];
    actions.push(launch(gang, 1, nodes[0], &[(0, ALL)]));
    actions.push(moved(gang, 1, JobState::Launching));
    actions.extend(follow(mover, gang));
    let verdict = stage.try_step(&ended, &actions);
    stage.record(&ended, &actions);
    stage.snapshot.plans.clear();
    stage.snapshot.moves.clear();
    (stage, verdict)
}

#[test]
fn a_mover_that_starts_at_its_new_place_is_kept() {
    let (mut stage, verdict) = left(|mover, _| {
        let start = launch(mover, 2, NodeId(1), &[(0, LOW)]);
        vec![start, moved(mover, 2, JobState::Launching)]
    });
    kept(verdict);
    kept(stage.try_compare());
}

#[test]
fn a_mover_that_is_not_started_is_seen() {
    let (mut stage, verdict) = left(|_, _| Vec::new());
    kept(verdict);
    broken(stage.try_compare(), Moved, "job 1 has left its place and is not started at the new");
}

#[test]
fn a_mover_that_is_started_elsewhere_is_seen() {
    let (_, verdict) = left(|mover, _| {
        let start = launch(mover, 2, NodeId(1), &[(0, 0b0001_0111)]);
        vec![start, moved(mover, 2, JobState::Launching)]
    });
    broken(verdict, Moved, "job 1 was to move and is started elsewhere");
}
