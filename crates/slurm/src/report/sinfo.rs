//! The lines of `sinfo`: nodes of a partition together where all that is shown of them is equal.

use super::{NodeFacts, PartitionFacts};
use crate::values::Hostlist;
use crate::words::format::{Field, Format};
use crate::words::{NodeState, duration};

/// Fields that add up over nodes, or say nothing of a single one.
const ADDED: [&str; 6] = ["Nodes", "NodeList", "CPUsState", "NodeAI", "NodeAIOT", "AllocMem"];

/// Some nodes of a partition.
#[derive(Clone, Debug)]
pub struct NodeRow<'a> {
    partition: &'a PartitionFacts,
    nodes: Vec<&'a NodeFacts>,
}

/// The lines, in order: partitions as they are configured, and in each what is out of use first.
/// With `each_node` every node has a line for every partition it is in, by its name.
pub fn rows<'a>(
    partitions: &'a [PartitionFacts],
    nodes: &'a [NodeFacts],
    format: &Format,
    each_node: bool,
) -> Vec<NodeRow<'a>> {
    let shown: Vec<&Field> =
        format.columns.iter().map(|column| column.field).filter(|it| !is_added(it)).collect();
    let mut rows: Vec<(Vec<String>, NodeRow<'a>)> = Vec::new();
    for partition in partitions {
        let first = rows.len();
        for node in nodes.iter().filter(|node| partition.nodes.contains(&node.name)) {
            let single = NodeRow { partition, nodes: vec![node] };
            let key: Vec<String> = shown.iter().map(|field| value(&single, field)).collect();
            let twin = rows[first..].iter_mut().find(|(known, _)| !each_node && *known == key);
            match twin {
                Some((_, row)) => row.nodes.push(node),
                None => rows.push((key, single)),
            }
        }
        rows[first..].sort_by_key(|(_, row)| std::cmp::Reverse(rank(row.nodes[0])));
        if rows.len() == first {
            rows.push((Vec::new(), NodeRow { partition, nodes: Vec::new() }));
        }
    }
    let mut rows: Vec<NodeRow<'a>> = rows.into_iter().map(|(_, row)| row).collect();
    if each_node {
        rows.retain(|row| !row.nodes.is_empty());
        rows.sort_by(|one, other| one.nodes[0].name.cmp(&other.nodes[0].name));
    }
    rows
}

fn is_added(field: &Field) -> bool {
    ADDED.contains(&field.name)
}

/// By the numbers that Slurm has for states: flags such as draining count most.
fn rank(node: &NodeFacts) -> u8 {
    match node.state {
        NodeState::Drained | NodeState::Draining | NodeState::Maint => 9,
        NodeState::Completing | NodeState::Reserved | NodeState::Planned => 8,
        NodeState::Mixed => 5,
        NodeState::Allocated => 3,
        NodeState::Idle => 2,
        NodeState::Down => 1,
        NodeState::Unknown => 0,
    }
}

/// What a field holds.
pub fn value(row: &NodeRow<'_>, field: &Field) -> String {
    if let Some(text) = of_partition(row.partition, field.name) {
        return text;
    }
    if let Some(text) = of_all(&row.nodes, field.name) {
        return text;
    }
    row.nodes.first().map(|node| of_node(node, field.name)).unwrap_or_else(|| match field.name {
        "StateCompact" | "StateLong" => "n/a".to_owned(),
        _ => String::new(),
    })
}

fn of_partition(partition: &PartitionFacts, name: &str) -> Option<String> {
    let star = if partition.is_default { "*" } else { "" };
    let span = |limit: Option<u64>, none: &str| limit.map_or(none.to_owned(), duration::short);
    Some(match name {
        "Partition" => format!("{}{star}", partition.name),
        "PartitionName" => partition.name.clone(),
        "Available" => "up".to_owned(),
        "Time" => span(partition.limit_s, "infinite"),
        "DefaultTime" => span(partition.default_s, "n/a"),
        "Size" => "1-infinite".to_owned(),
        "Root" => "no".to_owned(),
        "OverSubscribe" => "NO".to_owned(),
        "Groups" | "AllocNodes" => "all".to_owned(),
        "PreemptMode" => "REQUEUE".to_owned(),
        "PriorityJobFactor" | "PriorityTier" => "1".to_owned(),
        "MaxCPUsPerNode" => "UNLIMITED".to_owned(),
        _ => return None,
    })
}

fn of_all(nodes: &[&NodeFacts], name: &str) -> Option<String> {
    let count = |wanted: &dyn Fn(&NodeFacts) -> bool| nodes.iter().filter(|it| wanted(it)).count();
    let is_used = |node: &NodeFacts| matches!(node.state, NodeState::Allocated | NodeState::Mixed);
    let used = count(&is_used);
    let out = count(&NodeFacts::is_out);
    let idle = nodes.len() - used - out;
    let list = || Hostlist::new(nodes.iter().map(|node| node.name.clone())).to_string();
    Some(match name {
        "Nodes" => nodes.len().to_string(),
        "NodeList" | "NodeHost" | "NodeAddr" => list(),
        "NodeAI" => format!("{used}/{idle}"),
        "NodeAIOT" => format!("{used}/{idle}/{out}/{}", nodes.len()),
        "AllocMem" => nodes.iter().map(|node| node.memory_used_mib).sum::<u64>().to_string(),
        "CPUsState" => {
            let all: u64 = nodes.iter().map(|node| node.cpus).sum();
            let used: u64 = nodes.iter().map(|node| node.cpus_used).sum();
            let out = nodes.iter().filter(|node| node.is_out());
            let out: u64 = out.map(|node| node.cpus.saturating_sub(node.cpus_used)).sum();
            format!("{used}/{}/{out}/{all}", all.saturating_sub(used + out))
        }
        _ => return None,
    })
}

fn of_node(node: &NodeFacts, name: &str) -> String {
    match name {
        "StateCompact" => node.state.short(node.is_silent),
        "StateLong" => node.state.long(node.is_silent),
        "StateComplete" => node.state.long(node.is_silent),
        "CPUs" | "Sockets" => node.cpus.to_string(),
        "Cores" | "Threads" | "Weight" => "1".to_owned(),
        "SocketCoreThread" => format!("{}:1:1", node.cpus),
        "Memory" => node.memory_mib.to_string(),
        "Disk" => "0".to_owned(),
        "Gres" => node.gres(),
        "GresUsed" => match node.gres() {
            none if node.gpus == 0 => none,
            gres => {
                let kind = gres.rsplit_once(':').map_or("gpu", |(kind, _)| kind);
                format!("{kind}:{}(IDX:N/A)", node.gpus_used)
            }
        },
        "Features" | "features_act" => node.feature_list(),
        "Reason" => node.reason.clone().unwrap_or_else(|| "none".to_owned()),
        "User" | "UserLong" => "Unknown".to_owned(),
        "TimeStamp" => "Unknown".to_owned(),
        "Version" => "22.05.8".to_owned(),
        _ => "N/A".to_owned(),
    }
}
