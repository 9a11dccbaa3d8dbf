//! `muster server`: a control plane by its configuration file.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use muster_server::ServerSettings;
use muster_server::config::ServerFile;

use crate::start::Started;
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
        tracing_subscriber::fmt().with_writer(std::io::stderr).with_target(false).init();
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(serve(file.settings()))
    }
}

async fn serve(settings: ServerSettings) -> Result<()> {
    let stop = stop::asked()?;
    let plane = Started::start(settings).await?;
    let times = [plane.server.times.files, plane.server.times.snapshot, plane.server.times.replay];
    let times = times.map(|time| time.as_millis());
    eprintln!("{}", started(&plane.url, plane.server.replayed, times));
    plane.fingerprint().iter().for_each(|line| eprintln!("{line}"));
    let Started { server, file, .. } = plane;
    let served = server.serve(stop).await;
    drop(file);
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
