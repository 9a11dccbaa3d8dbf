//! What a task holds, nobody else holds.

use muster_checker::Promise::Exclusive;
use muster_engine::action::JobState;
use muster_engine::command::{Command, Refusal};
use muster_model::{Attempt, Isolation, Mib, MilliCpu, Name, NodeId, Share, ShareSize, Time};

use crate::act::{ALL, HIGH, LOW, job, launch, moved, node};
use crate::stage::{Stage, broken, kept};

fn one_node() -> (Stage, NodeId) {
    let mut stage = Stage::new();
    let node = stage.join(node("n0", "z", "r"));
    (stage, node)
}

#[test]
fn two_jobs_share_a_node_when_their_gpus_differ() {
    let (mut stage, node) = one_node();
    let (first, second) = (stage.submit(job(1, 4)), stage.submit(job(1, 4)));
    stage.start(first, &[(node, &[(0, LOW)])]);
    stage.start(second, &[(node, &[(0, HIGH)])]);
    kept(stage.try_compare());
}

#[test]
fn a_gpu_given_to_a_second_job_is_seen() {
    let (mut stage, node) = one_node();
    let (first, second) = (stage.submit(job(1, 4)), stage.submit(job(1, 4)));
    stage.start(first, &[(node, &[(0, LOW)])]);
    let actions = stage.start_of(second, &[(node, &[(0, 0b0001_1110)])]);
    broken(stage.try_tick(&actions), Exclusive, "hold GPU 1, 2, 3 of node 0");
}

#[test]
fn a_gpu_given_to_two_tasks_of_one_job_is_seen() {
    let (mut stage, node) = one_node();
    let both = stage.submit(job(2, 1));
    let actions = stage.start_of(both, &[(node, &[(0, 1), (1, 1)])]);
    broken(stage.try_tick(&actions), Exclusive, "hold GPU 0");
}

#[test]
fn a_gpu_given_again_in_the_same_step_is_seen() {
    let (mut stage, node) = one_node();
    let (first, second) = (stage.submit(job(1, 8)), stage.submit(job(1, 1)));
    let mut actions = stage.start_of(first, &[(node, &[(0, ALL)])]);
    actions.extend(stage.start_of(second, &[(node, &[(0, 1)])]));
    broken(stage.try_tick(&actions), Exclusive, "hold GPU 0");
}

#[test]
fn a_gpu_freed_by_the_command_may_be_given_in_the_same_step() {
    let (mut stage, node) = one_node();
    let (first, second) = (stage.submit(job(1, 8)), stage.submit(job(1, 8)));
    stage.run(first, &[(node, &[(0, ALL)])]);
    let done = JobState::Ended(muster_engine::action::Outcome::Completed);
    let mut actions = vec![moved(first, 1, done)];
    actions.extend(stage.start_of(second, &[(node, &[(0, ALL)])]));
    stage.play(&stage.end(node, first, muster_engine::command::Exit::Code(0)), &actions);
    kept(stage.try_compare());
}

#[test]
fn gpus_beyond_those_of_the_node_are_seen() {
    let (mut stage, node) = one_node();
    let wide = stage.submit(job(1, 2));
    let actions = stage.start_of(wide, &[(node, &[(0, 0b1_1000_0000)])]);
    broken(stage.try_tick(&actions), Exclusive, "was given GPU 8 of the 8 of node 0");
}

#[test]
fn an_unhealthy_gpu_is_not_given() {
    let (mut stage, node) = one_node();
    let small = stage.submit(job(1, 1));
    stage.play(&Command::GpuUnhealthy { node, gpu: 3 }, &[]);
    let actions = stage.start_of(small, &[(node, &[(0, 0b1000)])]);
    broken(stage.try_tick(&actions), Exclusive, "unhealthy GPU 3");
}

#[test]
fn a_gpu_that_is_well_again_may_be_given() {
    let (mut stage, node) = one_node();
    let small = stage.submit(job(1, 1));
    stage.play(&Command::GpuUnhealthy { node, gpu: 3 }, &[]);
    stage.play(&Command::GpuHealthy { node, gpu: 3 }, &[]);
    stage.start(small, &[(node, &[(0, 0b1000)])]);
}

#[test]
fn a_task_gets_neither_more_nor_fewer_gpus_than_it_asks_for() {
    for (gpus, detail) in [(0b111, "given 3 GPUs and asks for 2"), (0b1, "given 1 GPUs")] {
        let (mut stage, node) = one_node();
        let pair = stage.submit(job(1, 2));
        let actions = stage.start_of(pair, &[(node, &[(0, gpus)])]);
        broken(stage.try_tick(&actions), Exclusive, detail);
    }
}

#[test]
fn a_share_is_on_a_gpu() {
    let (mut stage, node) = one_node();
    let mut spec = job(1, 0);
    let size = ShareSize::Memory(Mib::gib(10));
    spec.groups[0].task.share = Some(Share { size, isolation: Isolation::Soft });
    let share = stage.submit(spec);
    let actions = stage.start_of(share, &[(node, &[(0, 0)])]);
    broken(stage.try_tick(&actions), Exclusive, "given whole GPUs and asks for a share");
}

