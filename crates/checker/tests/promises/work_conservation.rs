//! Nobody waits for room that is there.

use muster_checker::Promise::WorkConservation;
use muster_engine::command::Command;
use muster_engine::snapshot::ClaimRecord;
use muster_model::{
    ClusterSpec, Expression, JobSpec, Level, Mib, MilliCpu, MilliGpu, Name, NodeId, Order, Policy,
    QueueSpec, Quota, Segment,
};

use crate::act::{ALL, group, job, node};
use crate::stage::{Stage, Verdict, broken, kept};

/// Racks 1 and 2 of two nodes each; on each node the lowest GPUs of the mask are taken.
fn cluster(taken: [u64; 4]) -> (Stage, Vec<NodeId>) {
    cluster_of(ClusterSpec::default(), taken)
}

fn cluster_of(cluster: ClusterSpec, taken: [u64; 4]) -> (Stage, Vec<NodeId>) {
    let mut stage = Stage::with(cluster);
    let names = [("n0", "1"), ("n1", "1"), ("n2", "2"), ("n3", "2")];
    let nodes: Vec<NodeId> =
        names.iter().map(|(name, rack)| stage.join(node(name, "z", rack))).collect();
    for (index, gpus) in taken.into_iter().enumerate().filter(|(_, gpus)| *gpus != 0) {
        let filler = stage.submit(job(1, gpus.count_ones()));
        stage.run(filler, &[(nodes[index], &[(0, gpus)])]);
    }
    (stage, nodes)
}

/// The verdict on a job that is left waiting in a cluster with these GPUs taken.
fn left_waiting(taken: [u64; 4], spec: JobSpec) -> Verdict {
    let (mut stage, _) = cluster(taken);
    stage.submit(spec);
    stage.try_compare()
}

const FULL: [u64; 4] = [ALL; 4];
const HALF: u64 = 0b1111;

fn requiring(tasks: u32, gpus: u32, level: Level) -> JobSpec {
    let mut spec = job(tasks, gpus);
    spec.topology.require = Some(level);
    spec
}

fn rack() -> Level {
    Level::Named(Name::from("rack"))
}

#[test]
fn waiting_in_a_full_cluster_is_fine() {
    kept(left_waiting(FULL, job(1, 1)));
}

#[test]
fn waiting_beside_a_free_gpu_is_seen() {
    let verdict = left_waiting([ALL, ALL, ALL, 0b111_1111], job(1, 1));
    broken(verdict, WorkConservation, "would fit on H100 in []");
}

#[test]
fn free_gpus_on_several_nodes_are_no_room_for_one_large_task() {
    kept(left_waiting([HALF; 4], job(1, 8)));
    broken(left_waiting([HALF; 4], job(4, 4)), WorkConservation, "would fit");
    kept(left_waiting([HALF; 4], job(5, 4)));
}

#[test]
fn room_in_two_racks_is_no_room_in_one() {
    let taken = [ALL, HALF, ALL, HALF];
    kept(left_waiting(taken, requiring(2, 4, rack())));
    broken(left_waiting(taken, job(2, 4)), WorkConservation, "would fit");
    let taken = [ALL, ALL, HALF, HALF];
    broken(left_waiting(taken, requiring(2, 4, rack())), WorkConservation, "in [z/2]");
}

#[test]
fn room_on_two_nodes_is_no_room_on_one() {
    let taken = [HALF, HALF, ALL, ALL];
    kept(left_waiting(taken, requiring(2, 4, Level::Node)));
    broken(left_waiting(taken, requiring(2, 2, Level::Node)), WorkConservation, "in [n0]");
}

#[test]
fn segments_need_room_for_whole_blocks() {
    let segmented = |tasks, block| {
        let mut spec = job(tasks, 4);
        spec.topology.segment = Some(Segment { tasks: block, level: rack() });
        spec
    };
    let taken = [HALF, HALF, HALF, ALL];
    kept(left_waiting(taken, segmented(4, 2)));
    broken(left_waiting(taken, segmented(2, 2)), WorkConservation, "would fit");
    broken(left_waiting([HALF; 4], segmented(4, 2)), WorkConservation, "would fit");
    kept(left_waiting([HALF; 4], segmented(4, 4)));
}

#[test]
fn linked_gpus_are_counted_by_nvlink_group() {
    let mut linked = job(1, 4);
    linked.groups[0].task.nvlink = true;
    // Free: two GPUs of each group.
    kept(left_waiting([ALL, ALL, ALL, 0b0011_0011], linked.clone()));
    broken(left_waiting([ALL, ALL, ALL, 0b1111_0000], linked), WorkConservation, "would fit");
}

