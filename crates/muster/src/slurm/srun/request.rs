//! The step that a request means.

use std::path::Path;

use muster_api::step::{GpuBinding, Listener, StepDistribution, StepRequest, StepSize, Streams};
use muster_slurm::request::MemoryRequest;
use muster_slurm::values::{Across, Gpus, Memory, OpenMode, Pattern};
use muster_slurm::{Reading, Request};

use super::NAME;
use crate::cli::person::Person;
use crate::slurm::Stop;
use crate::slurm::allocate::{folder, variables};
use crate::slurm::container;

/// The step, but for who listens to it.
pub(super) fn of(reading: &Reading, person: &Person) -> Result<StepRequest, Stop> {
    let request = &reading.request;
    let here = Path::new(&person.directory);
    let command = found(&reading.rest, person, here);
    let name = command.first().map(|word| word.rsplit('/').next().unwrap_or_default().to_owned());
    let size = size(request, person)?;
    let cpus = size.cpus_per_task;
    Ok(StepRequest {
        name: request.identity.job_name.clone().or(name).unwrap_or_default(),
        command,
        environment: variables(request.run.export.as_ref(), person),
        directory: Some(folder(request.run.directory.as_deref(), person)),
        umask: person.umask,
        streams: streams(request),
        image: request.container.image.clone(),
        container: container::of(request, person).map_err(|why| Stop::error(NAME, why))?,
        gpu_binding: binding(request, &size),
        size,
        distribution: distribution(request, person)?,
        overlap: request.step.overlap,
        exact: !request.step.whole
            && (request.step.exact || request.size.exclusive || cpus.is_some()),
        immediate: request.when.immediate_s.is_some(),
        overcommit: request.size.overcommit,
        kill_on_bad_exit: request.step.kill_on_bad_exit.unwrap_or(false),
        ends_job: false,
    })
}

/// Programs are looked for where `srun` runs, as Slurm does.
fn found(words: &[String], person: &Person, here: &Path) -> Vec<String> {
    let mut command = words.to_vec();
    let Some(first) = command.first_mut().filter(|first| !first.contains('/')) else {
        return command;
    };
    let path = person.environment.get("PATH").cloned().unwrap_or_default();
    let folders = std::env::split_paths(&path);
    let mut files = folders.map(|folder| here.join(folder).join(&*first));
    if let Some(file) = files.find(|file| file.is_file()) {
        *first = file.display().to_string();
    }
    command
}

/// How much it needs. What the job asked for is in the environment of its script, and so in the
/// request: a step that asks for nothing else has no need to keep it from others.
fn size(request: &Request, person: &Person) -> Result<StepSize, Stop> {
    let size = &request.size;
    let is_own = |names: &[&str]| !names.iter().any(|it| person.environment.contains_key(*it));
    let gpus = |gpus: &Option<Gpus>| {
        gpus.as_ref().map(|gpus| u32::try_from(gpus.total()).unwrap_or(u32::MAX))
    };
    let memory = match size.memory {
        Some(MemoryRequest::PerNode(Memory::Mib(mib))) => Some(mib.0),
        Some(MemoryRequest::PerCpu(Memory::Mib(mib))) => {
            let tasks = size.tasks_per_node.unwrap_or(1);
            Some(mib.0 * u64::from(size.cpus_per_task.unwrap_or(1)) * u64::from(tasks))
        }
        _ => None,
    };
    if size.tasks_per_gpu.is_some() {
        let why = "--ntasks-per-gpu is not known to steps\nhint: use --ntasks and --gpus";
        return Err(Stop::error(NAME, why));
    }
    let hosts = |list: &muster_slurm::values::Hostlist| list.hosts().to_vec();
    Ok(StepSize {
        tasks: size.tasks,
        nodes: size.nodes.map(|nodes| nodes.max),
        tasks_per_node: size.tasks_per_node,
        cpus_per_task: size.cpus_per_task,
        gpus: gpus(&size.gpus.per_job),
        gpus_per_node: gpus(&size.gpus.per_node).or_else(|| gpus(&size.gpus.gres)),
        gpus_per_task: gpus(&size.gpus.per_task),
        memory_mib: memory.filter(|_| is_own(&["SLURM_MEM_PER_NODE", "SLURM_MEM_PER_CPU"])),
        nodelist: hosts(&request.place.nodelist),
        exclude: hosts(&request.place.exclude),
        relative: request.step.relative,
    })
}

fn binding(request: &Request, size: &StepSize) -> GpuBinding {
    let usual = size.gpus_per_task.map_or(GpuBinding::All, GpuBinding::PerTask);
    let Some(binding) = &request.layout.gpu_bind else { return usual };
    let argument = binding.argument.as_deref().unwrap_or_default();
    let number = argument.parse().unwrap_or(1);
    match binding.method.as_deref() {
        Some("single") => GpuBinding::Single(number),
        Some("per_task") => GpuBinding::PerTask(number),
        Some("map_gpu") => {
            GpuBinding::Map(argument.split(',').filter_map(|word| word.parse().ok()).collect())
        }
        Some("none") => GpuBinding::All,
        _ => usual,
    }
}

fn distribution(request: &Request, person: &Person) -> Result<StepDistribution, Stop> {
    let Some(distribution) = request.layout.distribution else {
        return Ok(StepDistribution::Block);
    };
    Ok(match distribution.nodes {
        Across::Default | Across::Block => StepDistribution::Block,
        Across::Cyclic => StepDistribution::Cyclic,
        Across::Plane(size) => StepDistribution::Plane(size),
        Across::Arbitrary => {
            let named = request.place.nodelist.hosts();
            let file = person.environment.get("SLURM_HOSTFILE");
            let listed = file.and_then(|path| std::fs::read_to_string(path).ok());
            let listed = listed.map(|text| text.split_whitespace().map(str::to_owned).collect());
            let hosts: Vec<String> = listed.unwrap_or_else(|| named.to_vec());
            if hosts.is_empty() {
                let why = "arbitrary distribution needs SLURM_HOSTFILE or --nodelist";
                return Err(Stop::error(NAME, why));
            }
            StepDistribution::Arbitrary(hosts)
        }
    })
}

/// Where streams go that are files. A number is a task, whose stream is shown here.
fn streams(request: &Request) -> Streams {
    let file = |pattern: &Option<Pattern>| {
        let text = pattern.as_ref()?.as_str();
        match text {
            "all" => None,
            "none" => Some("/dev/null".to_owned()),
            _ if text.parse::<u32>().is_ok() => None,
            _ => Some(text.to_owned()),
        }
    };
    Streams {
        output: file(&request.run.output),
        error: file(&request.run.error),
        input: file(&request.run.input).filter(|path| path != "/dev/null"),
        append: request.run.open_mode == Some(OpenMode::Append),
        listener: None,
    }
}

/// Which tasks hear what is typed here.
pub(super) fn input(request: &Request, listener: &mut Listener) {
    let text = request.run.input.as_ref().map(Pattern::as_str);
    listener.no_input = text == Some("none");
    listener.input_to = text.and_then(|text| text.parse().ok());
    if request.step.pty {
        listener.input_to = Some(0);
    }
}
