//! Waits for the end of a launcher, ours or one that an earlier agent started.

use std::path::Path;
use std::process::Child;

use muster_engine::command::Exit;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use crate::compose::environment::SAVED_FILE;
use crate::launch::folder::{Ended, Entry, Folder};
use crate::launch::process::{Process, kill_remains};
use crate::launch::{TaskFile, cgroup};

/// How often what was killed is looked for again before it is left to the kernel: processes that
/// wait for a device take their time, and nothing can be done about them.
const LOOKS_MAX: u32 = 500;

/// Waits until the launcher of a task has ended, and says how the task did.
pub(super) async fn wait(folder: Folder, mut child: Option<Child>) -> Exit {
    let launcher: Option<Process> = folder.read(Entry::Launcher).ok().flatten();
    if let Some(handle) = launcher.as_ref().and_then(Process::handle) {
        #[expect(deprecated, reason = "its successor is unsafe; an owned handle meets its terms")]
        match AsyncFd::with_interest(handle, Interest::READABLE) {
            // The handle becomes readable when the process ends, and stays so.
            Ok(handle) => drop(handle.readable().await.map(|_| ())),
            Err(error) => tracing::error!("cannot watch a launcher: {error}"),
        }
    }
    if let Some(child) = &mut child {
        // It has ended, so this does not wait; it only lays it to rest.
        let _ = child.wait();
    }
    let settled = tokio::task::spawn_blocking(move || settle(&folder)).await;
    settled.unwrap_or(Exit::Stopped)
}

/// How a task ended whose launcher is gone: by its own word. A launcher that fell without one took
/// its task with it: what is left is cleared away, and the task did not fail, it was taken away.
pub(super) fn settle(folder: &Folder) -> Exit {
    if let Ok(Some(Ended { exit, .. })) = folder.read::<Ended>(Entry::Exit) {
        return exit;
    }
    let launcher: Option<Process> = folder.read(Entry::Launcher).ok().flatten();
    let task: Option<TaskFile> = folder.read(Entry::Task).ok().flatten();
    if let Some(path) = task.as_ref().and_then(|task| task.cgroup.as_deref()) {
        clear_cgroup(path);
    }
    if let Some(launcher) = &launcher {
        clear(folder, launcher);
    }
    let exit = Exit::Stopped;
    if let Some(task) = &task {
        task.clear_away(exit);
    }
    if let Err(error) = folder.write(Entry::Exit, &Ended { exit, at_ms: 0, took: None }) {
        tracing::error!("{error}");
    }
    exit
}

fn clear(folder: &Folder, launcher: &Process) {
    let saved = folder.entry(Entry::Run).join("saved");
    let mark = format!("{SAVED_FILE}={}", saved.display());
    for _ in 0..LOOKS_MAX {
        if kill_remains(launcher, &mark) == 0 {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    tracing::error!("processes of {} cannot be ended", folder.path().display());
}

fn clear_cgroup(path: &Path) {
    cgroup::kill(path);
    cgroup::remove(path);
}
