//! `muster agent`: runs the agent of this node until it is told to stop.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use muster_agent::Settings;
use muster_agent::settings::Secret;

use crate::config;

/// Run the agent of this node: it launches tasks for a server and reports on them.
#[derive(Debug, Args)]
pub(crate) struct Agent {
    /// Where the server is.
    #[arg(long, env = "MUSTER_SERVER", value_name = "URL")]
    server: Option<String>,
    /// A file with the token to join with; else it is taken from `MUSTER_TOKEN`.
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// A file with the certificates to trust.
    #[arg(long, value_name = "FILE")]
    trust: Option<PathBuf>,
    /// The node's name; the machine's by default.
    #[arg(long)]
    name: Option<String>,
    /// Where other nodes reach this one; its name by default.
    #[arg(long)]
    address: Option<String>,
    /// The folder for the agent's state.
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// `auto`, `none`, or declared ones such as H100x8.
    #[arg(long)]
    gpus: Option<String>,
    /// A file with further settings (TOML).
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Run all tasks as the agent's own account.
    #[arg(long)]
    run_as_agent: bool,
    /// Let tasks run as root if their job names that account.
    #[arg(long)]
    allow_root: bool,
}

impl Agent {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        tracing_subscriber::fmt().with_writer(std::io::stderr).with_target(false).init();
        let settings = self.settings()?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(async {
            let shutdown = told_to_stop()?;
            muster_agent::run(settings, shutdown).await.context("the agent does not start")
        })
    }

    /// The file first, then what the command line says.
    fn settings(self) -> anyhow::Result<Settings> {
        let mut settings = match &self.config {
            None => Settings::default(),
            Some(path) => config::read(path, Settings::read)?,
        };
        let said = |to: &mut String, from: Option<String>| {
            if let Some(from) = from {
                *to = from;
            }
        };
        said(&mut settings.server, self.server);
        said(&mut settings.gpus, self.gpus);
        settings.trust = self.trust.or(settings.trust);
        settings.name = self.name.or(settings.name);
        settings.address = self.address.or(settings.address);
        settings.run_as_agent |= self.run_as_agent;
        settings.allow_root |= self.allow_root;
        if let Some(data) = self.data {
            settings.data = data;
        }
        if let Some(path) = &self.token_file {
            let token = std::fs::read_to_string(path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            settings.token = Secret::new(token.trim());
        } else if let Ok(token) = std::env::var("MUSTER_TOKEN") {
            settings.token = Secret::new(token);
        }
        anyhow::ensure!(
            settings.server.starts_with("http://") || settings.server.starts_with("https://"),
            "no server is named\nhint: muster agent --server https://HOST:PORT"
        );
        Ok(settings)
    }
}

/// Done when the process is asked to end.
fn told_to_stop() -> anyhow::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}
