//! Promise: tasks sit where their job requires.
//!
//! All tasks are inside one domain of the required level. Each block of consecutive tasks of a
//! group is inside one domain of the segment's level. The GPUs of a task that wants NVLink are
//! inside one NVLink group. The GPU model is one the group accepts, and the same for all its
//! tasks. Every node matches what the job requires of nodes. Tasks that must be apart have each a
//! node of their own.

use std::collections::{BTreeMap, BTreeSet};

use muster_engine::action::TaskPlace;
use muster_model::{Level, Name, NodeId, NodeSpec, TaskGroup};

use crate::place::{domain_of, matches};
use crate::shadow::{Job, Shadow, Start};
use crate::violation::{Findings, Promise};

/// Tasks of one group by rank, each with its node.
type Ranks<'a> = BTreeMap<u32, (&'a NodeSpec, &'a TaskPlace)>;

/// Judges where a start puts the tasks.
pub(crate) fn launched(shadow: &Shadow, job: &Job, start: &Start, found: &mut Findings) {
    placed(shadow, job, start.tasks(), found);
}

/// Judges where tasks of a job are.
pub(crate) fn placed<'a>(
    shadow: &Shadow,
    job: &Job,
    tasks: impl Iterator<Item = (NodeId, &'a TaskPlace)>,
    found: &mut Findings,
) {
    let mut groups: BTreeMap<u16, Ranks<'_>> = BTreeMap::new();
    for (id, task) in tasks {
        let Some(node) = shadow.nodes.get(&id) else { continue };
        groups.entry(task.group).or_default().insert(task.rank, (&node.spec, task));
    }
    let levels = &shadow.cluster.levels;
    if let Some(level) = &job.spec.topology.require {
        let nodes = groups.values().flat_map(BTreeMap::values).map(|(node, _)| *node);
        together(levels, level, nodes, &format!("job {}", job.id), found);
    }
    for (index, ranks) in &groups {
        let Some(group) = job.spec.groups.get(usize::from(*index)) else { continue };
        if let Some(segment) = &job.spec.topology.segment {
            let mut blocks: BTreeMap<u32, Vec<&NodeSpec>> = BTreeMap::new();
            for (rank, (node, _)) in ranks {
                blocks.entry(rank / segment.tasks.max(1)).or_default().push(node);
            }
            for (block, nodes) in blocks {
                let whose = format!("segment {block} of group {index} of job {}", job.id);
                together(levels, &segment.level, nodes.into_iter(), &whose, found);
            }
        }
        same_model(job, group, ranks, found);
    }
    if job.spec.topology.apart {
        apart(job, &groups, found);
    }
    fitting_nodes(job, &groups, found);
}

/// No two tasks share a node.
fn apart(job: &Job, groups: &BTreeMap<u16, Ranks<'_>>, found: &mut Findings) {
    let mut nodes: BTreeSet<&Name> = BTreeSet::new();
    for (node, _) in groups.values().flat_map(BTreeMap::values) {
        if !nodes.insert(&node.name) {
            let detail = format!("two tasks of job {} share node {}", job.id, node.name);
            found.add(Promise::Topology, detail);
        }
    }
}

fn together<'a>(
    levels: &[Name],
    level: &Level,
    nodes: impl Iterator<Item = &'a NodeSpec>,
    whose: &str,
    found: &mut Findings,
) {
    let domains: BTreeSet<Option<Vec<Name>>> =
        nodes.map(|node| domain_of(levels, node, level)).collect();
    if domains.contains(&None) {
        let detail = format!("{whose} is on a node without a {level}");
        found.add(Promise::Topology, detail);
    } else if domains.len() > 1 {
        let names = domains.iter().flatten().map(|domain| {
            let names: Vec<&str> = domain.iter().map(Name::as_str).collect();
            names.join("/")
        });
        let names: Vec<String> = names.collect();
        let detail = format!("{whose} is in {} and must be in one {level}", names.join(" and "));
        found.add(Promise::Topology, detail);
    }
}

fn same_model(job: &Job, group: &TaskGroup, ranks: &Ranks<'_>, found: &mut Findings) {
    if group.task.gpus == 0 {
        return;
    }
    let models: BTreeSet<Option<&Name>> =
        ranks.values().map(|(node, _)| node.gpu_model.as_ref()).collect();
    if models.len() > 1 {
        let detail = format!("group {} of job {} is on {models:?}", group.name, job.id);
        found.add(Promise::Topology, detail);
    }
    let accepted = &group.task.models;
    for model in models.into_iter().flatten() {
        if !accepted.is_empty() && !accepted.contains(model) {
            let detail = format!(
                "group {} of job {} is on {model} and accepts {accepted:?}",
                group.name, job.id
            );
            found.add(Promise::Topology, detail);
        }
    }
}

fn fitting_nodes(job: &Job, groups: &BTreeMap<u16, Ranks<'_>>, found: &mut Findings) {
    for (node, task) in groups.values().flat_map(BTreeMap::values) {
        let whose = format!("task {}.{} of job {}", task.group, task.rank, job.id);
        if let Some(require) = &job.spec.constraint.require
            && !matches(require, node)
        {
            let detail = format!("{whose} is on node {}, which does not match", node.name);
            found.add(Promise::Topology, detail);
        }
        let group = job.spec.groups.get(usize::from(task.group));
        let wants_nvlink = group.is_some_and(|group| group.task.nvlink);
        // One GPU alone needs no link.
        if !wants_nvlink || task.gpus.count() < 2 {
            continue;
        }
        if !node.links.nvlink.iter().any(|linked| linked.contains(task.gpus)) {
            let detail = format!("{whose} has GPUs of several NVLink groups of {}", node.name);
            found.add(Promise::Topology, detail);
        }
    }
}
