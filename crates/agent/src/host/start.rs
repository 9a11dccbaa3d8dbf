//! Launches one task: makes its folder, starts its launcher and hears how that went.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, chown, fchown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use muster_api::Secret;
use muster_api::duty::RunWork;
use muster_api::step::StepTask;
use muster_engine::command::Running;

use crate::compose::account::Person;
use crate::compose::step::AskedStep;
use crate::compose::{self, Asked};
use crate::launch::cgroup::{Cgroups, Limits};
use crate::launch::folder::{Entry, Folder};
use crate::launch::{LaunchError, Refused, TaskFile, Word};

use super::real::Shared;

/// Launches a task. Nothing of it is left where that fails.
pub(super) fn start(shared: &Shared, folder: &Folder, asked: Asked<'_>) -> Result<Child, Refused> {
    begin(folder, prepare(shared, folder, asked).and_then(|()| spawn(shared, folder)))
}

/// Launches a task of a step.
pub(super) fn start_step(
    shared: &Shared,
    folder: &Folder,
    asked: AskedStep<'_>,
) -> Result<Child, Refused> {
    begin(folder, prepare_step(shared, folder, asked).and_then(|()| spawn(shared, folder)))
}

fn begin(folder: &Folder, started: Result<Child, Refused>) -> Result<Child, Refused> {
    if started.is_err()
        && let Err(error) = folder.remove()
    {
        tracing::warn!("{error}");
    }
    started
}

/// Holds a place: all there is of it is its folder.
pub(super) fn hold(shared: &Shared, folder: &Folder, asked: Asked<'_>) -> Result<(), Refused> {
    folder.create().map_err(disk)?;
    write_task(folder, &compose::hold(&shared.ground, asked))
}

fn prepare(shared: &Shared, folder: &Folder, asked: Asked<'_>) -> Result<(), Refused> {
    let mut task = compose::compose(&shared.ground, asked)?;
    folder.create().map_err(disk)?;
    if let Some(cgroups) = &shared.cgroups {
        let cpus_milli = asked.places().iter().map(|place| place.cpus_milli).sum();
        let memory_mib = asked.places().iter().map(|place| place.memory_mib).sum();
        let limits = Limits { cpus_milli, memory_mib, whole_memory_mib: whole_memory(asked.run) };
        let part = asked.duty.rank.to_string();
        task.cgroup = Some(limit(cgroups, asked.of, &part, limits)?);
    }
    let own = folder.entry(Entry::Run);
    make_own(&own, asked.person).map_err(|cause| own_failed(&own, &cause))?;
    if let Some(text) = &asked.run.program.script {
        write_own(&own.join("script"), text, 0o500, asked.person)?;
    }
    let token = asked.run.token.as_ref();
    write_credentials(shared, token, &own, asked.person)?;
    if let Some(checkpoints) = &shared.ground.checkpoints {
        let path = checkpoints.join(asked.of.job.0.to_string());
        let made = fs::create_dir_all(checkpoints);
        let made = made.and_then(|()| make_own(&path, asked.person));
        made.map_err(|cause| own_failed(&path, &cause))?;
    }
    write_task(folder, &task)
}

fn prepare_step(shared: &Shared, folder: &Folder, asked: AskedStep<'_>) -> Result<(), Refused> {
    let mut task = compose::step::compose(&shared.ground, asked)?;
    folder.create().map_err(disk)?;
    if let Some(cgroups) = &shared.cgroups {
        let StepTask { rank, cpus_milli, memory_mib, .. } = *asked.task;
        let limits = Limits { cpus_milli, memory_mib, whole_memory_mib: whole_memory(asked.run) };
        let part = format!("s{}.{rank}", asked.duty.step);
        task.cgroup = Some(limit(cgroups, asked.of, &part, limits)?);
    }
    let own = folder.entry(Entry::Run);
    make_own(&own, asked.person).map_err(|cause| own_failed(&own, &cause))?;
    let token = asked.run.token.as_ref();
    write_credentials(shared, token, &own, asked.person)?;
    write_task(folder, &task)
}

