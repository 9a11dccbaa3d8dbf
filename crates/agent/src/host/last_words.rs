//! Tells a program that is about to be ended why, in its own output; signals wait for that.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::Duration;

use muster_api::duty::StopReason;
use muster_engine::command::Running;
use tokio::io::AsyncWriteExt;
use tokio::task::JoinHandle;

use super::real::Shared;
use crate::launch::folder::{Entry, Folder};
use crate::launch::{TaskFile, last_words};

/// How long the end of a program waits for its last words: its file may be on a server that is
/// away, and its GPUs are wanted.
const WITHIN: Duration = Duration::from_secs(3);

/// Words on their way, by attempt and step.
#[derive(Debug, Default)]
pub(super) struct LastWords {
    saying: BTreeMap<(Running, Option<u32>), JoinHandle<()>>,
}

impl LastWords {
    /// Begins to say why the task of a folder is ended, if it is one that is told.
    pub(super) fn begin(
        &mut self,
        shared: &std::sync::Arc<Shared>,
        (of, step): (Running, Option<u32>),
        folder: Folder,
        reason: StopReason,
    ) {
        let shared = std::sync::Arc::clone(shared);
        let saying = tokio::spawn(async move {
            match tokio::time::timeout(WITHIN, say(&shared, &folder, reason)).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::warn!("last words of {}: {error}", shown(&folder)),
                Err(_) => tracing::warn!("last words of {}: not in time", shown(&folder)),
            }
        });
        self.saying.insert((of, step), saying);
    }

    /// Sends a signal once what is to be said before is said.
    pub(super) fn then(
        &mut self,
        of: (Running, Option<u32>),
        send: impl FnOnce() + Send + 'static,
    ) {
        match self.saying.remove(&of) {
            None => send(),
            Some(saying) => {
                tokio::spawn(async move {
                    let _ = saying.await;
                    send();
                });
            }
        }
    }
}

fn shown(folder: &Folder) -> std::path::Display<'_> {
    folder.path().display()
}

async fn say(shared: &Shared, folder: &Folder, reason: StopReason) -> std::io::Result<()> {
    // An agent that is started again is told again why.
    if folder.has(Entry::Said) || folder.has(Entry::Exit) {
        return Ok(());
    }
    let task: Option<TaskFile> = folder.read(Entry::Task).ok().flatten();
    let Some(called) = task.and_then(|task| task.called) else { return Ok(()) };
    folder.mark(Entry::Said).map_err(std::io::Error::other)?;
    let line = last_words::line(&called, &jiff::Zoned::now(), reason);
    let mut command = tokio::process::Command::new(&shared.launcher);
    command.arg("launch-say").arg(folder.path()).env_clear().kill_on_drop(true);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let mut input = child.stdin.take().expect("its input is a pipe");
    input.write_all(line.as_bytes()).await?;
    drop(input);
    let done = child.wait_with_output().await?;
    match done.status.success() {
        true => Ok(()),
        false => {
            Err(std::io::Error::other(String::from_utf8_lossy(&done.stderr).trim().to_owned()))
        }
    }
}
