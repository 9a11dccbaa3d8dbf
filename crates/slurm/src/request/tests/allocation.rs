//! Slurm's rules of counting. Where Slurm 22.05 was asked with the same options, it gives the same
//! nodes, tasks and CPUs.

use muster_model::Mib;

use super::{refusal, request};
use crate::request::{Allocation, Note, Unit};
use crate::values::Memory;

fn allocation(words: &str) -> Allocation {
    request(words).allocation().unwrap_or_else(|refused| panic!("{words}: {refused}"))
}

/// `nodes` or `tasks` of it with their slices: tasks, CPUs, GPUs.
fn told(words: &str) -> String {
    let allocation = allocation(words);
    let unit = if allocation.unit == Unit::Node { "nodes" } else { "tasks" };
    let slices = allocation.slices.iter().map(|slices| {
        let slice = &slices.slice;
        format!("{}x({}t {}c {}g)", slices.count, slice.tasks, slice.cpus, slice.gpus)
    });
    format!("{unit} {}", slices.collect::<Vec<_>>().join(" "))
}

#[test]
fn nodes_and_tasks_follow_from_each_other() {
    for (words, expected) in [
        ("", "nodes 1x(1t 1c 0g)"),
        ("-N2", "nodes 2x(1t 1c 0g)"),
        ("-N2-4", "nodes 2x(1t 1c 0g)"),
        ("-n8", "tasks 8x(1t 1c 0g)"),
        ("-n1", "nodes 1x(1t 1c 0g)"),
        ("-N2 -n8 -c3", "nodes 2x(4t 12c 0g)"),
        ("-N2 -n5 -c4", "nodes 1x(3t 12c 0g) 1x(2t 8c 0g)"),
        ("--ntasks-per-node=4", "nodes 1x(4t 4c 0g)"),
        ("-N3 --ntasks-per-node=8 -c2", "nodes 3x(8t 16c 0g)"),
        ("-n5 --ntasks-per-node=2", "nodes 2x(2t 2c 0g) 1x(1t 1c 0g)"),
        ("-N2 -n1", "nodes 1x(1t 1c 0g)"),
        ("-w n1,n2", "nodes 2x(1t 1c 0g)"),
        ("-w n[1-3] -n2", "nodes 2x(1t 1c 0g)"),
        ("-w n1 -N2", "nodes 2x(1t 1c 0g)"),
        ("-O -n8", "nodes 1x(8t 1c 0g)"),
        ("--mincpus=4", "nodes 1x(1t 4c 0g)"),
        ("-n4 --exclusive", "nodes 1x(4t 4c 0g)"),
    ] {
        assert_eq!(told(words), expected, "{words}");
    }
}

#[test]
fn gpus_are_counted_by_job_node_task_and_socket() {
    for (words, expected) in [
        ("--gres=gpu:8", "nodes 1x(1t 1c 8g)"),
        ("-N2 --gres=gpu:8", "nodes 2x(1t 1c 8g)"),
        ("-N2 --gpus-per-node=4 --ntasks-per-node=4", "nodes 2x(4t 4c 4g)"),
        ("--gpus=6 -N2", "nodes 2x(1t 1c 3g)"),
        ("--gpus=5 -N2", "nodes 1x(1t 1c 3g) 1x(1t 1c 2g)"),
        ("--gpus=3 -N2 -n3", "nodes 1x(2t 2c 2g) 1x(1t 1c 1g)"),
        ("--gpus=8", "nodes 1x(1t 1c 8g)"),
        ("--gpus=8 -n4", "tasks 4x(1t 1c 2g)"),
        ("--gpus=3 -n2", "nodes 1x(2t 2c 3g)"),
        ("--gpus-per-task=2 -n4", "tasks 4x(1t 1c 2g)"),
        ("--gpus-per-task=2 --gpus=8", "tasks 4x(1t 1c 2g)"),
        ("--gpus-per-task=1 -N2 --ntasks-per-node=4", "nodes 2x(4t 4c 4g)"),
        ("--gpus-per-node=4 --gpus-per-task=2 -N2", "nodes 2x(2t 2c 4g)"),
        ("--gpus-per-node=4 --gpus=8 -N2", "nodes 2x(1t 1c 4g)"),
        ("--ntasks-per-gpu=2 --gpus=4", "nodes 1x(8t 8c 4g)"),
        ("--ntasks-per-gpu=2 --gpus-per-node=4 -N2", "nodes 2x(8t 8c 4g)"),
        ("--cpus-per-gpu=4 --gpus=2", "nodes 1x(1t 8c 2g)"),
        ("--gpus-per-socket=2 --sockets-per-node=2 -N2", "nodes 2x(1t 1c 4g)"),
        ("-n8 --gpus-per-node=4", "nodes 1x(8t 8c 4g)"),
        ("-n4 --gres=gpu:2", "nodes 1x(4t 4c 2g)"),
        ("--gres=gpu:0", "nodes 1x(1t 1c 0g)"),
        ("--gres=gpu:4 --gpus-per-node=4", "nodes 1x(1t 1c 4g)"),
    ] {
        assert_eq!(told(words), expected, "{words}");
    }
    assert_eq!(allocation("--gpus=5 -N2").gpus(), 5);
}

