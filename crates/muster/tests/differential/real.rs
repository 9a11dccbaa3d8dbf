//! A real Slurm: munged, slurmctld, three slurmd on this machine, and its database.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::case::Environment;
use crate::processes::{Processes, port, until};

/// What must be there.
const PROGRAMS: [&str; 7] = [
    "/usr/sbin/munged",
    "/usr/sbin/slurmctld",
    "/usr/sbin/slurmd",
    "/usr/sbin/slurmdbd",
    "/usr/sbin/mariadbd",
    "/usr/bin/mariadb-install-db",
    "/usr/bin/sbatch",
];

/// The nodes by name, with their GPUs.
pub(crate) const NODES: [(&str, u32); 3] = [("n1", 4), ("n2", 4), ("m1", 0)];

/// CPUs of each node.
pub(crate) const CPUS: u32 = 32;

/// A Slurm that runs.
pub(crate) struct Real {
    // Before the folder, so that they end before it goes.
    processes: Processes,
    folder: tempfile::TempDir,
    environment: Environment,
}

impl Real {
    /// Nothing where it is not installed, or where the rights for it are missing.
    pub(crate) fn start() -> Option<Real> {
        let is_root = rustix::process::geteuid().is_root();
        if !is_root || !PROGRAMS.iter().all(|program| Path::new(program).exists()) {
            return None;
        }
        // The path of a socket must be short.
        let folder = tempfile::Builder::new().prefix("rs").tempdir_in("/tmp");
        let folder = folder.expect("a temporary folder can be made");
        let environment = vec![
            ("PATH".to_owned(), "/usr/bin:/bin:/usr/sbin:/sbin".to_owned()),
            ("SLURM_CONF".to_owned(), folder.path().join("slurm.conf").display().to_string()),
        ];
        let mut real = Real { processes: Processes::default(), folder, environment };
        real.munge();
        let ports = Ports { database: port(), daemon: port() };
        real.database(&ports);
        real.configure(&ports);
        real.register();
        real.daemons();
        Some(real)
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

    fn launch(&mut self, command: &mut Command, name: &str) {
        command.envs(self.environment.iter().cloned());
        let log = self.path(&format!("{name}.log"));
        self.processes.start(command, &log);
    }

    fn munge(&mut self) {
        fs::create_dir(self.path("munge")).expect("the folder is ours");
        let mut key = vec![0; 1024];
        let mut random = fs::File::open("/dev/urandom").expect("every system has it");
        random.read_exact(&mut key).expect("it never ends");
        let mut options = fs::OpenOptions::new();
        let file = options.write(true).create(true).mode(0o600).open(self.path("munge/key"));
        file.and_then(|mut file| file.write_all(&key)).expect("the folder is ours");
        let mut command = Command::new("/usr/sbin/munged");
        command.args(["--foreground", "--force"]);
        for (option, name) in [
            ("socket", "munge/socket"),
            ("key-file", "munge/key"),
            ("pid-file", "munge/pid"),
            ("log-file", "munge/log"),
            ("seed-file", "munge/seed"),
        ] {
            command.arg(format!("--{option}={}", self.path(name).display()));
        }
        self.launch(&mut command, "munged");
        let socket = self.path("munge/socket");
        until("munged", || socket.exists());
    }

    fn database(&mut self, ports: &Ports) {
        let data = self.path("db");
        let mut install = Command::new("/usr/bin/mariadb-install-db");
        install.args(["--no-defaults", "--user=root", "--auth-root-authentication-method=normal"]);
        install.arg("--skip-test-db").arg(format!("--datadir={}", data.display()));
        install.stdout(Stdio::null()).stderr(Stdio::null());
        assert!(install.status().is_ok_and(|it| it.success()), "no database can be made");
        let mut command = Command::new("/usr/sbin/mariadbd");
        command.args(["--no-defaults", "--user=root", "--bind-address=127.0.0.1"]);
        command.arg("--innodb-buffer-pool-size=64M").arg("--innodb-flush-log-at-trx-commit=0");
        command.arg(format!("--datadir={}", data.display()));
        command.arg(format!("--socket={}", self.path("db.sock").display()));
        command.arg(format!("--pid-file={}", self.path("db.pid").display()));
        command.arg(format!("--port={}", ports.database));
        self.launch(&mut command, "mariadbd");
        let address = format!("127.0.0.1:{}", ports.database);
        until("the database", || std::net::TcpStream::connect(&address).is_ok());
        let text = format!(
            "AuthType=auth/munge\nAuthInfo=socket={0}/munge/socket\nDbdHost=localhost\n\
             DbdPort={1}\nSlurmUser=root\nStorageType=accounting_storage/mysql\n\
             StorageHost=127.0.0.1\nStoragePort={2}\nStorageUser=root\nStorageLoc=slurm\n\
             PidFile={0}/slurmdbd.pid\n",
            self.folder().display(),
            ports.daemon,
            ports.database
        );
        let path = self.path("slurmdbd.conf");
        let mut options = fs::OpenOptions::new();
        let file = options.write(true).create(true).mode(0o600).open(path);
        file.and_then(|mut file| file.write_all(text.as_bytes())).expect("the folder is ours");
        let mut command = Command::new("/usr/sbin/slurmdbd");
        self.launch(command.arg("-D"), "slurmdbd");
        let address = format!("127.0.0.1:{}", ports.daemon);
        until("slurmdbd", || std::net::TcpStream::connect(&address).is_ok());
    }

    fn configure(&self, ports: &Ports) {
        let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
        let host = host.split('.').next().unwrap_or_default().to_owned();
        fs::create_dir(self.path("state")).expect("the folder is ours");
        for index in 0..4 {
            fs::write(self.path(&format!("gpu{index}")), "").expect("the folder is ours");
        }
        let folder = self.folder().display();
        let mut text = format!(
            "ClusterName=muster\nSlurmctldHost={host}(127.0.0.1)\nSlurmctldPort={}\n\
             SlurmUser=root\nSlurmdUser=root\nAuthType=auth/munge\n\
             AuthInfo=socket={folder}/munge/socket\nStateSaveLocation={folder}/state\n\
             SlurmdSpoolDir={folder}/spool-%n\nSlurmctldPidFile={folder}/slurmctld.pid\n\
             SlurmdPidFile={folder}/slurmd-%n.pid\nProctrackType=proctrack/linuxproc\n\
             TaskPlugin=task/none\nMpiDefault=none\nJobAcctGatherType=jobacct_gather/none\n\
             AccountingStorageType=accounting_storage/slurmdbd\n\
             AccountingStorageHost=localhost\nAccountingStoragePort={}\n\
             AccountingStoragePass={folder}/munge/socket\nJobCompType=jobcomp/none\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\n\
             PropagateResourceLimits=NONE\nReturnToService=2\nMinJobAge=3600\nKillWait=2\n\
             FirstJobId=1001\nSlurmdParameters=config_overrides\nGresTypes=gpu\n\
             PriorityType=priority/basic\n\
             SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=1000,\
             requeue_setup_env_fail\nJobRequeue=1\n",
            port(),
            ports.daemon
        );
        for (name, gpus) in NODES {
            let gres = if gpus > 0 { format!(" Gres=gpu:h100:{gpus}") } else { String::new() };
            let feature = if gpus > 0 { " Feature=fast,h100" } else { "" };
            text.push_str(&format!(
                "NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={} CPUs={CPUS} \
                 RealMemory=64000{gres}{feature} State=UNKNOWN\n",
                port()
            ));
        }
        text.push_str(
            "PartitionName=main Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP\n\
             PartitionName=short Nodes=ALL MaxTime=01:00:00 DefaultTime=10 State=UP\n",
        );
        fs::write(self.path("slurm.conf"), text).expect("the folder is ours");
        let gres = format!("NodeName=n[1-2] Name=gpu Type=h100 File={folder}/gpu[0-3]\n");
        fs::write(self.path("gres.conf"), gres).expect("the folder is ours");
    }

    /// What is not registered is not accounted.
    fn register(&self) {
        let mut command = Command::new("/usr/bin/sacctmgr");
        command.args(["-i", "add", "cluster", "muster"]).envs(self.environment.iter().cloned());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        until("the registration", || command.status().is_ok_and(|status| status.success()));
    }

    fn daemons(&mut self) {
        let mut command = Command::new("/usr/sbin/slurmctld");
        self.launch(command.arg("-D"), "slurmctld");
        for (name, _) in NODES {
            let mut command = Command::new("/usr/sbin/slurmd");
            self.launch(command.args(["-D", "-N", name]), name);
        }
        let environment = self.environment.clone();
        until("Slurm's nodes", || {
            let mut command = Command::new("/usr/bin/sinfo");
            command.args(["-h", "-N", "-p", "short", "-o", "%T"]).envs(environment.clone());
            let said = command.output().map(|output| output.stdout).unwrap_or_default();
            String::from_utf8_lossy(&said).matches("idle").count() == NODES.len()
        });
    }
}

/// Ports that others have to know.
struct Ports {
    database: u16,
    daemon: u16,
}
