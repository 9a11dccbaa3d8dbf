//! Reads what happens to nodes: `node n[1-4] H100x8 in zone-a/rack-1, disk=fast`.

use muster_model::{GpuSet, Isolation, Mib, Millis, Name, NodeSpec, Sharing};

use super::{shape, value};
use crate::story::act::{Run, Tell, Together};
use crate::story::words::{Parsed, Words};

/// Reads nodes that join, one or several alike.
pub(super) fn join(words: &mut Words) -> Parsed<Vec<NodeSpec>> {
    let names = value::hosts_of(&words.plain("a node's name")?)?;
    let hardware = words.plain("its GPUs such as `H100x8`, or `no gpus`")?;
    let mut spec = if hardware == "no" {
        words.expect("gpus")?;
        NodeSpec::without_gpus("", 64, Mib::gib(256))
    } else {
        let (model, gpus) = shape::gpus_of_model(&hardware)?;
        NodeSpec::new("", model.as_str(), gpus)
    };
    if words.take("in") {
        let path = words.plain("its domains such as `zone-a/rack-1`, widest first")?;
        spec.domains = path.split('/').map(value::parsed).collect::<Parsed<_>>()?;
    }
    while words.next_clause()? {
        clause(words, &mut spec)?;
    }
    Ok(names.into_iter().map(|name| NodeSpec { name, ..spec.clone() }).collect())
}

/// `64 cpus`, `512GiB memory`, `nvlink 0-3 4-7`, `numa 0-3 4-7`, `sharing hard soft`, `pool spot`,
/// `disk=fast`, `fast`.
fn clause(words: &mut Words, spec: &mut NodeSpec) -> Parsed<()> {
    let first = words.plain("a label, or what the node has")?;
    match first.as_str() {
        "nvlink" => spec.links.nvlink = gpu_groups(words)?,
        "pcie" => spec.links.pcie = gpu_groups(words)?,
        "numa" => spec.links.numa = gpu_groups(words)?,
        "sharing" => spec.sharing = sharing(words)?,
        "pool" => spec.pool = Some(value::name(words, "a pool's name")?),
        amount if words.take("cpus") => spec.cpus = value::parsed(amount)?,
        amount if words.take("memory") => spec.memory = value::parsed(amount)?,
        amount if words.take("for") => {
            words.expect("suspended")?;
            spec.suspend_memory = value::parsed(amount)?;
        }
        label => {
            let (label, text) = label.split_once('=').unwrap_or((label, "yes"));
            spec.labels.insert(value::parsed(label)?, value::parsed(text)?);
        }
    }
    Ok(())
}

/// The ways to share GPUs (`hard soft none`), or `never`.
fn sharing(words: &mut Words) -> Parsed<Sharing> {
    let mut sharing = Sharing::NEVER;
    if words.take("never") {
        return Ok(sharing);
    }
    while !words.at_clause_end() {
        match shape::isolation(&words.plain("a way to share GPUs, such as `soft`")?)? {
            Isolation::Hard => sharing.hard = true,
            Isolation::Soft => sharing.soft = true,
            Isolation::None => sharing.none = true,
        }
    }
    Ok(sharing)
}

/// Groups of GPUs (`0-3 4-7`), or `none`.
fn gpu_groups(words: &mut Words) -> Parsed<Vec<GpuSet>> {
    let mut groups = Vec::new();
    if words.take("none") {
        return Ok(groups);
    }
    while !words.at_clause_end() {
        let gpus = value::numbers(&words.plain("GPUs such as `0-3`")?, "a GPU's number")?;
        groups.push(gpus.into_iter().fold(GpuSet::EMPTY, |set, gpu| set.or(GpuSet::one(gpu))));
    }
    Ok(groups)
}

/// `rejoin n1, running 3 4.1` or `rejoin n1, running nothing`.
pub(super) fn rejoin(words: &mut Words) -> Parsed<Tell> {
    let (node, running) = still_running(words)?;
    Ok(Tell::Rejoin(node, running))
}

/// `returned n1, running 3`.
pub(super) fn returned(words: &mut Words) -> Parsed<Tell> {
    let (node, running) = still_running(words)?;
    Ok(Tell::Returned(node, running))
}

fn still_running(words: &mut Words) -> Parsed<(Name, Vec<Run>)> {
    let node = value::name(words, "a node's name")?;
    if !words.next_clause()? {
        words.expect(", running ...")?;
    }
    words.expect("running")?;
    let running = if words.take("nothing") { Vec::new() } else { value::runs(words)? };
    Ok((node, running))
}

/// `lost n1, lease 5m`, or as one event `lost together n[1-4], lease 5m` and `lost together in
/// rack-1, lease 5m`.
pub(super) fn lost(words: &mut Words) -> Parsed<Tell> {
    if !words.take("together") {
        let nodes = value::hosts(words)?;
        return Ok(Tell::Lost { nodes, lease: lease(words)? });
    }
    let nodes = match words.take("in") {
        true => Together::Domain(value::name(words, "a domain's name")?),
        false => Together::Nodes(value::hosts(words)?),
    };
    Ok(Tell::LostTogether { nodes, lease: lease(words)? })
}

fn lease(words: &mut Words) -> Parsed<Millis> {
    if !words.next_clause()? {
        words.expect(", lease ...")?;
    }
    words.expect("lease")?;
    value::span(words)
}

/// `unhealthy n1 gpu 3` or `unhealthy n1 gpus 0-3,7`.
pub(super) fn health(words: &mut Words, healthy: bool) -> Parsed<Tell> {
    let node = value::name(words, "a node's name")?;
    if !words.take("gpus") {
        words.expect("gpu")?;
    }
    let gpus = value::numbers(&words.plain("a GPU's number")?, "a GPU's number")?;
    Ok(Tell::Health { node, gpus, healthy })
}
