//! A Slurm of one node in a temporary folder: its own munged, slurmctld and slurmd, with nothing
//! that costs time and is not needed: no accounting, no cgroups, no task affinity, quiet logs.

use std::fs;
use std::io::Read;
use std::net::TcpListener;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::race::{Runner, end, succeed};

/// How long the daemons may take until the node takes jobs.
const COMING: Duration = Duration::from_secs(60);

/// How its scheduler is set.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tuning {
    /// As it comes.
    Plain,
    /// Often, deep, and first come first served.
    Throughput,
}

impl Tuning {
    fn lines(self) -> &'static str {
        match self {
            Tuning::Plain => "SchedulerType=sched/backfill\n",
            Tuning::Throughput => {
                "SchedulerType=sched/builtin\n\
                 SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=1000,\
                 default_queue_depth=10000,partition_job_depth=0,sched_max_job_start=0\n"
            }
        }
    }
}

/// A Slurm that runs.
pub(super) struct Slurm {
    folder: PathBuf,
    daemons: Vec<Child>,
}

/// The version that is installed.
pub(super) fn version() -> Result<String> {
    let hint = "Slurm is not installed\nhint: --install, or apt-get install slurm-wlm munge";
    for daemon in ["munged", "slurmd", "sbatch"] {
        find(daemon).context(hint)?;
    }
    let mut command = Command::new(find("slurmctld").context(hint)?);
    command.arg("-V");
    let output = succeed(command)?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok(text.strip_prefix("slurm-wlm ").unwrap_or(&text).to_owned())
}

/// Daemons are not in everybody's path.
fn find(daemon: &str) -> Result<PathBuf> {
    let folders = ["/usr/sbin", "/sbin", "/usr/local/sbin", "/usr/bin"];
    let mut paths = folders.iter().map(|folder| Path::new(folder).join(daemon));
    paths.find(|path| path.exists()).with_context(|| format!("there is no {daemon}"))
}

impl Slurm {
    pub(super) fn start(slots: u32, tuning: Tuning) -> Result<Slurm> {
        let folder = std::env::temp_dir().join(format!("slurm-compare-{}", std::process::id()));
        let mut builder = fs::DirBuilder::new();
        builder.mode(0o755).recursive(true);
        for name in ["state", "spool", "munge"] {
            builder.create(folder.join(name)).context("cannot make a folder for Slurm")?;
        }
        let mut slurm = Slurm { folder, daemons: Vec::new() };
        slurm.prepare(slots, tuning)?;
        // What has started is stopped also where the rest does not.
        match slurm.launch().and_then(|()| slurm.wait_for_node()) {
            Ok(()) => Ok(slurm),
            Err(error) => {
                slurm.stop()?;
                Err(error)
            }
        }
    }

    fn prepare(&self, slots: u32, tuning: Tuning) -> Result<()> {
        let mut key = vec![0; 1024];
        fs::File::open("/dev/urandom")?.read_exact(&mut key)?;
        let mut options = fs::OpenOptions::new();
        let file = options.write(true).create(true).truncate(true).mode(0o600);
        std::io::Write::write_all(&mut file.open(self.path("munge/key"))?, &key)?;
        let host = succeed({
            let mut command = Command::new("hostname");
            command.arg("-s");
            command
        })?;
        let host = String::from_utf8_lossy(&host.stdout).trim().to_owned();
        let text = configuration(&self.folder, &host, slots, [port()?, port()?], tuning);
        fs::write(self.path("slurm.conf"), text).context("cannot write slurm.conf")?;
        fs::write(self.path("true.sh"), "#!/bin/sh\ntrue\n").context("cannot write the job")
    }

    fn launch(&mut self) -> Result<()> {
        let path = |name: &str| self.path(name).display().to_string();
        let munged = [
            "--foreground".to_owned(),
            "--force".to_owned(),
            format!("--socket={}", path("munge/socket")),
            format!("--key-file={}", path("munge/key")),
            format!("--pid-file={}", path("munge/pid")),
            format!("--log-file={}", path("munge/log")),
            format!("--seed-file={}", path("munge/seed")),
        ];
        self.daemon("munged", &munged)?;
        let socket = self.path("munge/socket");
        let begun = Instant::now();
        while !socket.exists() && begun.elapsed() < COMING {
            std::thread::sleep(Duration::from_millis(20));
        }
        let configuration = self.path("slurm.conf").display().to_string();
        let ours = ["-D".to_owned(), "-f".to_owned(), configuration];
        self.daemon("slurmctld", &ours)?;
        self.daemon("slurmd", &ours)
    }

