//! `muster audit`: who changed what, or tried to.

use anyhow::Result;
use clap::Args;

use super::connect::Connect;
use super::print;
use super::show::cluster;

/// Show who changed what, or tried to, newest first
#[derive(Debug, Args)]
pub(crate) struct Audit {
    /// At most so many entries; 0 for all
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,

    /// Print a JSON array
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connect: Connect,
}

impl Audit {
    pub(crate) async fn run(&self) -> Result<()> {
        let most = (self.limit > 0).then_some(self.limit);
        let entries = self.connect.client()?.audit(most).await?;
        print::list(self.json, &entries, cluster::audit)
    }
}
