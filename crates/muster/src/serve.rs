//! `muster server` and `muster config`: a control plane by its configuration file.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;
use muster_api::Endpoint;
use muster_api::answer::ENDPOINT_FILE;
use muster_server::access::Role;
use muster_server::config::ServerFile;
use muster_server::{Server, ServerSettings};

use crate::up::keep_private;
use crate::{config, stop};

/// Run the control plane: it takes in jobs, decides, and tells agents
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// The configuration file; without one, everything has its default.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The folder of the journal and the history.
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Where to listen.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<std::net::SocketAddr>,
}

impl Serve {
    pub(crate) fn run(self) -> Result<()> {
        let mut file = match &self.config {
            Some(path) => config::read(path, ServerFile::read)?,
            None => ServerFile::default(),
        };
        file.data = self.data.unwrap_or(file.data);
        file.listen = self.listen.unwrap_or(file.listen);
        if !file.listen.ip().is_loopback() {
            bail!(
                "{} can be reached from other machines, which needs TLS; that is not there yet\n\
                 hint: listen on 127.0.0.1 and put a TLS proxy in front",
                file.listen
            );
        }
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(serve(file.settings()))
    }
}

async fn serve(settings: ServerSettings) -> Result<()> {
    let stop = stop::asked()?;
    let data = settings.data.clone();
    let server = Server::start(settings).await?;
    for warning in &server.warnings {
        eprintln!("warning: {warning}");
    }
    let address = server.address()?;
    let admin = Credentials::keep(&data, &server)?.admin;
    let url = format!("http://{address}");
    let endpoint = Endpoint { url: url.clone(), pid: std::process::id(), token: admin };
    let path = data.join(ENDPOINT_FILE);
    keep_private(&path, &serde_json::to_vec(&endpoint)?)?;
    let times = [server.times.files, server.times.snapshot, server.times.replay];
    eprintln!("{}", started(&url, server.replayed, times.map(|time| time.as_millis())));
    let served = server.serve(stop).await;
    // A file that is left behind leads to a server that does not answer, which the CLI says.
    let _ = std::fs::remove_file(&path);
    Ok(served?)
}

/// What a server's first line begins with.
pub(crate) const LISTENS: &str = "muster server listens on ";

/// The first line of a server: where it is, and where the time of its start went, in milliseconds.
pub(crate) fn started(url: &str, replayed: u64, [files, snapshot, replay]: [u128; 3]) -> String {
    format!(
        "{LISTENS}{url}; {replayed} entries replayed ({files} ms for the files, {snapshot} ms for \
         the snapshot, {replay} ms for the replay)"
    )
}

/// Tokens of a data directory for who may read it: one to do everything, one for its own agents.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Credentials {
    pub(crate) admin: String,
    pub(crate) agent: String,
}

impl Credentials {
    /// Those that are there and good, or new ones.
    pub(crate) fn keep(data: &Path, server: &Server) -> Result<Credentials> {
        let path = data.join("credentials.json");
        let kept = std::fs::read(&path).ok().and_then(|text| serde_json::from_slice(&text).ok());
        let is_good = |kept: &Credentials| server.knows(&kept.admin) && server.knows(&kept.agent);
        if let Some(kept) = kept.filter(is_good) {
            return Ok(kept);
        }
        let user = crate::cli::login_name()?;
        let made = Credentials {
            admin: server.token(&user, Role::Admin, None, "of the data directory")?,
            agent: server.token("agent", Role::Agent, None, "of the data directory")?,
        };
        keep_private(&path, &serde_json::to_vec(&made)?)?;
        Ok(made)
    }
}
