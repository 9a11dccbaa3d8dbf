//! Nodes, partitions and GPUs.

use std::collections::BTreeMap;

use super::lines::{self, Line};
use super::{Budget, Imported, ImportedNode, ImportedPartition};
use crate::values::{Gres, Hostlist, TimeLimit};

/// Settings that Muster has no need of, because it does by itself what they choose, or they are
/// about Slurm's own processes.
const NEEDLESS: [&str; 24] = [
    "accountingstorage",
    "auth",
    "cred",
    "jobacctgather",
    "jobcomp",
    "launch",
    "log",
    "mpidefault",
    "proctrack",
    "returntoservice",
    "sched",
    "select",
    "slurmctld",
    "slurmd",
    "slurmsched",
    "slurmuser",
    "srun",
    "state",
    "switch",
    "task",
    "topologyplugin",
    "treewidth",
    "inactivelimit",
    "minjobage",
];

pub(super) fn read(text: &str, imported: &mut Imported, budget: &mut Budget) {
    let (mut node_defaults, mut partition_defaults) = (BTreeMap::new(), BTreeMap::new());
    let mut sets: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut partitions = Vec::new();
    for line in lines::of(text) {
        match line.subject() {
            "clustername" => imported.cluster = line.value("clustername").unwrap_or("").to_owned(),
            "nodename" if is_default(&line) => remember(&line, &mut node_defaults),
            "nodename" => nodes(&line, &node_defaults, imported, budget),
            "nodeset" => {
                let name = line.value("nodeset").unwrap_or_default().to_owned();
                let nodes = hosts(line.value("nodes"), "slurm.conf", &line, imported, budget);
                sets.insert(name, nodes);
            }
            "partitionname" if is_default(&line) => remember(&line, &mut partition_defaults),
            "partitionname" => partitions.push(line),
            "downnodes" | "frontendname" => left_out("slurm.conf", &line, imported),
            name if NEEDLESS.iter().any(|known| name.starts_with(known)) => {}
            _ => left_out("slurm.conf", &line, imported),
        }
    }
    for line in partitions {
        partition(&line, &partition_defaults, &sets, imported, budget);
    }
}

fn is_default(line: &Line) -> bool {
    line.pairs.first().is_some_and(|(_, value)| value.eq_ignore_ascii_case("default"))
}

/// What a default says holds for the lines behind it.
fn remember(line: &Line, defaults: &mut BTreeMap<String, String>) {
    defaults.extend(line.pairs.iter().skip(1).cloned());
}

fn value<'a>(
    line: &'a Line,
    defaults: &'a BTreeMap<String, String>,
    name: &str,
) -> Option<&'a str> {
    line.value(name).or_else(|| defaults.get(name).map(String::as_str))
}

fn left_out(file: &str, line: &Line, imported: &mut Imported) {
    let (name, value) = line.pairs.first().cloned().unwrap_or_default();
    imported.left_out.push(format!("{file} line {}: {name}={value}", line.number));
}

fn hosts(
    text: Option<&str>,
    file: &str,
    line: &Line,
    imported: &mut Imported,
    budget: &mut Budget,
) -> Vec<String> {
    budget.hosts(text.unwrap_or_default()).unwrap_or_else(|error| {
        imported.left_out.push(format!("{file} line {}: {error}", line.number));
        Vec::new()
    })
}

fn nodes(
    line: &Line,
    defaults: &BTreeMap<String, String>,
    imported: &mut Imported,
    budget: &mut Budget,
) {
    let number = |name: &str| value(line, defaults, name).and_then(|text| text.parse::<u64>().ok());
    let cores =
        number("sockets").unwrap_or(1).saturating_mul(number("corespersocket").unwrap_or(1));
    let cores = cores.saturating_mul(number("threadspercore").unwrap_or(1));
    let features = value(line, defaults, "feature").or_else(|| value(line, defaults, "features"));
    let features = features.map(|text| text.split(',').map(str::to_owned).collect());
    let (gpus, model) = gpus(value(line, defaults, "gres").unwrap_or_default());
    let node = ImportedNode {
        cpus: number("cpus").or_else(|| number("procs")).unwrap_or(cores),
        memory_mib: number("realmemory").unwrap_or(0),
        gpus,
        model,
        features: features.unwrap_or_default(),
    };
    for name in hosts(line.value("nodename"), "slurm.conf", line, imported, budget) {
        imported.nodes.insert(name, node.clone());
    }
}

