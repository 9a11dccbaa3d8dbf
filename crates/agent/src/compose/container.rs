//! Container images through whatever runtime the node has. The program in the container sees the
//! folders it needs and the GPUs of its task; its variables are passed by name, so that no value
//! shows in the list of processes.
//!
//! Podman leaves the container in the task's own cgroup and process tree, where limits and ends
//! reach it. Docker runs it elsewhere, so it is told the limits, and to remove what was left.

mod image;
mod special;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use muster_api::program::Container;
use rustix::process::{Resource, Rlimit, getrlimit};

use crate::launch::Refused;

/// A runtime, by its command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Rootless or not, without a daemon.
    Podman,
    /// Through its daemon.
    Docker,
    /// Formerly Singularity.
    Apptainer,
    /// With `pyxis` or without.
    Enroot,
}

/// A runtime that is installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runtime {
    /// Which.
    pub kind: Kind,
    /// Where its command is.
    pub path: PathBuf,
    /// Whether it can put a small first process in front of the program, which hands signals on
    /// and lays orphans to rest.
    pub has_init: bool,
}

/// Podman allows itself so many processes, and cannot give more away.
const PROCESSES_MAX: u64 = 32_768;

/// Where Podman looks for that process.
const PODMAN_INITS: [&str; 3] =
    ["/usr/libexec/podman/catatonit", "/usr/lib/podman/catatonit", "/usr/bin/catatonit"];

/// In the order they are looked for.
const KINDS: [(Kind, &str); 4] = [
    (Kind::Podman, "podman"),
    (Kind::Docker, "docker"),
    (Kind::Apptainer, "apptainer"),
    (Kind::Enroot, "enroot"),
];

/// What the program finds inside.
#[derive(Clone, Debug)]
pub struct Inside<'a> {
    /// The image.
    pub image: &'a str,
    /// The folder it starts in, if the job names one.
    pub directory: Option<&'a str>,
    /// The task's own folder.
    pub folder: &'a Path,
    /// Its variables.
    pub environment: &'a BTreeMap<String, String>,
    /// What the job wants otherwise than the runtime does it.
    pub special: Option<&'a Container>,
    /// The home of its user.
    pub home: &'a Path,
    /// The numbers of its user and their group.
    pub user: (u32, u32),
    /// Whether it has GPUs.
    pub has_gpus: bool,
    /// The program that answers by the names of the cluster's commands.
    pub program: Option<&'a Path>,
    /// What the container is called, as no other is.
    pub name: String,
    /// Thousandths of CPUs it may use; any number if 0.
    pub cpus_milli: u64,
    /// Memory it may use, in MiB; any amount if 0.
    pub memory_mib: u64,
    /// The most open files.
    pub open_files: Option<u64>,
}

/// A command that runs in a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrapped {
    /// The whole command.
    pub command: Vec<String>,
    /// What removes the container when it was ended by force.
    pub clearing: Vec<String>,
    /// Variables for the runtime, beside those of the task.
    pub variables: Vec<(String, String)>,
}

/// The runtimes found in a list of folders such as `PATH`.
pub fn installed(folders: &str) -> Vec<Runtime> {
    let find = |name: &str| {
        std::env::split_paths(folders).map(|folder| folder.join(name)).find(|path| path.is_file())
    };
    let has_init = |kind| match kind {
        Kind::Podman => PODMAN_INITS.iter().any(|path| Path::new(path).exists()),
        Kind::Docker => true,
        Kind::Apptainer | Kind::Enroot => false,
    };
    let found = |(kind, name)| Some(Runtime { kind, path: find(name)?, has_init: has_init(kind) });
    KINDS.into_iter().filter_map(found).collect()
}

