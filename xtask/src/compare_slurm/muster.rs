//! A Muster of one node on this machine: `muster up` with CPUs only, as much room as Slurm gets.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::race::{Runner, end, succeed};

/// CPUs that `muster up` offers at least, which are as many slots.
const CPUS: u32 = 64;

/// Jobs a second where programs submit them over HTTP, on a cluster of its own with room for 8 at
/// a time, measured by Muster itself.
pub(super) fn over_http(program: &Path, jobs: u32) -> Result<f64> {
    #[derive(Deserialize)]
    struct Processes {
        jobs_per_s: f64,
    }
    let mut command = Command::new(program);
    command.args(["bench", "cluster", "--json", "--only", "processes", "--processes"]);
    command.arg(jobs.to_string());
    let processes: Processes = serde_json::from_slice(&succeed(command)?.stdout)?;
    Ok(processes.jobs_per_s)
}

/// A Muster that runs.
pub(super) struct Muster {
    program: PathBuf,
    folder: PathBuf,
    child: Child,
    slots: u32,
}

#[derive(Deserialize)]
struct Glance {
    ended: u32,
}

impl Muster {
    pub(super) fn start(program: &Path, slots: u32) -> Result<Muster> {
        if slots > CPUS {
            bail!("`muster up` has room for {CPUS} jobs at a time\nhint: --slots {CPUS}");
        }
        let folder = std::env::temp_dir().join(format!("muster-compare-{}", std::process::id()));
        let mut command = Command::new(program);
        command.args(["up", "--gpus", "none", "--listen", "127.0.0.1:0", "--data"]).arg(&folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().context("cannot start muster")?;
        // It speaks once it is up.
        let mut line = String::new();
        let stdout = child.stdout.take().expect("its output is a pipe");
        let mut stdout = BufReader::new(stdout);
        stdout.read_line(&mut line)?;
        if line.is_empty() {
            bail!("muster did not start");
        }
        std::thread::spawn(move || stdout.lines().for_each(drop));
        Ok(Muster { program: program.to_owned(), folder, child, slots })
    }

    pub(super) fn stop(self) -> Result<()> {
        end(self.child)?;
        std::fs::remove_dir_all(&self.folder).context("cannot remove what Muster wrote")
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.arg(name).arg("--data").arg(&self.folder);
        command
    }

    /// The CPUs of a job: with them, so many fit at a time as Slurm has room for.
    fn submit(&self) -> Command {
        let mut command = self.command("submit");
        command.args(["--cpus", &(CPUS / self.slots).to_string()]);
        command
    }
}

impl Runner for Muster {
    fn single(&self) -> Command {
        let mut command = self.submit();
        command.args(["--", "/bin/sh", "-c", "true"]);
        command
    }

    fn array(&self, jobs: u32) -> Command {
        let mut command = self.submit();
        command.args(["--array", &format!("0-{}", jobs - 1), "--", "/bin/sh", "-c", "true"]);
        command
    }

    fn completed(&self) -> Result<u32> {
        let mut command = self.command("status");
        command.arg("--json");
        let glance: Glance = serde_json::from_slice(&succeed(command)?.stdout)?;
        Ok(glance.ended)
    }
}
