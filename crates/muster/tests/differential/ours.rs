//! Muster with the same nodes: a server, three agents, and Slurm's commands by their names.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::case::Environment;
use crate::processes::{Processes, port, until};
use crate::real::{CPUS, NODES};

/// A cluster that runs.
pub(crate) struct Ours {
    // Before the folder, so that they end before it goes.
    processes: Processes,
    folder: tempfile::TempDir,
    environment: Environment,
}

const BINARY: &str = env!("CARGO_BIN_EXE_muster");

impl Ours {
    pub(crate) fn start() -> Ours {
        let folder = tempfile::Builder::new().prefix("ms").tempdir_in("/tmp");
        let folder = folder.expect("a temporary folder can be made");
        let path = format!("{}:/usr/bin:/bin:/usr/sbin:/sbin", folder.path().join("bin").display());
        let environment = vec![
            ("PATH".to_owned(), path),
            ("MUSTER_DATA".to_owned(), folder.path().join("data").display().to_string()),
        ];
        let mut ours = Ours { processes: Processes::default(), folder, environment };
        let url = ours.server();
        // It listens a moment before it has said how it is found.
        let mut token = String::new();
        until("a token", || {
            token = ours.said(&["token", "create", "--user", "nodes", "--role", "agent"]);
            !token.is_empty()
        });
        for (name, gpus) in NODES {
            ours.agent(&url, token.trim(), name, gpus);
        }
        until("Muster's nodes", || {
            ours.said(&["nodes"]).lines().filter(|line| line.contains(" up ")).count()
                == NODES.len()
        });
        let bin = ours.path("bin").display().to_string();
        ours.ok(&["slurm", "install", &bin]);
        // Numbers of jobs are then as long as Slurm's, and unlike any other number of a case.
        ours.ok(&["submit", "--hold", "--array", "1-1000", "--", "true"]);
        ours.ok(&["cancel", "1"]);
        ours
    }

    pub(crate) fn environment(&self) -> &Environment {
        &self.environment
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn server(&mut self) -> String {
        let listen = format!("127.0.0.1:{}", port());
        let text = format!(
            "listen = \"{listen}\"\n[slurm]\ncluster = \"muster\"\npartition = \"main\"\n\
             [[slurm.partitions]]\nname = \"main\"\nqueue = \"default\"\nnodes = \"fast=yes\"\n\
             [[slurm.partitions]]\nname = \"short\"\nqueue = \"default\"\ntime_default = \"10m\"\n\
             time_max = \"1h\"\n"
        );
        let config = self.path("muster.toml");
        std::fs::write(&config, text).expect("the folder is ours");
        let mut command = Command::new(BINARY);
        command.arg("server").arg("--config").arg(&config).arg("--data").arg(self.path("data"));
        let log = self.path("server.log");
        self.processes.start(&mut command, &log);
        until("the server", || std::net::TcpStream::connect(&listen).is_ok());
        format!("http://{listen}")
    }

    fn agent(&mut self, url: &str, token: &str, name: &str, gpus: u32) {
        let folder = self.path(&format!("node-{name}"));
        let shown = if gpus > 0 { format!("H100x{gpus}") } else { "none".to_owned() };
        let labels = if gpus > 0 { "fast = \"yes\"\nh100 = \"yes\"\n" } else { "" };
        let text = format!(
            "server = \"{url}\"\nname = \"{name}\"\naddress = \"127.0.0.1\"\ngpus = \"{shown}\"\n\
             cpus = {CPUS}\nmemory = \"64000MiB\"\ndata = \"{}\"\nrun_as_agent = true\n\
             [labels]\n{labels}",
            folder.display()
        );
        let config = self.path(&format!("{name}.toml"));
        std::fs::write(&config, text).expect("the folder is ours");
        let mut command = Command::new(BINARY);
        command.arg("agent").arg("--config").arg(&config).env("MUSTER_TOKEN", token);
        let log = self.path(&format!("{name}.log"));
        self.processes.start(&mut command, &log);
    }

    fn said(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(BINARY);
        command.args(arguments).envs(self.environment.iter().cloned()).stderr(Stdio::null());
        let output = command.output().expect("the binary starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn ok(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(BINARY);
        let output = command.args(arguments).envs(self.environment.iter().cloned()).output();
        let output = output.expect("the binary starts");
        assert!(output.status.success(), "`muster {}`: {output:?}", arguments.join(" "));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}
