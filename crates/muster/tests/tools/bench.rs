//! A cluster whose nodes have names that every tool can look up, and tools against it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::cluster::{Said, said};
use super::processes::{Processes, port, until};
use super::python::Python;

const BINARY: &str = env!("CARGO_BIN_EXE_muster");

/// Longer than any story takes; one that hangs says so.
const PATIENCE_S: &str = "180";

/// A cluster that runs, with the stories in its folder.
pub(crate) struct Bench {
    // Before the folder, so that they end before it goes.
    processes: Processes,
    folder: tempfile::TempDir,
    environment: Vec<(&'static str, String)>,
    // Last, so that the next one starts when everything of this one is gone.
    _turn: File,
}

impl Bench {
    /// One with so many nodes of eight GPUs each.
    pub(crate) fn start(nodes: u32) -> Bench {
        let turn = turn();
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        copy_stories(folder.path());
        let data = folder.path().join("data").display().to_string();
        let environment = vec![("MUSTER_DATA", data)];
        let mut bench = Bench { processes: Processes::default(), folder, environment, _turn: turn };
        let url = bench.server();
        // It listens a moment before it has said how it is found.
        let mut token = String::new();
        until("a token", || {
            token = bench.muster(&["token", "create", "--user", "nodes", "--role", "agent"]).out;
            !token.is_empty()
        });
        for number in 1..=nodes {
            // Tools connect to nodes by their names. These are found on every machine.
            bench.agent(&url, token.trim(), &format!("127.0.0.{number}"));
        }
        let nodes = usize::try_from(nodes).expect("a small number");
        until("all nodes", || bench.muster(&["nodes"]).out.matches(" up ").count() == nodes);
        let links = bench.path("bin").display().to_string();
        let made = bench.muster(&["slurm", "install", &links]);
        assert_eq!(made.code, 0, "{made:?}");
        bench
    }

    /// Runs a command where the stories are, as a user of this cluster and of a Python.
    pub(crate) fn run(&self, python: Option<&Python>, words: &[&str]) -> Said {
        let usual = std::env::var("PATH").unwrap_or_default();
        let mut path = format!("{}:{usual}", self.path("bin").display());
        if let Some(python) = python {
            path = format!("{}:{path}", python.programs().display());
        }
        let mut command = Command::new("timeout");
        command.args(["--kill-after=5", PATIENCE_S]).args(words).env("PATH", path);
        self.finish(command)
    }

    /// What a file says that a job wrote.
    pub(crate) fn written(&self, name: &str) -> String {
        let path = self.path(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| format!("{name}: {error}"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn muster(&self, arguments: &[&str]) -> Said {
        let mut command = Command::new(BINARY);
        command.args(arguments);
        self.finish(command)
    }

    fn finish(&self, mut command: Command) -> Said {
        command.envs(self.environment.iter().cloned()).env_remove("MUSTER_SERVER");
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        said(command.output().expect("it starts"))
    }

    fn server(&mut self) -> String {
        let listen = format!("127.0.0.1:{}", port());
        let mut command = Command::new(BINARY);
        command.args(["server", "--listen", &listen]).arg("--data").arg(self.path("data"));
        let log = self.path("server.log");
        self.processes.start(&mut command, &log);
        until("the server", || std::net::TcpStream::connect(&listen).is_ok());
        format!("http://{listen}")
    }

    fn agent(&mut self, url: &str, token: &str, name: &str) {
        let text = format!(
            "server = \"{url}\"\nname = \"{name}\"\naddress = \"127.0.0.1\"\ngpus = \"H100x8\"\n\
             cpus = 16\nmemory = \"64GiB\"\ndata = \"{}\"\nrun_as_agent = true\n",
            self.path(&format!("node-{name}")).display()
        );
        let config = self.path(&format!("{name}.toml"));
        std::fs::write(&config, text).expect("the folder is ours");
        let mut command = Command::new(BINARY);
        command.arg("agent").arg("--config").arg(&config).env("MUSTER_TOKEN", token);
        let log = self.path(&format!("{name}.log"));
        self.processes.start(&mut command, &log);
    }
}

/// Waits for our turn. Tools listen at ports that follow from the numbers of jobs, which begin
/// anew in every cluster: there is one at a time on a machine.
fn turn() -> File {
    let path = std::env::temp_dir().join("muster-tools.lock");
    let file = File::create(&path).expect("the folder for temporary files can be written");
    file.lock().expect("a file can be locked");
    file
}

/// Jobs find the stories where they are submitted.
fn copy_stories(to: &Path) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools/stories");
    for story in std::fs::read_dir(from).expect("the stories are in the repository") {
        let story = story.expect("the folder can be read");
        std::fs::copy(story.path(), to.join(story.file_name())).expect("the folder is ours");
    }
}