/// Wraps a command so that it runs in a container.
pub fn wrap(
    runtimes: &[Runtime],
    inside: &Inside<'_>,
    command: &[String],
) -> Result<Wrapped, Refused> {
    if inside.image.starts_with('-') {
        return Err(Refused::job("bad-image", "the name of an image cannot begin with a dash"));
    }
    let named = |runtime: &Runtime| image::named(runtime.kind, inside.image);
    let fit = runtimes.iter().find_map(|runtime| Some((runtime, named(runtime)?)));
    let Some((runtime, image)) = fit else { return Err(none(runtimes, inside.image)) };
    let program = runtime.path.display().to_string();
    let mut words = vec![program.clone()];
    let mut clearing = Vec::new();
    let special = special::of(runtime.kind, inside)?;
    match runtime.kind {
        Kind::Podman | Kind::Docker => {
            engine(runtime, inside, &mut words);
            clearing = vec![program, "rm".to_owned(), "--force".to_owned(), inside.name.clone()];
        }
        Kind::Apptainer => apptainer(inside, &mut words),
        Kind::Enroot => words.push("start".to_owned()),
    }
    words.extend(special.options);
    match runtime.kind {
        Kind::Podman | Kind::Docker => {
            words.extend(variables(inside).map(|name| format!("--env={name}")));
        }
        Kind::Enroot => {
            words.extend(variables(inside).flat_map(|name| ["--env".to_owned(), name.to_owned()]));
        }
        // All variables are seen inside.
        Kind::Apptainer => {}
    }
    words.push(image);
    words.extend(special.before);
    words.extend(command.iter().cloned());
    Ok(Wrapped { command: words, clearing, variables: special.variables })
}

fn none(runtimes: &[Runtime], image: &str) -> Refused {
    let names = |kinds: &[Kind]| {
        let known = KINDS.iter().filter(|(kind, _)| kinds.contains(kind));
        known.map(|(_, name)| *name).collect::<Vec<_>>().join(", ")
    };
    let detail = match runtimes {
        [] => {
            let all = names(&KINDS.map(|(kind, _)| kind));
            format!("the job wants an image and this node has none of: {all}")
        }
        some => {
            let kinds: Vec<Kind> = some.iter().map(|runtime| runtime.kind).collect();
            format!("this node has {}, which cannot run the image {image}", names(&kinds))
        }
    };
    Refused::node("no-container-runtime", detail)
}

fn engine(runtime: &Runtime, inside: &Inside<'_>, words: &mut Vec<String>) {
    words.extend(["run", "--rm", "--network=host", "--ipc=host"].map(str::to_owned));
    words.push(format!("--name={}", inside.name));
    words.extend(runtime.has_init.then(|| "--init".to_owned()));
    match runtime.kind {
        Kind::Podman => {
            words.push("--cgroups=disabled".to_owned());
            // Its output is kept by us; a second copy would fill the disk of the node.
            words.push("--log-driver=none".to_owned());
            // It would set limits of its own, which it may not where ours are lower.
            words.push(limit("nofile", inside.open_files.unwrap_or(u64::MAX), Resource::Nofile));
            words.push(limit("nproc", PROCESSES_MAX, Resource::Nproc));
            words.extend(inside.has_gpus.then(|| "--device=nvidia.com/gpu=all".to_owned()));
        }
        _ => {
            let (cpus, memory) = (inside.cpus_milli, inside.memory_mib);
            let share = format!("--cpus={}.{:03}", cpus / 1000, cpus % 1000);
            words.extend((cpus > 0).then_some(share));
            words.extend((memory > 0).then(|| format!("--memory={memory}m")));
            let files = inside.open_files.map(|most| format!("--ulimit=nofile={most}:{most}"));
            words.extend(files);
            words.push("--log-driver=none".to_owned());
            words.extend(inside.has_gpus.then(|| "--gpus=all".to_owned()));
        }
    }
}

/// A limit as it is here, or lower.
fn limit(name: &str, most: u64, resource: Resource) -> String {
    let Rlimit { current, maximum } = getrlimit(resource);
    let within = |limit: Option<u64>| limit.map_or(most, |limit| limit.min(most));
    let shown = |limit: u64| i64::try_from(limit).unwrap_or(-1);
    format!("--ulimit={name}={}:{}", shown(within(current)), shown(within(maximum)))
}

fn apptainer(inside: &Inside<'_>, words: &mut Vec<String>) {
    let runs_entry = inside.special.is_some_and(|asked| asked.entrypoint == Some(true));
    words.push(if runs_entry { "run" } else { "exec" }.to_owned());
    words.extend(inside.has_gpus.then(|| "--nv".to_owned()));
}

/// What belongs to the machine outside is of no use inside, unless it is asked for.
fn variables<'a>(inside: &'a Inside<'_>) -> impl Iterator<Item = &'a str> {
    let outside = ["PATH", "HOME", "SHELL"];
    let named = inside.special.map(|asked| &asked.environment[..]).unwrap_or_default();
    let is_wanted = move |name: &&str| {
        !outside.contains(name) || named.iter().any(|wanted| wanted.as_str() == *name)
    };
    inside.environment.keys().map(String::as_str).filter(is_wanted)
}

#[cfg(test)]
mod tests;