/// All memory that an attempt has here, in MiB; any amount if one of its places may use that.
fn whole_memory(run: &RunWork) -> u64 {
    let places = || run.tasks.iter().map(|place| place.memory_mib);
    if places().all(|mib| mib > 0) { places().sum() } else { 0 }
}

fn limit(cgroups: &Cgroups, of: Running, part: &str, limits: Limits) -> Result<PathBuf, Refused> {
    let made = cgroups.make(of, part, limits);
    made.map_err(|cause| Refused::node("no-cgroup", format!("cannot limit the task: {cause}")))
}

fn write_task(folder: &Folder, task: &TaskFile) -> Result<(), Refused> {
    folder.write(Entry::Task, task).map_err(disk)
}

#[expect(clippy::needless_pass_by_value, reason = "made to be passed to map_err")]
fn disk(error: LaunchError) -> Refused {
    Refused::node("disk-failed", error.to_string())
}

fn own_failed(path: &Path, cause: &std::io::Error) -> Refused {
    Refused::node("disk-failed", format!("cannot make {}: {cause}", path.display()))
}

/// Makes a folder that belongs to the task's user.
fn make_own(path: &Path, person: &Person) -> std::io::Result<()> {
    match fs::DirBuilder::new().mode(0o700).create(path) {
        Err(cause) if cause.kind() == std::io::ErrorKind::AlreadyExists => return Ok(()),
        made => made?,
    }
    give(path, person)
}

/// Writes what a task's programs show to the server.
fn write_credentials(
    shared: &Shared,
    token: Option<&Secret>,
    own: &Path,
    person: &Person,
) -> Result<(), Refused> {
    let Some(token) = token else { return Ok(()) };
    let files = shared.ground.cluster.files(token, own);
    files.iter().try_for_each(|(path, text)| write_own(path, text, 0o600, person))
}

/// Writes a file that belongs to the task's user. It is given away by its handle: the folder is
/// the user's already, and another process of theirs may put something else in its place.
fn write_own(path: &Path, text: &str, mode: u32, person: &Person) -> Result<(), Refused> {
    let write = || {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(path)?;
        file.write_all(text.as_bytes())?;
        let Some(ids) = &person.ids else { return Ok(()) };
        fchown(&file, Some(ids.uid), Some(ids.gid))
    };
    write().map_err(|cause| own_failed(path, &cause))
}

fn give(path: &Path, person: &Person) -> std::io::Result<()> {
    let Some(ids) = &person.ids else { return Ok(()) };
    chown(path, Some(ids.uid), Some(ids.gid))
}

/// Starts the launcher and reads what it says, which is at once or never.
fn spawn(shared: &Shared, folder: &Folder) -> Result<Child, Refused> {
    let failed = |what: &str, cause: std::io::Error| {
        Refused::node("launch-failed", format!("cannot {what}: {cause}"))
    };
    let log = folder.path().join("launcher.log");
    let log = OpenOptions::new().create(true).append(true).mode(0o600).open(log);
    let log = log.map_err(|cause| failed("write the launcher's log", cause))?;
    let mut command = Command::new(&shared.launcher);
    command.arg("launch").arg(folder.path()).env_clear();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log);
    let mut child = command.spawn().map_err(|cause| failed("start a launcher", cause))?;
    let said = child.stdout.take().expect("its output is a pipe");
    let said = std::io::read_to_string(said).unwrap_or_default();
    match serde_json::from_str(&said) {
        Ok(Word::Started) => Ok(child),
        Ok(Word::Refused(refused)) => {
            let _ = child.wait();
            Err(refused)
        }
        Err(_) => {
            let _ = child.wait();
            super::guard::settle(folder);
            let log = fs::read_to_string(folder.path().join("launcher.log")).unwrap_or_default();
            let detail = format!("the launcher ended without a word: {}", log.trim());
            Err(Refused::node("launch-failed", detail))
        }
    }
}
