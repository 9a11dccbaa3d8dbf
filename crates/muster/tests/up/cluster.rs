//! A cluster in a temporary folder, and commands against it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::patience::{await_some, until};

/// A cluster that is stopped when the test is over.
pub(crate) struct Cluster {
    folder: tempfile::TempDir,
    nodes: u32,
    /// Where it listens when it starts, at any free port at first.
    pub(crate) listen: String,
    /// Where nodes look for programs, if not where we do.
    path: Option<String>,
    up: Option<Child>,
}

/// What a command said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Cluster {
    /// Starts one with so many nodes of eight GPUs each.
    pub(crate) fn start(nodes: u32) -> Cluster {
        Cluster::with_path(nodes, None)
    }

    /// The same, with nodes that look for programs in a folder first.
    pub(crate) fn with_path(nodes: u32, first: Option<&Path>) -> Cluster {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let listen = "127.0.0.1:0".to_owned();
        let mut cluster = Cluster { folder, nodes, listen, path: None, up: None };
        let usual = std::env::var("PATH").unwrap_or_default();
        cluster.path = first.map(|first| format!("{}:{usual}", first.display()));
        cluster.up();
        cluster
    }

    /// Starts it, for the first time or again, and waits until all its nodes have joined.
    pub(crate) fn up(&mut self) {
        let mut up = self
            .command(&["up", "--listen", &self.listen, "--gpus", "H100x8"])
            .args(["--nodes", &self.nodes.to_string()])
            .envs(self.path.as_ref().map(|path| ("PATH", path)))
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let out = BufReader::new(up.stdout.take().expect("its output is ours"));
        let greeting = out.lines().map_while(Result::ok).find(|line| line.contains("is up"));
        assert!(greeting.is_some(), "the cluster did not come up");
        self.up = Some(up);
        let all = format!("nodes   {}", self.nodes);
        await_some(|| self.muster(&["status"]).out.contains(&all).then_some(()));
    }

    /// Stops it as Ctrl-C does.
    pub(crate) fn down(&mut self) {
        let Some(mut up) = self.up.take() else { return };
        let id = Pid::from_child(&up);
        kill_process(id, Signal::INT).expect("it is there");
        let status = up.wait().expect("it can be waited for");
        assert!(status.success(), "it stops cleanly: {status}");
    }

    /// Runs a command to its end.
    pub(crate) fn muster(&self, arguments: &[&str]) -> Said {
        said(self.command(arguments).output().expect("the binary starts"))
    }

    /// The same for one that must succeed; what it printed.
    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        let said = self.muster(arguments);
        assert_eq!(said.code, 0, "`muster {}`: {said:?}", arguments.join(" "));
        said.out
    }

    /// Submits a job and returns its number.
    pub(crate) fn submit(&self, arguments: &[&str]) -> u64 {
        let out = self.ok(&[&["submit"], arguments].concat());
        out.trim().parse().unwrap_or_else(|_| panic!("a number was expected: {out}"))
    }

    /// One job as data.
    pub(crate) fn job(&self, id: u64) -> serde_json::Value {
        let out = self.ok(&["job", &id.to_string(), "--json"]);
        serde_json::from_str(&out).expect("it is JSON")
    }

    /// Waits for an event of a job, by its kind, and returns its words.
    pub(crate) fn event(&self, job: u64, kind: &str) -> String {
        let line = until(|| {
            let out = self.ok(&["events", "--job", &job.to_string()]);
            out.lines().find(|line| line.contains(kind)).map(str::to_owned)
        });
        line.unwrap_or_else(|| panic!("job {job} never had {kind}: {}", self.ok(&["events"])))
    }

    /// A command of the binary that finds this cluster.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_muster"));
        command
            .args(arguments)
            .env("MUSTER_DATA", self.folder.path().join("data"))
            .env_remove("MUSTER_SERVER")
            .current_dir(self.folder.path());
        command
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // A test that failed must not leave its cluster behind.
        if let Some(mut up) = self.up.take() {
            let _ = kill_process(Pid::from_child(&up), Signal::INT);
            let _ = up.wait();
        }
    }
}

pub(crate) fn said(output: Output) -> Said {
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let code = output.status.code().unwrap_or(-1);
    Said { code, out: text(output.stdout), err: text(output.stderr) }
}

/// A file of the repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}
