//! How many nodes and tasks a request means.

use super::Unit;
use super::gpus::GpuNeeds;
use crate::error::Refusal;
use crate::request::check::conflict;
use crate::request::{MemoryRequest, Note, Request};

/// The numbers everything else follows from.
pub(super) struct Counts {
    pub(super) unit: Unit,
    /// How many slices: nodes, or tasks.
    pub(super) units: u32,
    pub(super) tasks: u32,
    pub(super) notes: Vec<Note>,
}

impl Counts {
    pub(super) fn of(request: &Request, gpus: &GpuNeeds) -> Result<Counts, Refusal> {
        let size = &request.size;
        let mut notes = Vec::new();
        let tasks = known_tasks(request, gpus)?;
        let Some(asked) = known_nodes(request, tasks, &mut notes)? else {
            let tasks = tasks.expect("without a number of tasks there is one node");
            let is_even = gpus.per_job.is_none_or(|total| total.is_multiple_of(tasks));
            if is_even {
                return Ok(Counts { unit: Unit::Task, units: tasks, tasks, notes });
            }
            notes.push(Note::OneNode);
            return Ok(Counts { unit: Unit::Node, units: 1, tasks, notes });
        };
        let per_node = size.tasks_per_node.or_else(|| gpus.tasks_per_node());
        let default = asked.saturating_mul(per_node.unwrap_or(1));
        let by_gpus = || {
            let total = gpus.per_node?.checked_mul(asked)?;
            total.checked_mul(size.tasks_per_gpu?).filter(|&tasks| tasks > 0)
        };
        let tasks = tasks.or_else(by_gpus).unwrap_or(default);
        let mut nodes = asked;
        if tasks < nodes {
            notes.push(Note::NodesLowered { asked, tasks });
            nodes = tasks;
        }
        if let Some(most) = size.tasks_per_node
            && u64::from(tasks) > u64::from(nodes) * u64::from(most)
        {
            let why = format!("{tasks} tasks are more than {most} on each of {nodes} nodes");
            return Err(conflict(&["--ntasks", "--ntasks-per-node"], &why));
        }
        Ok(Counts { unit: Unit::Node, units: nodes, tasks, notes })
    }
}

/// The number of tasks, where it follows without the number of nodes.
fn known_tasks(request: &Request, gpus: &GpuNeeds) -> Result<Option<u32>, Refusal> {
    let size = &request.size;
    if size.tasks_per_gpu.is_some() && gpus.per_task.is_some() {
        let why = "one says how many tasks a GPU has, the other how many GPUs a task has";
        return Err(conflict(&["--ntasks-per-gpu", "--gpus-per-task"], why));
    }
    if size.tasks.is_some() {
        return Ok(size.tasks);
    }
    let Some(total) = gpus.per_job else { return Ok(None) };
    if let Some(per_gpu) = size.tasks_per_gpu {
        return Ok(total.checked_mul(per_gpu).filter(|&tasks| tasks > 0));
    }
    let Some(per_task) = gpus.per_task.filter(|&each| each > 0) else { return Ok(None) };
    if !total.is_multiple_of(per_task) || total == 0 {
        let why = format!("{total} GPUs cannot be divided into tasks of {per_task}");
        return Err(conflict(&["--gpus", "--gpus-per-task"], &why));
    }
    Ok(Some(total / per_task))
}

/// The number of nodes, where it is said or follows.
fn known_nodes(
    request: &Request,
    tasks: Option<u32>,
    notes: &mut Vec<Note>,
) -> Result<Option<u32>, Refusal> {
    let size = &request.size;
    let listed = u32::try_from(request.place.nodelist.len()).expect("lists of nodes are bounded");
    if let Some(nodes) = size.nodes {
        if listed > nodes.max {
            let why = format!("the list has {listed} nodes, more than {}", nodes.max);
            return Err(conflict(&["--nodelist", "--nodes"], &why));
        }
        if nodes.min < nodes.max {
            notes.push(Note::FewestNodes { min: nodes.min, max: nodes.max });
        }
        return Ok(Some(nodes.min.max(listed)));
    }
    if listed > 0 {
        return Ok(Some(tasks.map_or(listed, |tasks| tasks.min(listed))));
    }
    match (tasks, size.tasks_per_node) {
        (Some(tasks), Some(per_node)) => Ok(Some(tasks.div_ceil(per_node))),
        (None, _) | (Some(1), _) => Ok(Some(1)),
        (Some(_), None) if is_by_node(request) => {
            notes.push(Note::OneNode);
            Ok(Some(1))
        }
        (Some(_), None) => Ok(None),
    }
}

/// Whether something is counted by nodes, so that their number has to be known.
fn is_by_node(request: &Request) -> bool {
    let size = &request.size;
    size.gpus.gres.is_some()
        || size.gpus.per_node.is_some()
        || size.gpus.per_socket.is_some()
        || matches!(size.memory, Some(MemoryRequest::PerNode(_)))
        || size.cpus_per_node_min.is_some()
        || size.overcommit
        || size.exclusive
        || request.place.segment.is_some()
}
