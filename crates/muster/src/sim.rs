//! `muster sim`: what a workload would come to under a policy. Each experiment has a file of its
//! own.

mod measure;
mod replay;
mod table;

use anyhow::Result;
use clap::Args;

/// Replay a trace through the engine and see what each policy makes of it
#[derive(Debug, Args)]
#[command(after_help = replay::EXAMPLES)]
pub(crate) struct Sim {
    #[command(flatten)]
    replay: replay::Replay,
}

impl Sim {
    pub(crate) fn run(&self) -> Result<()> {
        self.replay.run()
    }
}
