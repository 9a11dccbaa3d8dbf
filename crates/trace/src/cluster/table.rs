//! Lists of nodes as they came with public traces, told apart by their headers: Helios' virtual
//! clusters, Alibaba's nodes of 2023, Lingjun's switches, and a fleet with models and CPUs.
//!
//! Where a list says nothing, a node is a typical one; [`OTHER_MODELS`] and the constants below
//! are what had to be assumed.

use std::fs::File;
use std::path::Path;

use muster_model::{GpuModel, Mib, MilliCpu, Name};

use super::group::{Group, Links, pools};
use super::{Cluster, Node, refuse};
use crate::error::TraceError;
use crate::job::Fault;
use crate::read::{Header, Misfit, Row, table_rows};

/// Models that the catalogue lacks, with their memory in GiB. Alibaba does not say what G2 and
/// G3 are, and the fleet does not say what its two series are: their memory is assumed.
const OTHER_MODELS: [(&str, u64); 9] = [
    ("V100M16", 16),
    ("V100M32", 32),
    ("G2", 24),
    ("G3", 32),
    ("A100-SXM4-80GB", 80),
    ("A800-SXM4-80GB", 80),
    ("H800", 80),
    ("GPU-series-1", 96),
    ("GPU-series-2", 96),
];

/// Cards that have no NVLink.
const PCIE_MODELS: [&str; 4] = ["P100", "T4", "A10", "G2"];

/// Helios' Venus: nodes of eight V100.
const VENUS: (u32, &str) = (8, "V100");

/// Lingjun lists hosts and switches alone; such hosts have eight H800.
const LINGJUN: (u32, &str) = (8, "H800");

/// What makes nodes of the rows of one list.
type Reader = fn(&Header, &[Row]) -> Result<Result<Nodes, (u64, Fault)>, Misfit>;

#[derive(Debug, Default)]
struct Nodes {
    levels: Vec<&'static str>,
    nodes: Vec<Node>,
}

/// The lists with the columns that mark them.
const LISTS: [(&[&str], Reader); 4] = [
    (&["vc", "nodes"], virtual_clusters),
    (&["sn", "cpu_milli", "memory_mib", "gpu", "model"], alibaba),
    (&["ip", "DSW", "PSW", "ASW"], lingjun),
    (&["gpu_model", "gpu_capacity_num", "cpu_num", "node_name"], fleet),
];

/// Reads a list; `name` is what the cluster is called.
pub(super) fn read(name: &str, path: &Path) -> Result<Cluster, TraceError> {
    let shown = path.display().to_string();
    let source =
        File::open(path).map_err(|source| TraceError::Open { name: shown.clone(), source })?;
    let (header, rows) = table_rows(&shown, source)?;
    let has = |marks: &[&str]| marks.iter().all(|mark| header.find(mark).is_some());
    let Some((_, reader)) = LISTS.iter().find(|(marks, _)| has(marks)) else {
        let lists: Vec<String> = LISTS.iter().map(|(marks, _)| marks.join(",")).collect();
        let reason = format!("the columns {} are of no known list", header.names().join(","));
        return Err(refuse(name, reason, format!("known: {}", lists.join("; "))));
    };
    let misfit = |reason: Misfit| refuse(name, reason, "mend the header");
    let Nodes { levels, nodes } =
        reader(&header, &rows).map_err(misfit)?.map_err(|(line, fault)| {
            let column = fault.column.map(|column| format!("{column}: ")).unwrap_or_default();
            let reason = format!("{shown}, line {line}: {column}{}", fault.reason);
            refuse(name, reason, "every node counts: mend the row")
        })?;
    if nodes.is_empty() {
        return Err(refuse(name, format!("{shown} has no nodes"), "give it at least one"));
    }
    let levels = levels.into_iter().map(Name::from).collect();
    let (models, pools) = (other_models(&nodes), pools(&nodes));
    Ok(Cluster { name: name.to_owned(), levels, models, pools, queues: Vec::new(), nodes })
}

