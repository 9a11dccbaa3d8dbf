//! A whole server: the driver, the API on a socket, and the watch over silent nodes.

#[cfg(test)]
mod tests;

use std::future::Future;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::serve::ListenerExt;
use muster_engine::command::Command;
use muster_model::{ClusterSpec, Time};
use muster_store::{SqliteHistory, StoreError};
use thiserror::Error;
use tokio::net::TcpListener;

use crate::access::{Door, JobKey, KeyError, NewToken, Role};
use crate::activity::Activity;
use crate::alerts::{AlertRule, Desk};
use crate::driver::{self, DriverError, Running, StartError, StartTimes};
use crate::entry::Entry;
use crate::http::{self, App, Bygone, LogDesk, Past};
use crate::idle;
use crate::limit::{Limiter, Limits};
use crate::links::{LeaseTerms, Links, Recovered, granted};
use crate::metrics::{MetricsSettings, Tally};
use crate::oidc::{Oidc, OidcRefusal, OidcSettings};
use crate::picture::Picture;
use crate::tls::{self, Tls, TlsError, TlsListener, TlsSettings};
use crate::upkeep::Upkeep;

/// How often silent nodes are looked for.
const WATCH: Duration = Duration::from_millis(250);

/// What a server needs to know.
#[derive(Clone, Debug)]
pub struct ServerSettings {
    /// Where the journal and the history are.
    pub data: PathBuf,
    /// Where it listens; port 0 for any that is free.
    pub listen: SocketAddr,
    /// The cluster, for a data directory that has none yet.
    pub cluster: ClusterSpec,
    /// The leases of agents.
    pub leases: LeaseTerms,
    /// How connections are secured.
    pub tls: TlsSettings,
    /// How much one user may ask.
    pub limits: Limits,
    /// What it does beside its work.
    pub upkeep: Upkeep,
    /// Whose accounts are accepted besides our own tokens.
    pub oidc: Option<OidcSettings>,
    /// How the cluster looks to those who use Slurm's commands.
    pub slurm: muster_api::SlurmSettings,
    /// What GPUs cost.
    pub prices: crate::prices::Prices,
    /// Who may read `/metrics`.
    pub metrics: MetricsSettings,
    /// What to look for, and whom to tell.
    pub alerts: Vec<AlertRule>,
}

/// Why a server does not run.
#[derive(Debug, Error)]
pub enum ServerError {
    /// It cannot start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// Its files.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The issuer of accounts.
    #[error("`oidc` cannot be used: {0}")]
    Oidc(#[from] OidcRefusal),
    /// Its certificate.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// Its key for jobs.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// Its socket.
    #[error("cannot listen on {address}: {error}\nhint: choose another with --listen")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        error: std::io::Error,
    },
    /// It stopped by itself.
    #[error("the server stopped: {0}")]
    Stopped(String),
}

/// A server that is ready.
#[derive(Debug)]
pub struct Server {
    app: Arc<App>,
    running: Running,
    listener: TcpListener,
    tls: Option<Tls>,
    /// The name by which this machine reaches it, where its certificate is not good for addresses.
    name: Option<String>,
    /// What an operator should read.
    pub warnings: Vec<String>,
    /// Entries that were replayed.
    pub replayed: u64,
    /// How long the parts of the start took.
    pub times: StartTimes,
}

impl Server {
    /// Opens the files, replays the journal, takes the socket.
    pub async fn start(settings: ServerSettings) -> Result<Server, ServerError> {
        let ServerSettings { data, listen, cluster, leases, tls: secured, limits, upkeep, .. } =
            settings;
        let (oidc, slurm, prices) = (settings.oidc, settings.slurm, settings.prices);
        let metrics = settings.metrics;
        let (alerts, warning) = Desk::open(settings.alerts, &data);
        let directory = data.clone();
        let started = move || driver::start(&directory, cluster, upkeep);
        let started = tokio::task::spawn_blocking(started)
            .await
            .map_err(|error| ServerError::Stopped(error.to_string()))??;
        let driver::Start { driver, running, mut access, mut warnings, replayed, times } = started;
        let tls = Tls::prepare(&secured, &data, listen)?;
        warnings.extend(secured.warning(listen));
        warnings.extend(warning);
        let name = secured.own().and_then(|_| secured.names.first().cloned());
        let nodes = driver.shared().read().agents();
        let lease = granted::begin(&mut access, leases.lease)?;
        let links = Links::new(leases, driver.now(), Recovered { lease, nodes });
        let tally = Tally::new(driver.now().0);
        let app = Arc::new(App {
            driver,
            links,
            door: Door::open(access)?,
            job_key: JobKey::open(&data)?,
            past: past(&data),
            bygone: Bygone::new(data.clone()),
            stall: Duration::from_millis(upkeep.stall.0),
            logs: LogDesk::default(),
            activity: Activity::default(),
            picture: Picture::default(),
            authority: tls.as_ref().and_then(|tls| Some(tls.authority.as_ref()?.0.clone())),
            limiter: Limiter::new(limits),
            oidc: oidc.map(Oidc::new).transpose()?,
            slurm,
            prices,
            gone_ms: upkeep.retention.gone_ms(),
            metrics,
            alerts,
            tally,
            data,
            sight: tokio::sync::RwLock::new(()),
        });
        let listener = TcpListener::bind(listen)
            .await
            .map_err(|error| ServerError::Listen { address: listen, error })?;
        Ok(Server { app, running, listener, tls, name, warnings, replayed, times })
    }

