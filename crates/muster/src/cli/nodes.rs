//! `muster nodes`: the nodes of the cluster.

use anyhow::Result;
use clap::Args;

use super::connect::Connect;
use super::print;
use super::show::{node, time};

/// List nodes with their GPUs, what is used, and whether they can be seen
#[derive(Debug, Args)]
pub(crate) struct Nodes {
    /// Print a JSON array
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connect: Connect,
}

impl Nodes {
    pub(crate) async fn run(&self) -> Result<()> {
        let nodes = self.connect.client()?.nodes().await?;
        print::list(self.json, &nodes, |nodes| node::table(nodes, time::now()))
    }
}
