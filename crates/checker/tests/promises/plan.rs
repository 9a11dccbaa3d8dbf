//! Nobody gives way for nothing.

use muster_checker::Promise::Plan;
use muster_engine::action::JobState;
use muster_engine::command::Command;
use muster_engine::explain::OrderTerms;
use muster_engine::snapshot::{HoldRecord, PlaceRecord, PlanRecord};
use muster_model::{GpuSet, JobId, NodeId, Rung};

use crate::act::{HIGH, LOW, job, moved, node, place};
use crate::pause::pause;
use crate::stage::{Stage, Verdict, broken, kept};

/// The account names a plan: a task for each place, nothing held yet.
pub(crate) fn plan_for(stage: &mut Stage, id: JobId, victims: &[JobId], places: &[(NodeId, u64)]) {
    let terms = OrderTerms {
        floor: false,
        guaranteed: false,
        class: 0,
        rank: 0,
        weight: 0,
        fair_share: 0,
        urgency: 0,
        key: 0,
    };
    let tasks = (0..).zip(places).map(|(rank, (node, gpus))| (*node, place(0, rank, *gpus)));
    let hold = |(node, _): &(NodeId, u64)| HoldRecord {
        node: *node,
        gpus: GpuSet::EMPTY,
        cpus: 0,
        memory: 0,
    };
    stage.snapshot.plans.push(PlanRecord {
        job: id,
        made: stage.now,
        tasks: tasks.collect(),
        holds: places.iter().map(hold).collect(),
        victims: victims.to_vec(),
        has_cost: false,
        givers: Vec::new(),
        until: None,
        chosen: PlaceRecord { node: places[0].0, depth: 0, left: 0 },
        order: terms,
    });
}

/// All that a plan's victims give up is held by it in the account.
pub(crate) fn give_room(stage: &mut Stage) {
    for plan in &mut stage.snapshot.plans {
        for hold in &mut plan.holds {
            let tasks = plan.tasks.iter().filter(|(node, _)| *node == hold.node);
            hold.gpus = tasks.fold(GpuSet::EMPTY, |gpus, (_, task)| gpus.or(task.gpus));
        }
    }
}

/// A node with two jobs of four GPUs, one of which is asked to freeze for a third.
fn giving_way() -> (Stage, NodeId, [JobId; 3]) {
    let mut stage = Stage::new();
    let mut spec = node("n0", "z", "r");
    spec.suspend_memory = muster_model::Mib::gib(1000);
    let node = stage.join(spec);
    let low = stage.submit(job(1, 4));
    stage.run(low, &[(node, &[(0, LOW)])]);
    let high = stage.submit(job(1, 4));
    stage.run(high, &[(node, &[(0, HIGH)])]);
    let waiting = stage.submit(job(1, 4));
    let actions = [pause(low, node, 1, Rung::Freeze), moved(low, 1, JobState::Pausing)];
    stage.play(&Command::Tick, &actions);
    plan_for(&mut stage, waiting, &[low], &[(node, LOW)]);
    (stage, node, [low, high, waiting])
}

/// The verdict on the account after a change to its only plan.
fn changed(change: impl FnOnce(&mut PlanRecord)) -> Verdict {
    let (mut stage, ..) = giving_way();
    change(&mut stage.snapshot.plans[0]);
    stage.try_compare()
}

#[test]
fn a_plan_for_gpus_that_a_victim_has_is_kept() {
    kept(changed(|_| {}));
}

#[test]
fn gpus_that_nobody_gives_up_are_seen() {
    let words = "nobody gives way for all of the room for job 3 on node 0";
    broken(changed(|plan| plan.tasks[0].1.gpus = GpuSet(HIGH)), Plan, words);
    broken(changed(|plan| plan.tasks[0].1.gpus = GpuSet(0b0001_1110)), Plan, words);
    broken(changed(|plan| plan.victims = vec![JobId(2)]), Plan, words);
}

#[test]
fn what_is_held_and_still_anothers_is_seen() {
    let words = "what is held for job 3 on node 0 is with job 1";
    broken(changed(|plan| plan.holds[0].gpus = GpuSet(1)), Plan, words);
}

#[test]
fn more_held_than_wanted_is_seen() {
    let (mut stage, node, [low, ..]) = giving_way();
    let ended = stage.end(node, low, muster_engine::command::Exit::Code(0));
    let over = JobState::Ended(muster_engine::action::Outcome::Completed);
    stage.play(&ended, &[moved(low, 1, over)]);
    stage.snapshot.plans[0].holds[0].gpus = GpuSet(LOW);
    stage.snapshot.plans[0].tasks[0].1.gpus = GpuSet(0b11);
    broken(stage.try_compare(), Plan, "more is held for job 3 on node 0 than it will use");
}