    fn daemon(&mut self, name: &str, arguments: &[String]) -> Result<()> {
        let log = fs::File::create(self.path(&format!("{name}.log")))?;
        let mut command = Command::new(find(name)?);
        command.args(arguments).stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        let child = command.spawn().with_context(|| format!("cannot start {name}"))?;
        self.daemons.push(child);
        Ok(())
    }

    fn wait_for_node(&mut self) -> Result<()> {
        let begun = Instant::now();
        loop {
            let mut asked = self.command("sinfo");
            let asked = asked.args(["-h", "-o", "%T"]).output().context("cannot start sinfo")?;
            if String::from_utf8_lossy(&asked.stdout).trim() == "idle" {
                return Ok(());
            }
            if begun.elapsed() > COMING {
                let logs = ["munged.log", "slurmctld.log", "slurmd.log"];
                let said = logs.map(|log| fs::read_to_string(self.path(log)).unwrap_or_default());
                bail!("Slurm's node does not come up:\n{}", said.concat());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Stops the daemons in the opposite order, by their numbers.
    pub(super) fn stop(self) -> Result<()> {
        let Slurm { folder, mut daemons } = self;
        while let Some(daemon) = daemons.pop() {
            // One that has gone by itself need not be stopped.
            let _ = end(daemon);
        }
        fs::remove_dir_all(&folder).context("cannot remove what Slurm wrote")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(name);
        command.env("SLURM_CONF", self.path("slurm.conf")).current_dir(&self.folder);
        command
    }

    fn sbatch(&self) -> Command {
        let mut command = self.command("sbatch");
        command.args(["--parsable", "-n", "1", "-o", "/dev/null"]);
        command
    }
}

impl Runner for Slurm {
    fn single(&self) -> Command {
        let mut command = self.sbatch();
        command.arg(self.path("true.sh"));
        command
    }

    fn array(&self, jobs: u32) -> Command {
        let mut command = self.sbatch();
        command.arg(format!("--array=0-{}", jobs - 1)).arg(self.path("true.sh"));
        command
    }

    fn completed(&self) -> Result<u32> {
        let mut command = self.command("squeue");
        command.args(["-h", "-r", "-t", "CD", "-o", "%i"]);
        let text = succeed(command)?.stdout;
        Ok(u32::try_from(text.split(|byte| *byte == b'\n').count()).unwrap_or(u32::MAX) - 1)
    }
}

/// A port that nobody listens on now.
fn port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

fn configuration(
    folder: &Path,
    host: &str,
    slots: u32,
    [control, node]: [u16; 2],
    tuning: Tuning,
) -> String {
    let folder = folder.display();
    format!(
        "ClusterName=compare\nSlurmctldHost={host}(127.0.0.1)\nSlurmctldPort={control}\n\
         SlurmdPort={node}\nSlurmUser=root\nSlurmdUser=root\nAuthType=auth/munge\n\
         AuthInfo=socket={folder}/munge/socket\nStateSaveLocation={folder}/state\n\
         SlurmdSpoolDir={folder}/spool\nSlurmctldPidFile={folder}/slurmctld.pid\n\
         SlurmdPidFile={folder}/slurmd.pid\nSlurmctldDebug=error\nSlurmdDebug=error\n\
         ProctrackType=proctrack/pgid\nTaskPlugin=task/none\nMpiDefault=none\n\
         JobAcctGatherType=jobacct_gather/none\nAccountingStorageType=accounting_storage/none\n\
         JobCompType=jobcomp/none\nSelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\n\
         PropagateResourceLimits=NONE\nReturnToService=2\nMinJobAge=3600\nEpilogMsgTime=0\n\
         MaxJobCount=200000\nMaxArraySize=100001\nSlurmdParameters=config_overrides\n{}\
         NodeName={host} NodeAddr=127.0.0.1 CPUs={slots} State=UNKNOWN\n\
         PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO\n",
        tuning.lines()
    )
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Tuning, configuration};

    #[test]
    fn every_line_of_the_configuration_is_a_setting() {
        for tuning in [Tuning::Plain, Tuning::Throughput] {
            let text = configuration(Path::new("/x"), "node", 8, [1, 2], tuning);
            assert!(text.lines().all(|line| line.contains('=')), "{text}");
            assert!(text.contains("SchedulerType=") && text.contains("CPUs=8"), "{text}");
        }
    }
}
