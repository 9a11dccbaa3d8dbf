//! The flags that say which cluster is meant. Without any, the one on this machine.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use muster_client::{Client, Options};

/// Which cluster.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Cluster")]
pub(crate) struct Connect {
    /// The address of the server [default: $MUSTER_SERVER, or the one on this machine]
    #[arg(long, value_name = "URL", conflicts_with = "data")]
    pub(crate) server: Option<String>,

    /// A file that holds the token [default: $MUSTER_TOKEN, or what `muster login` kept]
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,

    /// The certificate that vouches for the server's, as PEM [default: $MUSTER_CA]
    #[arg(long, value_name = "FILE")]
    pub(crate) ca: Option<PathBuf>,

    /// The data directory of a server on this machine [default: $MUSTER_DATA]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
}

impl Connect {
    pub(crate) fn options(&self) -> Options {
        let said = Options {
            server: self.server.clone(),
            token_file: self.token_file.clone(),
            ca: self.ca.clone(),
            data: self.data.clone(),
            ..Options::default()
        };
        said.or_environment(|name| std::env::var(name).ok())
    }

    pub(crate) fn client(&self) -> Result<Client> {
        Ok(Client::find(&self.options())?)
    }
}
