//! Container images through whatever runtime the node has. The program in the container sees the
//! folders it needs and the GPUs of its task; its variables are passed by name, so that no value
//! shows in the list of processes.
//!
//! Podman leaves the container in the task's own cgroup and process tree, where limits and ends
//! reach it. Docker runs it elsewhere, so it is told the limits, and to remove what was left.

use std::path::{Path, PathBuf};

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
    /// The names of its variables.
    pub variables: Vec<&'a str>,
    /// Whether it has GPUs.
    pub has_gpus: bool,
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
    let Some(runtime) = runtimes.first() else {
        let names = KINDS.map(|(_, name)| name).join(", ");
        let detail = format!("the job wants an image and this node has none of: {names}");
        return Err(Refused::node("no-container-runtime", detail));
    };
    if inside.image.starts_with('-') {
        return Err(Refused::job("bad-image", "the name of an image cannot begin with a dash"));
    }
    let program = runtime.path.display().to_string();
    let mut words = vec![program.clone()];
    let mut clearing = Vec::new();
    match runtime.kind {
        Kind::Podman | Kind::Docker => {
            engine(runtime, inside, &mut words);
            clearing = vec![program, "rm".to_owned(), "--force".to_owned(), inside.name.clone()];
        }
        Kind::Apptainer => apptainer(inside, &mut words),
        Kind::Enroot => enroot(inside, &mut words),
    }
    words.extend(command.iter().cloned());
    Ok(Wrapped { command: words, clearing })
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
    for folder in folders(inside) {
        words.push(format!("--volume={folder}:{folder}"));
    }
    words.extend(inside.directory.map(|folder| format!("--workdir={folder}")));
    words.extend(variables(inside).map(|name| format!("--env={name}")));
    words.push(inside.image.to_owned());
}

/// A limit as it is here, or lower.
fn limit(name: &str, most: u64, resource: Resource) -> String {
    let Rlimit { current, maximum } = getrlimit(resource);
    let within = |limit: Option<u64>| limit.map_or(most, |limit| limit.min(most));
    let shown = |limit: u64| i64::try_from(limit).unwrap_or(-1);
    format!("--ulimit={name}={}:{}", shown(within(current)), shown(within(maximum)))
}

fn apptainer(inside: &Inside<'_>, words: &mut Vec<String>) {
    words.push("exec".to_owned());
    words.extend(inside.has_gpus.then(|| "--nv".to_owned()));
    for folder in folders(inside) {
        words.push(format!("--bind={folder}:{folder}"));
    }
    words.extend(inside.directory.map(|folder| format!("--pwd={folder}")));
    words.push(inside.image.to_owned());
}

fn enroot(inside: &Inside<'_>, words: &mut Vec<String>) {
    words.push("start".to_owned());
    for folder in folders(inside) {
        words.extend(["--mount".to_owned(), format!("{folder}:{folder}")]);
    }
    for name in variables(inside) {
        words.extend(["--env".to_owned(), name.to_owned()]);
    }
    words.push(inside.image.to_owned());
}

fn folders(inside: &Inside<'_>) -> Vec<String> {
    let own = inside.folder.display().to_string();
    inside.directory.map(str::to_owned).into_iter().chain([own]).collect()
}

/// What belongs to the machine outside is of no use inside.
fn variables<'a>(inside: &'a Inside<'_>) -> impl Iterator<Item = &'a str> {
    let outside = ["PATH", "HOME", "SHELL"];
    inside.variables.iter().copied().filter(move |name| !outside.contains(name))
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{Inside, Kind, Runtime, wrap};

    fn inside(image: &str) -> Inside<'_> {
        Inside {
            image,
            directory: Some("/data/train"),
            folder: Path::new("/var/lib/muster/tasks/7.1.0/run"),
            variables: vec!["HOME", "MUSTER_JOB_ID"],
            has_gpus: true,
            name: "muster-7.1.0".to_owned(),
            cpus_milli: 2500,
            memory_mib: 512,
            open_files: Some(4096),
        }
    }

    fn runtime(kind: Kind, path: &str) -> Runtime {
        Runtime { kind, path: PathBuf::from(path), has_init: kind == Kind::Docker }
    }

    #[test]
    fn podman_is_told_names_of_variables_and_no_values_and_stays_in_our_cgroup() {
        let command = ["train".to_owned(), "--fast".to_owned()];
        let podman = [runtime(Kind::Podman, "/usr/bin/podman")];
        let wrapped = wrap(&podman, &inside("vision:2"), &command).unwrap();
        let is_of_this_machine = |word: &&String| !word.starts_with("--ulimit=nproc=");
        let words: Vec<&str> =
            wrapped.command.iter().filter(is_of_this_machine).map(String::as_str).collect();
        assert_eq!(
            words.join(" "),
            "/usr/bin/podman run --rm --network=host --ipc=host --name=muster-7.1.0 \
             --cgroups=disabled --log-driver=none --ulimit=nofile=4096:4096 \
             --device=nvidia.com/gpu=all \
             --volume=/data/train:/data/train \
             --volume=/var/lib/muster/tasks/7.1.0/run:/var/lib/muster/tasks/7.1.0/run \
             --workdir=/data/train --env=MUSTER_JOB_ID vision:2 train --fast"
        );
        assert_eq!(wrapped.clearing.join(" "), "/usr/bin/podman rm --force muster-7.1.0");
    }

    #[test]
    fn docker_is_told_the_limits_for_its_daemon_does_not_inherit_them() {
        let docker = [runtime(Kind::Docker, "/usr/bin/docker")];
        let wrapped = wrap(&docker, &inside("vision:2"), &[]).unwrap();
        let words = wrapped.command.join(" ");
        assert!(words.contains("--init --cpus=2.500 --memory=512m --ulimit=nofile=4096:4096"));
        let free = Inside { cpus_milli: 0, memory_mib: 0, open_files: None, ..inside("vision:2") };
        let words = wrap(&docker, &free, &[]).unwrap().command.join(" ");
        assert!(!words.contains("--cpus") && !words.contains("--memory"), "{words}");
    }

    #[test]
    fn a_node_without_a_runtime_says_what_it_looked_for() {
        let refused = wrap(&[], &inside("vision:2"), &[]).unwrap_err();
        assert!(refused.detail.contains("podman, docker, apptainer, enroot"), "{refused:?}");
    }

    #[test]
    fn an_image_is_never_taken_for_an_option() {
        let docker = [runtime(Kind::Docker, "/usr/bin/docker")];
        let refused = wrap(&docker, &inside("--privileged"), &[]).unwrap_err();
        assert!(refused.detail.contains("dash"), "{refused:?}");
    }
}
