//! `muster sim`: what a workload would come to under a policy. Without a subcommand a trace is
//! replayed through the engine; every other experiment has a file of its own.

mod compare;
mod figure;
mod measure;
mod number;
mod output;
mod packing;
mod published;
mod replay;
pub(crate) mod report;
mod run;
mod settings;
mod setup;
mod suite;
mod sum;
mod table;
mod team;
mod teller;
mod what_if;

use anyhow::Result;
use clap::{Args, Subcommand};

/// Replay a trace through the engine and see what each policy makes of it, or run an experiment
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, after_help = replay::EXAMPLES)]
pub(crate) struct Sim {
    #[command(subcommand)]
    what: Option<Experiment>,

    #[command(flatten)]
    replay: replay::Replay,
}

#[derive(Debug, Subcommand)]
enum Experiment {
    Compare(Box<compare::Compare>),
    Packing(packing::Packing),
    Published(published::Published),
    Suite(suite::Suite),
    WhatIf(Box<what_if::WhatIf>),
}

impl Sim {
    pub(crate) fn run(&self) -> Result<()> {
        match &self.what {
            None => self.replay.run(),
            Some(Experiment::Compare(compare)) => compare.run(),
            Some(Experiment::Packing(packing)) => packing.run(),
            Some(Experiment::Published(published)) => published.run(),
            Some(Experiment::Suite(suite)) => suite.run(),
            Some(Experiment::WhatIf(what_if)) => what_if.run(),
        }
    }
}
