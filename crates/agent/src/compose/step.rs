//! Makes a task of a step: like a task of the job, with its owner's environment and with what Slurm
//! tells the tasks of a step.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use muster_api::duty::RunWork;
use muster_api::step::{StepDuty, StepTask};
use muster_engine::action::TaskPlace;
use muster_engine::command::Running;
use muster_slurm::values::{Pattern, PatternValues};

use super::account::Person;
use super::environment::{PATH, SAVED_FILE};
use super::{Ground, UMASK, container, is_simulated, slurm};
use crate::launch::stream::INPUT;
use crate::launch::{Refused, TaskFile};

/// One task of a step to launch.
#[derive(Clone, Copy, Debug)]
pub struct AskedStep<'a> {
    /// The attempt.
    pub of: Running,
    /// What the job is.
    pub run: &'a RunWork,
    /// The step.
    pub duty: &'a StepDuty,
    /// The task.
    pub task: &'a StepTask,
    /// The folder that belongs to the task's user.
    pub folder: &'a Path,
    /// Who it runs as.
    pub person: &'a Person,
}

/// Composes a task of a step.
pub fn compose(ground: &Ground, asked: AskedStep<'_>) -> Result<TaskFile, Refused> {
    let AskedStep { of, run, duty, task, person, .. } = asked;
    let request = &duty.request;
    if request.command.is_empty() {
        return Err(Refused::job("no-command", "the step names no command"));
    }
    let mut environment = variables(ground, asked);
    let wanted = request.directory.as_ref().or(run.program.directory.as_ref());
    let directory = wanted.map_or_else(|| person.home.clone(), PathBuf::from);
    let mut command = request.command.clone();
    let mut clearing = Vec::new();
    if let Some(image) = &request.image {
        let inside = container::Inside {
            image,
            directory: wanted.map(String::as_str),
            folder: asked.folder,
            environment: &environment,
            special: request.container.as_deref(),
            home: &person.home,
            user: person.numbers(),
            program: ground.program.as_deref().filter(|path| path.exists()),
            has_gpus: !task.gpus.is_empty() && !is_simulated(ground),
            name: format!("muster-{}.{}.s{}.{}", of.job.0, of.attempt.0, duty.step, task.rank),
            cpus_milli: task.cpus_milli,
            memory_mib: task.memory_mib,
            open_files: ground.open_files,
        };
        let wrapped = container::wrap(&ground.runtimes, &inside, &command)?;
        (command, clearing) = (wrapped.command, wrapped.clearing);
        environment.extend(wrapped.variables);
    }
    let streams = &request.streams;
    let is_shared = streams.output.as_ref().is_some_and(|text| !is_per_task(text));
    let called = || format!("STEP {}.{} ON {}", of.job.0, duty.step, ground.node);
    Ok(TaskFile {
        of,
        rank: task.rank,
        place: TaskPlace { group: 0, rank: task.rank, gpus: task.gpus, share: None },
        together: duty.tasks.iter().map(|task| task.rank).collect(),
        is_growth: false,
        held: None,
        step: Some(duty.step),
        called: (task.rank == 0).then(called),
        listener: streams.listener.clone(),
        command,
        environment,
        output: file(ground, asked, streams.output.as_ref(), &directory),
        error: file(ground, asked, streams.error.as_ref(), &directory),
        input: file(ground, asked, streams.input.as_ref(), &directory).or_else(|| heard(asked)),
        directory,
        append: streams.append || (is_shared && task.rank > 0),
        umask: request.umask.or(run.program.umask).unwrap_or(UMASK),
        user: person.ids.clone(),
        open_files: ground.open_files,
        cgroup: None,
        clearing,
        lease: ground.lease.clone(),
    })
}

/// Where a task finds what its listener sends, if it is one that hears any.
fn heard(asked: AskedStep<'_>) -> Option<PathBuf> {
    let listener = asked.duty.request.streams.listener.as_ref()?;
    let is_meant = listener.input_to.is_none_or(|rank| rank == asked.task.rank);
    let is_file = listener.terminal.is_none() || asked.task.rank > 0;
    (is_meant && is_file && !listener.no_input).then(|| asked.folder.join(INPUT))
}

