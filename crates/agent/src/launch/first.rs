//! The launcher of a task: starts the second stage, watches it and the lease, and notes the end.
//! It has no ties to the agent, which may come and go.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use muster_api::step::Took;
use muster_engine::command::Exit;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FlockOperation, flock};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{WaitOptions, WaitStatus, getpid, set_child_subreaper, setsid};

use super::folder::{Ended, Entry, Folder};
use super::lease::LeaseFile;
use super::process::{Process, kill_descendants};
use super::stream::Streams;
use super::{LaunchError, Refused, TaskFile, Word, cgroup};
use crate::clock;

/// How often a launcher looks around though nothing calls it: orphans are laid to rest then.
const LOOK_MS: u64 = 5_000;

/// How long it waits between two looks for what it has killed.
const KILLED: Duration = Duration::from_millis(2);

/// Launches the task of a folder and stays until all of it has ended. What becomes of it is
/// written to the folder, and how the start went to standard output.
pub fn launch(path: &Path) -> Result<(), LaunchError> {
    let folder = Folder::at(path);
    let Some((_claimed, task)) = claim(&folder)? else { return Ok(()) };
    // Whoever leads a group already cannot lead a session; a launcher started by hand may.
    let _ = setsid();
    set_child_subreaper(Some(getpid()))
        .map_err(LaunchError::system("adopt what the task leaves behind"))?;
    folder.write(Entry::Launcher, &own_process())?;
    let lease = LeaseFile::at(&task.lease);
    if lease.until_ms() <= clock::boot_ms() {
        let refused = Refused::node("lease-ended", "the node's lease has ended; nothing may start");
        return refuse(&folder, refused);
    }
    let mut streams = match Streams::open(&folder, &task) {
        Ok(streams) => streams,
        Err(refused) => return refuse(&folder, refused),
    };
    match start(&folder, &task, streams.as_mut())? {
        Err(refused) => {
            end_everything(&task);
            judge(&task, Exit::Stopped);
            refuse(&folder, refused)
        }
        Ok(child) => {
            say(&Word::Started)?;
            let process = i32::try_from(child.id()).ok().and_then(Process::with_number);
            let carrying =
                streams.zip(process).map(|(streams, process)| streams.carry(&folder, process));
            let exit = watch(&task, &lease, &child)?;
            end_everything(&task);
            if let Some(carrying) = carrying {
                carrying.finish();
            }
            let took = took(&task);
            let exit = judge(&task, exit);
            task.clear_away(exit);
            folder.write(Entry::Exit, &Ended { exit, at_ms: wall_ms(), took })
        }
    }
}

/// Takes the task for this launcher, for as long as it lives. Nothing if somebody else has it, or
/// if the agent has given the task up in the meantime.
fn claim(folder: &Folder) -> Result<Option<(File, TaskFile)>, LaunchError> {
    let path = folder.entry(Entry::Task);
    let failed = |cause| LaunchError::File { what: "claim", path: path.clone(), cause };
    let file = File::open(&path).map_err(failed)?;
    if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
        return Ok(None);
    }
    let number = |of: std::io::Result<std::fs::Metadata>| of.ok().map(|it| (it.dev(), it.ino()));
    if number(std::fs::metadata(&path)) != number(file.metadata()) {
        return Ok(None);
    }
    Ok(folder.read(Entry::Task)?.map(|task| (file, task)))
}

/// An agent that no longer listens finds a task that could not be started as shells would put it.
fn refuse(folder: &Folder, refused: Refused) -> Result<(), LaunchError> {
    let ended = Ended { exit: Exit::Code(127), at_ms: wall_ms(), took: None };
    folder.write(Entry::Exit, &ended)?;
    say(&Word::Refused(refused))
}

fn own_process() -> Process {
    Process::with_number(getpid().as_raw_nonzero().get()).expect("a process finds itself")
}

/// Starts the second stage and hears whether it became the program.
fn start(
    folder: &Folder,
    task: &TaskFile,
    streams: Option<&mut Streams>,
) -> Result<Result<Child, Refused>, LaunchError> {
    let output = folder.entry(Entry::Output);
    let opened = OpenOptions::new().create(true).append(true).mode(0o600).open(&output);
    let file = |cause| LaunchError::File { what: "open", path: output.clone(), cause };
    let opened = opened.map_err(file)?;
    let (heard, said) =
        pipe_with(PipeFlags::CLOEXEC).map_err(LaunchError::system("make a pipe"))?;
    let given = streams.and_then(Streams::output);
    let spawned = second_stage(folder, task, (opened, given), said);
    let child = spawned.map_err(|cause| LaunchError::System { what: "start a process", cause })?;
    let process = i32::try_from(child.id()).ok().and_then(Process::with_number);
    folder.write(Entry::Child, &process.expect("a child is there until it is waited for"))?;
    let mut word = Vec::new();
    // The pipe closes without a word when the program takes over.
    File::from(heard)
        .read_to_end(&mut word)
        .map_err(|cause| LaunchError::System { what: "hear the second stage", cause })?;
    if word.is_empty() {
        return Ok(Ok(child));
    }
    let refused = serde_json::from_slice(&word);
    Ok(Err(refused.unwrap_or_else(|_| {
        Refused::node("launch-failed", String::from_utf8_lossy(&word).into_owned())
    })))
}

