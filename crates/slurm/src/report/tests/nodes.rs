//! Nodes and partitions, held against Slurm's own lines.

use crate::report::{
    NodeFacts, PartitionFacts, node_paragraph, node_rows, node_value, partition_paragraph,
};
use crate::words::NodeState;
use crate::words::format::{self, Field, sinfo};

fn node(name: &str, state: NodeState, gpus: u64) -> NodeFacts {
    NodeFacts {
        name: name.to_owned(),
        state,
        is_silent: false,
        cpus: 8,
        cpus_used: if state == NodeState::Mixed { 3 } else { 0 },
        memory_mib: 4000,
        memory_used_mib: 0,
        gpus,
        gpus_used: 0,
        model: (gpus > 0).then(|| "H100".to_owned()),
        features: if gpus > 0 { vec!["fast".to_owned()] } else { Vec::new() },
        reason: None,
    }
}

fn cluster() -> (Vec<PartitionFacts>, Vec<NodeFacts>) {
    let partition = |name: &str, is_default, limit_s, nodes: &[&str]| PartitionFacts {
        name: name.to_owned(),
        is_default,
        limit_s,
        default_s: None,
        nodes: nodes.iter().map(|&node| node.to_owned()).collect(),
    };
    let partitions = vec![
        partition("main", true, None, &["n1", "n2"]),
        partition("short", false, Some(3600), &["m1", "n1", "n2"]),
    ];
    let nodes = vec![
        node("m1", NodeState::Idle, 0),
        node("n1", NodeState::Drained, 4),
        node("n2", NodeState::Mixed, 4),
    ];
    (partitions, nodes)
}

fn table(text: &str, each_node: bool) -> Vec<String> {
    let (partitions, nodes) = cluster();
    let format = format::percent(text, sinfo::FIELDS).expect("a good format");
    let rows = node_rows(&partitions, &nodes, &format, each_node);
    let rows: Vec<_> = rows.iter().map(|row| |field: &Field| node_value(row, field)).collect();
    format.table(true, &rows)
}

#[test]
fn nodes_are_listed_by_partition_and_state() {
    assert_eq!(
        table(sinfo::LIST, false),
        [
            "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST",
            "main*        up   infinite      1  drain n1",
            "main*        up   infinite      1    mix n2",
            "short        up    1:00:00      1  drain n1",
            "short        up    1:00:00      1    mix n2",
            "short        up    1:00:00      1   idle m1",
        ]
    );
    assert_eq!(
        table(sinfo::SUMMARY, false),
        [
            "PARTITION AVAIL  TIMELIMIT   NODES(A/I/O/T) NODELIST",
            "main*        up   infinite          1/0/1/2 n[1-2]",
            "short        up    1:00:00          1/1/1/3 m1,n[1-2]",
        ]
    );
}

#[test]
fn nodes_have_lines_of_their_own_where_that_is_asked_for() {
    let lines = table(sinfo::NODES, true);
    assert_eq!(lines[1], "m1             1     short idle  ");
    assert_eq!(lines.len(), 6);
    assert_eq!(table("%n %G %C", false)[1], "n1 gpu:h100:4 0/0/8/8");
}

#[test]
fn node_and_partition_are_shown_in_full() {
    let (partitions, nodes) = cluster();
    let text = node_paragraph(&nodes[2], &["main", "short"], false);
    assert!(text.starts_with("NodeName=n2 CoresPerSocket=1 \n   CPUAlloc=3 CPUEfctv=8"), "{text}");
    assert!(text.contains("   CfgTRES=cpu=8,mem=4000M,billing=8,gres/gpu=4\n"), "{text}");
    assert!(text.contains("   State=MIXED ThreadsPerCore=1"), "{text}");
    let text = partition_paragraph(&partitions[1], &nodes, false);
    assert!(text.contains("   Nodes=m1,n[1-2]\n"), "{text}");
    assert!(text.contains("MaxTime=01:00:00"), "{text}");
    assert!(text.ends_with("   TRES=cpu=24,mem=12000M,node=3,billing=24,gres/gpu=8\n\n"), "{text}");
    assert_eq!(partition_paragraph(&partitions[0], &nodes, true).lines().count(), 1);
}