fn other_models(nodes: &[Node]) -> Vec<GpuModel> {
    let is_used = |name: &str| {
        let models = nodes.iter().filter_map(|node| node.spec.gpu_model.as_ref());
        models.into_iter().any(|model| model.as_str() == name)
    };
    let used = OTHER_MODELS.into_iter().filter(|(name, _)| is_used(name));
    let model =
        |(name, gib)| GpuModel { name: Name::from(name), memory: Mib::gib(gib), mig: vec![] };
    used.map(model).collect()
}

fn node(name: &str, gpus: u32, model: &str, cpus: MilliCpu) -> Node {
    let links = if PCIE_MODELS.contains(&model) { Links::Pcie } else { Links::NvSwitch };
    Group { links: Some(links), cpus: Some(cpus), ..Group::new(1, gpus, model) }.node(name)
}

/// Each row of a list as nodes, or the first fault with its line.
fn each(rows: &[Row], mut take: impl FnMut(&Row) -> Result<(), Fault>) -> Result<(), (u64, Fault)> {
    rows.iter().try_for_each(|row| take(row).map_err(|fault| (row.line, fault)))
}

fn virtual_clusters(header: &Header, rows: &[Row]) -> Result<Result<Nodes, (u64, Fault)>, Misfit> {
    let [pool, count] = header.all(["vc", "nodes"])?;
    let mut nodes = Vec::new();
    let done = each(rows, |row| {
        let (pool, nodes_of_pool) = (pool.some(row)?, count.number::<u16>(row)?);
        let (gpus, model) = VENUS;
        let group = Group { pool: Some(pool.to_owned()), ..Group::new(1, gpus, model) };
        let first = nodes.len() + 1;
        let names = (first..).take(usize::from(nodes_of_pool));
        nodes.extend(names.map(|number| group.node(&format!("node-{number:03}"))));
        Ok(())
    });
    Ok(done.map(|()| Nodes { levels: Vec::new(), nodes }))
}

fn alibaba(header: &Header, rows: &[Row]) -> Result<Result<Nodes, (u64, Fault)>, Misfit> {
    let [name, cpus, memory, gpus, model] =
        header.all(["sn", "cpu_milli", "memory_mib", "gpu", "model"])?;
    let mut nodes = Vec::new();
    let done = each(rows, |row| {
        let cpus = MilliCpu(cpus.number(row)?);
        let (gpus, model) = (gpus.number(row)?, model.text(row).unwrap_or_default());
        let mut node = node(name.some(row)?, gpus, model, cpus);
        node.spec.memory = Mib(memory.number(row)?);
        nodes.push(node);
        Ok(())
    });
    Ok(done.map(|()| Nodes { levels: Vec::new(), nodes }))
}

/// Three levels of switches. A switch has its name from the one above it: the list numbers the
/// lowest ones anew below each.
fn lingjun(header: &Header, rows: &[Row]) -> Result<Result<Nodes, (u64, Fault)>, Misfit> {
    let [host, top, middle, low] = header.all(["ip", "DSW", "PSW", "ASW"])?;
    let mut nodes = Vec::new();
    let done = each(rows, |row| {
        host.some(row)?;
        let [top, middle, low] = [top.some(row)?, middle.some(row)?, low.some(row)?];
        let (gpus, model) = LINGJUN;
        let mut node = Group::new(1, gpus, model).node(&format!("host-{:03}", nodes.len() + 1));
        let domains = [top.to_owned(), format!("{top}-{middle}"), format!("{top}-{middle}-{low}")];
        node.spec.domains = domains.iter().map(|domain| Name::from(domain.as_str())).collect();
        nodes.push(node);
        Ok(())
    });
    Ok(done.map(|()| Nodes { levels: vec!["dsw", "psw", "asw"], nodes }))
}

fn fleet(header: &Header, rows: &[Row]) -> Result<Result<Nodes, (u64, Fault)>, Misfit> {
    let [model, gpus, cpus, name] =
        header.all(["gpu_model", "gpu_capacity_num", "cpu_num", "node_name"])?;
    let mut nodes = Vec::new();
    let done = each(rows, |row| {
        let cpus = MilliCpu::whole(u64::from(cpus.number::<u32>(row)?));
        let name = format!("node-{}", name.some(row)?);
        nodes.push(node(&name, gpus.number(row)?, model.some(row)?, cpus));
        Ok(())
    });
    Ok(done.map(|()| Nodes { levels: Vec::new(), nodes }))
}
