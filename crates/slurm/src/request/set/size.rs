//! Options about how much.

use crate::error::Refusal;
use crate::request::{MemoryRequest, Size};
use crate::values::{Exclusive, Gres, TresPerTask, count};

pub(super) fn set(size: &mut Size, name: &str, value: &str) -> Result<bool, Refusal> {
    let number = || count(name, value).map(Some);
    match name {
        "nodes" => size.nodes = Some(value.parse()?),
        "ntasks" => size.tasks = number()?,
        "ntasks-per-node" | "tasks-per-node" => size.tasks_per_node = number()?,
        "ntasks-per-gpu" => size.tasks_per_gpu = number()?,
        "cpus-per-task" => size.cpus_per_task = number()?,
        "cpus-per-gpu" => size.cpus_per_gpu = number()?,
        "mincpus" => size.cpus_per_node_min = number()?,
        "sockets-per-node" => size.sockets_per_node = number()?,
        "mem" => size.memory = Some(MemoryRequest::PerNode(value.parse()?)),
        "mem-per-cpu" => size.memory = Some(MemoryRequest::PerCpu(value.parse()?)),
        "mem-per-gpu" => size.memory = Some(MemoryRequest::PerGpu(value.parse()?)),
        "gpus" => size.gpus.per_job = Some(value.parse()?),
        "gpus-per-node" => size.gpus.per_node = Some(value.parse()?),
        "gpus-per-task" => size.gpus.per_task = Some(value.parse()?),
        "gpus-per-socket" => size.gpus.per_socket = Some(value.parse()?),
        "gres" => gres(size, value)?,
        "tres-per-task" => {
            let tres: TresPerTask = value.parse()?;
            size.cpus_per_task = tres.cpus.or(size.cpus_per_task);
            if !tres.gpus.is_empty() {
                size.gpus.per_task = Some(tres.gpus);
            }
        }
        "overcommit" => size.overcommit = true,
        "exclusive" => exclusive(size, value)?,
        _ => return Ok(false),
    }
    Ok(true)
}

fn gres(size: &mut Size, value: &str) -> Result<(), Refusal> {
    let gres: Gres = value.parse()?;
    if let Some(other) = gres.others.first() {
        let advice = match other.name.as_str() {
            "shard" | "mps" => "ask for part of a GPU in a job file, as in `gpus = \"0.5\"`",
            _ => "GPUs are the only such resource; name nodes that have it with --constraint",
        };
        let option = format!("--gres={}", other.name);
        return Err(Refusal::Unsupported { option, advice: advice.to_owned() });
    }
    size.gpus.gres = Some(gres.gpus);
    Ok(())
}

fn exclusive(size: &mut Size, value: &str) -> Result<(), Refusal> {
    if value.is_empty() {
        size.exclusive = true;
        return Ok(());
    }
    let others: Exclusive = value.parse()?;
    let advice = "use --exclusive for nodes of its own".to_owned();
    Err(Refusal::Unsupported { option: format!("--exclusive={others}"), advice })
}
