//! Makes the task that a launcher starts out of what the server asks for and what the node is like.

pub mod account;
pub mod cluster;
pub mod container;
pub mod environment;
pub mod pattern;
mod slurm;
pub mod step;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use muster_api::TaskDuty;
use muster_api::duty::RunWork;
use muster_engine::command::Running;

use crate::clock;
use crate::launch::{Refused, TaskFile};
use account::Person;
use cluster::Cluster;
use container::Runtime;

/// The mask for new files where nobody says otherwise.
const UMASK: u32 = 0o022;

/// What the node adds to every task.
#[derive(Clone, Debug)]
pub struct Ground {
    /// The node's name.
    pub node: String,
    /// How tasks name each GPU, by index.
    pub gpus: Vec<String>,
    /// The file with the end of the lease.
    pub lease: PathBuf,
    /// The container runtimes that are installed.
    pub runtimes: Vec<Runtime>,
    /// The most open files of a task.
    pub open_files: Option<u64>,
    /// The folder below which jobs keep what outlives an attempt.
    pub checkpoints: Option<PathBuf>,
    /// How tasks reach the cluster.
    pub cluster: Cluster,
    /// The program that answers by the names of the cluster's commands, if everyone may run it.
    pub program: Option<PathBuf>,
}

/// One task to launch.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The attempt.
    pub of: Running,
    /// What it runs.
    pub run: &'a RunWork,
    /// The task.
    pub duty: &'a TaskDuty,
    /// All tasks that are launched with it.
    pub together: &'a [u32],
    /// Whether it joins tasks that run already.
    pub is_growth: bool,
    /// The folder that belongs to the task's user.
    pub folder: &'a Path,
    /// Who it runs as.
    pub person: &'a Person,
}

impl<'a> Asked<'a> {
    /// The places whose means the program has: its own, and those that are held for it here.
    pub fn places(&self) -> &'a [TaskDuty] {
        let is_alone = self.run.program.runs.is_everywhere();
        if is_alone { std::slice::from_ref(self.duty) } else { &self.run.tasks }
    }
}

/// Composes a task.
pub fn compose(ground: &Ground, asked: Asked<'_>) -> Result<TaskFile, Refused> {
    let Asked { of, run, duty, person, .. } = asked;
    let program = &run.program;
    let mut environment = environment::of(ground, asked);
    let has_gpus = asked.places().iter().any(|place| !place.place.gpus.is_empty());
    let script = program.script.as_ref().map(|text| (asked.folder.join("script"), text.as_str()));
    let mut command = command(script.as_ref().map(|(path, text)| (path.as_path(), *text)), asked)?;
    let mut clearing = Vec::new();
    let directory = program.directory.as_ref().map_or_else(|| person.home.clone(), PathBuf::from);
    if let Some(image) = &program.image {
        let inside = container::Inside {
            image,
            directory: program.directory.as_deref(),
            folder: asked.folder,
            environment: &environment,
            special: program.container.as_deref(),
            home: &person.home,
            user: person.numbers(),
            program: ground.program.as_deref().filter(|path| path.exists()),
            has_gpus: has_gpus && !is_simulated(ground),
            name: format!("muster-{}.{}.{}", of.job.0, of.attempt.0, duty.rank),
            cpus_milli: duty.cpus_milli,
            memory_mib: duty.memory_mib,
            open_files: ground.open_files,
        };
        let wrapped = container::wrap(&ground.runtimes, &inside, &command)?;
        (command, clearing) = (wrapped.command, wrapped.clearing);
        environment.extend(wrapped.variables);
    }
    let names = pattern::Names::of(&ground.node, asked);
    let path = |text: &Option<String>| {
        text.as_ref().map(|text| directory.join(pattern::fill(text, &names)))
    };
    // What other tasks or earlier attempts have written to the same file is not thrown away.
    let is_shared = program.output.as_ref().is_some_and(|text| !pattern::tells_tasks_apart(text));
    // In Slurm it is, where the job does not say otherwise.
    let is_restart = run.gang.restarts > 0 && program.slurm.is_none();
    let append = program.append || is_restart || (is_shared && duty.rank > 0);
    let speaks = program.slurm.is_some() && duty.rank == 0;
    let called = speaks.then(|| format!("JOB {} ON {}", of.job.0, ground.node));
    Ok(TaskFile {
        of,
        rank: duty.rank,
        place: duty.place,
        together: asked.together.to_vec(),
        is_growth: asked.is_growth,
        held: None,
        step: None,
        called,
        listener: None,
        command,
        environment,
        output: path(&program.output),
        error: path(&program.error),
        input: path(&program.input),
        directory,
        append,
        umask: program.umask.unwrap_or(UMASK),
        user: person.ids.clone(),
        open_files: ground.open_files,
        cgroup: None,
        clearing,
        lease: ground.lease.clone(),
    })
}

/// A place that is held: there is nothing to start, and it is found again by its folder.
pub fn hold(ground: &Ground, asked: Asked<'_>) -> TaskFile {
    TaskFile {
        of: asked.of,
        rank: asked.duty.rank,
        place: asked.duty.place,
        together: asked.together.to_vec(),
        is_growth: asked.is_growth,
        held: Some(clock::boot_id()),
        step: None,
        called: None,
        listener: None,
        command: Vec::new(),
        environment: BTreeMap::new(),
        output: None,
        error: None,
        input: None,
        directory: asked.person.home.clone(),
        append: false,
        umask: UMASK,
        user: asked.person.ids.clone(),
        open_files: None,
        cgroup: None,
        clearing: Vec::new(),
        lease: ground.lease.clone(),
    }
}

/// Simulated GPUs have plain numbers for names.
fn is_simulated(ground: &Ground) -> bool {
    ground.gpus.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A script is run as it says itself, or by the shell; the job's command is then its arguments.
fn command(script: Option<(&Path, &str)>, asked: Asked<'_>) -> Result<Vec<String>, Refused> {
    let arguments = asked.run.program.command.iter().cloned();
    let Some((path, text)) = script else {
        let command: Vec<String> = arguments.collect();
        return match command.is_empty() {
            true => Err(Refused::job("no-command", "the job names neither a command nor a script")),
            false => Ok(command),
        };
    };
    let path = path.to_str().map(str::to_owned).ok_or_else(|| {
        Refused::node("bad-folder", format!("the agent's folder {} is not text", path.display()))
    })?;
    let shell = (!text.starts_with("#!")).then(|| "/bin/sh".to_owned());
    Ok(shell.into_iter().chain([path]).chain(arguments).collect())
}

#[cfg(test)]
mod tests;
