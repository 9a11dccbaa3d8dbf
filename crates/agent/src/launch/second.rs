//! The second stage: a process that becomes the task. It joins the task's cgroup, drops to its
//! user, opens its files as that user, and executes the program. It has one thread, so what it
//! sets for its thread it sets for itself.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use rustix::fs::{Gid, Mode, Uid};
use rustix::process::{Resource, Rlimit, Signal};

use super::folder::{Entry, Folder};
use super::stream::TERMINAL;
use super::{LaunchError, Process, Refused, TaskFile, cgroup};

/// The variable that tells a task in Slurm's words its own number.
const OWN_NUMBER: &str = "SLURM_TASK_PID";

/// Becomes the task of a folder. Only comes back if that fails, which the launcher has then heard.
pub fn become_task(path: &Path) -> Result<(), LaunchError> {
    let said = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3);
    let mut said = File::from(said.map_err(LaunchError::system("keep the launcher's pipe"))?);
    let refused = match prepare(path) {
        Ok(task) => execute(&task),
        Err(refused) => refused,
    };
    let text = serde_json::to_vec(&refused).expect("a refusal is plain data");
    let told = said.write_all(&text);
    told.map_err(|cause| LaunchError::System { what: "tell the launcher", cause })
}

fn prepare(path: &Path) -> Result<TaskFile, Refused> {
    let folder = Folder::at(path);
    let broken = |error: LaunchError| Refused::node("launch-failed", error.to_string());
    let task: Option<TaskFile> = folder.read(Entry::Task).map_err(broken)?;
    let launcher: Option<Process> = folder.read(Entry::Launcher).map_err(broken)?;
    let (Some(task), Some(launcher)) = (task, launcher) else {
        return Err(Refused::node("launch-failed", format!("{} is not whole", path.display())));
    };
    if let Some(path) = &task.cgroup {
        let refused = |cause| format!("cannot join {}: {cause}", path.display());
        cgroup::join(path).map_err(|cause| Refused::node("no-cgroup", refused(cause)))?;
    }
    limit(&task)?;
    drop_to_user(&task)?;
    die_with(&launcher)?;
    rustix::process::umask(Mode::from_raw_mode(task.umask));
    std::env::set_current_dir(&task.directory).map_err(|cause| {
        let detail = format!("cannot start in {}: {cause}", task.directory.display());
        Refused::job("no-such-folder", detail)
    })?;
    match task.has_terminal() {
        true => take_terminal(&folder)?,
        false => redirect(&task)?,
    }
    Ok(task)
}

fn limit(task: &TaskFile) -> Result<(), Refused> {
    let Some(most) = task.open_files else { return Ok(()) };
    let limit = Rlimit { current: Some(most), maximum: Some(most) };
    rustix::process::setrlimit(Resource::Nofile, limit).map_err(|errno| {
        Refused::node("limit-not-set", format!("cannot allow {most} open files: {errno}"))
    })
}

/// Groups first: without the right to choose a user, groups cannot be chosen any more.
pub(super) fn drop_to_user(task: &TaskFile) -> Result<(), Refused> {
    let Some(user) = &task.user else { return Ok(()) };
    let groups: Vec<Gid> = user.groups.iter().map(|group| Gid::from_raw(*group)).collect();
    let (uid, gid) = (Uid::from_raw(user.uid), Gid::from_raw(user.gid));
    rustix::thread::set_thread_groups(&groups)
        .and_then(|()| rustix::thread::set_thread_res_gid(gid, gid, gid))
        .and_then(|()| rustix::thread::set_thread_res_uid(uid, uid, uid))
        .map_err(|errno| {
            Refused::node("no-such-right", format!("cannot become user {}: {errno}", user.uid))
        })
}

/// A task does not outlive its launcher: without it nobody would note its end, or end it with the
/// lease. The wish is dropped by a change of user, so it comes after.
fn die_with(launcher: &Process) -> Result<(), Refused> {
    let failed = |detail: String| Refused::node("launch-failed", detail);
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(|errno| failed(format!("cannot tie the task to its launcher: {errno}")))?;
    let parent = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get());
    match parent == Some(launcher.pid) {
        true => Ok(()),
        false => Err(failed("the launcher has gone".to_owned())),
    }
}

/// Leads a session of its own, whose terminal is the first that it opens.
fn take_terminal(folder: &Folder) -> Result<(), Refused> {
    let broken = |what: &dyn std::fmt::Display| {
        Refused::node("launch-failed", format!("cannot take the terminal: {what}"))
    };
    rustix::process::setsid().map_err(|errno| broken(&errno))?;
    let path = folder.entry(Entry::Run).join(TERMINAL);
    let opened = OpenOptions::new().read(true).write(true).open(path);
    let opened = opened.map_err(|cause| broken(&cause))?;
    rustix::stdio::dup2_stdin(&opened)
        .and_then(|()| rustix::stdio::dup2_stdout(&opened))
        .and_then(|()| rustix::stdio::dup2_stderr(&opened))
        .map_err(|errno| broken(&errno))
}

/// Opens the task's files as its user, so that nobody reads or writes what is not theirs.
fn redirect(task: &TaskFile) -> Result<(), Refused> {
    let bad = |path: &Path, cause: &dyn std::fmt::Display| {
        Refused::job("no-such-file", format!("cannot open {}: {cause}", path.display()))
    };
    let broken = |errno: rustix::io::Errno| Refused::node("launch-failed", errno.to_string());
    let input = task.input.as_deref().unwrap_or(Path::new("/dev/null"));
    let opened = File::open(input).map_err(|cause| bad(input, &cause))?;
    rustix::stdio::dup2_stdin(&opened).map_err(broken)?;
    let mut output = None;
    if let Some(path) = &task.output {
        let opened = open_output(path, task.append).map_err(|cause| bad(path, &cause))?;
        rustix::stdio::dup2_stdout(&opened).map_err(broken)?;
        rustix::stdio::dup2_stderr(&opened).map_err(broken)?;
        output = opened.metadata().ok();
    }
    if let Some(path) = &task.error {
        // Emptying a file that is already open for the output would lose what is there.
        let same = |one: &std::fs::Metadata, two: &std::fs::Metadata| {
            (one.dev(), one.ino()) == (two.dev(), two.ino())
        };
        let there = std::fs::metadata(path).ok();
        let is_same = there.zip(output).is_some_and(|(one, two)| same(&one, &two));
        if !is_same {
            let opened = open_output(path, task.append).map_err(|cause| bad(path, &cause))?;
            rustix::stdio::dup2_stderr(&opened).map_err(broken)?;
        }
    }
    Ok(())
}

/// Always at the end of the file, so that several tasks can write to one.
fn open_output(path: &Path, append: bool) -> std::io::Result<File> {
    if !append {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(0o666).open(path)?;
    }
    OpenOptions::new().create(true).append(true).mode(0o666).open(path)
}

/// Only comes back with the reason why it failed.
fn execute(task: &TaskFile) -> Refused {
    let Some((program, arguments)) = task.command.split_first() else {
        return Refused::job("no-command", "the job names no command");
    };
    let mut command = Command::new(program);
    command.args(arguments).env_clear().envs(&task.environment);
    // Only the process itself knows its number.
    if task.environment.contains_key(OWN_NUMBER) {
        command.env(OWN_NUMBER, std::process::id().to_string());
    }
    let cause = command.exec();
    Refused::job("no-such-command", format!("cannot run `{program}`: {cause}"))
}
