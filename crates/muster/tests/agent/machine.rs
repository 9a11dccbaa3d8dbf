//! An agent as a process of its own, and duties for it.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use muster_agent::launch::folder::Entry;
use muster_agent::launch::{Folder, Process};
use muster_api::duty::{Gang, RunWork};
use muster_api::{Program, TaskDuty};
use muster_engine::action::TaskPlace;
use muster_engine::command::Running;
use muster_model::{Attempt, GpuSet, JobId, Name, QueueName};

use super::server::Server;

/// A machine with an agent on it, which can be killed and started again.
pub(super) struct Machine {
    data: tempfile::TempDir,
    agent: Option<Child>,
    more: Vec<String>,
}

impl Machine {
    /// A machine whose agent runs tasks as itself.
    pub(super) fn new() -> Machine {
        Machine::with(&["--run-as-agent"])
    }

    pub(super) fn with(more: &[&str]) -> Machine {
        let more = more.iter().map(|word| (*word).to_owned()).collect();
        Machine { data: tempfile::tempdir().unwrap(), agent: None, more }
    }

    pub(super) fn start(&mut self, server: &Server) {
        self.start_by(server, |_| {});
    }

    /// An agent that looks for programs in a folder first.
    pub(super) fn start_with_path(&mut self, server: &Server, first: &Path) {
        let path = std::env::var("PATH").unwrap_or_default();
        self.start_by(server, |command| {
            command.env("PATH", format!("{}:{path}", first.display()));
        });
    }

    fn start_by(&mut self, server: &Server, set: impl FnOnce(&mut Command)) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_muster"));
        command.args(["agent", "--name", "node-1", "--gpus", "H100x4", "--server", &server.url]);
        command.arg("--data").arg(self.data.path()).args(&self.more).env("MUSTER_TOKEN", "none");
        set(&mut command);
        self.agent = Some(command.stdout(Stdio::null()).spawn().unwrap());
    }

    /// The agent is gone from one moment to the next.
    pub(super) fn kill(&mut self) {
        let mut agent = self.agent.take().expect("an agent runs");
        agent.kill().unwrap();
        agent.wait().unwrap();
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.data.path().join(name)
    }

    pub(super) fn folder(&self, of: Running, rank: u32) -> Folder {
        Folder::of(&self.path("tasks"), of, rank)
    }

    pub(super) fn process(&self, of: Running, rank: u32, entry: Entry) -> Process {
        self.folder(of, rank).read(entry).unwrap().expect("it is noted")
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        if let Some(mut agent) = self.agent.take() {
            let _ = agent.kill();
            let _ = agent.wait();
        }
        // Launchers end their tasks when the lease has ended: it has.
        let _ = std::fs::remove_file(self.path("lease"));
        for entry in std::fs::read_dir(self.path("tasks")).into_iter().flatten().flatten() {
            let folder = Folder::at(entry.path());
            for entry in [Entry::Child, Entry::Launcher] {
                let process: Option<Process> = folder.read(entry).ok().flatten();
                let _ = process.is_some_and(|process| process.signal_group(9));
            }
        }
    }
}

pub(super) fn of(job: u64, attempt: u32) -> Running {
    Running { job: JobId(job), attempt: Attempt(attempt) }
}

/// A duty to run a script of the shell in so many tasks.
pub(super) fn script(text: &str, tasks: u32) -> RunWork {
    let gang = Gang {
        name: Name::from("train"),
        user: Name::from("user-a"),
        queue: QueueName::from("vision"),
        element: None,
        tasks,
        nodes: vec![Name::from("node-1")],
        node_rank: 0,
        rendezvous: None,
        shares: Vec::new(),
        launched_ms: None,
        restarts: 0,
        limit_ms: None,
    };
    let task = |rank| TaskDuty {
        place: TaskPlace { group: 0, rank, gpus: GpuSet::one(rank), share: None },
        rank,
        local_rank: rank,
        cpus_milli: 1000,
        memory_mib: 64,
    };
    let program = Arc::new(Program { script: Some(text.to_owned()), ..Program::default() });
    let tasks = (0..tasks).map(task).collect();
    RunWork {
        tasks,
        gang,
        program,
        resize: None,
        pause: None,
        signal: None,
        steps: Vec::new(),
        token: None,
    }
}
