//! A folder for tasks, and a launcher for each.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use muster_agent::clock;
use muster_agent::launch::folder::{Ended, Entry};
use muster_agent::launch::lease::LeaseFile;
use muster_agent::launch::{Folder, Process, TaskFile, Word};
use muster_engine::action::TaskPlace;
use muster_engine::command::{Exit, Running};
use muster_model::{Attempt, GpuSet, JobId};

use crate::patience::await_some;

/// A place to launch tasks in.
pub(crate) struct Bench {
    folder: tempfile::TempDir,
    pub(crate) lease: LeaseFile,
}

/// A launcher at work.
pub(crate) struct Launched {
    pub(crate) folder: Folder,
    pub(crate) word: Option<Word>,
    pub(crate) launcher: Child,
}

impl Bench {
    pub(crate) fn new() -> Bench {
        let folder = tempfile::tempdir().unwrap();
        let lease = LeaseFile::at(folder.path().join("lease"));
        lease.set(clock::boot_ms() + 600_000).unwrap();
        Bench { folder, lease }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A task that runs a script of the shell.
    pub(crate) fn task(&self, script: &str) -> TaskFile {
        let command = ["/bin/sh", "-c", script].map(str::to_owned).to_vec();
        TaskFile {
            of: Running { job: JobId(7), attempt: Attempt(1) },
            rank: 0,
            place: TaskPlace { group: 0, rank: 0, gpus: GpuSet::EMPTY, share: None },
            together: vec![0],
            is_growth: false,
            held: None,
            step: None,
            listener: None,
            command,
            environment: BTreeMap::from([("PATH".to_owned(), "/usr/bin:/bin".to_owned())]),
            directory: self.folder.path().to_owned(),
            output: None,
            error: None,
            input: None,
            append: false,
            umask: 0o022,
            user: None,
            open_files: None,
            called: None,
            cgroup: None,
            clearing: Vec::new(),
            lease: self.lease.path().to_owned(),
        }
    }

    /// Launches a task and waits until its launcher has said how that went.
    pub(crate) fn launch(&self, task: &TaskFile) -> Launched {
        let folder = Folder::of(self.folder.path(), task.of, task.rank);
        folder.create().unwrap();
        folder.write(Entry::Task, task).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_muster"));
        command.arg("launch").arg(folder.path()).stdout(Stdio::piped());
        let mut launcher = command.spawn().unwrap();
        let mut said = String::new();
        launcher.stdout.take().unwrap().read_to_string(&mut said).unwrap();
        Launched { folder, word: serde_json::from_str(&said).ok(), launcher }
    }

    /// Launches a script and waits for its end.
    pub(crate) fn run(&self, script: &str) -> (Exit, String) {
        let mut launched = self.launch(&self.task(script));
        assert_eq!(launched.word, Some(Word::Started));
        (launched.exit(), launched.output())
    }
}

impl Launched {
    /// How the task ended.
    pub(crate) fn exit(&mut self) -> Exit {
        self.launcher.wait().unwrap();
        self.folder.read::<Ended>(Entry::Exit).unwrap().expect("an end is noted").exit
    }

    pub(crate) fn output(&self) -> String {
        std::fs::read_to_string(self.folder.entry(Entry::Output)).unwrap()
    }

    pub(crate) fn child(&self) -> Process {
        self.folder.read(Entry::Child).unwrap().expect("a child is noted")
    }

    /// The process whose number the task writes to a file.
    pub(crate) fn process_in(&self, path: &std::path::Path) -> Process {
        let number = await_some(|| {
            let text = std::fs::read_to_string(path).ok()?;
            text.ends_with('\n').then(|| text.trim().parse().unwrap())
        });
        Process::with_number(number).expect("it has just written its number")
    }
}

/// Waits until a process has ended.
pub(crate) fn await_end(process: &Process) {
    await_some(|| (!process.is_alive()).then_some(()));
}
