//! `muster sim packing`.

use anyhow::Result;
use clap::Args;

/// Fill a cluster with pods that never leave
#[derive(Debug, Args)]
pub(crate) struct Packing {}

impl Packing {
    pub(crate) fn run(&self) -> Result<()> {
        Ok(())
    }
}
