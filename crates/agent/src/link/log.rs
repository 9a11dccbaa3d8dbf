//! Sends what a task has written, from where it is asked for, and follows it until the task ends.

use std::io::{self, SeekFrom};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio::sync::mpsc;

use crate::host::Output;

/// How much is read at once.
const PART: usize = 64 << 10;

/// How many parts may wait for the network.
const PARTS_MAX: usize = 4;

/// How often a file that is followed is looked at.
const LOOK: Duration = Duration::from_millis(100);

/// What is read, part by part.
#[derive(Debug)]
pub(super) struct Parts {
    parts: mpsc::Receiver<Vec<u8>>,
}

impl futures_core::Stream for Parts {
    type Item = Result<Vec<u8>, io::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.parts.poll_recv(context).map(|part| part.map(Ok))
    }
}

/// Begins to read. A file that cannot be read is told about in its place.
pub(super) fn read(output: Option<Output>, from: i64, follow: bool) -> Parts {
    let (sender, parts) = mpsc::channel(PARTS_MAX);
    tokio::spawn(async move {
        let told = match output {
            None => Err(io::Error::other("nothing of this task is kept on its node any more")),
            Some(output) => copy(&output, from, follow, &sender).await,
        };
        if let Err(error) = told {
            let _ = sender.send(format!("muster: {error}\n").into_bytes()).await;
        }
    });
    Parts { parts }
}

async fn copy(
    output: &Output,
    from: i64,
    follow: bool,
    parts: &mpsc::Sender<Vec<u8>>,
) -> io::Result<()> {
    let mut file = open(output)?;
    let length = file.metadata().await?.len();
    let start = match u64::try_from(from) {
        Ok(start) => start,
        Err(_) => length.saturating_sub(from.unsigned_abs()),
    };
    file.seek(SeekFrom::Start(start)).await?;
    loop {
        // Whether it has ended is asked before reading: what is written in between is then read.
        let is_over = !follow || output.exit.exists();
        let mut part = vec![0; PART];
        let read = file.read(&mut part).await?;
        if read > 0 {
            part.truncate(read);
            if parts.send(part).await.is_err() {
                return Ok(());
            }
        } else if is_over || parts.is_closed() {
            return Ok(());
        } else {
            tokio::time::sleep(LOOK).await;
        }
    }
}

/// Opens a plain file that belongs to the task's user, and nothing else: a job may name any path,
/// also one that only the agent may read, or one that blocks whoever opens it.
fn open(output: &Output) -> io::Result<tokio::fs::File> {
    let nonblocking = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or(0);
    let mut options = std::fs::OpenOptions::new();
    let file = options.read(true).custom_flags(nonblocking).open(&output.path)?;
    let found = file.metadata()?;
    if !found.is_file() || output.owner.is_some_and(|owner| found.uid() != owner) {
        let path = output.path.display();
        return Err(io::Error::other(format!("{path} is not a file of the job's user")));
    }
    Ok(tokio::fs::File::from_std(file))
}

#[cfg(test)]
mod tests {
    use super::{Parts, read};
    use crate::host::Output;

    async fn text(mut parts: Parts) -> String {
        let mut all = Vec::new();
        while let Some(part) = parts.parts.recv().await {
            all.extend(part);
        }
        String::from_utf8(all).unwrap()
    }

    #[tokio::test]
    async fn a_log_is_read_from_either_end_and_followed_until_the_task_ends() {
        let folder = tempfile::tempdir().unwrap();
        let (path, exit) = (folder.path().join("output"), folder.path().join("exit"));
        std::fs::write(&path, "0123456789").unwrap();
        let output = Output { path: path.clone(), owner: None, exit: exit.clone() };
        assert_eq!(text(read(Some(output.clone()), 4, false)).await, "456789");
        assert_eq!(text(read(Some(output.clone()), -3, false)).await, "789");
        assert_eq!(text(read(Some(output.clone()), -30, false)).await, "0123456789");
        let mut followed = read(Some(output), 8, true);
        assert_eq!(followed.parts.recv().await.unwrap(), b"89");
        std::fs::write(&path, "0123456789ab").unwrap();
        assert_eq!(followed.parts.recv().await.unwrap(), b"ab");
        std::fs::write(&exit, "").unwrap();
        assert_eq!(text(followed).await, "");
    }

    #[tokio::test]
    async fn a_file_of_somebody_else_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("output");
        std::fs::write(&path, "secret").unwrap();
        let owner = std::os::unix::fs::MetadataExt::uid(&std::fs::metadata(&path).unwrap()) + 1;
        let exit = folder.path().join("exit");
        let output = Output { path, owner: Some(owner), exit: exit.clone() };
        let said = text(read(Some(output), 0, false)).await;
        assert!(said.contains("not a file of the job's user"), "{said}");
        let device = Output { path: "/dev/zero".into(), owner: None, exit };
        let said = text(read(Some(device), 0, false)).await;
        assert!(said.contains("not a file"), "{said}");
    }
}
