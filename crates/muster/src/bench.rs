//! `muster bench`: what the engine's decisions cost, in CPU time and in instructions, and what a
//! whole cluster can do. Chooses the subcommand; the measuring is in `bench/`.

mod accounting;
mod case;
mod chance;
mod churn;
mod clock;
mod cluster;
mod figures;
mod fill;
mod gang;
mod jobs;
mod layout;
mod looks;
mod memory;
mod meter;
mod reclaim;
mod run;
mod world;

use anyhow::Result;
use clap::{Args, Subcommand};

/// Jobs that wait throughout the churn unless asked otherwise.
const PENDING: usize = 20_000;

/// Measure what the engine's decisions cost and what a cluster can do
#[derive(Debug, Args)]
pub(crate) struct Bench {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Engine(run::BenchEngine),
    Cluster(cluster::BenchCluster),
    Accounting(accounting::BenchAccounting),
    Case(case::BenchCase),
    #[command(hide = true)]
    Memory(memory::Memory),
}

impl Bench {
    pub(crate) fn run(&self) -> Result<()> {
        match &self.what {
            What::Engine(engine) => engine.run(),
            What::Cluster(cluster) => cluster.run(),
            What::Accounting(accounting) => accounting.run(),
            What::Case(case) => case.run(),
            What::Memory(memory) => memory.run(),
        }
    }
}
