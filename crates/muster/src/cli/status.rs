//! `muster status`: the cluster at a glance.

use anyhow::Result;
use clap::Args;

use super::connect::Connect;
use super::print;
use super::show::cluster;

/// Show the cluster at a glance
#[derive(Debug, Args)]
pub(crate) struct Status {
    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connect: Connect,
}

impl Status {
    pub(crate) async fn run(&self) -> Result<()> {
        let client = self.connect.client()?;
        let view = client.cluster().await?;
        match self.json {
            true => print::json(&view),
            false => print::text(&cluster::glance(("server", client.url()), &view)),
        }
    }
}
