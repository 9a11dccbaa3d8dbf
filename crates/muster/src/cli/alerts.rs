//! `muster alerts`: what asks for attention.

use anyhow::Result;
use clap::Args;

use super::connect::Connect;
use super::print;
use super::show::cluster;

/// List alerts that fire, then those that did lately
#[derive(Debug, Args)]
pub(crate) struct Alerts {
    /// Print a JSON array
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connect: Connect,
}

impl Alerts {
    pub(crate) async fn run(&self) -> Result<()> {
        let alerts = self.connect.client()?.alerts().await?;
        print::list(self.json, &alerts, cluster::alerts)
    }
}
