//! `muster queues`: the queues and their books.

use anyhow::Result;
use clap::Args;

use super::connect::Connect;
use super::print;
use super::show::node;

/// List queues with what they use, are guaranteed and may have
#[derive(Debug, Args)]
pub(crate) struct Queues {
    /// Print a JSON array
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connect: Connect,
}

impl Queues {
    pub(crate) async fn run(&self) -> Result<()> {
        let queues = self.connect.client()?.queues().await?;
        print::list(self.json, &queues, node::queues)
    }
}