#[test]
fn more_cpus_than_the_node_has_are_seen() {
    let (mut stage, node) = one_node();
    let mut hungry = job(2, 1);
    hungry.groups[0].task.cpus = MilliCpu::whole(40);
    let hungry = stage.submit(hungry);
    let actions = stage.start_of(hungry, &[(node, &[(0, 1), (1, 2)])]);
    broken(stage.try_tick(&actions), Exclusive, "hold 80000 of its 64000 milli-CPUs");
}

#[test]
fn more_memory_than_the_node_has_is_seen() {
    let (mut stage, node) = one_node();
    let mut hungry = job(1, 1);
    hungry.groups[0].task.memory = Mib::gib(300);
    let (first, second) = (stage.submit(hungry.clone()), stage.submit(hungry));
    stage.start(first, &[(node, &[(0, 1)])]);
    let actions = stage.start_of(second, &[(node, &[(0, 2)])]);
    broken(stage.try_tick(&actions), Exclusive, "MiB of memory");
}

#[test]
fn a_task_that_wants_its_node_alone_is_alone() {
    for alone_first in [true, false] {
        let (mut stage, node) = one_node();
        let mut alone = job(1, 1);
        alone.groups[0].task.exclusive = true;
        let (alone, other) = (stage.submit(alone), stage.submit(job(1, 1)));
        let (first, second) = if alone_first { (alone, other) } else { (other, alone) };
        stage.start(first, &[(node, &[(0, 1)])]);
        let actions = stage.start_of(second, &[(node, &[(0, 2)])]);
        broken(stage.try_tick(&actions), Exclusive, "one is exclusive");
    }
}

#[test]
fn two_exclusive_tasks_of_one_job_do_not_share_a_node() {
    let (mut stage, node) = one_node();
    let mut alone = job(2, 1);
    alone.groups[0].task.exclusive = true;
    let alone = stage.submit(alone);
    let actions = stage.start_of(alone, &[(node, &[(0, 1), (1, 2)])]);
    broken(stage.try_tick(&actions), Exclusive, "one is exclusive");
}

#[test]
fn nothing_is_launched_on_a_node_that_never_joined() {
    let (mut stage, _) = one_node();
    let small = stage.submit(job(1, 1));
    let actions = stage.start_of(small, &[(NodeId(9), &[(0, 1)])]);
    broken(stage.try_tick(&actions), Exclusive, "unknown node 9");
}

#[test]
fn nothing_is_launched_on_a_drained_node_until_it_is_resumed() {
    let (mut stage, node) = one_node();
    let (first, second) = (stage.submit(job(1, 1)), stage.submit(job(1, 1)));
    stage.play(&Command::NodeDrained { node }, &[]);
    let actions = stage.start_of(first, &[(node, &[(0, 1)])]);
    broken(stage.try_tick(&actions), Exclusive, "is drained");
    stage.play(&Command::NodeResumed { node }, &[]);
    stage.start(second, &[(node, &[(0, 2)])]);
}

#[test]
fn nothing_is_launched_on_a_node_out_of_sight_or_gone() {
    for (wait, detail) in [(0, "is out of sight"), (5_000, "is gone")] {
        let (mut stage, node) = one_node();
        let small = stage.submit(job(1, 1));
        stage.play(&Command::NodeLost { node, lease_ends: Time(stage.now.0 + 5_000) }, &[]);
        stage.wait(wait);
        let actions = stage.start_of(small, &[(node, &[(0, 1)])]);
        broken(stage.try_tick(&actions), Exclusive, detail);
    }
}

#[test]
fn a_node_that_refused_a_launch_rests() {
    let (mut stage, node) = one_node();
    let (first, second) = (stage.submit(job(1, 1)), stage.submit(job(1, 1)));
    stage.start(first, &[(node, &[(0, 1)])]);
    let refusal = Refusal::Node(Name::from("busy"));
    let refused = Command::Refused { node, job: first, attempt: Attempt(1), refusal };
    stage.play(&refused, &[moved(first, 1, JobState::Waiting)]);
    let actions = [launch(second, 1, node, &[(0, 1)]), moved(second, 1, JobState::Launching)];
    broken(stage.try_tick(&actions), Exclusive, "rests after a refusal");
}

#[test]
fn a_node_rests_as_long_as_the_engine_says() {
    let (mut stage, node) = one_node();
    let small = stage.submit(job(1, 1));
    stage.node_record(node).rests_until = Time(stage.now.0 + 60_000);
    kept(stage.try_compare());
    stage.wait(59_999);
    stage.wake = Some(stage.now);
    let actions = stage.start_of(small, &[(node, &[(0, 1)])]);
    broken(stage.try_tick(&actions), Exclusive, "rests after a refusal");
}

#[test]
fn a_refusal_that_is_the_jobs_fault_lets_the_node_go_on() {
    let (mut stage, node) = one_node();
    let (first, second) = (stage.submit(job(1, 1)), stage.submit(job(1, 1)));
    stage.start(first, &[(node, &[(0, 1)])]);
    let refusal = Refusal::Job(Name::from("no-such-folder"));
    let refused = Command::Refused { node, job: first, attempt: Attempt(1), refusal };
    stage.play(&refused, &[moved(first, 1, JobState::Waiting)]);
    stage.start(second, &[(node, &[(0, 1)])]);
}
