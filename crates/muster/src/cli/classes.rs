//! `muster classes`: the classes jobs may be submitted under.

use anyhow::Result;
use clap::Args;

use super::connect::Connect;
use super::print;
use super::show::cluster;

/// List the classes of jobs, those that go first on top
#[derive(Debug, Args)]
pub(crate) struct Classes {
    /// Print a JSON array
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connect: Connect,
}

impl Classes {
    pub(crate) async fn run(&self) -> Result<()> {
        let classes = self.connect.client()?.policy().await?.classes;
        print::list(self.json, &classes, cluster::classes)
    }
}
