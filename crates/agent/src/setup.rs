//! Starts an agent: its folder, its node, what it finds there, and the way to its server.

use std::fs;
use std::future::Future;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use tokio::sync::mpsc;

use crate::agent::{ANSWERS_MAX, Agent, Requests};
use crate::clock;
use crate::compose::account::Accounts;
use crate::compose::cluster::Cluster;
use crate::compose::{Ground, container};
use crate::counting::Counting;
use crate::discovery::{self, Discovered, DiscoveryError};
use crate::gauge::Gauge;
use crate::host::real::{RealHost, Shared};
use crate::host::simulated::SimulatedHost;
use crate::host::{self, Host};
use crate::join;
use crate::launch::LaunchError;
use crate::launch::cgroup::Cgroups;
use crate::launch::lease::LeaseFile;
use crate::link::Link;
use crate::link::backoff::chance;
use crate::mind::{Found, Happening, Mind};
use crate::settings::Settings;

/// Announcements are counted on from the number of starts times two to this: no agent announces
/// itself more often than that between two starts.
const STARTS_SHIFT: u32 = 32;

/// Why an agent does not start.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// A file of the agent cannot be used.
    #[error("cannot use {path}: {cause}")]
    Folder {
        /// The file.
        path: PathBuf,
        /// Why not.
        cause: std::io::Error,
    },
    /// Another agent uses the folder.
    #[error("another agent runs with the folder {0}; give each its own with --data")]
    Taken(PathBuf),
    /// The node cannot be described.
    #[error(transparent)]
    Discovery(#[from] DiscoveryError),
    /// What an earlier agent left cannot be read.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// The node has nothing to show.
    #[error(
        "there is no token for the server, and this node has not joined one\nhint: an operator \
         makes a join token with `muster token join`; give it with --join-file or MUSTER_JOIN"
    )]
    NoToken,
    /// The node is not let in.
    #[error("cannot join {server}: {why}")]
    Join {
        /// The server.
        server: String,
        /// Why not.
        why: String,
    },
    /// The way to the server cannot be made.
    #[error("cannot talk to {server}: {cause}")]
    Link {
        /// The server.
        server: String,
        /// Why not.
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// Runs an agent until the future is done. Its tasks run on after it, unless its settings say that
/// they end with it.
pub async fn run(settings: Settings, shutdown: impl Future<Output = ()>) -> Result<(), AgentError> {
    let found = discovery::discover(&settings)?;
    for note in &found.notes {
        tracing::info!("{note}");
    }
    let name = found.spec.name.to_string();
    let _lock = settings.simulate.is_none().then(|| prepare(&settings.data)).transpose()?;
    tokio::pin!(shutdown);
    let settings = tokio::select! {
        entered = join::enter(settings, &name) => entered?,
        () = &mut shutdown => return Ok(()),
    };
    let (teller, happenings) = host::happenings();
    let (answerer, answers) = mpsc::channel(ANSWERS_MAX);
    let link = Link::new(&settings, answerer)
        .map_err(|cause| AgentError::Link { server: settings.server.clone(), cause })?;
    let now_ms = clock::boot_ms();
    let mut announced = 0;
    let (mind, host, instance): (Mind, Box<dyn Host>, String) = match settings.simulate {
        Some(span) => {
            let host = SimulatedHost::new(Duration::from_millis(span.0), teller);
            (Mind::new(now_ms, Vec::new(), 0), Box::new(host), made_up())
        }
        None => {
            announced = starts(&settings.data)? << STARTS_SHIFT;
            let instance = instance(&settings.data)?;
            let (host, attempts, lease_ms) = open(&settings, &found, teller)?;
            (Mind::new(now_ms, attempts, lease_ms), Box::new(host), instance)
        }
    };
    let agent = Agent {
        mind,
        host,
        link,
        address: settings.address.clone().unwrap_or(name),
        instance,
        announced,
        stop_tasks: settings.stop_tasks,
        spec: found.spec,
        requests: Requests::default(),
        counting: Counting::new(Gauge::of(&found.gpus)),
    };
    agent.work(happenings, answers, shutdown).await;
    Ok(())
}

fn open(
    settings: &Settings,
    found: &Discovered,
    teller: mpsc::Sender<Happening>,
) -> Result<(RealHost, Vec<Found>, u64), AgentError> {
    let lease = LeaseFile::at(settings.data.join("lease"));
    let lease_ms = lease.until_ms();
    let cgroups = Cgroups::prepare().map_err(|why| {
        tracing::warn!("tasks run without limits on CPU and memory: {why}");
    });
    let path = std::env::var("PATH").unwrap_or_default();
    let own = || PathBuf::from("/proc/self/exe");
    let launcher = settings.launcher.clone();
    let launcher = launcher.or_else(|| std::env::current_exe().ok()).unwrap_or_else(own);
    let shared = Shared {
        tasks: settings.data.join("tasks"),
        ground: Ground {
            node: found.spec.name.to_string(),
            gpus: found.gpus.clone(),
            lease: lease.path().to_owned(),
            runtimes: container::installed(&path),
            open_files: settings.open_files,
            checkpoints: settings.checkpoints.clone(),
            cluster: cluster(settings)?,
            program: Some(launcher.clone()).filter(|it| settings.run_as_agent || is_for_all(it)),
        },
        accounts: Accounts::new(settings.run_as_agent, settings.allow_root),
        cgroups: cgroups.ok(),
        launcher,
        hooks: settings.hooks.clone(),
        kept_bytes: settings.kept_output.0.saturating_mul(1 << 20),
        lease,
    };
    let (host, attempts) = RealHost::open(shared, teller)?;
    Ok((host, attempts, lease_ms))
}

/// The cluster as tasks see it: they cannot read what the agent keeps.
fn cluster(settings: &Settings) -> Result<Cluster, AgentError> {
    let read = |path: &PathBuf| {
        let text = fs::read_to_string(path);
        text.map_err(|cause| AgentError::Folder { path: path.clone(), cause })
    };
    let authority = settings.ca.as_ref().map(read).transpose()?;
    Ok(Cluster { server: settings.server.clone(), authority })
}

/// Whether every account may run a program: a container of theirs could not be made otherwise.
fn is_for_all(program: &Path) -> bool {
    let allows = |path: &Path, bits: u32| {
        fs::metadata(path).is_ok_and(|it| it.permissions().mode() & bits == bits)
    };
    allows(program, 0o005) && program.ancestors().skip(1).all(|folder| allows(folder, 0o001))
}

/// Makes the agent's folder and takes it for this process: two agents would launch twice.
fn prepare(data: &Path) -> Result<fs::File, AgentError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |cause| AgentError::Folder { path, cause }
    };
    let tasks = data.join("tasks");
    // Others pass through to the folders that are theirs; they cannot look around.
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true).mode(0o711).create(&tasks).map_err(failed(&tasks))?;
    let path = data.join("lock");
    let lock = fs::File::create(&path).map_err(failed(&path))?;
    flock(&lock, FlockOperation::NonBlockingLockExclusive)
        .map_err(|_| AgentError::Taken(data.to_owned()))?;
    Ok(lock)
}

/// The number that this agent made up when it was first set up.
fn instance(data: &Path) -> Result<String, AgentError> {
    let path = data.join("instance");
    let known = fs::read_to_string(&path).ok().map(|text| text.trim().to_owned());
    if let Some(known) = known.filter(|known| !known.is_empty()) {
        return Ok(known);
    }
    let instance = made_up();
    crate::launch::folder::replace(&path, instance.as_bytes(), true)
        .map_err(|cause| AgentError::Folder { path, cause })?;
    Ok(instance)
}

/// How often an agent was started here, this time included.
fn starts(data: &Path) -> Result<u64, AgentError> {
    let path = data.join("starts");
    let before = fs::read_to_string(&path).ok().and_then(|text| text.trim().parse().ok());
    let starts: u64 = before.unwrap_or(0) + 1;
    crate::launch::folder::replace(&path, starts.to_string().as_bytes(), true)
        .map_err(|cause| AgentError::Folder { path, cause })?;
    Ok(starts)
}

fn made_up() -> String {
    format!("{:016x}{:016x}", chance(), chance())
}