#[test]
fn cpus_and_memory_are_room_too() {
    let mut spec = job(1, 1);
    spec.groups[0].task.cpus = MilliCpu::whole(64);
    kept(left_waiting([1; 4], spec.clone()));
    broken(left_waiting([1, 1, 1, 0], spec), WorkConservation, "would fit");
    let mut spec = job(1, 1);
    spec.groups[0].task.memory = Mib::gib(512);
    kept(left_waiting([1; 4], spec.clone()));
    broken(left_waiting([1, 1, 1, 0], spec), WorkConservation, "would fit");
}

#[test]
fn a_task_that_wants_its_node_alone_needs_an_empty_one() {
    let mut alone = job(1, 1);
    alone.groups[0].task.exclusive = true;
    kept(left_waiting([1; 4], alone.clone()));
    broken(left_waiting([1, 1, 1, 0], alone), WorkConservation, "would fit");
}

#[test]
fn a_model_or_a_node_that_is_not_wanted_is_no_room() {
    let mut picky = job(1, 1);
    picky.groups[0].task.models = vec![Name::from("A100")];
    kept(left_waiting([0; 4], picky));
    let mut picky = job(1, 1);
    picky.constraint.require = Some(Box::new(Expression::Has(Name::from("tape"))));
    kept(left_waiting([0; 4], picky));
}

#[test]
fn a_task_without_gpus_waits_for_no_gpu() {
    broken(left_waiting(FULL, job(1, 0)), WorkConservation, "would fit");
}

#[test]
fn closed_nodes_are_no_room() {
    let close: [fn(&mut Stage, NodeId); 4] = [
        |stage, node| stage.play(&Command::NodeDrained { node }, &[]),
        |stage, node| {
            let lease_ends = muster_model::Time(1_000_000);
            stage.play(&Command::NodeLost { node, lease_ends }, &[]);
        },
        |stage, node| stage.node_record(node).rests_until = muster_model::Time(1_000_000),
        |stage, node| {
            for gpu in 0..8 {
                stage.play(&Command::GpuUnhealthy { node, gpu }, &[]);
            }
        },
    ];
    for close in close {
        let (mut stage, nodes) = cluster([ALL, ALL, ALL, 0]);
        close(&mut stage, nodes[3]);
        stage.submit(job(1, 1));
        kept(stage.try_compare());
    }
}

#[test]
fn a_limit_of_the_queue_or_the_user_explains_waiting() {
    let gpus = |gpus| Quota { gpus: Some(MilliGpu::whole(gpus)), ..Quota::default() };
    let limited = [
        (QueueSpec { limit: gpus(8), ..QueueSpec::new("default") }, 9),
        (QueueSpec { user_limit: gpus(8), ..QueueSpec::new("default") }, 9),
    ];
    for (queue, too_many) in limited {
        for wanted in [too_many, 8] {
            let spec = ClusterSpec { queues: vec![queue.clone()], ..ClusterSpec::default() };
            let (mut stage, _) = cluster_of(spec, [0; 4]);
            stage.submit(job(wanted, 1));
            let verdict = stage.try_compare();
            match wanted == too_many {
                true => kept(verdict),
                false => broken(verdict, WorkConservation, "would fit"),
            }
        }
    }
}

#[test]
fn usage_counts_against_the_limit_that_explains_waiting() {
    let limit = Quota { gpus: Some(MilliGpu::whole(9)), ..Quota::default() };
    let queues = vec![QueueSpec { limit, ..QueueSpec::new("default") }];
    let (mut stage, _) =
        cluster_of(ClusterSpec { queues, ..ClusterSpec::default() }, [ALL, 0, 0, 0]);
    stage.submit(job(2, 1));
    kept(stage.try_compare());
}

#[test]
fn nothing_is_judged_while_something_is_due_or_held_or_the_head_blocks() {
    let (mut stage, _) = cluster([0; 4]);
    stage.submit(job(1, 1));
    stage.wake = Some(stage.now);
    kept(stage.try_compare());

    let (mut stage, nodes) = cluster([0; 4]);
    let starving = stage.submit(job(1, 1));
    let claim =
        ClaimRecord { job: starving, nodes: vec![nodes[0]], since: stage.now, reserved: None };
    stage.snapshot.claims.push(claim);
    kept(stage.try_compare());

    for (order, is_judged) in [
        (Order::Fifo, false),
        (Order::Sjf, false),
        (Order::Fair, true),
        (Order::Srtf, true),
        (Order::Las, true),
        (Order::Muster, true),
    ] {
        let policy = Policy { order, ..Policy::default() };
        let (mut stage, _) = cluster_of(ClusterSpec { policy, ..ClusterSpec::default() }, [0; 4]);
        stage.submit(job(1, 1));
        let verdict = stage.try_compare();
        match is_judged {
            true => broken(verdict, WorkConservation, "job 1 waits and would fit"),
            false => kept(verdict),
        }
    }
}

#[test]
fn a_job_of_several_groups_is_not_judged() {
    let mut spec = job(1, 1);
    spec.groups.push(group("actor", 1, 1));
    kept(left_waiting([0; 4], spec));
}