/// Its standard input is the pipe until it has opened the real one: nothing but these three can be
/// handed on safely.
fn second_stage(
    folder: &Folder,
    task: &TaskFile,
    (kept, given): (File, Option<(Stdio, Stdio)>),
    said: OwnedFd,
) -> std::io::Result<Child> {
    let kept_too = kept.try_clone()?;
    let (output, error) = given.unwrap_or((Stdio::from(kept), Stdio::from(kept_too)));
    let mut command = Command::new("/proc/self/exe");
    command.arg0("muster").arg("launch-exec").arg(folder.path()).env_clear();
    // Who is to have a terminal makes a session of its own, which leaders of groups cannot.
    if !task.has_terminal() {
        command.process_group(0);
    }
    command.stdin(Stdio::from(said)).stdout(output).stderr(error);
    command.spawn()
}

/// Tells the agent, if it is still there to hear, and lets go of it.
fn say(word: &Word) -> Result<(), LaunchError> {
    let text = serde_json::to_string(word).expect("a word is plain data");
    let mut out = std::io::stdout().lock();
    // An agent that has gone finds the folder.
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
    let nothing = OpenOptions::new().read(true).write(true).open("/dev/null");
    let nothing = nothing.map_err(|cause| LaunchError::System { what: "open /dev/null", cause })?;
    rustix::stdio::dup2_stdout(&nothing).map_err(LaunchError::system("let go of the agent"))
}

/// Waits until the program has ended, or the lease has.
fn watch(task: &TaskFile, lease: &LeaseFile, child: &Child) -> Result<Exit, LaunchError> {
    let pid = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    let pid = pid.expect("the system gives out numbers of this size");
    let handle = rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty());
    let handle = handle.map_err(LaunchError::system("watch the task"))?;
    loop {
        if let Some(exit) = reap(pid)? {
            let is_fenced = lease.until_ms() <= clock::boot_ms();
            // What falls with the lease did not fail: it was taken away.
            return Ok(if is_fenced && exit == Exit::Signal(9) { Exit::Stopped } else { exit });
        }
        let left_ms = lease.until_ms().saturating_sub(clock::boot_ms());
        if left_ms == 0 {
            force(task);
            std::thread::sleep(KILLED);
            continue;
        }
        wait(&handle, left_ms.min(LOOK_MS))?;
    }
}

fn wait(handle: &OwnedFd, ms: u64) -> Result<(), LaunchError> {
    let seconds = i64::try_from(ms / 1000).unwrap_or(i64::MAX);
    let nanos = i64::try_from((ms % 1000) * 1_000_000).expect("less than a second");
    let timeout = Timespec { tv_sec: seconds, tv_nsec: nanos };
    let mut watched = [PollFd::from_borrowed_fd(handle.as_fd(), PollFlags::IN)];
    match poll(&mut watched, Some(&timeout)) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(errno) => Err(LaunchError::system("wait for the task")(errno)),
    }
}

/// Lays to rest whatever has ended; the exit of the task itself, if it is among them.
fn reap(task: rustix::process::Pid) -> Result<Option<Exit>, LaunchError> {
    loop {
        match rustix::process::wait(WaitOptions::NOHANG) {
            Ok(Some((pid, status))) if pid == task => return Ok(Some(exit_of(status))),
            Ok(Some(_)) | Err(rustix::io::Errno::INTR) => {}
            Ok(None) | Err(rustix::io::Errno::CHILD) => return Ok(None),
            Err(errno) => return Err(LaunchError::system("wait for the task")(errno)),
        }
    }
}

fn exit_of(status: WaitStatus) -> Exit {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => Exit::Code(code),
        (_, Some(signal)) => Exit::Signal(u8::try_from(signal).unwrap_or(9)),
        _ => Exit::Signal(9),
    }
}

/// Forces to end all that is left of the task. What a killed process leaves behind becomes ours,
/// so this comes to an end when we have nobody left; mostly nobody was, and nobody is looked for.
fn end_everything(task: &TaskFile) {
    loop {
        match rustix::process::wait(WaitOptions::NOHANG) {
            Err(rustix::io::Errno::CHILD) => return,
            Ok(None) => {
                force(task);
                std::thread::sleep(KILLED);
            }
            _ => {}
        }
    }
}

/// Sends all that descends from us to its end.
fn force(task: &TaskFile) {
    if let Some(path) = &task.cgroup {
        cgroup::kill(path);
    }
    kill_descendants(getpid().as_raw_nonzero().get());
}

/// What all that has ended took: all of its descendants were waited for. Where there is no cgroup
/// that counts, the memory is that of the largest process, and at least that of this program, which
/// every process of the task was for a moment.
fn took(task: &TaskFile) -> Option<Took> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).ok()?;
    let millis = |time: TimeVal| u64::try_from(time.num_milliseconds()).unwrap_or_default();
    let counted = task.cgroup.as_deref().and_then(cgroup::memory_peak_kib);
    let largest = u64::try_from(usage.max_rss()).unwrap_or_default();
    Some(Took {
        memory_peak_kib: counted.unwrap_or(largest),
        user_ms: millis(usage.user_time()),
        system_ms: millis(usage.system_time()),
    })
}

/// What the kernel ended for lack of memory did not end by a mere signal.
fn judge(task: &TaskFile, exit: Exit) -> Exit {
    let Some(path) = &task.cgroup else { return exit };
    let is_out = exit == Exit::Signal(9) && cgroup::ran_out_of_memory(path);
    cgroup::remove(path);
    if is_out { Exit::OutOfMemory } else { exit }
}

fn wall_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
