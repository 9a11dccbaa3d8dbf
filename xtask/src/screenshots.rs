//! `cargo xtask screenshots`: starts a cluster with the demo workload, waits until there is
//! something to see, and takes the pictures of the dashboard that the documentation shows.

use std::path::Path;

use anyhow::Result;
use clap::Args;

use crate::browsed;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Nodes of eight GPUs that the cluster pretends to have
    #[arg(long, default_value_t = 16)]
    nodes: u16,
    /// Seconds that the demo workload runs before the first picture
    #[arg(long, default_value_t = 90)]
    seconds: u32,
}

pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let (nodes, seconds) = (options.nodes.to_string(), options.seconds.to_string());
    let up = ["--demo", "--gpus", "H100x8", "--nodes", &nodes];
    browsed::run(root, &up, "screenshots.mjs", &["docs/pictures", &seconds])
}
