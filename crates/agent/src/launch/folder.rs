//! The folder of a task: what stands in it, and how it is written so that a crash at any moment
//! leaves either the old or the new.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use muster_api::step::Took;
use muster_engine::command::{Exit, Running};
use muster_model::{Attempt, JobId};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::LaunchError;

/// The folder of one task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    path: PathBuf,
}

/// How a task ended, as its launcher noted it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ended {
    /// How.
    pub exit: Exit,
    /// When, in milliseconds of the machine's clock.
    pub at_ms: u64,
    /// What it took, where that was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took: Option<Took>,
}

/// The files and marks of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// What to launch; only the agent's user may read it.
    Task,
    /// The launcher's process.
    Launcher,
    /// The task's first process.
    Child,
    /// How it ended.
    Exit,
    /// What it has written, where it names no file.
    Output,
    /// The folder that belongs to the task's user.
    Run,
    /// Set once a resize has taken the task away.
    Left,
    /// Set once the node has been given up with the task on it: that is how it ends.
    GivenUp,
    /// Set once the server has heard of the end.
    Done,
    /// Set once its program was told why it is ended.
    Said,
    /// Set once what follows the attempt was done.
    Finished,
    /// Which orders have been carried out.
    Heard,
}

impl Entry {
    fn name(self) -> &'static str {
        match self {
            Entry::Task => "task.json",
            Entry::Launcher => "launcher",
            Entry::Child => "child",
            Entry::Exit => "exit",
            Entry::Output => "output",
            Entry::Run => "run",
            Entry::Left => "left",
            Entry::GivenUp => "given-up",
            Entry::Done => "done",
            Entry::Said => "said",
            Entry::Finished => "finished",
            Entry::Heard => "heard",
        }
    }
}

impl Folder {
    /// The folder at a path, which need not be there.
    pub fn at(path: impl Into<PathBuf>) -> Folder {
        Folder { path: path.into() }
    }

    /// The folder of a task below the folder of all tasks.
    pub fn of(tasks: &Path, of: Running, rank: u32) -> Folder {
        Folder::at(tasks.join(format!("{}.{}.{rank}", of.job.0, of.attempt.0)))
    }

    /// The folder of a task of a step.
    pub fn of_step(tasks: &Path, of: Running, step: u32, rank: u32) -> Folder {
        Folder::at(tasks.join(format!("{}.{}.s{step}.{rank}", of.job.0, of.attempt.0)))
    }

    /// Which task of which step a folder's name stands for.
    pub fn parse_step(name: &str) -> Option<(Running, u32, u32)> {
        let (attempt, step) = name.split_once(".s")?;
        let (job, attempt) = attempt.split_once('.')?;
        let of = Running { job: JobId(job.parse().ok()?), attempt: Attempt(attempt.parse().ok()?) };
        let (step, rank) = step.split_once('.')?;
        Some((of, step.parse().ok()?, rank.parse().ok()?))
    }

    /// Which task a folder's name stands for.
    pub fn parse(name: &str) -> Option<(Running, u32)> {
        let mut numbers = name.split('.');
        let job = JobId(numbers.next()?.parse().ok()?);
        let attempt = Attempt(numbers.next()?.parse().ok()?);
        let rank = numbers.next()?.parse().ok()?;
        numbers.next().is_none().then_some((Running { job, attempt }, rank))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where one of its entries is.
    pub fn entry(&self, entry: Entry) -> PathBuf {
        self.path.join(entry.name())
    }

    /// Whether an entry is there.
    pub fn has(&self, entry: Entry) -> bool {
        self.entry(entry).exists()
    }

    /// Makes the folder anew. Others may pass through it to the task's own folder, not look.
    pub fn create(&self) -> Result<(), LaunchError> {
        self.remove()?;
        let made = fs::DirBuilder::new().mode(0o711).create(&self.path);
        made.map_err(|cause| self.failed("create", &self.path, cause))
    }

    /// Removes it with everything in it.
    pub fn remove(&self) -> Result<(), LaunchError> {
        match fs::remove_dir_all(&self.path) {
            Err(cause) if cause.kind() != ErrorKind::NotFound => {
                Err(self.failed("remove", &self.path, cause))
            }
            _ => Ok(()),
        }
    }

    /// Sets a mark.
    pub fn mark(&self, entry: Entry) -> Result<(), LaunchError> {
        let path = self.entry(entry);
        let made = OpenOptions::new().create(true).append(true).mode(0o600).open(&path);
        made.map(|_| ()).map_err(|cause| self.failed("write", &path, cause))
    }

    /// What an entry holds; nothing where it is not there.
    pub fn read<T: DeserializeOwned>(&self, entry: Entry) -> Result<Option<T>, LaunchError> {
        let path = self.entry(entry);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(None),
            Err(cause) => return Err(self.failed("read", &path, cause)),
        };
        let read = serde_json::from_slice(&text);
        read.map(Some).map_err(|cause| LaunchError::Damaged { path, cause })
    }

    /// Writes an entry as a whole or not at all, readable for our user only.
    pub fn write<T: Serialize>(&self, entry: Entry, value: &T) -> Result<(), LaunchError> {
        let path = self.entry(entry);
        let text = serde_json::to_vec(value)
            .map_err(|cause| LaunchError::Damaged { path: path.clone(), cause })?;
        // How a task ended is all that is left of it; the rest is of use only while the machine
        // is up, and then the kernel has it.
        let is_kept = entry == Entry::Exit;
        replace(&path, &text, is_kept).map_err(|cause| self.failed("write", &path, cause))
    }

    #[expect(clippy::unused_self, reason = "reads as the folder's own failure")]
    fn failed(&self, what: &'static str, path: &Path, cause: std::io::Error) -> LaunchError {
        LaunchError::File { what, path: path.to_owned(), cause }
    }
}

/// Puts a file in the place of another in one step; with `is_kept`, also if the power fails.
pub(crate) fn replace(path: &Path, text: &[u8], is_kept: bool) -> std::io::Result<()> {
    let beside = path.with_extension("new");
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
    file.write_all(text)?;
    if is_kept {
        file.sync_all()?;
    }
    fs::rename(&beside, path)?;
    if let Some(parent) = path.parent().filter(|_| is_kept) {
        File::open(parent)?.sync_all()?;
    }
    Ok(())
}
