//! Variables that repeat what was asked for, and exist only where it was.

use super::Job;
use crate::request::{MemoryRequest, Size};
use crate::values::{Memory, OpenMode};
use muster_model::Mib;

pub(super) fn of(job: &Job<'_>) -> Vec<(String, String)> {
    let request = job.request;
    let size = &request.size;
    let tasks = size.tasks.or_else(|| {
        let nodes = u32::try_from(job.nodes.len()).ok()?;
        size.tasks_per_node?.checked_mul(nodes)
    });
    let shown = |value: Option<u32>| value.map(|value| value.to_string());
    let layout = &request.layout;
    let hint = layout.hint.map(|hint| hint.to_string());
    let told = [
        ("SLURM_NTASKS", shown(tasks)),
        ("SLURM_NPROCS", shown(tasks)),
        ("SLURM_NTASKS_PER_NODE", shown(size.tasks_per_node)),
        ("SLURM_NTASKS_PER_GPU", shown(size.tasks_per_gpu)),
        ("SLURM_CPUS_PER_TASK", shown(size.cpus_per_task)),
        ("SLURM_CPUS_PER_GPU", shown(size.cpus_per_gpu)),
        ("SLURM_GPUS", size.gpus.per_job.as_ref().map(ToString::to_string)),
        ("SLURM_GPUS_PER_NODE", size.gpus.per_node.as_ref().map(ToString::to_string)),
        ("SLURM_GPUS_PER_TASK", size.gpus.per_task.as_ref().map(ToString::to_string)),
        ("SLURM_GPUS_PER_SOCKET", size.gpus.per_socket.as_ref().map(ToString::to_string)),
        ("SLURM_MEM_PER_NODE", memory(size, |it| matches!(it, MemoryRequest::PerNode(_)))),
        ("SLURM_MEM_PER_CPU", memory(size, |it| matches!(it, MemoryRequest::PerCpu(_)))),
        ("SLURM_MEM_PER_GPU", memory(size, |it| matches!(it, MemoryRequest::PerGpu(_)))),
        ("SLURM_OVERCOMMIT", size.overcommit.then(|| "1".to_owned())),
        ("SLURM_DISTRIBUTION", layout.distribution.as_ref().map(ToString::to_string)),
        ("SLURM_GPU_BIND", layout.gpu_bind.as_ref().map(ToString::to_string)),
        (
            "SLURM_THREADS_PER_CORE",
            (hint.as_deref() == Some("nomultithread")).then(|| "1".to_owned()),
        ),
        ("SLURM_HINT", hint),
        ("SLURM_JOB_DEPENDENCY", request.when.dependency.as_ref().map(ToString::to_string)),
        ("SLURM_JOB_RESERVATION", request.identity.reservations.first().cloned()),
        ("SLURM_OPEN_MODE", request.run.open_mode.map(|mode| open_mode(mode).to_owned())),
        ("SLURM_EXPORT_ENV", request.run.export.as_ref().map(ToString::to_string)),
    ];
    told.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

/// The steps of a job write as its script does.
fn open_mode(mode: OpenMode) -> &'static str {
    match mode {
        OpenMode::Append => "a",
        OpenMode::Truncate => "t",
    }
}

/// In MiB; all memory is not told as a number.
fn memory(size: &Size, is_meant: impl Fn(&MemoryRequest) -> bool) -> Option<String> {
    let (MemoryRequest::PerNode(memory)
    | MemoryRequest::PerCpu(memory)
    | MemoryRequest::PerGpu(memory)) = size.memory.filter(is_meant)?;
    match memory {
        Memory::Mib(Mib(mib)) => Some(mib.to_string()),
        Memory::All => None,
    }
}