#[test]
fn a_plan_for_a_job_that_is_not_queued_is_seen() {
    for wrong in [JobId(1), JobId(2), JobId(9)] {
        let words = format!("room is made for job {wrong}, which is not queued");
        broken(changed(|plan| plan.job = wrong), Plan, &words);
    }
}

#[test]
fn a_task_left_out_or_twice_or_too_small_is_seen() {
    let left_out = changed(|plan| plan.tasks.clear());
    broken(left_out, Plan, "the room for job 3 has no place for task 0.0");
    let twice = changed(|plan| plan.tasks.push(plan.tasks[0]));
    broken(twice, Plan, "the room for job 3 has a wrong place for task 0.0");
    let small = changed(|plan| plan.tasks[0].1.gpus = GpuSet(0b111));
    broken(small, Plan, "the room for job 3 has a wrong place for task 0.0");
}

#[test]
fn a_victim_of_two_is_seen() {
    let (mut stage, node, [low, ..]) = giving_way();
    let second = stage.submit(job(1, 4));
    plan_for(&mut stage, second, &[low], &[(node, LOW)]);
    broken(stage.try_compare(), Plan, "job 1 gives way to job 3 and to job 4");
}

#[test]
fn a_victim_that_runs_on_is_seen() {
    let runs_on = changed(|plan| plan.victims.push(JobId(2)));
    broken(runs_on, Plan, "job 2 gives way to job 3 and is not leaving");
}

#[test]
fn gpus_held_for_two_are_seen() {
    let (mut stage, node, [low, high, _]) = giving_way();
    let ended = stage.end(node, low, muster_engine::command::Exit::Code(0));
    let over = JobState::Ended(muster_engine::action::Outcome::Completed);
    stage.play(&ended, &[moved(low, 1, over)]);
    let second = stage.submit(job(1, 4));
    plan_for(&mut stage, second, &[high], &[(node, LOW)]);
    give_room(&mut stage);
    broken(stage.try_compare(), Plan, "GPUs of node 0 are held for job 4 twice");
}

#[test]
fn a_room_on_a_node_that_may_not_be_used_is_seen() {
    let (mut stage, node, _) = giving_way();
    stage.play(&Command::NodeDrained { node }, &[]);
    broken(stage.try_compare(), Plan, "the room for job 3 is on node 0, which is drained");
    let (mut stage, node, _) = giving_way();
    stage.play(&Command::GpuUnhealthy { node, gpu: 1 }, &[]);
    let words = "the room for job 3 on node 0 has GPUs twice or unhealthy";
    broken(stage.try_compare(), Plan, words);
    let nowhere = changed(|plan| plan.tasks[0].0 = NodeId(7));
    broken(nowhere, Plan, "the room for job 3 is on unknown node 7");
}

#[test]
fn cpus_that_will_not_be_there_are_seen() {
    let (mut stage, node, [low, ..]) = giving_way();
    let mut greedy = job(1, 4);
    greedy.groups[0].task.cpus = muster_model::MilliCpu::whole(64);
    let waiting = stage.submit(greedy);
    stage.snapshot.plans.clear();
    plan_for(&mut stage, waiting, &[low], &[(node, LOW)]);
    broken(stage.try_compare(), Plan, "rooms on node 0 lack CPUs or memory");
}

#[test]
fn a_room_beside_someone_who_is_to_be_alone_is_seen() {
    let (mut stage, node, [low, ..]) = giving_way();
    let mut alone = job(1, 4);
    alone.groups[0].task.exclusive = true;
    let waiting = stage.submit(alone);
    stage.snapshot.plans.clear();
    plan_for(&mut stage, waiting, &[low], &[(node, LOW)]);
    let words = "the room for job 4 on node 0 is shared with who is alone";
    broken(stage.try_compare(), Plan, words);
}

#[test]
fn a_plan_that_waits_for_nobody_is_seen() {
    let (mut stage, node, [low, ..]) = giving_way();
    let ended = stage.end(node, low, muster_engine::command::Exit::Code(0));
    let over = JobState::Ended(muster_engine::action::Outcome::Completed);
    stage.play(&ended, &[moved(low, 1, over)]);
    give_room(&mut stage);
    broken(stage.try_compare(), Plan, "job 3 waits for room, and nobody is on the way");
}

#[test]
fn a_plan_while_the_engine_has_work_left_may_wait_for_nobody() {
    let (mut stage, node, [low, ..]) = giving_way();
    let ended = stage.end(node, low, muster_engine::command::Exit::Code(0));
    let over = JobState::Ended(muster_engine::action::Outcome::Completed);
    stage.play(&ended, &[moved(low, 1, over)]);
    give_room(&mut stage);
    let hold = &mut stage.snapshot.plans[0].holds[0];
    (hold.cpus, hold.memory) = (1000, 1024);
    stage.wake = Some(stage.now);
    kept(stage.try_compare());
}