fn is_per_task(text: &str) -> bool {
    text.parse::<Pattern>().is_ok_and(|pattern| pattern.is_per_task())
}

/// A file of the task, with what its pattern leaves open.
fn file(
    ground: &Ground,
    asked: AskedStep<'_>,
    text: Option<&String>,
    directory: &Path,
) -> Option<PathBuf> {
    let gang = &asked.run.gang;
    let values = PatternValues {
        job: asked.of.job.0,
        array: gang.element.map(|element| (element.array.0, element.index)),
        step: Some(asked.duty.step),
        task: asked.task.rank,
        node: asked.duty.layout.node_rank,
        host: &ground.node,
        user: gang.user.as_str(),
        job_name: gang.name.as_str(),
    };
    let filled = |text: &String| match text.parse::<Pattern>() {
        Ok(pattern) => pattern.expand(&values),
        Err(_) => text.clone(),
    };
    text.map(|text| directory.join(filled(text)))
}

/// All variables of a task of a step.
fn variables(ground: &Ground, asked: AskedStep<'_>) -> BTreeMap<String, String> {
    let person = asked.person;
    let mut all: BTreeMap<String, String> = BTreeMap::new();
    let home = person.home.display().to_string();
    let clean = [
        ("PATH", PATH),
        ("HOME", &home),
        ("USER", &person.name),
        ("LOGNAME", &person.name),
        ("SHELL", &person.shell),
    ];
    all.extend(clean.map(|(name, value)| (name.to_owned(), value.to_owned())));
    all.extend(asked.duty.request.environment.clone());
    all.extend(slurm::step_task(asked));
    all.extend(told(ground, asked).into_iter().map(|(name, value)| (name.to_owned(), value)));
    for (name, value) in meeting(asked) {
        all.entry(name.to_owned()).or_insert(value);
    }
    ground.cluster.tell(asked.run, asked.folder, &mut all);
    all
}

fn told(ground: &Ground, asked: AskedStep<'_>) -> Vec<(&'static str, String)> {
    let AskedStep { of, duty, task, folder, .. } = asked;
    let gpus: Vec<&str> = task.gpus.iter().filter_map(|gpu| ground.gpu(gpu)).collect();
    let mut told = vec![
        ("MUSTER_JOB_ID", of.job.0.to_string()),
        ("MUSTER_ATTEMPT", of.attempt.0.to_string()),
        ("MUSTER_STEP", duty.step.to_string()),
        ("MUSTER_TASK_RANK", task.rank.to_string()),
        ("MUSTER_NODE", ground.node.clone()),
        (SAVED_FILE, folder.join("saved").display().to_string()),
        ("MUSTER_PROGRESS_FILE", folder.join("progress").display().to_string()),
        ("CUDA_VISIBLE_DEVICES", gpus.join(",")),
        ("SLURM_JOB_ID", of.job.0.to_string()),
        ("SLURM_JOBID", of.job.0.to_string()),
    ];
    if let Some(cpus) = duty.request.size.cpus_per_task {
        told.push(("SLURM_CPUS_PER_TASK", cpus.to_string()));
    }
    told
}

/// Where several tasks meet, for those that are not told otherwise.
fn meeting(asked: AskedStep<'_>) -> Vec<(&'static str, String)> {
    let AskedStep { run, duty, task, .. } = asked;
    let layout = &duty.layout;
    let tasks: u32 = layout.tasks.iter().sum();
    let is_whole = layout.nodes.first() == run.gang.nodes.first();
    let Some(meet) = run.gang.rendezvous.as_ref().filter(|_| tasks > 1 && is_whole) else {
        return Vec::new();
    };
    vec![
        ("MASTER_ADDR", meet.address.clone()),
        ("MASTER_PORT", meet.port.to_string()),
        ("RANK", task.rank.to_string()),
        ("WORLD_SIZE", tasks.to_string()),
        ("LOCAL_RANK", task.local_rank.to_string()),
        ("NODE_RANK", layout.node_rank.to_string()),
    ]
}