/// The GPUs among generic resources, which may be of several types: the first type is taken.
fn gpus(text: &str) -> (u32, Option<String>) {
    let Ok(gres) = text.parse::<Gres>() else { return (0, None) };
    let count = u32::try_from(gres.gpus.total()).unwrap_or(u32::MAX);
    (count, gres.gpus.0.iter().find_map(|gpu| gpu.model.clone()))
}

fn partition(
    line: &Line,
    defaults: &BTreeMap<String, String>,
    sets: &BTreeMap<String, Vec<String>>,
    imported: &mut Imported,
    budget: &mut Budget,
) {
    let minutes = |name: &str| {
        let limit = value(line, defaults, name)?.parse::<TimeLimit>().ok()?;
        match limit {
            TimeLimit::Minutes(minutes) => Some(minutes),
            TimeLimit::Unlimited => None,
        }
    };
    let text = value(line, defaults, "nodes").unwrap_or_default();
    let nodes: Vec<String> = if text.eq_ignore_ascii_case("all") {
        let is_room = budget.take(imported.nodes.len()).is_ok();
        imported.nodes.keys().filter(|_| is_room).cloned().collect()
    } else {
        let all = hosts(Some(text), "slurm.conf", line, imported, budget);
        all.into_iter().flat_map(|name| sets.get(&name).cloned().unwrap_or(vec![name])).collect()
    };
    let known = ["partitionname", "nodes", "default", "maxtime", "defaulttime", "state"];
    for (name, value) in line.pairs.iter().filter(|(name, _)| !known.contains(&name.as_str())) {
        let number = line.number;
        imported.left_out.push(format!("slurm.conf line {number}: {name}={value}"));
    }
    let (time_max_minutes, time_default_minutes) = (minutes("maxtime"), minutes("defaulttime"));
    imported.partitions.push(ImportedPartition {
        name: line.value("partitionname").unwrap_or_default().to_owned(),
        nodes,
        is_default: value(line, defaults, "default")
            .is_some_and(|text| text.eq_ignore_ascii_case("yes")),
        time_max_minutes,
        time_default_minutes,
    });
}

/// `gres.conf` says what `slurm.conf` may have left to it: the types of GPUs.
pub(super) fn read_gres(text: &str, imported: &mut Imported, budget: &mut Budget) {
    for line in lines::of(text) {
        let is_gpu = line.value("name").is_some_and(|name| name.eq_ignore_ascii_case("gpu"));
        if !is_gpu {
            left_out("gres.conf", &line, imported);
            continue;
        }
        let names = match line.value("nodename") {
            Some(_) => hosts(line.value("nodename"), "gres.conf", &line, imported, budget),
            None if budget.take(imported.nodes.len()).is_ok() => {
                imported.nodes.keys().cloned().collect()
            }
            None => Vec::new(),
        };
        let files = line.value("file").and_then(|text| text.parse::<Hostlist>().ok());
        let files = files.and_then(|files| u32::try_from(files.len()).ok());
        let count = line.value("count").and_then(|text| text.parse().ok()).or(files);
        for name in names {
            let Some(node) = imported.nodes.get_mut(&name) else { continue };
            if node.gpus == 0 {
                node.gpus = count.unwrap_or(0);
            }
            if node.model.is_none() {
                node.model = line.value("type").map(str::to_owned);
            }
        }
    }
}
