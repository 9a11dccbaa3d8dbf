//! The processes of the cluster: one server and some agents, each of its own, and their launchers.

use std::fs::{File, OpenOptions};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use muster_agent::launch::folder::Entry;
use muster_agent::launch::{Folder, Process};
use rustix::process::{Pid, Signal, kill_process};

use crate::http::Api;

/// Nodes of the cluster.
pub(crate) const NODES: usize = 3;

/// GPUs of each node.
pub(crate) const GPUS: u64 = 4;

/// The lease of nodes, in milliseconds: as short as a server allows.
pub(crate) const LEASE_MS: u64 = 2_000;

/// How long a server may take to answer for the first time.
const START: Duration = Duration::from_secs(60);

/// A server and its agents.
pub(crate) struct Cluster {
    folder: PathBuf,
    pub(crate) port: u16,
    server: Option<Child>,
    agents: Vec<Option<Child>>,
}

impl Cluster {
    /// Starts everything.
    pub(crate) fn start(folder: &Path) -> Cluster {
        std::fs::create_dir(folder.join(crate::task::LOCKS)).expect("the folder is new");
        let config = format!("lease = {LEASE_MS}\nrenew = 400\n");
        std::fs::write(folder.join("muster.toml"), config).expect("the folder is ours");
        let settings = "cpus = 64\nmemory = \"64GiB\"\nrun_as_agent = true\n\
                        address = \"127.0.0.1\"\n";
        std::fs::write(folder.join("agent.toml"), settings).expect("the folder is ours");
        let agents = (0..NODES).map(|_| None).collect();
        let port = free_port();
        let mut cluster = Cluster { folder: folder.to_owned(), port, server: None, agents };
        cluster.start_server();
        cluster.await_server();
        let token = cluster.secret("agent");
        std::fs::write(folder.join("join"), token).expect("the folder is ours");
        (0..NODES).for_each(|node| cluster.start_agent(node));
        cluster
    }

    /// A token for everything.
    pub(crate) fn token(&self) -> String {
        self.secret("admin")
    }

    fn secret(&self, name: &str) -> String {
        let text = std::fs::read_to_string(self.folder.join("server/credentials.json"));
        let text = text.expect("a server writes its credentials before it answers");
        let read: serde_json::Value = serde_json::from_str(&text).expect("they are JSON");
        read[name].as_str().expect("it names both").to_owned()
    }

    pub(crate) fn start_server(&mut self) {
        let mut command = self.muster("server.log");
        command.arg("server").arg("--config").arg(self.folder.join("muster.toml"));
        command.arg("--data").arg(self.folder.join("server"));
        command.arg("--listen").arg(format!("127.0.0.1:{}", self.port));
        self.server = Some(command.spawn().expect("the server can be started"));
    }

    /// Waits until the server answers.
    pub(crate) fn await_server(&self) {
        let api = Api { port: self.port, token: String::new() };
        let begun = Instant::now();
        while !matches!(api.ask("GET /healthz", None, ""), Ok((200, _))) {
            assert!(begun.elapsed() < START, "the server does not answer: see server.log");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub(crate) fn start_agent(&mut self, node: usize) {
        let mut command = self.muster(&format!("agent-{node}.log"));
        command.args(["agent", "--server", &format!("http://127.0.0.1:{}", self.port)]);
        command.arg("--config").arg(self.folder.join("agent.toml"));
        command.arg("--token-file").arg(self.folder.join("join"));
        command.arg("--data").arg(self.agent_folder(node));
        command.args(["--name", &format!("node-{node}"), "--gpus", &format!("H100x{GPUS}")]);
        self.agents[node] = Some(command.spawn().expect("the agent can be started"));
    }

    fn muster(&self, log: &str) -> Command {
        let log = OpenOptions::new().create(true).append(true).open(self.folder.join(log));
        let log: File = log.expect("the folder is ours");
        let mut command = Command::new(env!("CARGO_BIN_EXE_muster"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        command
    }

    fn agent_folder(&self, node: usize) -> PathBuf {
        self.folder.join(format!("node-{node}"))
    }

    /// Kills the server; whether it was still there to be killed.
    pub(crate) fn kill_server(&mut self) -> bool {
        self.server.take().is_none_or(kill)
    }

    /// Kills an agent; whether it was still there to be killed.
    pub(crate) fn kill_agent(&mut self, node: usize) -> bool {
        self.agents[node].take().is_none_or(kill)
    }

    /// All launchers that are alive.
    pub(crate) fn launchers(&self) -> Vec<Process> {
        let mut found = Vec::new();
        for node in 0..NODES {
            let entries = std::fs::read_dir(self.agent_folder(node).join("tasks"));
            for entry in entries.into_iter().flatten().flatten() {
                let folder = Folder::at(entry.path());
                if folder.has(Entry::Exit) {
                    continue;
                }
                let launcher: Option<Process> = folder.read(Entry::Launcher).ok().flatten();
                found.extend(launcher.filter(Process::is_alive));
            }
        }
        found.sort_by_key(|launcher| launcher.started);
        found
    }

    /// Ends everything that was started here.
    pub(crate) fn stop(&mut self) {
        self.kill_server();
        for node in 0..NODES {
            self.kill_agent(node);
        }
        for launcher in self.launchers() {
            kill_launcher(&launcher);
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Kills one launcher.
pub(crate) fn kill_launcher(launcher: &Process) {
    if let Some(pid) = Pid::from_raw(launcher.pid) {
        // One that has just ended is as good.
        let _ = kill_process(pid, Signal::KILL);
    }
}

fn kill(mut child: Child) -> bool {
    let was_there = matches!(child.try_wait(), Ok(None));
    // One that has ended by itself is told of above.
    let _ = child.kill();
    let _ = child.wait();
    was_there
}

/// A port below those that the system gives to whoever connects: while the server is down, one of
/// these might get its port.
fn free_port() -> u16 {
    let first = 20_000 + u16::try_from(std::process::id() % 8_000).expect("it is below 8000");
    let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    (first..29_000).find(is_free).expect("some port is free")
}
