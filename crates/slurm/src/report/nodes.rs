//! Nodes and partitions, and what `scontrol show` says of them.

use super::amount;
use crate::values::Hostlist;
use crate::words::{NodeState, duration};

/// One node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeFacts {
    /// Its name.
    pub name: String,
    /// Its state.
    pub state: NodeState,
    /// Whether it does not answer.
    pub is_silent: bool,
    /// CPUs it has.
    pub cpus: u64,
    /// CPUs that jobs have.
    pub cpus_used: u64,
    /// Memory it has, in MiB.
    pub memory_mib: u64,
    /// Memory that jobs have.
    pub memory_used_mib: u64,
    /// GPUs it has.
    pub gpus: u64,
    /// GPUs that jobs have.
    pub gpus_used: u64,
    /// Their type.
    pub model: Option<String>,
    /// What it is like: its labels.
    pub features: Vec<String>,
    /// Why it is not in use.
    pub reason: Option<String>,
}

/// One partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionFacts {
    /// Its name.
    pub name: String,
    /// Whether it is the usual one.
    pub is_default: bool,
    /// The longest that a job may run, in seconds.
    pub limit_s: Option<u64>,
    /// How long a job may run that names no limit.
    pub default_s: Option<u64>,
    /// Its nodes, in order.
    pub nodes: Vec<String>,
}

impl NodeFacts {
    /// Its GPUs as a generic resource: `gpu:h100:8`.
    pub fn gres(&self) -> String {
        match (&self.model, self.gpus) {
            (_, 0) => "(null)".to_owned(),
            (Some(model), gpus) => format!("gpu:{}:{gpus}", model.to_ascii_lowercase()),
            (None, gpus) => format!("gpu:{gpus}"),
        }
    }

    /// Its features, with commas.
    pub fn feature_list(&self) -> String {
        match self.features.is_empty() {
            true => "(null)".to_owned(),
            false => self.features.join(","),
        }
    }

    /// Whether nothing new may start on it.
    pub fn is_out(&self) -> bool {
        matches!(
            self.state,
            NodeState::Down
                | NodeState::Drained
                | NodeState::Draining
                | NodeState::Unknown
                | NodeState::Maint
        )
    }
}

/// The lines about a node.
pub fn node_paragraph(node: &NodeFacts, partitions: &[&str], is_one_line: bool) -> String {
    let (name, features, gres) = (&node.name, node.feature_list(), node.gres());
    let silent = if node.is_silent { "*" } else { "" };
    let tres = |cpus: u64, memory: u64, gpus: u64, billing: bool| {
        let mut parts = Vec::new();
        if cpus > 0 {
            parts.push(format!("cpu={cpus}"));
        }
        if memory > 0 {
            parts.push(format!("mem={}", amount::memory(memory)));
        }
        if billing {
            parts.push(format!("billing={cpus}"));
        }
        if gpus > 0 {
            parts.push(format!("gres/gpu={gpus}"));
        }
        parts.join(",")
    };
    let mut lines = vec![
        format!("NodeName={name} CoresPerSocket=1 "),
        format!(
            "CPUAlloc={} CPUEfctv={} CPUTot={} CPULoad=N/A",
            node.cpus_used, node.cpus, node.cpus
        ),
        format!("AvailableFeatures={features}"),
        format!("ActiveFeatures={features}"),
        format!("Gres={gres}"),
        format!("NodeAddr={name} NodeHostName={name} "),
        format!(
            "RealMemory={} AllocMem={} FreeMem=N/A Sockets={} Boards=1",
            node.memory_mib, node.memory_used_mib, node.cpus
        ),
        format!(
            "State={}{silent} ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A",
            node.state
        ),
        format!("Partitions={} ", partitions.join(",")),
        format!("CfgTRES={}", tres(node.cpus, node.memory_mib, node.gpus, true)),
        format!("AllocTRES={}", tres(node.cpus_used, node.memory_used_mib, node.gpus_used, false)),
    ];
    lines.extend(node.reason.iter().map(|reason| format!("Reason={reason}")));
    joined(&lines, is_one_line)
}

/// The lines about a partition.
pub fn partition_paragraph(
    partition: &PartitionFacts,
    nodes: &[NodeFacts],
    is_one_line: bool,
) -> String {
    let own = nodes.iter().filter(|node| partition.nodes.contains(&node.name));
    let (mut count, mut cpus, mut gpus, mut memory) = (0, 0, 0, 0);
    for node in own {
        count += 1;
        cpus += node.cpus;
        gpus += node.gpus;
        memory += node.memory_mib;
    }
    let span = |limit: Option<u64>, none: &str| limit.map_or(none.to_owned(), duration::long);
    let usual = if partition.is_default { "YES" } else { "NO" };
    let lines = vec![
        format!("PartitionName={}", partition.name),
        "AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL".to_owned(),
        format!("AllocNodes=ALL Default={usual} QoS=N/A"),
        format!(
            "DefaultTime={} DisableRootJobs=NO ExclusiveUser=NO GraceTime=0 Hidden=NO",
            span(partition.default_s, "NONE")
        ),
        format!(
            "MaxNodes=UNLIMITED MaxTime={} MinNodes=0 LLN=NO MaxCPUsPerNode=UNLIMITED",
            span(partition.limit_s, "UNLIMITED")
        ),
        format!("Nodes={}", Hostlist::new(partition.nodes.iter().cloned())),
        "PriorityJobFactor=1 PriorityTier=1 RootOnly=NO ReqResv=NO OverSubscribe=NO".to_owned(),
        "OverTimeLimit=NONE PreemptMode=REQUEUE".to_owned(),
        format!("State=UP TotalCPUs={cpus} TotalNodes={count} SelectTypeParameters=NONE"),
        "JobDefaults=(null)".to_owned(),
        "DefMemPerNode=UNLIMITED MaxMemPerNode=UNLIMITED".to_owned(),
        format!("TRES={}", amount::tres_by_number(cpus, gpus, memory, count)),
    ];
    joined(&lines, is_one_line)
}

fn joined(lines: &[String], is_one_line: bool) -> String {
    match is_one_line {
        true => format!("{}\n", lines.join(" ")),
        false => format!("{}\n\n", lines.join("\n   ")),
    }
}