#[test]
fn types_travel_with_the_gpus() {
    let model = |words: &str| allocation(words).slices[0].slice.model.clone();
    assert_eq!(model("--gres=gpu:h100:4").as_deref(), Some("h100"));
    assert_eq!(model("--gpus-per-task=h100:1 -n2 --gpus=2").as_deref(), Some("h100"));
    assert_eq!(model("--gres=gpu:4"), None);
    assert_eq!(model("--gres=gpu:h100:0"), None);
}

#[test]
fn memory_is_counted_by_node_cpu_and_gpu() {
    let memory = |words: &str| allocation(words).slices[0].slice.memory;
    let gib = |gib| Some(Memory::Mib(Mib::gib(gib)));
    assert_eq!(memory("-N2 --mem=64G"), gib(64));
    assert_eq!(memory("-n2 -c4 --mem-per-cpu=1G"), gib(4));
    assert_eq!(memory("-N1 -n2 -c4 --mem-per-cpu=1G"), gib(8));
    assert_eq!(memory("--gres=gpu:2 --mem-per-gpu=10G"), gib(20));
    assert_eq!(memory("--mem=0"), Some(Memory::All));
    assert_eq!(memory("-N2"), None);
}

#[test]
fn contradictions_are_refused_with_the_reason() {
    for (words, reason) in [
        ("-N2 -n5 --ntasks-per-node=2", "5 tasks are more than 2 on each of 2 nodes"),
        ("--gpus-per-node=4 --gpus=6 -N2", "2 times 4 is not 6"),
        ("--gpus-per-task=2 --gpus=7", "7 GPUs cannot be divided into tasks of 2"),
        ("--gpus-per-task=2 --gpus=8 -n3", "3 times 2 is not 8"),
        ("--gpus-per-task=2 --gpus-per-node=4 -N1 -n4", "4 tasks with 2 GPUs are more than 4"),
        ("--cpus-per-gpu=4 -c2 --gpus=2", "CPUs are counted in one way only"),
        ("--gpus-per-task=1 --ntasks-per-gpu=1 -n1", "how many tasks a GPU has"),
        ("--mem-per-gpu=1G", "there are no GPUs to count memory by"),
        ("-w n1,n2 -N1", "the list has 2 nodes, more than 1"),
        ("--time=5 --time-min=10", "the shorter limit is the longer one"),
        ("-m arbitrary", "such a distribution needs the list of nodes"),
        ("--gpus-per-socket=1", "need the number of sockets"),
        ("--sockets-per-node=2", "--sockets-per-node is not supported"),
        ("--gres=gpu:2 --gpus-per-node=4", "they give different numbers of GPUs for a node"),
        ("--gres=gpu:a100:1 --gpus=h100:1", "they ask for h100 and a100"),
        ("--gres=gpu:a100:1,gpu:h100:1", "ask for one type of GPU"),
    ] {
        let refused = refusal(words);
        assert!(refused.starts_with("request: ") && refused.contains(reason), "{words}: {refused}");
    }
}

#[test]
fn what_the_options_leave_open_is_told() {
    assert_eq!(allocation("-N2 -n1").notes, [Note::NodesLowered { asked: 2, tasks: 1 }]);
    assert_eq!(allocation("-N2-4").notes, [Note::FewestNodes { min: 2, max: 4 }]);
    assert_eq!(allocation("-n4 --mem=8G").notes, [Note::OneNode]);
    assert_eq!(allocation("-n1 --mem=8G").notes, []);
    assert_eq!(allocation("--gpus=3 -n2").notes, [Note::OneNode]);
}

#[test]
fn the_largest_counts_are_divided_without_walking_them() {
    let wide = allocation("-N 16777215 -n 16777216");
    assert_eq!(wide.slices.iter().map(|it| it.count).collect::<Vec<_>>(), [1, 16_777_214]);
}