    /// Where this machine reaches it.
    pub fn url(&self) -> std::io::Result<String> {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        let mut address = tls::local_address(self.address()?);
        if let Some(name) = self.name.as_ref().filter(|_| self.tls.is_some()) {
            match name.parse() {
                Ok(ip) => address.set_ip(ip),
                Err(_) => return Ok(format!("{scheme}://{name}:{}", address.port())),
            }
        }
        Ok(format!("{scheme}://{address}"))
    }

    /// The cluster's own certificate authority, if it has one, and where its certificate is.
    pub fn authority(&self) -> Option<(&muster_api::Authority, &Path)> {
        let (authority, path) = self.tls.as_ref()?.authority.as_ref()?;
        Some((authority, path))
    }

    /// Where it listens.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Makes a token, for who starts the server.
    pub fn token(
        &self,
        user: &str,
        role: Role,
        expires: Option<Time>,
        note: &str,
    ) -> Result<String, ServerError> {
        let (user, note) = (user.to_owned(), note.to_owned());
        let new = NewToken { user, role, queue: None, expires, note };
        Ok(self.app.door.issue(new, self.app.driver.now())?.1)
    }

    /// Whether a token is one of ours and good.
    pub fn knows(&self, secret: &str) -> bool {
        self.app.door.caller(secret, self.app.driver.now()).is_some()
    }

    /// The levels of its topology, widest first, as nodes must name their domains.
    pub fn levels(&self) -> Vec<String> {
        let control = self.app.driver.shared().read();
        control.cluster().levels.iter().map(ToString::to_string).collect()
    }

    /// Serves until `stop`, then lets go of everything in order.
    pub async fn serve(self, stop: impl Future<Output = ()> + Send) -> Result<(), ServerError> {
        let Server { app, running, listener, tls, .. } = self;
        let router = http::router(Arc::clone(&app));
        let watch = tokio::spawn(watch_nodes(Arc::clone(&app)));
        let pass = tokio::spawn(watch_pass(Arc::clone(&app)));
        let picture = tokio::spawn(keep_picture(Arc::clone(&app)));
        let idle = tokio::spawn(idle::watch(Arc::clone(&app)));
        let longer = tokio::spawn(forget_longer_leases(Arc::clone(&app)));
        let looking = tokio::spawn(look_for_alerts(Arc::clone(&app)));
        let telling = tokio::spawn(tell_of_alerts(Arc::clone(&app)));
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        // Directives and events are small and told one by one: none may wait for the next. A
        // connection that cannot be set so is only slower.
        let serving = async move {
            let Some(tls) = tls else {
                let prompt = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
                return axum::serve(prompt, service).await;
            };
            let secured = TlsListener::new(listener, tls.config())?;
            let prompt = secured.tap_io(|stream| drop(stream.get_ref().0.set_nodelay(true)));
            tokio::select! {
                served = axum::serve(prompt, service).into_future() => served,
                () = tls.keep_fresh() => Ok(()),
            }
        };
        tokio::select! {
            () = stop => {}
            served = serving => {
                if let Err(error) = served {
                    return Err(ServerError::Stopped(error.to_string()));
                }
            }
        }
        watch.abort();
        pass.abort();
        picture.abort();
        idle.abort();
        longer.abort();
        looking.abort();
        telling.abort();
        drop(app);
        let stopped = tokio::task::spawn_blocking(move || running.stop());
        let stopped = stopped.await.map_err(|error| ServerError::Stopped(error.to_string()))?;
        stopped.map_err(ServerError::Stopped)
    }
}

/// Readers of the history in a data directory.
fn past(data: &Path) -> Past {
    let directory = data.to_owned();
    Past::new(move || {
        let reader = SqliteHistory::open_read_only(&directory)?;
        Ok(Box::new(reader))
    })
}

/// Says so loudly, once, when a part of the driver's pass takes too long, and when it is over.
async fn watch_pass(app: Arc<App>) {
    let mut ticks = tokio::time::interval(WATCH);
    let mut told = None;
    loop {
        ticks.tick().await;
        let stall = app.driver.shared().pulse().stalled(app.stall);
        match (stall, told) {
            (Some(stall), None) => tracing::error!("{stall}; nothing is decided meanwhile"),
            (None, Some(_)) => tracing::warn!("the driver goes on"),
            _ => {}
        }
        told = stall;
    }
}

/// Draws the cluster for those who look.
async fn keep_picture(app: Arc<App>) {
    app.picture.keep(app.driver.clone(), &app.activity).await;
}

/// Looks for what asks for attention.
async fn look_for_alerts(app: Arc<App>) {
    app.alerts.look(&app).await;
}

/// Tells those who asked for it.
async fn tell_of_alerts(app: Arc<App>) {
    app.alerts.tell(&app).await;
}

/// Once leases from before the start that were longer have ended, the next start need not wait for
/// them. Should this not come to pass, it waits longer than it must.
async fn forget_longer_leases(app: Arc<App>) {
    let Some(wait) = app.links.longer_leases() else { return };
    tokio::time::sleep(Duration::from_millis(wait.0)).await;
    let kept = tokio::task::spawn_blocking(move || app.door.keep_lease(app.links.terms().lease));
    let _ = kept.await;
}

/// Tells the engine of nodes that have been silent for too long.
async fn watch_nodes(app: Arc<App>) {
    let mut ticks = tokio::time::interval(WATCH);
    loop {
        ticks.tick().await;
        let _sight = app.sight.write().await;
        let silent = app.links.silent(app.driver.now());
        let lost = silent
            .into_iter()
            .map(|(node, lease_ends)| Entry::Told(Command::NodeLost { node, lease_ends }));
        let lost: Vec<Entry> = lost.collect();
        // Each is named once, so it must arrive. A driver that has stopped has no use for it.
        while app.driver.record(lost.clone()).await == Err(DriverError::Busy) {
            tokio::time::sleep(WATCH).await;
        }
    }
}
