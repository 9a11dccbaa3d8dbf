//! `muster agent`: runs the agent of this node until it is told to stop.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use muster_agent::Settings;
use muster_api::Secret;

use crate::{config, stop};

/// Run the agent of this node: it launches tasks for a server and reports on them.
#[derive(Debug, Args)]
pub(crate) struct Agent {
    /// Where the server is.
    #[arg(long, env = "MUSTER_SERVER", value_name = "URL")]
    server: Option<String>,
    /// The join token of a new node. Others on this machine can see it here: better is
    /// --join-file.
    #[arg(long, value_name = "TOKEN", conflicts_with_all = ["join_file", "token_file"])]
    join: Option<String>,
    /// A file with the join token of a new node, `-` for standard input [default: $MUSTER_JOIN].
    #[arg(long, value_name = "FILE", conflicts_with = "token_file")]
    join_file: Option<PathBuf>,
    /// A file with a token that is the node's already [default: $MUSTER_TOKEN].
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// A file with the certificates to trust instead of those of the system; not needed with a
    /// join token.
    #[arg(long, env = "MUSTER_CA", value_name = "FILE")]
    ca: Option<PathBuf>,
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
            let shutdown = stop::asked()?;
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
        settings.ca = self.ca.filter(|path| !path.as_os_str().is_empty()).or(settings.ca);
        settings.name = self.name.or(settings.name);
        settings.address = self.address.or(settings.address);
        settings.run_as_agent |= self.run_as_agent;
        settings.allow_root |= self.allow_root;
        if let Some(data) = self.data {
            settings.data = data;
        }
        let variable = |name| {
            let said = std::env::var(name).ok().map(|text| Secret::new(&text));
            said.filter(|secret| !secret.is_empty())
        };
        let join = match (&self.join, &self.join_file) {
            (Some(token), _) => Some(Secret::new(token)),
            // A node that has joined does not need the file any more.
            (None, Some(path)) if !is_stdin(path) && !path.exists() => {
                eprintln!("{} is not there, so there is no join token", path.display());
                None
            }
            (None, Some(path)) => Some(secret(path)?),
            (None, None) => variable("MUSTER_JOIN"),
        };
        if let Some(path) = &self.token_file {
            settings.token = secret(path)?;
        } else if let Some(join) = join {
            settings.join = join;
        } else if let Some(token) = variable("MUSTER_TOKEN") {
            settings.token = token;
        }
        anyhow::ensure!(
            settings.server.starts_with("http://") || settings.server.starts_with("https://"),
            "no server is named\nhint: muster agent --server https://HOST:PORT"
        );
        Ok(settings)
    }
}

/// The secret in a file, or in what is typed or piped in.
fn secret(path: &Path) -> anyhow::Result<Secret> {
    let read = match is_stdin(path) {
        true => std::io::read_to_string(std::io::stdin()),
        false => std::fs::read_to_string(path),
    };
    let text = read.with_context(|| format!("cannot read {}", path.display()))?;
    Ok(Secret::new(&text))
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}
