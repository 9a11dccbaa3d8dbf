//! Container images through whatever runtime the node has. The program in the container sees the
//! folders it needs and the GPUs of its task; its variables are passed by name, so that no value
//! shows in the list of processes.

use std::path::{Path, PathBuf};

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
}

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
}

/// The runtimes found in a list of folders such as `PATH`.
pub fn installed(folders: &str) -> Vec<Runtime> {
    let find = |name: &str| {
        std::env::split_paths(folders).map(|folder| folder.join(name)).find(|path| path.is_file())
    };
    KINDS.iter().filter_map(|&(kind, name)| Some(Runtime { kind, path: find(name)? })).collect()
}

/// Wraps a command so that it runs in a container.
pub fn wrap(
    runtimes: &[Runtime],
    inside: &Inside<'_>,
    command: &[String],
) -> Result<Vec<String>, Refused> {
    let Some(runtime) = runtimes.first() else {
        let names = KINDS.map(|(_, name)| name).join(", ");
        let detail = format!("the job wants an image and this node has none of: {names}");
        return Err(Refused::node("no-container-runtime", detail));
    };
    if inside.image.starts_with('-') {
        return Err(Refused::job("bad-image", "the name of an image cannot begin with a dash"));
    }
    let mut words = vec![runtime.path.display().to_string()];
    match runtime.kind {
        Kind::Podman | Kind::Docker => engine(runtime.kind, inside, &mut words),
        Kind::Apptainer => apptainer(inside, &mut words),
        Kind::Enroot => enroot(inside, &mut words),
    }
    words.extend(command.iter().cloned());
    Ok(words)
}

fn engine(kind: Kind, inside: &Inside<'_>, words: &mut Vec<String>) {
    words.extend(["run", "--rm", "--init", "--network=host", "--ipc=host"].map(str::to_owned));
    if inside.has_gpus {
        words.push(match kind {
            Kind::Podman => "--device=nvidia.com/gpu=all".to_owned(),
            _ => "--gpus=all".to_owned(),
        });
    }
    for folder in folders(inside) {
        words.push(format!("--volume={folder}:{folder}"));
    }
    words.extend(inside.directory.map(|folder| format!("--workdir={folder}")));
    words.extend(variables(inside).map(|name| format!("--env={name}")));
    words.push(inside.image.to_owned());
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
        }
    }

    fn runtime(kind: Kind, path: &str) -> Runtime {
        Runtime { kind, path: PathBuf::from(path) }
    }

    #[test]
    fn podman_is_told_names_of_variables_and_no_values() {
        let command = ["train".to_owned(), "--fast".to_owned()];
        let podman = [runtime(Kind::Podman, "/usr/bin/podman")];
        let words = wrap(&podman, &inside("vision:2"), &command).unwrap().join(" ");
        assert_eq!(
            words,
            "/usr/bin/podman run --rm --init --network=host --ipc=host \
             --device=nvidia.com/gpu=all --volume=/data/train:/data/train \
             --volume=/var/lib/muster/tasks/7.1.0/run:/var/lib/muster/tasks/7.1.0/run \
             --workdir=/data/train --env=MUSTER_JOB_ID vision:2 train --fast"
        );
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
