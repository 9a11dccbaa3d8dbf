//! What a job wants of its container otherwise than the runtime does it.

use std::path::Path;

use muster_slurm::command::NAMES;

use super::{Inside, Kind, Refused};

/// Where the cluster's commands are inside: nearly every image looks for programs there.
const COMMANDS: &str = "/usr/local/bin";

/// Words for the runtime and variables for its command.
#[derive(Debug, Default)]
pub(super) struct Special {
    /// Options, in front of the image.
    pub(super) options: Vec<String>,
    /// Variables for the runtime itself.
    pub(super) variables: Vec<(String, String)>,
    /// In front of the program.
    pub(super) before: Vec<String>,
}

/// What a runtime has to be told.
pub(super) fn of(kind: Kind, inside: &Inside<'_>) -> Result<Special, Refused> {
    let mut special = Special::default();
    let mounts = mounts(inside);
    let commands = commands(kind, inside, &mounts);
    for (source, target, read_only) in mounts.into_iter().chain(commands) {
        special.options.extend(mount(kind, &source, &target, read_only));
    }
    folder(kind, inside, &mut special);
    let Some(asked) = inside.special else { return Ok(special) };
    let mut say = |word: &str| special.options.push(word.to_owned());
    match (kind, asked.writable) {
        (Kind::Podman | Kind::Docker, Some(false)) => say("--read-only"),
        (Kind::Apptainer, Some(true)) => say("--writable-tmpfs"),
        (Kind::Enroot, Some(true)) => say("--rw"),
        _ => {}
    }
    let (user, group) = inside.user;
    match (kind, asked.remap_root) {
        (Kind::Podman | Kind::Docker, Some(true)) => say("--user=0:0"),
        (Kind::Podman, Some(false)) if user != 0 => say("--userns=keep-id"),
        (Kind::Docker, Some(false)) => say(&format!("--user={user}:{group}")),
        (Kind::Apptainer, Some(true)) => say("--fakeroot"),
        (Kind::Enroot, Some(true)) => say("--root"),
        _ => {}
    }
    match (kind, asked.entrypoint) {
        (Kind::Podman | Kind::Docker, Some(false)) => say("--entrypoint="),
        (Kind::Enroot, Some(false)) => {
            let detail = "enroot always runs the entry point of an image; the job wants none";
            return Err(Refused::node("container-entrypoint", detail));
        }
        _ => {}
    }
    match (kind, asked.mount_home) {
        (Kind::Apptainer, Some(false)) => say("--no-home"),
        (Kind::Enroot, Some(false)) => {
            special.variables.push(("ENROOT_MOUNT_HOME".to_owned(), "no".to_owned()));
        }
        _ => {}
    }
    if kind == Kind::Apptainer {
        // Its own way to overrule what the image sets, without a value on the command line.
        for name in &asked.environment {
            let value = inside.environment.get(name).cloned();
            let renamed = value.map(|value| (format!("APPTAINERENV_{name}"), value));
            special.variables.extend(renamed);
        }
    }
    Ok(special)
}

/// What is seen inside: the folders of the task, and what the job names.
fn mounts(inside: &Inside<'_>) -> Vec<(String, String, bool)> {
    let own = inside.folder.display().to_string();
    let mut mounts: Vec<(String, String, bool)> = Vec::new();
    let asked = inside.special.map(|asked| &asked.mounts[..]).unwrap_or_default();
    let is_asked = |path: &str| asked.iter().any(|mount| mount.target == path);
    let has_home = inside.special.is_some_and(|asked| asked.mount_home == Some(true));
    let home = has_home.then(|| inside.home.display().to_string());
    for path in inside.directory.map(str::to_owned).into_iter().chain([own]).chain(home) {
        // No runtime mounts two things at one place; what was asked for goes first.
        if !is_asked(&path) && !mounts.iter().any(|(known, ..)| *known == path) {
            mounts.push((path.clone(), path, false));
        }
    }
    let named = asked.iter();
    mounts.extend(named.map(|it| (it.source.clone(), it.target.clone(), it.read_only)));
    mounts
}

/// The cluster's commands, each by its name, where a runtime makes places for them that go with the
/// container. A folder of the node that is mounted there is left as it is: they would stay in it.
fn commands(
    kind: Kind,
    inside: &Inside<'_>,
    mounts: &[(String, String, bool)],
) -> Vec<(String, String, bool)> {
    let Some(program) = inside.program.filter(|_| matches!(kind, Kind::Podman | Kind::Docker))
    else {
        return Vec::new();
    };
    let is_taken = |path: &Path| mounts.iter().any(|(_, target, _)| path.starts_with(target));
    let places = NAMES.into_iter().chain(["muster"]).map(|name| Path::new(COMMANDS).join(name));
    let free = places.filter(|path| !is_taken(path));
    let program = program.display();
    free.map(|path| (program.to_string(), path.display().to_string(), true)).collect()
}

fn mount(kind: Kind, source: &str, target: &str, read_only: bool) -> Vec<String> {
    let end = if read_only { ":ro" } else { "" };
    match kind {
        Kind::Podman | Kind::Docker => vec![format!("--volume={source}:{target}{end}")],
        Kind::Apptainer => vec![format!("--bind={source}:{target}{end}")],
        Kind::Enroot => {
            let mode = if read_only { ",ro" } else { "" };
            let entry = format!("{source}:{target}:none:x-create=auto,rbind{mode}");
            vec!["--mount".to_owned(), entry]
        }
    }
}

/// Where the program starts.
fn folder(kind: Kind, inside: &Inside<'_>, special: &mut Special) {
    let named = inside.special.and_then(|asked| asked.workdir.as_deref());
    let Some(folder) = named.or(inside.directory) else { return };
    match kind {
        Kind::Podman | Kind::Docker => special.options.push(format!("--workdir={folder}")),
        Kind::Apptainer => special.options.push(format!("--pwd={folder}")),
        Kind::Enroot => {
            let words = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder];
            special.before.extend(words.map(str::to_owned));
        }
    }
}
