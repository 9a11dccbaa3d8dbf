//! A whole server: the driver, the API on a socket, and the watch over silent nodes.

use std::future::Future;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::serve::ListenerExt;
use muster_engine::command::Command;
use muster_model::{ClusterSpec, NodeId, Time};
use muster_store::{SqliteHistory, StoreError};
use thiserror::Error;
use tokio::net::TcpListener;

use crate::access::{Door, NewToken, Role};
use crate::driver::{self, DriverError, Running, StartError, StartTimes};
use crate::entry::Entry;
use crate::http::{self, App, LogDesk, Past};
use crate::limit::{Limiter, Limits};
use crate::links::{LeaseTerms, Links};

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
    /// How much one user may ask.
    pub limits: Limits,
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
        let ServerSettings { data, listen, cluster, leases, limits } = settings;
        let directory = data.clone();
        let started = tokio::task::spawn_blocking(move || driver::start(&directory, cluster))
            .await
            .map_err(|error| ServerError::Stopped(error.to_string()))??;
        let driver::Start { driver, running, access, warnings, replayed, times } = started;
        let seen: Vec<NodeId> = driver.shared().read().seen_nodes();
        let links = Links::new(leases, driver.now(), seen);
        let app = Arc::new(App {
            driver,
            links,
            door: Door::open(access)?,
            past: past(&data),
            logs: LogDesk::default(),
            limiter: Limiter::new(limits),
            sight: tokio::sync::RwLock::new(()),
        });
        let listener = TcpListener::bind(listen)
            .await
            .map_err(|error| ServerError::Listen { address: listen, error })?;
        Ok(Server { app, running, listener, warnings, replayed, times })
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

    /// Serves until `stop`, then lets go of everything in order.
    pub async fn serve(self, stop: impl Future<Output = ()> + Send) -> Result<(), ServerError> {
        let Server { app, running, listener, .. } = self;
        let router = http::router(Arc::clone(&app));
        let watch = tokio::spawn(watch_nodes(Arc::clone(&app)));
        // Directives and events are small and told one by one: none may wait for the next.
        let prompt = listener.tap_io(|stream| {
            // A connection that cannot be set so is only slower.
            let _ = stream.set_nodelay(true);
        });
        let serving = axum::serve(prompt, router).into_future();
        tokio::select! {
            () = stop => {}
            served = serving => {
                if let Err(error) = served {
                    return Err(ServerError::Stopped(error.to_string()));
                }
            }
        }
        watch.abort();
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
