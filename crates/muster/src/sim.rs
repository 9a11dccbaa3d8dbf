//! `muster sim`: what a workload would come to under a policy. Each experiment has a file of its
//! own.

mod packing;
mod published;

use anyhow::Result;
use clap::{Args, Subcommand};

/// Simulate a cluster under a workload
#[derive(Debug, Args)]
pub(crate) struct Sim {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Packing(packing::Packing),
    Published(published::Published),
}

impl Sim {
    pub(crate) fn run(&self) -> Result<()> {
        match &self.what {
            What::Packing(packing) => packing.run(),
            What::Published(published) => published.run(),
        }
    }
}
